/** The places `from` … `to` − 1 of the list. */
interface Piece {
  from: number;
  to: number;
}

/**
 * The tasks that some threads have not begun yet. Neighbouring tasks use the same maps. A thread that begins with a new
 * piece of the list must first walk the regions around this piece. So each thread has one large piece. A thread whose
 * piece is done takes the second half of the largest piece of another thread. So few pieces are small, and all threads
 * end at about the same time.
 */
export class TaskList {
  readonly #tasks: readonly number[];
  readonly #pieces: readonly Piece[];

  constructor(tasks: readonly number[], threads: number) {
    this.#tasks = tasks;
    const endOf = (piece: number) => Math.ceil((piece * tasks.length) / threads);
    this.#pieces = Array.from({ length: threads }, (_, p) => ({ from: endOf(p), to: endOf(p + 1) }));
  }

  get isEmpty(): boolean {
    return this.#pieces.every(({ from, to }) => from === to);
  }

  /** Undefined if no task remains. */
  next(thread: number): number | undefined {
    const own = this.#pieces[thread];
    if (own.from === own.to) {
      const largest = this.#pieces.reduce((most, piece) =>
        piece.to - piece.from > most.to - most.from ? piece : most,
      );
      const middle = Math.floor((largest.from + largest.to) / 2);
      [own.from, own.to, largest.to] = [middle, largest.to, middle];
    }
    return own.from === own.to ? undefined : this.#tasks[own.from++];
  }
}

import type { Sector } from "../types.js";

/**
 * The tasks that some threads have not begun yet. A thread that begins with a new piece of the list must first walk the
 * regions around it. So each thread has one large piece. A thread whose piece is done takes the second half of the
 * largest piece of another thread. So few pieces are small, and all threads end at about the same time.
 */
export class TaskList {
  readonly #tasks: readonly number[];
  /** The places `from` … `to` − 1 of the list. */
  readonly #pieces: readonly { from: number; to: number }[];

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

/**
 * Arranges sectors for threads that each begin with an equal piece of the list. The pieces are wedges around the
 * middle. So all threads begin near the middle, as a concentric list does, and a wedge borders few other regions.
 */
export function inWedges(
  list: readonly number[],
  { threads, sectorOf }: { readonly threads: number; readonly sectorOf: (k: number) => Sector },
): number[] {
  const placed = list.map((k, place) => ({ place, k, sector: sectorOf(k) }));
  const middle = (of: (sector: Sector) => number) =>
    placed.reduce((sum, { sector }) => sum + of(sector), 0) / placed.length;
  const [i, j] = [middle((sector) => sector.i), middle((sector) => sector.j)];
  const angle = ({ sector }: (typeof placed)[number]) => Math.atan2(sector.i - i, sector.j - j);
  const around = placed.sort((a, b) => angle(a) - angle(b) || a.place - b.place);
  const ends = Array.from({ length: threads }, (_, p) => Math.ceil(((p + 1) * list.length) / threads));
  return ends.flatMap((end, p) =>
    around
      .slice(p === 0 ? 0 : ends[p - 1], end)
      .sort((a, b) => a.place - b.place)
      .map(({ k }) => k),
  );
}

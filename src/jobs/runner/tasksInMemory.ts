/*
 * The tasks of one call of `run`, in memory that all threads share. The list has the numbers of the tasks. A place is
 * an index into the list.
 *
 *   range   i64 for each thread: from · 2³² + to. The thread has taken the places from … to − 1, and not begun them yet
 *   next    i32: the first place that no thread has taken
 *   done    i32: number of finished tasks
 *   stop    i32: 1 if all threads must stop
 *   runs    i32 for each thread: the task that the thread runs; -1 if it runs no task
 *   list    i32 for each task: the list
 *   ended   i32 for each task: the finished tasks, in the order in which they were finished; then -1 in each free entry
 *
 * Neighbouring tasks use the same maps. A thread that begins with a new piece of the list must first walk the regions
 * around this piece. So each thread takes one large piece. When all tasks are taken, a thread without a task takes the
 * second half of the largest range of a different thread. So few pieces are small, and all threads end at about the
 * same time.
 *
 * A range never has the same `from` and `to` twice, because each place is begun once. So a compare-and-exchange cannot
 * confuse two states.
 */

const NEXT = 0;
const DONE = 1;
const STOP = 2;
const RUNS = 3;
const NONE = -1;
/** The shared memory, and the numbers that are needed to read it. It can be posted to a thread. */
export interface TaskMemory {
  readonly memory: SharedArrayBuffer;
  readonly tasks: number;
  readonly threads: number;
}

/** The tasks of one call, as one of the threads sees them. */
export class SharedTasks {
  readonly #ranges: BigInt64Array;
  readonly #words: Int32Array;
  readonly #tasks: number;
  readonly #threads: number;
  /** Where `list` and `ended` begin, as indices into the words. */
  readonly #list: number;
  readonly #ended: number;
  /** Number of finished tasks that {@link newlyEnded} has yielded. */
  #seen = 0;

  constructor({ memory, tasks, threads }: TaskMemory) {
    this.#ranges = new BigInt64Array(memory, 0, threads);
    this.#words = new Int32Array(memory, threads * BigInt64Array.BYTES_PER_ELEMENT);
    this.#tasks = tasks;
    this.#threads = threads;
    this.#list = RUNS + threads;
    this.#ended = RUNS + threads + tasks;
  }

  /** Makes the memory for some tasks. */
  static memoryFor(list: readonly number[], { threads }: Pick<TaskMemory, "threads">): TaskMemory {
    const tasks = list.length;
    const bytes =
      threads * BigInt64Array.BYTES_PER_ELEMENT + (RUNS + threads + 2 * tasks) * Int32Array.BYTES_PER_ELEMENT;
    const given = { memory: new SharedArrayBuffer(bytes), tasks, threads };
    const made = new SharedTasks(given);
    made.#words.fill(NONE, RUNS);
    made.#words.set(list, made.#list);
    return given;
  }

  /** Begins a task in a thread, and returns it. Returns undefined if no task is left. */
  begin(thread: number): number | undefined {
    const place = this.#fromOwn(thread) ?? this.#fromRest(thread) ?? this.#fromOther(thread);
    if (place === undefined) return undefined;
    const k = this.#words[this.#list + place];
    Atomics.store(this.#words, RUNS + thread, k);
    return k;
  }

  /** Notes that a thread has finished a task: the one that it runs, or one that it ran before. */
  end(thread: number, k: number): void {
    Atomics.compareExchange(this.#words, RUNS + thread, k, NONE);
    Atomics.store(this.#words, this.#ended + Atomics.add(this.#words, DONE, 1), k);
  }

  /** Stops all threads that run these tasks. */
  stop(): void {
    Atomics.store(this.#words, STOP, 1);
  }

  get isStopped(): boolean {
    return Atomics.load(this.#words, STOP) === 1;
  }

  /** The task that a thread runs. */
  runningIn(thread: number): number | undefined {
    const k = Atomics.load(this.#words, RUNS + thread);
    return k === NONE ? undefined : k;
  }

  /** Yields each finished task once. */
  *newlyEnded(): Generator<number, void> {
    while (this.#seen < this.#tasks) {
      const k = Atomics.load(this.#words, this.#ended + this.#seen);
      if (k === NONE) return;
      // counts the task before the `yield`, because the caller may end this generator at the `yield`
      this.#seen++;
      yield k;
    }
  }

  /** Takes the first task of the thread's own range. */
  #fromOwn(thread: number): number | undefined {
    for (;;) {
      const range = this.#range(thread);
      if (range.from === range.to) return undefined;
      if (this.#change(thread, range, { from: range.from + 1, to: range.to })) return range.from;
    }
  }

  /** Takes a piece of the tasks that no thread has taken, and begins with its first task. */
  #fromRest(thread: number): number | undefined {
    for (;;) {
      const from = Atomics.load(this.#words, NEXT);
      if (from === this.#tasks) return undefined;
      const to = this.#endOfPart(from);
      if (Atomics.compareExchange(this.#words, NEXT, from, to) === from) return this.#keep(thread, from, to);
    }
  }

  /**
   * Returns the end of a piece. The list is cut into equal pieces, one for each thread. The first piece is piece 1,
   * and piece p ends at ⌈p · tasks / threads⌉.
   */
  #endOfPart(from: number): number {
    const parts = Math.floor((from * this.#threads) / this.#tasks) + 1;
    return Math.ceil((parts * this.#tasks) / this.#threads);
  }

  /** Takes the second half of the largest range of another thread, and begins with its first task. */
  #fromOther(thread: number): number | undefined {
    for (;;) {
      let [victim, most] = [thread, { from: 0, to: 0 }];
      for (let other = 0; other < this.#threads; other++) {
        const range = this.#range(other);
        if (range.to - range.from > most.to - most.from) [victim, most] = [other, range];
      }
      const { from, to } = most;
      if (from === to) return undefined;
      const middle = Math.floor((from + to) / 2);
      if (this.#change(victim, most, { from, to: middle })) return this.#keep(thread, middle, to);
    }
  }

  /**
   * Gives a range to a thread, and returns the place of the task that the thread begins first. Only the thread itself
   * may call this method.
   */
  #keep(thread: number, from: number, to: number): number {
    Atomics.store(this.#ranges, thread, packed({ from: from + 1, to }));
    return from;
  }

  #range(thread: number): Range {
    const range = Atomics.load(this.#ranges, thread);
    return { from: Number(range >> HALF), to: Number(range & LOW) };
  }

  #change(thread: number, old: Range, range: Range): boolean {
    return Atomics.compareExchange(this.#ranges, thread, packed(old), packed(range)) === packed(old);
  }
}

/** The places `from` … `to` − 1 of the list. */
interface Range {
  readonly from: number;
  readonly to: number;
}

const HALF = 32n;
const LOW = 2n ** HALF - 1n;

function packed({ from, to }: Range): bigint {
  return (BigInt(from) << HALF) | BigInt(to);
}

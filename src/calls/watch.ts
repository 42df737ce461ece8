import { refusePromise, refuseThrown } from "./callbacks.js";

/** The progress of a long call. */
export interface Progress {
  /** Number of results made so far. */
  readonly done: number;
  /** Number of results that the call makes. */
  readonly total: number;
}

/**
 * Options of every long call. The call is synchronous. After each part, which takes a few milliseconds, it looks at
 * `signal`. It calls `onProgress` before it looks, so `onProgress` can abort the signal. An aborted call throws the
 * signal's reason and changes nothing.
 *
 * An `onProgress` that throws, or returns a promise, ends the call with the error `argument.callback`.
 */
export interface LongCall {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** Milliseconds of work that a part of a long call aims at. Parts vary, so this is less than the promised 10. */
const PART_MS = 3;
/** Progress is reported when the number of results passes a multiple of this number, or after some milliseconds. */
export const RESULTS_PER_REPORT = 2 ** 16;
const REPORT_MS = 5;
/** Largest ratio of two consecutive parts: the first parts of a call are short, and the call may become slower. */
const MOST_GROWTH = 8;

/** Whether a call has a signal or `onProgress`, so that it can end after it has made some of its results. */
export function isWatched({ signal, onProgress }: LongCall): boolean {
  return signal !== undefined || onProgress !== undefined;
}

/** Looks at the signal of a long call and reports its progress. */
export class Watch {
  /** Whether somebody watches the call: only then is it divided into parts. */
  readonly isWatched: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: LongCall["onProgress"];
  readonly #total: number;
  readonly #name: string;
  #reported = 0;
  #reportedAt = 0;

  /**
   * Looks at the signal for the first time.
   *
   * @param name - the name of the noun, for messages.
   * @param total - the number of results that the call makes.
   */
  constructor(name: string, total: number, { signal, onProgress }: LongCall) {
    this.isWatched = isWatched({ signal, onProgress });
    this.#signal = signal;
    this.#onProgress = onProgress;
    this.#total = total;
    this.#name = name;
    if (onProgress !== undefined) this.#reportedAt = clock();
    this.look();
  }

  /** Returns a watch that looks at the same signal and reports no progress, for work before the first result. */
  silent(): Watch {
    return new Watch(this.#name, Number.POSITIVE_INFINITY, { signal: this.#signal });
  }

  /** Throws the reason of the signal if it is aborted. Cost: one call. */
  look(): void {
    this.#signal?.throwIfAborted();
  }

  /**
   * Ends a part. Reports `done` results, unless the last report was a moment ago, and looks at the signal. A signal that
   * is aborted after the last part is too late: the results are complete.
   */
  passed(done: number): void {
    if (this.#onProgress !== undefined && this.#isDue(done)) this.#report(this.#onProgress, done);
    if (done < this.#total) this.look();
  }

  #isDue(done: number): boolean {
    const now = clock();
    const hasPassed = Math.floor(done / RESULTS_PER_REPORT) > Math.floor(this.#reported / RESULTS_PER_REPORT);
    const isDue = done === this.#total || hasPassed || now - this.#reportedAt >= REPORT_MS;
    if (isDue) [this.#reported, this.#reportedAt] = [done, now];
    return isDue;
  }

  #report(onProgress: NonNullable<LongCall["onProgress"]>, done: number): void {
    const callback = { what: `"onProgress" of ${JSON.stringify(this.#name)}` };
    let returned: unknown;
    try {
      returned = onProgress({ done, total: this.#total });
    } catch (cause) {
      // a function that aborts the signal and throws its reason has aborted the call
      if (this.#signal?.aborted === true && cause === this.#signal.reason) throw cause;
      refuseThrown(callback, cause);
    }
    refusePromise(returned, callback);
  }
}

/** Chooses the sizes of the parts of a call by the time that the parts before took. Results do not depend on them. */
export class Pace {
  /** The size of the next part. */
  size: number;
  readonly #most: number;

  /**
   * @param first - the size of the first part.
   * @param most - the largest size of a part.
   */
  constructor(first: number, most: number) {
    this.size = Math.min(first, most);
    this.#most = most;
  }

  /** Runs a part of `size` and measures it. */
  measure(size: number, part: () => void): void {
    const start = clock();
    part();
    const elapsed = clock() - start;
    const growth = Math.min(MOST_GROWTH, PART_MS / Math.max(elapsed, PART_MS / MOST_GROWTH));
    this.size = Math.min(this.#most, Math.max(1, Math.floor(size * growth)));
  }
}

/** Milliseconds since some moment. The clock only divides calls into parts; no result depends on it. */
function clock(): number {
  return performance.now();
}

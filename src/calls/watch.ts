import { refusePromise, refuseThrown } from "./callbacks.js";

/** The progress of a long call. */
export interface Progress {
  /** Number of results made up to now. */
  readonly done: number;
  /** Number of results that the whole call makes. */
  readonly total: number;
}

/**
 * Options of every long call. The call is synchronous, and works in parts of a few milliseconds. After each part, it
 * calls `onProgress` and then checks `signal`. So `onProgress` can abort the signal. An aborted call throws the
 * signal's reason and changes nothing.
 *
 * An `onProgress` that throws, or returns a promise, ends the call with the error `argument.callback`.
 */
export interface LongCall {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/**
 * Target duration of a part, in milliseconds. The documented limit is 10. The target is lower, because a part may take
 * longer than planned.
 */
const PART_MS = 3;
/** Progress is reported at each multiple of RESULTS_PER_REPORT results, or after REPORT_MS milliseconds. */
export const RESULTS_PER_REPORT = 2 ** 16;
const REPORT_MS = 5;
/**
 * The next part is at most this many times as large as the part before it, for two reasons. The duration of a short
 * part does not show exactly how long a much larger part would take. And a call may become slower.
 */
const MOST_GROWTH = 8;

/** Whether a call has a signal or `onProgress`. Such a call can end before all its results are made. */
export function isWatched({ signal, onProgress }: LongCall): boolean {
  return signal !== undefined || onProgress !== undefined;
}

/** Checks the abort signal of a long call and reports its progress. */
export class Watch {
  /** Whether the call has a signal or `onProgress`. Only such a call is divided into parts. */
  readonly isWatched: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: LongCall["onProgress"];
  readonly #total: number;
  readonly #name: string;
  #reported = 0;
  #reportedAt = 0;

  /**
   * Checks the signal for the first time.
   *
   * @param name - The noun's name, for messages.
   * @param total - Number of results that the call makes.
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

  /** Returns a watch for the work before the first result. It checks the same signal, but reports no progress. */
  silent(): Watch {
    return new Watch(this.#name, Number.POSITIVE_INFINITY, { signal: this.#signal });
  }

  /** Throws the signal's reason if the signal is aborted. */
  look(): void {
    this.#signal?.throwIfAborted();
  }

  /**
   * Ends a part. Reports the progress if a report is due. Then checks the signal, except after the last part: the
   * results are then complete.
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
      // `onProgress` aborted the signal and threw the signal's reason: an abort, not an error of the callback
      if (this.#signal?.aborted === true && cause === this.#signal.reason) throw cause;
      refuseThrown(callback, cause);
    }
    refusePromise(returned, callback);
  }
}

/** Chooses the size of each part from the duration of the previous part. Results do not depend on the sizes. */
export class Pace {
  /** The size of the next part. */
  size: number;
  readonly #most: number;

  /**
   * @param first - Size of the first part.
   * @param most - Maximum size of a part.
   */
  constructor(first: number, most: number) {
    this.size = Math.min(first, most);
    this.#most = most;
  }

  /** Runs a part with `size` results. Its duration decides the next size. */
  measure(size: number, part: () => void): void {
    const start = clock();
    part();
    const elapsed = clock() - start;
    const growth = Math.min(MOST_GROWTH, PART_MS / Math.max(elapsed, PART_MS / MOST_GROWTH));
    this.size = Math.min(this.#most, Math.max(1, Math.floor(size * growth)));
  }
}

/** A time in milliseconds. It only decides how calls are divided into parts. No result depends on it. */
function clock(): number {
  return performance.now();
}

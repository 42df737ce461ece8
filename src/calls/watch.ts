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

/** Target duration of a part. The documented limit is 10 ms, and a part may take longer than planned. */
const PART_MS = 3;
/** Progress is reported at each multiple of this number of results, or after REPORT_MS milliseconds. */
export const RESULTS_PER_REPORT = 2 ** 16;
const REPORT_MS = 5;
/** The duration of a short part does not show exactly how long a much larger part would take. */
const MAX_GROWTH = 8;

/** Such a call is divided into parts, and can end before its last result. */
export function isWatched({ signal, onProgress }: LongCall): boolean {
  return signal !== undefined || onProgress !== undefined;
}

export class Watch {
  readonly isWatched: boolean;
  readonly #signal: AbortSignal | undefined;
  readonly #onProgress: LongCall["onProgress"];
  readonly #total: number;
  readonly #name: string;
  #reported = 0;
  #reportedAt = 0;

  /** Checks the signal for the first time. `total` is the number of results that the call makes. */
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

  look(): void {
    this.#signal?.throwIfAborted();
  }

  /** Ends a part: reports the progress if a report is due, then checks the signal unless all results are complete. */
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
  size: number;
  readonly #most: number;

  constructor(first: number, most: number) {
    this.size = Math.min(first, most);
    this.#most = most;
  }

  measure<T>(size: number, part: () => T): T {
    const start = clock();
    const made = part();
    const elapsed = clock() - start;
    const growth = Math.min(MAX_GROWTH, PART_MS / Math.max(elapsed, PART_MS / MAX_GROWTH));
    this.size = Math.min(this.#most, Math.max(1, Math.floor(size * growth)));
    return made;
  }
}

/** A time in milliseconds. It only decides how calls are divided into parts. No result depends on it. */
function clock(): number {
  return performance.now();
}

import { error, fail, RollmillError, type Where } from "../errors/index.js";
import { checkInteger } from "../spec/index.js";

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
/** A part is at most this many times as large as the previous part, whose duration is only a rough guide. */
const MAX_GROWTH = 8;

/** Whether a call works in parts, so that it can report progress or be aborted. */
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
    const [onProgress, signal] = [this.#onProgress, this.#signal];
    if (onProgress !== undefined && this.#isDue(done)) {
      reportProgress(this.#name, { done, total: this.#total }, { onProgress, signal });
    }
    if (done < this.#total) this.look();
  }

  #isDue(done: number): boolean {
    const now = clock();
    const hasPassed = Math.floor(done / RESULTS_PER_REPORT) > Math.floor(this.#reported / RESULTS_PER_REPORT);
    const isDue = done === this.#total || hasPassed || now - this.#reportedAt >= REPORT_MS;
    if (isDue) [this.#reported, this.#reportedAt] = [done, now];
    return isDue;
  }
}

/** Throws `argument.callback` if `onProgress` throws, or returns a promise. */
export function reportProgress<P>(
  name: string,
  progress: P,
  { onProgress, signal }: { readonly onProgress?: ((progress: P) => void) | undefined } & Pick<LongCall, "signal">,
): void {
  if (onProgress === undefined) return;
  const callback = { what: `"onProgress" of ${JSON.stringify(name)}` };
  let returned: unknown;
  try {
    returned = onProgress(progress);
  } catch (cause) {
    // `onProgress` aborted the signal and threw the signal's reason: an abort, not an error of the callback
    if (signal?.aborted === true && cause === signal.reason) throw cause;
    refuseThrown(callback, cause);
  }
  refusePromise(returned, callback);
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
export function clock(): number {
  return performance.now();
}

interface CallbackPlace {
  /** The callback as users write it, and its noun: `"onProgress" of "loot"`. */
  readonly what: string;
  readonly where?: Where | undefined;
}

/** @throws RollmillError `argument.callback`, always. Its `cause` is the value that the callback threw. */
export function refuseThrown({ what, where = {} }: CallbackPlace, cause: unknown): never {
  const remedy = "Catch the error in the function, or remove its cause";
  return fail(error("argument.callback", { problem: `${what} failed (${reasonOf(cause)})`, remedy, where }), cause);
}

/** Throws `argument.callback` for a promise: the call does not wait for it, so a rejection would be lost. */
export function refusePromise(returned: unknown, { what, where = {} }: CallbackPlace): void {
  if (!ignoreRejection(returned)) return;
  const problem = `${what} returned a promise, which the call cannot await`;
  fail(error("argument.callback", { problem, expected: "a function that is not async", where }));
}

/** Whether a value is a promise. Handles its rejection, because an unhandled rejection would end the process. */
export function ignoreRejection(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("then" in value) || typeof value.then !== "function") {
    return false;
  }
  Promise.resolve(value).catch(() => undefined);
  return true;
}

/** Describes a thrown value in one line. For a RollmillError, returns the messages without positions. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof RollmillError) return cause.issues.map(({ message, code }) => `${message} [${code}]`).join("; ");
  if (cause instanceof Error) return `it threw ${cause.name}: ${cause.message}`;
  return `it threw ${typeof cause === "string" ? JSON.stringify(cause) : typeof cause}`;
}

/** Options of a call that computes exact odds. */
export interface OddsCall extends LongCall {
  /**
   * Maximum number of steps of work, 1 … 2^53 − 1. A call that needs more steps throws `odds.work`. 10^8 steps take
   * roughly half a second, but the number of steps does not depend on the machine. Default 250,000,000.
   */
  readonly maxWork?: number | undefined;
}

export const ODDS_CALL = ["signal", "onProgress", "maxWork"] as const;

const MAX_WORK = 250_000_000;
/** Number of steps between two checks of the signal. These steps take about 5 milliseconds. */
const STEPS_PER_LOOK = 2 ** 20;

/** Counts the steps of a call that computes exact odds. Ends the call after too many steps. Progress counts parts. */
export class Work {
  readonly #most: number;
  readonly #name: string;
  readonly #watch: Watch;
  readonly #parts: number;
  #finished = 0;
  #shown = 0;
  #begun = 0;
  #done = 0;
  #expected = 0;
  #lookAt = STEPS_PER_LOOK;

  constructor(name = "the odds", parts = 1, { maxWork = MAX_WORK, signal, onProgress }: OddsCall = {}) {
    checkInteger("maxWork", maxWork, 1, Number.MAX_SAFE_INTEGER);
    this.#name = name;
    this.#most = maxWork;
    this.#parts = parts;
    this.#watch = new Watch(name, parts, { signal, onProgress });
  }

  /** Returns a counter with the same limit, for work after the call. It has no signal and reports no progress. */
  again(): Work {
    return new Work(this.#name, this.#parts, { maxWork: this.#most });
  }

  look(): void {
    this.#watch.look();
  }

  /** Regularly reports the progress and checks the signal. Throws RollmillError `odds.work` after too many steps. */
  spend(steps: number): void {
    if (this.#done + steps > this.#most) this.#refuse(steps);
    this.#done += Math.ceil(steps);
    if (this.#done < this.#lookAt) return;
    this.#lookAt = this.#done + STEPS_PER_LOOK;
    this.#watch.passed(this.#progress());
  }

  /** Announces that about `steps` steps remain, and at least `least`. If `least` is too many, ends the call at once. */
  expect(steps: number, least = 0): void {
    this.#expected = this.#done + Math.ceil(steps);
    if (this.#done + least > this.#most) this.#refuse(least);
  }

  finish(parts = 1): void {
    this.#finished = Math.min(this.#parts, this.#finished + parts);
    this.#begun = this.#done;
    this.#expected = this.#done;
  }

  end(): void {
    this.#watch.passed(this.#parts);
  }

  /** Estimates the number of finished parts, as if the announced steps were all that is left. It never decreases. */
  #progress(): number {
    const announced = this.#expected - this.#begun;
    const share = announced > 0 ? Math.min(1, (this.#done - this.#begun) / announced) : 0;
    const parts = this.#finished + Math.floor(share * (this.#parts - this.#finished));
    this.#shown = Math.max(this.#shown, Math.min(parts, this.#parts - 1));
    return this.#shown;
  }

  #refuse(next: number): never {
    // assumes that each of the other parts takes as many steps as a finished part
    const others = this.#finished > 0 ? (this.#done * (this.#parts - this.#finished)) / this.#finished : 0;
    const left = Math.ceil(Math.max(next, this.#expected - this.#done, others));
    const steps = `${this.#done} steps of work are done, and about ${left} are left`;
    return fail(
      error("odds.work", {
        problem: `the exact odds take too much work (${steps})`,
        expected: `at most ${this.#most} steps, the limit "maxWork"`,
        remedy: 'Raise "maxWork" (--max-work), or use fewer rows, smaller weights or smaller dice',
      }),
    );
  }
}

import { error, fail } from "../errors/index.js";
import { checkInteger } from "../spec/index.js";
import { type LongCall, Watch } from "./watch.js";

/** Options of a call that computes exact odds. */
export interface OddsCall extends LongCall {
  /**
   * Maximum number of steps of work, 1 … 2^53 − 1. A call that needs more steps throws `odds.work`. 10^8 steps take
   * roughly half a second, but the number of steps does not depend on the machine. Default 250,000,000.
   */
  readonly maxWork?: number | undefined;
}

/** Names of the options in {@link OddsCall}. */
export const ODDS_CALL = ["signal", "onProgress", "maxWork"] as const;

const MAX_WORK = 250_000_000;
/** Number of steps between two looks at the signal. They take about 5 milliseconds. */
const STEPS_PER_LOOK = 2 ** 20;

/** Counts the steps of a call that computes exact odds, and ends it after too many. Progress counts parts. */
export class Work {
  readonly #most: number;
  readonly #name: string;
  readonly #watch: Watch;
  readonly #parts: number;
  #finished = 0;
  #shown = 0;
  #begun = 0;
  #done = 0;
  /** The value of `#done` when the announced steps are done. */
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

  /**
   * Announces about how many steps are left. Progress and the message of `odds.work` use this number.
   * @param least - Number of steps that are certainly left.
   * @throws RollmillError `odds.work` if these certain steps are too many. So such a call ends at once.
   */
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

  /** The number of parts that seem finished, if the announced steps are those of all other parts. Never falls. */
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

import type { RollmillError } from "../../errors/index.js";
import type { Submission } from "./tickets.js";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5000;
const MAX_SEEN = 100_000;

/**
 * Remembers which tickets a worker has given back, because it does not have their job. These go to the end of the
 * queue, so the worker gets to its own tickets. If it gets one again without an own ticket in between, it has seen all,
 * and pauses: each time twice as long.
 */
export class Refusals {
  /** Since the last pause, by submission. */
  readonly #causes = new Map<string, RollmillError>();
  readonly #seen = new Set<string>();
  #pauseMs = FIRST_PAUSE_MS;

  /** Throws why a ticket of the same submission was given back. */
  throwKnown(submission: Submission): void {
    const cause = this.#causes.get(keyOf(submission));
    if (cause !== undefined) throw cause;
  }

  /** `isNew`: the ticket is the first of its submission since the last pause. */
  add(id: string, submission: Submission, cause: RollmillError): { readonly isNew: boolean; readonly pauseMs: number } {
    const isNew = this.#causes.get(keyOf(submission)) !== cause;
    this.#causes.set(keyOf(submission), cause);
    if (!this.#seen.has(id) && this.#seen.size < MAX_SEEN) {
      this.#seen.add(id);
      return { isNew, pauseMs: 0 };
    }
    const pauseMs = this.#pauseMs;
    this.#forget();
    this.#pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    return { isNew, pauseMs };
  }

  /** The worker has done an own ticket. */
  reset(): void {
    this.#seen.clear();
    this.#pauseMs = FIRST_PAUSE_MS;
  }

  #forget(): void {
    this.#seen.clear();
    this.#causes.clear();
  }
}

function keyOf({ job, generation, code, control }: Submission): string {
  return JSON.stringify([job, generation, code, control]);
}

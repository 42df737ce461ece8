import type { RollmillError } from "../../errors/index.js";
import type { Submission } from "./tickets.js";

/** The shortest and the longest pause of a worker that has seen all tickets of the queue and can do none of them. */
const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5000;
/** A worker remembers at most this many tickets. */
const MAX_SEEN = 100_000;

/**
 * Remembers which tickets a worker has given back to one queue, because it does not have their job. A ticket that is
 * given back goes to the end of the queue. So the worker gets to its own tickets, however many others are before them.
 * If it gets a ticket again without an own ticket in between, the queue has no ticket for it, and it pauses. Each pause
 * is twice as long as the one before.
 */
export class Refusals {
  /** Why tickets were given back since the last pause, by submission. */
  readonly #causes = new Map<string, RollmillError>();
  readonly #seen = new Set<string>();
  #pauseMs = FIRST_PAUSE_MS;

  /** Throws the error because of which a ticket of the same submission was given back since the last pause. */
  throwKnown(submission: Submission): void {
    const cause = this.#causes.get(keyOf(submission));
    if (cause !== undefined) throw cause;
  }

  /** Notes that a ticket was given back. `isNew` tells whether it is the first one of its submission since the last pause. */
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

  /** Notes that the worker has done an own ticket. */
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

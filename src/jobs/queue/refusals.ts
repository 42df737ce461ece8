import type { RollmillError } from "../../errors/index.js";
import { keyOf, type Submission } from "./tickets.js";

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5000;
const MAX_SEEN = 100_000;

/** Remembers the tickets that a worker has given back. When it has seen all, it pauses: each time twice as long. */
export function newRefusals() {
  /** Since the last pause, by submission. */
  const causes = new Map<string, RollmillError>();
  const seen = new Set<string>();
  let pauseMs = FIRST_PAUSE_MS;
  return {
    /** Throws why a ticket of the same submission was given back. */
    throwKnown(submission: Submission): void {
      const cause = causes.get(keyOf(submission));
      if (cause !== undefined) throw cause;
    },
    /** `isNew`: the ticket is the first of its submission since the last pause. */
    add(id: string, submission: Submission, cause: RollmillError) {
      const isNew = causes.get(keyOf(submission)) !== cause;
      causes.set(keyOf(submission), cause);
      if (!seen.has(id) && seen.size < MAX_SEEN) {
        seen.add(id);
        return { isNew, pauseMs: 0 };
      }
      const now = { isNew, pauseMs };
      seen.clear();
      causes.clear();
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      return now;
    },
    /** The worker has done an own ticket. */
    reset(): void {
      seen.clear();
      pauseMs = FIRST_PAUSE_MS;
    },
  };
}

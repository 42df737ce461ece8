/** The rate counts the tasks that ended in the last WINDOW_MS milliseconds. */
const WINDOW_MS = 30_000;

/** A finished task ticket. */
export interface EndedTicket {
  /** When the ticket ended, in milliseconds since 1970. */
  readonly finishedOn: number;
  /** Whether the ticket belongs to the latest submission of the job. */
  readonly isOwn: boolean;
}

/**
 * Returns how many own tickets ended per second, in the last 30 seconds.
 *
 * @param given - `nowMs` is the present time, and `sinceMs` the time of the submission. `isCut` tells whether the queue
 * may have dropped tickets that ended before those in `ended`. Then only the time since the oldest one counts.
 */
export function rateOf(
  ended: readonly EndedTicket[],
  { nowMs, sinceMs, isCut }: { readonly nowMs: number; readonly sinceMs: number; readonly isCut: boolean },
): number {
  const oldestMs = isCut ? Math.min(...ended.map(({ finishedOn }) => finishedOn)) : 0;
  const fromMs = Math.max(nowMs - WINDOW_MS, sinceMs, oldestMs);
  const count = ended.filter(({ isOwn, finishedOn }) => isOwn && finishedOn > fromMs).length;
  return (1000 * count) / Math.max(1, nowMs - fromMs);
}

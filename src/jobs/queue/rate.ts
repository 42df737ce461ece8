const WINDOW_MS = 30_000;

export interface EndedTicket {
  /** In milliseconds since 1970. */
  readonly finishedOn: number;
  /** Of the latest submission of the job. */
  readonly isOwn: boolean;
}

/**
 * Own tickets per second in the last 30 seconds. `sinceMs` is the time of the submission. If `isCut`, the queue may
 * have dropped tickets that ended before those in `ended`, so only the time since the oldest one counts.
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

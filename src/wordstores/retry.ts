import { randomInt } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";

/**
 * Shortest and longest pause, in milliseconds. The length of each pause is random. With equal pauses, two programs that
 * wait for one lock could collide every time.
 */
const PAUSE_MS = [1, 10] as const;
/** Default time limit for all tries together, in milliseconds. */
const LIMIT_MS = 5_000;

interface RetryLimits {
  readonly lockMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Runs some work. If it fails with a temporary error, pauses and tries again, until the time limit. `isPassing` says
 * which errors are temporary.
 *
 * @throws The last error of the work; the reason of the signal.
 */
export async function retrying<T>(
  isPassing: (cause: unknown) => boolean,
  work: () => Promise<T>,
  { lockMs = LIMIT_MS, signal }: RetryLimits = {},
): Promise<T> {
  const limit = AbortSignal.timeout(lockMs);
  for (;;) {
    signal?.throwIfAborted();
    try {
      return await work();
    } catch (cause) {
      if (!isPassing(cause) || limit.aborted) throw cause;
    }
    // ignores an abort during the pause: the next round throws the reason of the signal
    await delay(randomInt(...PAUSE_MS), undefined, { ...(signal && { signal }) }).catch(() => undefined);
  }
}

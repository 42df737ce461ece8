import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 25;
/** Maximum number of tries. The pauses between them add up to 5 s. */
const MAX_TRIES = 200;

/**
 * Runs some work. If `isPassing` recognises its error as temporary, pauses and tries again, for at most 5 s in all.
 */
export async function retrying<T>(isPassing: (cause: unknown) => boolean, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (cause) {
      if (tries === MAX_TRIES || !isPassing(cause)) throw cause;
      await delay(PAUSE_MS);
    }
  }
}

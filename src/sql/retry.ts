import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 25;
/** 5 s of pauses. */
const MAX_TRIES = 200;

/**
 * Runs some work, and repeats it after a pause while `isPassing` recognises its error as temporary, for at most 5 s.
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

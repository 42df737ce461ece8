import { setTimeout as delay } from "node:timers/promises";

const PAUSE_MS = 25;
/** 200 pauses of 25 ms: some 5 s. */
const MAX_TRIES = 200;

/** Does some work again, after a pause, as long as `isPassing` says that what it threw passes by itself, for 5 s. */
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

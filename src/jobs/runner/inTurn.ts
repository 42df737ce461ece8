import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import type { BackgroundStore } from "../folder/backgroundStore.js";

/** No task begins while this many parts are on their way to the disk. */
const MOST_UNFLUSHED = 4;
/** After each task, the thread waits at most this share of the task's time for the parts of earlier tasks. */
const WAIT_SHARE = 1 / 50;

interface TasksInTurn {
  readonly store: BackgroundStore;
  /** Returns the next task; undefined if no task is left. */
  readonly begin: () => number | undefined;
  readonly run: (k: number) => void;
  /** Called when the part of a task is on the disk. */
  readonly end: (k: number) => void;
}

/**
 * Runs tasks one after another in this thread. The parts of tasks go to the disk while the next tasks run. Between two
 * tasks, timers and messages of the thread are handled.
 *
 * @throws the first error of a task or of a write. When the call ends, nothing is being written any more.
 */
export async function runInTurn({ store, begin, run, end }: TasksInTurn): Promise<void> {
  const flushing = new Set<Promise<void>>();
  try {
    for (let k = begin(); k !== undefined; k = begin()) {
      const task = k;
      const start = performance.now();
      run(task);
      const mostMs = (performance.now() - start) * WAIT_SHARE;
      const earlier = [...flushing];
      const flush: Promise<void> = store.flushed().then(() => {
        flushing.delete(flush);
        end(task);
      });
      // no error is lost: an `await` of the promise below throws it
      flush.catch(() => undefined);
      flushing.add(flush);
      await turn();
      // A flush takes several turns of the event loop. Without a wait, a long task would block the loop, and the flush
      // of the task before it would end late.
      if (flushing.size >= MOST_UNFLUSHED) await Promise.race(flushing);
      else if (mostMs >= 1) await Promise.race([Promise.all(earlier), wait(mostMs, undefined, { ref: false })]);
    }
    await Promise.all(flushing);
  } finally {
    await Promise.allSettled(flushing);
  }
}

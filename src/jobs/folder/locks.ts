import { existsSync, readdirSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { isLocked, whileLocked } from "../../files/lock.js";

/** The lock of the one runner of a job. An export into the folder of the job holds it too. */
export const RUNNER = "runner.lock";
/** Matches the locks of the workers of a queue, of which a job can have many. */
const WORKER = /^worker-[^/]*\.lock$/;
/** A process touches its lock at this interval. Other hosts see only the lock's modification time. */
const ALIVE_MS = 60_000;

export function workerLock(id: string): string {
  return `worker-${id}.lock`;
}

/**
 * Holds a lock in the folder of a job while `work` runs, however long that takes.
 *
 * @throws RollmillError `file.busy` if another process holds the lock for 5 seconds; `file.write`.
 */
export function whileHolding<T>(folder: string, name: string, work: () => Promise<T>): Promise<T> {
  const lock = join(folder, name);
  return whileLocked(lock, async () => {
    const timer = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), ALIVE_MS);
    try {
      return await work();
    } finally {
      clearInterval(timer);
    }
  });
}

/** Whether a process holds a lock in the folder of a job, or was killed while it held the lock. */
export function hasLock(folder: string, name: string): boolean {
  return existsSync(join(folder, name));
}

export function isWorkedOn(folder: string): boolean {
  return [RUNNER, ...workerLocks(folder)].some((name) => isLocked(join(folder, name)));
}

/** @throws RollmillError `file.busy` if a worker of a queue does not stop within 5 seconds; `file.write`. */
export async function untilNoWorkers(folder: string): Promise<void> {
  for (const name of workerLocks(folder)) await whileLocked(join(folder, name), async () => undefined);
}

/** Removes the locks of workers that were killed. */
export async function sweepWorkers(folder: string): Promise<void> {
  const stale = workerLocks(folder).filter((name) => !isLocked(join(folder, name)));
  // to take a lock over removes the old one; a lock that cannot be taken does no harm
  for (const name of stale) await whileLocked(join(folder, name), async () => undefined).catch(() => undefined);
}

function workerLocks(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => WORKER.test(name));
  } catch {
    // then its job cannot be read either
    return [];
  }
}

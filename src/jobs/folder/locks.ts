import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readdirSync } from "node:fs";
import { utimes } from "node:fs/promises";
import { join } from "node:path";
import { isLocked, whileLocked } from "../../files/lock.js";

/** The lock of the runner. An export into the folder of the job holds this lock too. */
export const RUNNER = "runner.lock";
const WORKER = /^worker-[^/]*\.lock$/;
/** A process updates its lock's modification time at this interval, which shows other hosts that it still runs. */
const ALIVE_MS = 60_000;

/** Holds the lock of a worker until the returned function is called. */
export async function holdWorker(folder: string): Promise<() => Promise<void>> {
  const end = new AbortController();
  let held: Promise<unknown> = Promise.resolve();
  await new Promise<void>((begun, failed) => {
    held = whileHolding(folder, `worker-${randomUUID()}.lock`, () => {
      begun();
      return once(end.signal, "abort");
    });
    held.catch(failed);
  });
  return async () => {
    end.abort();
    await held;
  };
}

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

/** Whether the lock exists. A process that was killed leaves its lock behind. */
export function hasLock(folder: string, name: string): boolean {
  return existsSync(join(folder, name));
}

export function isWorkedOn(folder: string): boolean {
  return [RUNNER, ...workerLocks(folder)].some((name) => isLocked(join(folder, name)));
}

/** Waits for all workers. Throws `file.busy` if a worker does not stop within 5 seconds. */
export async function untilNoWorkers(folder: string): Promise<void> {
  for (const name of workerLocks(folder)) await whileLocked(join(folder, name), async () => undefined);
}

export async function sweepWorkers(folder: string): Promise<void> {
  const stale = workerLocks(folder).filter((name) => !isLocked(join(folder, name)));
  // `whileLocked` takes a stale lock over, and then removes it; a lock that cannot be taken over does no harm
  for (const name of stale) await whileLocked(join(folder, name), async () => undefined).catch(() => undefined);
}

function workerLocks(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => WORKER.test(name));
  } catch {
    // returns no locks: if a folder cannot be listed, its job cannot be read either
    return [];
  }
}

import { randomUUID } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { lstat, mkdir, readdir, rename, rm, rmdir, stat, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { error, fail } from "../errors/index.js";
import { failToWrite, unless } from "./problem.js";
import { openRegular } from "./read.js";
import { newTemporary, removeFolder, temporaryExtension, whileTemporary } from "./temporaries.js";

/** The pauses between all tries to take a lock add up to 5 s. */
const PAUSE_MS = 25;
const MAX_TRIES = 200;
export const STALE_MS = 600_000;
/** Maximum age of the folder `<lock>.taking`. A takeover takes milliseconds. */
const TAKEOVER_MS = 60_000;
/** Error codes of a rename to a lock that exists. Windows reports EPERM or EACCES. */
const TAKEN = ["ENOTEMPTY", "EEXIST", "ENOTDIR", ...(process.platform === "win32" ? ["EPERM", "EACCES"] : [])];
const OWNER = "owner.json";
const MAX_OWNER_BYTES = 4096;
/** Extension of a folder that will become a lock, or was a lock before its release. */
const WAITING = "lock";

/** Owner ids of locks that this process could not remove, for example after a disk failure. These locks are stale. */
const abandoned = new Set<string>();

type Owner = ReturnType<typeof newOwner>;

interface Held {
  readonly owner: Owner | undefined;
  readonly changedMs: number;
}

/**
 * Holds a lock while `work` runs. The lock is the folder `lock`. Its file `owner.json` has the host, the process and
 * the time. If another process holds the lock, waits for at most 5 s. Then throws `file.busy`, which names the holder.
 *
 * A lock is stale if its process was on this host and no longer runs, or if its process cannot be examined and the lock
 * is older than 10 minutes. To take over a stale lock, a process must first create the folder `<lock>.taking`. Then it
 * examines the lock again, and removes the lock only if it is still stale.
 *
 * `work` may write temporary files into the lock. These files are removed with the lock, even if the process is killed
 * and another process takes over the lock.
 */
export async function whileLocked<T>(lock: string, work: () => Promise<T>): Promise<T> {
  const owner = newOwner();
  await acquire(lock, owner).catch((cause: unknown) => failToWrite(lock, cause));
  return whileTemporary(lock, async () => {
    try {
      await sweep(lock).catch((cause: unknown) => failToWrite(lock, cause));
      return await work();
    } finally {
      const isRemoved = await remove(lock, owner.id).catch(() => false);
      if (!isRemoved) abandoned.add(owner.id);
    }
  });
}

/**
 * Whether a process holds a lock that is not stale. Changes nothing, so the folder may be read-only. The lock of a
 * process on another host is stale if the parent folder was modified more than 10 minutes later than the lock.
 */
export function isLocked(lock: string): boolean {
  try {
    const { mtimeMs: changedMs } = lstatSync(lock);
    // Compares with the parent folder's modification time, which is never ahead of the file system's clock. So a lock
    // never counts as stale too early, even if the clock of this host is wrong.
    const { mtimeMs: nowMs } = statSync(dirname(lock));
    return !isStale({ owner: ownerAt(lock), changedMs }, nowMs);
  } catch {
    // there is no lock, or it is being removed
    return false;
  }
}

async function acquire(lock: string, owner: Owner): Promise<void> {
  const own = newTemporary(dirname(lock), WAITING);
  await whileTemporary(own, async () => {
    try {
      await mkdir(own);
      await writeFile(join(own, OWNER), JSON.stringify(owner));
      const { mtimeMs: nowMs } = await stat(own);
      const take = () => rename(own, lock).then(() => true);
      for (let tries = 1; (await unless(TAKEN, take)) === undefined; tries++) {
        const held = await heldAt(lock);
        if (held !== undefined && isStale(held, nowMs)) await takeOver(lock, held, nowMs);
        if (tries === MAX_TRIES) failBusy(lock, held?.owner);
        if (held !== undefined) await delay(PAUSE_MS);
      }
    } finally {
      await rm(own, { recursive: true, force: true }).catch(() => undefined);
    }
  });
}

/** Removes the folders of processes that were killed while they waited for or released a lock in the same folder. */
async function sweep(lock: string): Promise<void> {
  const folder = dirname(lock);
  const { mtimeMs: nowMs } = await stat(lock);
  for (const name of await readdir(folder)) {
    if (temporaryExtension(name) !== WAITING) continue;
    const held = await heldAt(join(folder, name));
    if (held !== undefined && isStale(held, nowMs)) await removeFolder(join(folder, name), isOfLock);
  }
}

async function heldAt(lock: string): Promise<Held | undefined> {
  const found = await unless(["ENOENT"], () => lstat(lock));
  return found && { owner: ownerAt(lock), changedMs: found.mtimeMs };
}

function ownerAt(lock: string): Owner | undefined {
  try {
    if (!lstatSync(lock).isDirectory()) return undefined;
    const file = openRegular(join(lock, OWNER), constants.O_RDONLY);
    try {
      return fstatSync(file).size <= MAX_OWNER_BYTES ? ownerOf(readFileSync(file, "utf8")) : undefined;
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function ownerOf(text: string): Owner | undefined {
  const { id, host, space, pid, started, since } = JSON.parse(text);
  const texts = [id, host, space, started, since];
  return texts.every((one) => typeof one === "string") && Number.isSafeInteger(pid)
    ? { id, host, space, pid, started, since }
    : undefined;
}

// `nowMs` is a time of the lock's file system, because the clocks of two hosts can differ
function isStale({ owner, changedMs }: Held, nowMs: number): boolean {
  const isOld = nowMs - changedMs > STALE_MS;
  if (owner === undefined || owner.host !== hostname() || owner.space !== processSpace()) return isOld;
  if (abandoned.has(owner.id) || !isRunning(owner.pid)) return true;
  const started = startOf(owner.pid);
  return started === "" || owner.started === "" ? isOld : started !== owner.started;
}

/** Whether a process runs. The pid must be from this host and this namespace. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // a killed process keeps its pid, with the state Z (zombie) or X (dead), until its parent reads the exit status
    return !/^[ZX]/.test(statusOf(pid));
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code !== "ESRCH";
  }
}

async function takeOver(lock: string, stale: Held, nowMs: number): Promise<void> {
  const mark = `${lock}.taking`;
  const isMine = await unless(["EEXIST"], () => mkdir(mark).then(() => true));
  if (isMine === undefined) {
    const found = await unless(["ENOENT"], () => lstat(mark));
    if (found !== undefined && nowMs - found.mtimeMs > TAKEOVER_MS) await unless(["ENOENT"], () => rmdir(mark));
    return;
  }
  await whileTemporary(mark, async () => {
    try {
      const held = await heldAt(lock);
      const isSame = held?.owner?.id === stale.owner?.id && held?.changedMs === stale.changedMs;
      if (held !== undefined && isSame) await remove(lock, stale.owner?.id);
    } finally {
      await rmdir(mark);
    }
  });
}

/** Removes a lock if its owner has this id. Returns whether the owner had this id. */
async function remove(lock: string, id: string | undefined): Promise<boolean> {
  if ((await heldAt(lock))?.owner?.id !== id) return false;
  const gone = newTemporary(dirname(lock), WAITING);
  await whileTemporary(gone, async () => {
    // a rename removes the folder and its file in one step
    await unless(["ENOENT"], () => rename(lock, gone));
    await removeFolder(gone, isOfLock);
  });
  return true;
}

function isOfLock(name: string): boolean {
  return name === OWNER || temporaryExtension(name) !== undefined;
}

function newOwner() {
  return {
    id: randomUUID(),
    host: hostname(),
    space: processSpace(),
    pid: process.pid,
    // a later process with the same pid has another start time
    started: startOf(process.pid),
    since: new Date().toISOString(),
  };
}

/** Returns this process's pid namespace. On Linux, each container on a host numbers its processes separately. */
function processSpace(): string {
  try {
    return readlinkSync("/proc/self/ns/pid");
  } catch {
    return "";
  }
}

/** Returns the start time in ticks since boot; "" if unknown. Source: proc(5), field 22. */
function startOf(pid: number): string {
  return statusOf(pid).split(" ")[19] ?? "";
}

/** Returns the file `stat` of a process in /proc, from field 3 on; "" on systems without /proc. */
function statusOf(pid: number): string {
  try {
    const line = readFileSync(`/proc/${pid}/stat`, "latin1");
    // field 2 is the program's name in parentheses, which can itself contain spaces and parentheses
    return line.slice(line.lastIndexOf(")") + 2);
  } catch {
    return "";
  }
}

function failBusy(lock: string, owner: Owner | undefined): never {
  const by = owner && ` (process ${owner.pid} on host ${owner.host}, since ${owner.since})`;
  const problem = `another program has locked the files${by ?? ""}`;
  const expected = `the lock to be released within ${(PAUSE_MS * MAX_TRIES) / 1000} s`;
  const remedy = "Try again when the other program has finished";
  return fail(error("file.busy", { problem, expected, remedy, where: { file: lock } }));
}

import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm, rmdir, stat } from "node:fs/promises";
import { basename, dirname, join, sep } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { error, fail } from "../errors/index.js";
import { fileNameFlaw } from "../spec/index.js";
import { STALE_MS, whileLocked } from "./lock.js";
import { failToRead, failToWrite, unless } from "./problem.js";
import { checkSize } from "./read.js";
import { newTemporary, PREFIX, whileTemporary } from "./temporaries.js";
import { flushFolder, writeNew } from "./wholeFile.js";

/** Pause in milliseconds before a read is repeated. A read is repeated if a writer replaced files meanwhile. */
const PAUSE_MS = 10;
/** Maximum number of reads, including the repeated reads. */
const MAX_READS = 100;
/** Extension of a subfolder whose new files are not complete yet. */
const PENDING = "pending";
/** Extension of a subfolder whose new files are complete. */
const COMMITTED = "new";

/**
 * Reads several files of a folder. All texts belong to one state of the folder: either before or after a replacement by
 * {@link replaceTogether}, even if the replacing process was killed. The folder may be read-only.
 *
 * Cost: O(length).
 *
 * @throws RollmillError `file.read`: a file is missing, is not a regular file, is larger than 64 MiB, or is a symbolic
 * link that leads out of the folder; `file.busy` if the files keep changing.
 */
export async function readTogether(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  for (let reads = 1; reads <= MAX_READS; reads++) {
    const texts = await readOnce(folder, names);
    if (texts !== undefined) return texts;
    await delay(PAUSE_MS);
  }
  return fail(
    error("file.busy", {
      problem: "other programs keep changing the files",
      remedy: "Try again",
      where: { file: folder },
    }),
  );
}

/**
 * Holds the lock of a folder while `work` changes files of the folder. First finishes a replacement that a killed
 * process did not finish.
 *
 * @throws RollmillError `file.busy` if another process holds the lock; `file.write`.
 */
export async function whileChanging<T>(folder: string, work: () => Promise<T>): Promise<T> {
  const real = await realpath(folder).catch((cause: unknown) => failToWrite(folder, cause));
  return whileLocked(join(real, "rollmill.lock"), async () => {
    await finishInterrupted(folder).catch((cause: unknown) => failToWrite(folder, cause));
    return work();
  });
}

/**
 * Replaces all files that `texts` names, or none of them. Files that `texts` does not name stay. Call this function
 * inside {@link whileChanging}.
 *
 * First writes all new files into a new subfolder and flushes them. Then renames the subfolder to `.rollmill-….new`.
 * This rename commits the replacement: from now on, {@link readTogether} reads the new files in the subfolder. Then
 * moves each file to its place, and removes the subfolder.
 *
 * If the process is killed before the rename, nothing has changed. If it is killed later, the next change of the folder
 * moves the remaining files. A new file gets the mode of the old file and, if possible, its owner.
 *
 * Cost: O(length), and the time of flushing the disk for each file.
 *
 * @throws RollmillError `file.write`.
 */
export async function replaceTogether(folder: string, texts: ReadonlyMap<string, string>): Promise<void> {
  try {
    const pending = newTemporary(folder, PENDING);
    const committed = pending.replace(/[^.]+$/, COMMITTED);
    await whileTemporary(pending, async () => {
      try {
        await mkdir(pending);
        for (const [name, text] of texts) await writeNew(join(pending, name), text, await oldFile(folder, name));
        await flushFolder(pending);
        await rename(pending, committed);
      } catch (cause) {
        await rm(pending, { recursive: true, force: true }).catch(() => undefined);
        throw cause;
      }
    });
    await flushFolder(folder);
    await finish(folder, committed);
  } catch (cause) {
    failToWrite(folder, cause);
  }
}

/**
 * Cleans up after killed processes. Finishes a committed replacement, and deletes the files of an uncommitted one. The
 * caller holds the lock.
 */
async function finishInterrupted(folder: string): Promise<void> {
  const committed = await committedIn(folder);
  if (committed !== undefined) await finish(folder, join(folder, committed));
  // the lock was just created in this folder, so the folder's modification time is the file system's current time
  const { mtimeMs: nowMs } = await stat(folder);
  for (const name of (await readdir(folder)).filter((one) => one.startsWith(PREFIX))) {
    const path = join(folder, name);
    // A pending subfolder is always left over, because this process holds the lock. Any other temporary file may belong
    // to a running process, so it is deleted only if it is old.
    const isOld = async () => nowMs - ((await unless(["ENOENT"], () => stat(path)))?.mtimeMs ?? nowMs) > STALE_MS;
    const isLeft = name.endsWith(`.${PENDING}`) || (await isOld());
    if (isLeft) await rm(path, { recursive: true, force: true });
  }
}

async function finish(folder: string, committed: string): Promise<void> {
  for (const name of await readdir(committed)) {
    const target = await insidePath(folder, name);
    await rename(join(committed, name), target);
    if (dirname(target) !== folder) await flushFolder(dirname(target));
  }
  await flushFolder(folder);
  await rmdir(committed);
}

/** Returns the name of the subfolder whose files are committed but not all moved. Undefined if there is none. */
async function committedIn(folder: string): Promise<string | undefined> {
  const names = (await unless(["ENOENT", "ENOTDIR"], () => readdir(folder))) ?? [];
  return names.find((name) => name.startsWith(PREFIX) && name.endsWith(`.${COMMITTED}`));
}

interface Opened {
  readonly name: string;
  readonly path: string;
  readonly file: FileHandle;
}

/** Reads the files. Returns undefined if a writer replaced one of them during the read. */
async function readOnce(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
  const committed = await committedIn(folder);
  const opened: Opened[] = [];
  try {
    for (const name of names) opened.push(await openFile(folder, name, committed));
    // Every committed subfolder has a unique name. If the same subfolder exists before and after the read, no other
    // replacement began during the read. So all texts belong to the state of this subfolder.
    //
    // If there was no committed subfolder, neither before the read nor after it, a whole replacement can still have
    // happened during the read. Then the path of an opened file leads to a new file now. The new file has a different
    // inode, because the system does not reuse the inode of an open file.
    if ((await committedIn(folder)) !== committed) return undefined;
    for (const one of opened) if (committed === undefined && !(await isStillThere(one))) return undefined;
    return await textsOf(opened);
  } finally {
    await Promise.all(opened.map(({ file }) => file.close()));
  }
}

async function textsOf(opened: readonly Opened[]): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const { name, path, file } of opened) {
    try {
      checkSize((await file.stat()).size, { shown: path });
      texts.set(name, await file.readFile("utf8"));
    } catch (cause) {
      failToRead(path, cause);
    }
  }
  return texts;
}

async function openFile(folder: string, name: string, committed: string | undefined): Promise<Opened> {
  const path = join(folder, name);
  try {
    const inCommitted = committed && (await unless(["ENOENT"], () => openRegular(join(folder, committed, name))));
    const file = inCommitted || (await openRegular(await insidePath(folder, name)));
    return { name, path, file };
  } catch (cause) {
    return failToRead(path, cause);
  }
}

async function openRegular(path: string): Promise<FileHandle> {
  // without O_NONBLOCK, `open` would wait until another program writes to a pipe
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw Object.assign(new Error("EINVAL: not a regular file"), { code: "EINVAL", syscall: "open" });
}

async function isStillThere({ path, file }: Opened): Promise<boolean> {
  const [now, before] = await Promise.all([
    unless(["ENOENT"], () => stat(path, { bigint: true })),
    file.stat({ bigint: true }),
  ]);
  return now !== undefined && now.ino === before.ino && now.dev === before.dev;
}

async function oldFile(folder: string, name: string): Promise<Stats | undefined> {
  const path = await insidePath(folder, name);
  const old = await unless(["ENOENT"], () => lstat(path));
  if (old === undefined || old.isFile()) return old;
  return fail(
    error("file.write", {
      problem: "not a regular file",
      expected: "a file that can be replaced",
      where: { file: path },
    }),
  );
}

/**
 * Returns the real path of a file in a folder. Follows symbolic links.
 *
 * @throws RollmillError `file.read` if the name is not a file name, or a link leads out of the folder.
 */
async function insidePath(folder: string, name: string): Promise<string> {
  const path = join(folder, name);
  const flaw = fileNameFlaw(name);
  if (flaw !== undefined) refusePath(path, { problem: "the name cannot be a file name", got: name, expected: flaw });
  const found = await unless(["ENOENT"], () => lstat(path));
  if (!found?.isSymbolicLink()) return path;
  const [inside, real] = await Promise.all([realpath(folder), realpath(path)]);
  if (real.startsWith(inside.endsWith(sep) ? inside : inside + sep)) return real;
  const remedy = `Replace the link ${basename(path)} with a copy of the file`;
  return refusePath(path, { problem: "the symbolic link leads out of the folder", got: real, remedy });
}

function refusePath(
  file: string,
  finding: { problem: string; got: string; expected?: string; remedy?: string },
): never {
  return fail(error("file.read", { ...finding, where: { file } }));
}

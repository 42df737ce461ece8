import { constants, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { error, fail } from "../errors/index.js";
import { fileNameFlaw } from "../spec/index.js";
import { flushFolder } from "./folders.js";
import { STALE_MS, whileLocked } from "./lock.js";
import { failToRead, failToWrite, unless } from "./problem.js";
import { checkSize, PLAIN } from "./read.js";
import { isTemporary, newTemporary, removeFolder, temporaryExtension, whileTemporary } from "./temporaries.js";
import { writeNew } from "./wholeFile.js";

const PAUSE_MS = 10;
const MAX_READS = 100;
/** Extensions of the subfolder with the new files: while files are missing, and when all files are complete. */
const PENDING = "pending";
const COMMITTED = "new";

/**
 * Reads several files of a folder. All texts belong to one state of the folder: before or after a replacement by {@link
 * replaceTogether}, even if the replacing process was killed. The folder may be read-only.
 *
 * @throws RollmillError `file.read`: a file is missing, is not a regular file (no links are followed), or is larger
 * than 64 MiB; `file.busy` if the files keep changing.
 */
export async function readTogether(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, string>> {
  for (let reads = 1; reads <= MAX_READS; reads++) {
    const texts = await readOnce(folder, names).catch((cause: unknown) => failToRead(folder, cause));
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
 * Holds the lock of a folder while `work` changes the files `names`. First finishes the replacements of these files
 * that killed processes did not finish. Keeps all other files, even in the subfolder of an unfinished replacement.
 *
 * @throws RollmillError `file.busy` if another process holds the lock; `file.write`.
 */
export async function whileChanging<T>(folder: string, names: readonly string[], work: () => Promise<T>): Promise<T> {
  const real = await realpath(folder).catch((cause: unknown) => failToWrite(folder, cause));
  return whileLocked(join(real, "rollmill.lock"), async () => {
    await finishInterrupted(folder, names).catch((cause: unknown) => failToWrite(folder, cause));
    return work();
  });
}

/**
 * Replaces all files that `texts` names, or none of them. Call it inside {@link whileChanging} with the same names.
 *
 * First writes all new files into a new subfolder and flushes them. Then renames the subfolder to `.rollmill-….new`.
 * This rename commits the replacement: from now on, {@link readTogether} reads the new files in the subfolder. Then
 * moves each file to its place, and removes the subfolder. If the process is killed after the rename, the next change
 * of the folder moves the remaining files. A new file gets the mode of the old file and, if possible, its owner.
 *
 * @throws RollmillError `file.write`.
 */
export async function replaceTogether(folder: string, texts: ReadonlyMap<string, string>): Promise<void> {
  try {
    const pending = newTemporary(folder, PENDING);
    const committed = pending.slice(0, pending.lastIndexOf(".") + 1) + COMMITTED;
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
    await finish(folder, committed, [...texts.keys()]);
  } catch (cause) {
    failToWrite(folder, cause);
  }
}

async function finishInterrupted(folder: string, names: readonly string[]): Promise<void> {
  for (const committed of await subfolders(folder, COMMITTED)) await finish(folder, committed, names);
  // a killed process left each pending subfolder: no other process can write one while this process holds the lock
  for (const pending of await subfolders(folder, PENDING)) await removeFolder(pending, (name) => names.includes(name));
  // the lock was just created in this folder, so the folder's modification time is the file system's current time
  const { mtimeMs: nowMs } = await stat(folder);
  for (const name of (await readdir(folder)).filter(isTemporary)) {
    const path = join(folder, name);
    const found = await unless(["ENOENT"], () => lstat(path));
    // the file may belong to a running process, so it is deleted only if it is old
    if (found?.isFile() && nowMs - found.mtimeMs > STALE_MS) await rm(path, { force: true });
  }
}

async function finish(folder: string, committed: string, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const path = join(committed, name);
    const found = await unless(["ENOENT"], () => lstat(path));
    if (found?.isFile()) await rename(path, pathOf(folder, name));
  }
  await flushFolder(folder);
  await removeFolder(committed, () => false);
}

async function subfolders(folder: string, extension: string): Promise<readonly string[]> {
  const entries = (await unless(["ENOENT", "ENOTDIR"], () => readdir(folder, { withFileTypes: true }))) ?? [];
  const found = entries.filter((entry) => entry.isDirectory() && temporaryExtension(entry.name) === extension);
  return found.map(({ name }) => join(folder, name)).sort();
}

interface Opened {
  readonly name: string;
  readonly path: string;
  readonly file: FileHandle;
}

async function readOnce(folder: string, names: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
  const committed = await subfolders(folder, COMMITTED);
  const opened: Opened[] = [];
  try {
    for (const name of names) opened.push(await openFile(folder, name, committed));
    // Every committed subfolder has a unique name. An equal list after the read leaves only two cases: no replacement
    // was committed or finished during the read, or a replacement was both committed and finished. In the second case,
    // the path of an open file now leads to no file, or to a new file. A new file has another inode, because the system
    // does not reuse the inode of an open file.
    if ((await subfolders(folder, COMMITTED)).join() !== committed.join()) return undefined;
    for (const one of opened) if (!(await isStillThere(one))) return undefined;
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

async function openFile(folder: string, name: string, committed: readonly string[]): Promise<Opened> {
  const shown = pathOf(folder, name);
  try {
    for (const path of committed.map((subfolder) => join(subfolder, name))) {
      const file = await unless(["ENOENT"], () => openRegular(path));
      if (file !== undefined) return { name, path, file };
    }
    const file = await openRegular(shown);
    return file === undefined ? refuseIrregular("file.read", shown) : { name, path: shown, file };
  } catch (cause) {
    return failToRead(shown, cause);
  }
}

/** Opens a regular file. Returns undefined for a link, a folder, a pipe and so on. */
async function openRegular(path: string): Promise<FileHandle | undefined> {
  if (!(await lstat(path)).isFile()) return undefined;
  const file = await open(path, constants.O_RDONLY | PLAIN);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  return undefined;
}

async function isStillThere({ path, file }: Opened): Promise<boolean> {
  const [now, before] = await Promise.all([
    unless(["ENOENT"], () => lstat(path, { bigint: true })),
    file.stat({ bigint: true }),
  ]);
  return now !== undefined && now.ino === before.ino && now.dev === before.dev;
}

async function oldFile(folder: string, name: string): Promise<Stats | undefined> {
  const path = pathOf(folder, name);
  const old = await unless(["ENOENT"], () => lstat(path));
  return old === undefined || old.isFile() ? old : refuseIrregular("file.write", path);
}

function refuseIrregular(code: "file.read" | "file.write", file: string): never {
  const problem = "not a regular file";
  const expected = "a regular file: links in this folder are not followed";
  return fail(error(code, { problem, expected, remedy: `Replace ${basename(file)} with a file`, where: { file } }));
}

function pathOf(folder: string, name: string): string {
  const path = join(folder, name);
  const expected = fileNameFlaw(name);
  if (expected === undefined) return path;
  const problem = "the name cannot be a file name";
  return fail(error("file.read", { problem, got: name, expected, where: { file: path } }));
}

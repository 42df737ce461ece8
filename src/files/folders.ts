import { closeSync, fsyncSync, mkdirSync, openSync, statSync } from "node:fs";
import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { failToWrite, unless, unlessSync } from "./problem.js";

/** Makes a folder and its missing parents. Returns the new folders. Throws if `root` is given and does not exist. */
export function makeFolder(path: string, root?: string): string[] {
  try {
    if (root !== undefined) statSync(root);
    return missingFolders(path);
  } catch (cause) {
    return failToWrite(path, cause);
  }
}

function missingFolders(path: string): string[] {
  try {
    // without the option `recursive`, which hides some errors
    mkdirSync(path);
    return [path];
  } catch (cause) {
    const above = dirname(path);
    if ((cause as NodeJS.ErrnoException).code === "ENOENT" && above !== path) {
      return [...missingFolders(above), ...missingFolders(path)];
    }
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw cause;
    return [];
  }
}

/** Error codes of Windows and of some file systems, which cannot flush folders. */
const CANNOT_FLUSH = ["EINVAL", "ENOTSUP", "EPERM", "EACCES", "EISDIR", "EBADF"];

/** Waits for `flushed`, renames a temporary file to `path`, and flushes the folder. Deletes the file after an error. */
export async function nameWhen(flushed: Promise<void>, temporary: string, path: string): Promise<void> {
  try {
    await flushed;
    await rename(temporary, path);
  } catch (cause) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw cause;
  }
  await flushFolder(dirname(path));
}

/** Flushes the list of names in a folder, so that a new name survives a power failure. */
export async function flushFolder(path: string): Promise<void> {
  await unless(CANNOT_FLUSH, async () => {
    const folder = await open(path, "r");
    await folder.sync().finally(() => folder.close());
  });
}

export function flushFolderSync(path: string): void {
  unlessSync(CANNOT_FLUSH, () => {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  });
}

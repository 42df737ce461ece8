import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  fsync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { promisify } from "node:util";
import { error, fail } from "../../errors/index.js";
import { makeFolder } from "../../files/makeFolder.js";
import { failToRead, failToWrite } from "../../files/problem.js";
import { checkSize } from "../../files/read.js";
import { openRegular } from "../../files/regular.js";
import type { JobStore } from "./storeTypes.js";

/** Matches the name of a file that is being written: `<name>.tmp.<host>.<process>.<random>`. */
const TEMPORARY = /\.tmp\.[^/]*$/;
/** Error codes for folders that cannot be flushed. Windows and some file systems cannot flush folders. */
const CANNOT_FLUSH = ["EINVAL", "ENOTSUP", "EPERM", "EACCES", "EISDIR", "EBADF"];
const MISSING = ["ENOENT", "ENOTDIR"];
/** A temporary file that is older than this, in milliseconds, counts as left over from a killed process. */
const LEFT_MS = 3_600_000;
/** A step of a name. It leads neither up nor to another disk. */
const STEP = /^(?!\.{1,2}$)[^/\\:\0]+$/;
/** Maximum size of a file that is read as a whole, in bytes. Its text must fit into a string. */
const MOST_WHOLE = 2 ** 28;

/**
 * Files in a folder. To write a file, writes a temporary file beside it, flushes it to the disk, renames it, and
 * flushes the folder. A rename is atomic on local file systems, and also on the server of a network file system.
 *
 * A job may come from a stranger. So the store leads nowhere out of its folder: it follows no symbolic link, and reads
 * and lists only regular files. A file that it writes or removes is replaced in its folder, so a link or another name
 * of the old file has no effect.
 */
export class FolderStore implements JobStore {
  readonly place: string;

  constructor(folder: string) {
    this.place = folder;
  }

  put(name: string, pieces: Iterable<Uint8Array>): void {
    const path = this.#path(name);
    try {
      this.#makeFolderOf(name);
      const temporary = temporaryOf(path);
      try {
        const file = write(temporary, pieces);
        try {
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        renameSync(temporary, path);
      } catch (cause) {
        remove(temporary);
        throw cause;
      }
      flushFolder(dirname(path));
    } catch (cause) {
      failToWrite(path, cause);
    }
  }

  /**
   * Writes a file like {@link put}, but returns when the operating system has all pieces. The operating system takes
   * the pieces to the disk while the caller does something else. When the promise is fulfilled, the file has its name
   * and survives a crash.
   *
   * @throws RollmillError `file.write`, also as the reason of the promise.
   */
  putSoon(name: string, pieces: Iterable<Uint8Array>): Promise<void> {
    const path = this.#path(name);
    try {
      this.#makeFolderOf(name);
      const temporary = temporaryOf(path);
      try {
        return finish(write(temporary, pieces), temporary, path);
      } catch (cause) {
        remove(temporary);
        throw cause;
      }
    } catch (cause) {
      return failToWrite(path, cause);
    }
  }

  get(name: string): Uint8Array<ArrayBuffer> | undefined {
    checkSize(this.sizeOf(name) ?? 0, { shown: this.#path(name), most: MOST_WHOLE });
    return this.read(name, 0, MOST_WHOLE);
  }

  read(
    name: string,
    from: number,
    length: number,
    memoryFor: (bytes: number) => Uint8Array<ArrayBuffer> = newMemory,
  ): Uint8Array<ArrayBuffer> | undefined {
    const path = this.#path(name);
    try {
      this.#refuseLinks(dirname(name));
      const file = unless(MISSING, () => openRegular(path, constants.O_RDONLY));
      if (file === undefined) return undefined;
      try {
        const { size } = fstatSync(file);
        const start = from < 0 ? Math.max(0, size + from) : Math.min(from, size);
        const bytes = memoryFor(Math.min(length, size - start));
        for (let done = 0; done < bytes.length; ) {
          const count = readSync(file, bytes, done, bytes.length - done, start + done);
          if (count === 0) return bytes.subarray(0, done);
          done += count;
        }
        return bytes;
      } finally {
        closeSync(file);
      }
    } catch (cause) {
      return failToRead(path, cause);
    }
  }

  sizeOf(name: string): number | undefined {
    const path = this.#path(name);
    try {
      this.#refuseLinks(dirname(name));
      const found = statsOf(path);
      return found?.isFile() ? found.size : undefined;
    } catch (cause) {
      return failToRead(path, cause);
    }
  }

  list(folder: string): string[] {
    return this.#files(folder)
      .filter((name) => !TEMPORARY.test(name))
      .sort();
  }

  remove(name: string): void {
    const path = this.#path(name);
    try {
      this.#refuseLinks(dirname(name));
      remove(path);
    } catch (cause) {
      failToWrite(path, cause);
    }
  }

  removeFolder(name: string): void {
    const path = this.#path(name);
    try {
      this.#refuseLinks(dirname(name));
      rmSync(path, { recursive: true, force: true });
    } catch (cause) {
      failToWrite(path, cause);
    }
  }

  append(name: string, line: string): void {
    const path = this.#path(name);
    try {
      this.#refuseLinks(dirname(name));
      const file = openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
      try {
        // the other names of the file may be outside the folder
        if (fstatSync(file).nlink > 1) refuseEntry(path, "the file has several names (hard links)");
        writeSync(file, `${line}\n`);
      } finally {
        closeSync(file);
      }
    } catch (cause) {
      failToWrite(path, cause);
    }
  }

  checkOwn(folder: string): void {
    const other = this.#entries(folder).find((entry) => !entry.isFile() && !entry.isDirectory());
    if (other === undefined) return;
    refuseEntry(join(other.parentPath, other.name), "the job's folder contains a link, a pipe or a device");
  }

  /** Deletes files that killed processes left half-written. */
  sweep(): void {
    // Takes the folder's modification time as the present time. The modification time is never later than the clock of
    // the file system. Right after a runner has taken its lock in the folder, it is equal to the clock.
    const nowMs = unless(MISSING, () => statSync(this.place))?.mtimeMs ?? 0;
    for (const name of this.#files("")) {
      if (!TEMPORARY.test(name)) continue;
      const path = this.#path(name);
      const changedMs = statsOf(path)?.mtimeMs ?? nowMs;
      if (isOfDeadProcess(name) || nowMs - changedMs > LEFT_MS) this.remove(name);
    }
  }

  #files(folder: string): string[] {
    return this.#entries(folder)
      .filter((entry) => entry.isFile())
      .map((entry) => relative(this.place, join(entry.parentPath, entry.name)).replaceAll(sep, "/"));
  }

  #entries(folder: string): Dirent[] {
    const path = folder === "" ? this.place : this.#path(folder);
    try {
      this.#refuseLinks(folder);
      return unless(MISSING, () => readdirSync(path, { recursive: true, withFileTypes: true })) ?? [];
    } catch (cause) {
      return failToRead(path, cause);
    }
  }

  /**
   * Makes the folder of a file, and the missing folders above it. Flushes each folder that got a new subfolder. Does not
   * make the folder of the job: if somebody has moved or deleted it, its files must not begin again in the old place.
   */
  #makeFolderOf(name: string): void {
    this.#refuseLinks(dirname(name));
    for (const made of makeFolder(dirname(this.#path(name)), this.place)) flushFolder(dirname(made));
  }

  /** Throws `job.damaged` if a folder of the store, or a folder above it in the store, is a symbolic link. */
  #refuseLinks(folder: string): void {
    if (folder === "" || folder === ".") return;
    let path = this.place;
    for (const step of folder.split("/")) {
      path = join(path, step);
      if (statsOf(path)?.isSymbolicLink()) refuseEntry(path, "a folder of the job is a symbolic link");
    }
  }

  #path(name: string): string {
    const steps = name.split("/");
    if (!steps.every((step) => STEP.test(step))) refuseEntry(`${this.place}/${name}`, "no file of a job has this name");
    return join(this.place, ...steps);
  }
}

function refuseEntry(file: string, problem: string): never {
  const remedy =
    "If the job comes from somebody else, do not trust it. Otherwise put a real folder or file in its place";
  return fail(error("job.damaged", { problem, remedy, where: { file } }));
}

function statsOf(path: string): Stats | undefined {
  return unless(MISSING, () => lstatSync(path));
}

function temporaryOf(path: string): string {
  return `${path}.tmp.${hostname()}.${process.pid}.${randomBytes(6).toString("hex")}`;
}

/** Returns memory whose content is undefined. A few bytes share the memory of others. */
function newMemory(bytes: number): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset } = Buffer.allocUnsafe(bytes);
  return new Uint8Array(buffer, byteOffset, bytes);
}

function write(path: string, pieces: Iterable<Uint8Array>): number {
  const file = openSync(path, "wx");
  try {
    for (const piece of pieces) {
      for (let done = 0; done < piece.length; ) done += writeSync(file, piece, done, piece.length - done);
    }
    return file;
  } catch (cause) {
    closeSync(file);
    throw cause;
  }
}

const flushed = promisify(fsync);

/** Ends a write while the thread does something else: flushes the temporary file, and renames it to its final name. */
async function finish(file: number, temporary: string, path: string): Promise<void> {
  try {
    try {
      await flushed(file).finally(() => closeSync(file));
      await rename(temporary, path);
    } catch (cause) {
      remove(temporary);
      throw cause;
    }
    await flushFolderSoon(dirname(path));
  } catch (cause) {
    failToWrite(path, cause);
  }
}

async function flushFolderSoon(path: string): Promise<void> {
  try {
    const folder = await open(path, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  } catch (cause) {
    if (!CANNOT_FLUSH.includes((cause as NodeJS.ErrnoException).code ?? "")) throw cause;
  }
}

/** Flushes the list of names in a folder, so that a new name survives a power failure. */
function flushFolder(path: string): void {
  unless(CANNOT_FLUSH, () => {
    const folder = openSync(path, "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  });
}

/** Whether the process that wrote a temporary file ran on this machine, and no longer runs. */
function isOfDeadProcess(name: string): boolean {
  const [, rest = ""] = name.split(".tmp.");
  const parts = rest.split(".");
  const pid = Number(parts.at(-2));
  if (parts.slice(0, -2).join(".") !== hostname() || !Number.isSafeInteger(pid) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "ESRCH";
  }
}

function remove(path: string): void {
  rmSync(path, { force: true });
}

/** Calls `job`. Returns undefined if the call fails with one of these codes. */
function unless<T>(codes: readonly string[], job: () => T): T | undefined {
  try {
    return job();
  } catch (cause) {
    if (codes.includes((cause as NodeJS.ErrnoException).code ?? "")) return undefined;
    throw cause;
  }
}

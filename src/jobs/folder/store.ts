import { randomBytes } from "node:crypto";
import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  fsync,
  fsyncSync,
  linkSync,
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
import { hostname } from "node:os";
import { dirname, join, relative, sep } from "node:path";
import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { error, fail, unlessRefused } from "../../errors/index.js";
import { flushFolderSync, makeFolder, nameWhen } from "../../files/folders.js";
import { isRunning } from "../../files/lock.js";
import { failToRead, failToWrite, unlessSync } from "../../files/problem.js";
import { checkSize, openRegular } from "../../files/read.js";
import { sha256 } from "../../sha256.js";
import { type Field, type Shape, SpecReader, specOf } from "../../spec/index.js";

/** A file that is being written: `<name>.tmp.<host>.<process>.<random>`. */
const TEMPORARY = /\.tmp\.[^/]*$/;
const MISSING = ["ENOENT", "ENOTDIR"];
/** Maximum age of a temporary file. An older file was left by a process that was killed on another machine. */
const LEFT_MS = 3_600_000;
/** Matches a step of a path that stays inside the folder: not `..`, and without `/`, `\` or a drive letter. */
const STEP = /^(?!\.{1,2}$)[^/\\:\0]+$/;
/** Maximum bytes of a file that is read as one text, because the text must fit into a string. */
const MAX_WHOLE = 2 ** 28;

/**
 * The folder of a job. A name is a relative path with `/`, such as `parts/cells/0_-1.part`. A file appears whole or not
 * at all: it is written beside its place, flushed and renamed, which is atomic on network file systems too.
 *
 * A job may come from a stranger. So the store follows no symbolic link, and reads and lists only regular files. To
 * write or remove a file, the store changes only the entry in the folder. If this entry is a link, its target stays as
 * it is. Each call throws `job.damaged` for a name or a link that leads out of the folder.
 */
export class FolderStore {
  readonly place: string;

  constructor(folder: string) {
    this.place = folder;
  }

  /** Writes a file, which then survives a crash of the machine. */
  put(name: string, pieces: Iterable<Uint8Array>): void {
    this.write(name, pieces, (file, temporary, path) => {
      try {
        fsyncSync(file);
      } finally {
        closeSync(file);
      }
      renameSync(temporary, path);
      flushFolderSync(dirname(path));
    });
  }

  /** Gives a file of another store a name here too (a hard link). Returns false if this is not possible. */
  link(name: string, other: { readonly store: FolderStore; readonly name: string }): boolean {
    const from = other.store.#path(other.name);
    return this.#placing(name, (temporary, path) => {
      try {
        linkSync(from, temporary);
      } catch {
        return false;
      }
      renameSync(temporary, path);
      // if the file had this name already, the rename does nothing
      rmSync(temporary, { force: true });
      flushFolderSync(dirname(path));
      return true;
    });
  }

  /** Returns undefined if the file is missing. Throws `file.read` if it is above 256 MiB, or is not a regular file. */
  get(name: string): Uint8Array<ArrayBuffer> | undefined {
    checkSize(this.sizeOf(name) ?? 0, { shown: this.#path(name), most: MAX_WHOLE });
    return this.read(name, 0, MAX_WHOLE);
  }

  /** Reads into the memory that `memoryFor` returns. A negative `from` counts from the end of the file. */
  read(
    name: string,
    from: number,
    length: number,
    memoryFor: (bytes: number) => Uint8Array<ArrayBuffer> = newMemory,
  ): Uint8Array<ArrayBuffer> | undefined {
    const path = this.#path(name);
    return this.#reading(dirname(name), path, () => {
      const file = unlessSync(MISSING, () => openRegular(path, constants.O_RDONLY));
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
    });
  }

  sizeOf(name: string): number | undefined {
    const path = this.#path(name);
    return this.#reading(dirname(name), path, () => {
      const found = statsOf(path);
      return found?.isFile() ? found.size : undefined;
    });
  }

  /** Returns the sorted names of all regular files at any depth, without files that are being written. */
  list(folder: string): string[] {
    return this.#files(folder)
      .filter((name) => !TEMPORARY.test(name))
      .sort();
  }

  remove(name: string): void {
    this.#changing(name, (path) => rmSync(path, { force: true }));
  }

  removeFolder(name: string): void {
    this.#changing(name, (path) => rmSync(path, { recursive: true, force: true }));
  }

  /** Adds a line to a log, to which other processes add lines too. A crash may lose the line. */
  append(name: string, line: string): void {
    this.#changing(name, (path) => {
      const file = openRegular(path, constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT);
      try {
        // a hard link to the file may be outside the folder
        if (fstatSync(file).nlink > 1) refuseEntry(path, "the file has several names (hard links)");
        writeSync(file, `${line}\n`);
      } finally {
        closeSync(file);
      }
    });
  }

  /** Throws `job.damaged` if a folder contains a link. Call it before a write by a function that follows links. */
  checkOwn(folder: string): void {
    const other = this.#entries(folder).find((entry) => !entry.isFile() && !entry.isDirectory());
    if (other === undefined) return;
    refuseEntry(join(other.parentPath, other.name), "the job's folder contains a link, a pipe or a device");
  }

  /** Deletes files that killed processes left half-written. */
  sweep(): void {
    // The folder's modification time is never later than the clock of the file system. The two are equal right after a
    // runner has taken its lock in the folder.
    const nowMs = unlessSync(MISSING, () => statSync(this.place))?.mtimeMs ?? 0;
    for (const name of this.#files("")) {
      if (!TEMPORARY.test(name)) continue;
      const changedMs = statsOf(this.#path(name))?.mtimeMs ?? nowMs;
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
    const read = () => readdirSync(path, { recursive: true, withFileTypes: true });
    return this.#reading(folder, path, () => unlessSync(MISSING, read) ?? []);
  }

  #reading<T>(folder: string, path: string, read: () => T): T {
    try {
      this.#refuseLinks(folder);
      return read();
    } catch (cause) {
      return failToRead(path, cause);
    }
  }

  #changing<T>(name: string, change: (path: string) => T): T {
    const path = this.#path(name);
    try {
      this.#refuseLinks(dirname(name));
      return change(path);
    } catch (cause) {
      return failToWrite(path, cause);
    }
  }

  protected write<T>(
    name: string,
    pieces: Iterable<Uint8Array>,
    finish: (file: number, temporary: string, path: string) => T,
  ): T {
    return this.#placing(name, (temporary, path) => {
      try {
        return finish(written(temporary, pieces), temporary, path);
      } catch (cause) {
        rmSync(temporary, { force: true });
        throw cause;
      }
    });
  }

  #placing<T>(name: string, place: (temporary: string, path: string) => T): T {
    return this.#changing(name, (path) => {
      // never makes the job's own folder: if somebody moved this folder, no new one may appear in the old place
      for (const made of makeFolder(dirname(path), this.place)) flushFolderSync(dirname(made));
      return place(`${path}.tmp.${hostname()}.${process.pid}.${randomBytes(6).toString("hex")}`, path);
    });
  }

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
    if (!steps.every((step) => STEP.test(step))) refuseEntry(`${this.place}/${name}`, "not the name of a job's file");
    return join(this.place, ...steps);
  }
}

function refuseEntry(file: string, problem: string): never {
  const remedy =
    "If the job comes from somebody else, do not trust it. Otherwise replace this entry with a regular file or folder";
  return fail(error("job.damaged", { problem, remedy, where: { file } }));
}

function statsOf(path: string): Stats | undefined {
  return unlessSync(MISSING, () => lstatSync(path));
}

function newMemory(bytes: number): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset } = Buffer.allocUnsafe(bytes);
  return new Uint8Array(buffer, byteOffset, bytes);
}

function written(path: string, pieces: Iterable<Uint8Array>): number {
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

function isOfDeadProcess(name: string): boolean {
  const [, rest = ""] = name.split(".tmp.");
  const parts = rest.split(".");
  const pid = Number(parts.at(-2));
  if (parts.slice(0, -2).join(".") !== hostname() || !Number.isSafeInteger(pid)) return false;
  return pid !== process.pid && !isRunning(pid);
}

const CHECKSUM_FLAW = "the file is damaged: its checksum does not match";
const REPAIR = "Run `rollmill job verify --repair` with the folder of the job";

/** Writes a value as JSON. Its last field `sha256` is the SHA-256 of the JSON without this field. */
export function putChecked(store: FolderStore, name: string, value: object): void {
  store.put(name, [Buffer.from(checkedText(value))]);
}

export function checkedText(value: object): string {
  return jsonOf({ ...value, sha256: checksumOf(value) });
}

export function checksumOf(value: object): string {
  return hashOf(jsonOf(value));
}

const CHECKSUM = /^,\n {2}"sha256": "([0-9a-f]{64})"\n\}\n$/;
const CHECKSUM_BYTES = 83;

/** Returns undefined if the file is missing. Anybody can make a checksum, so check the value with {@link parseData}. */
export function readChecked(store: FolderStore, name: string, remedy?: string): object | undefined {
  const bytes = store.get(name);
  if (bytes === undefined) return undefined;
  const end = Math.max(0, bytes.length - CHECKSUM_BYTES);
  const [, hash] = CHECKSUM.exec(Buffer.from(bytes.subarray(end)).toString("latin1")) ?? [];
  const hashed = Buffer.concat([bytes.subarray(0, end), Buffer.from("\n}\n")]);
  const value = hashOf(hashed) === hash ? jsonIn(hashed) : undefined;
  return typeof value === "object" && value !== null ? value : failDamaged(store, name, CHECKSUM_FLAW, remedy);
}

export function jsonIn(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"));
  } catch {
    return undefined;
  }
}

/** Parses the value of a file. Throws `job.damaged` with all flaws. */
export function parseData<Spec extends object>(
  { store, name, remedy = REPAIR }: { readonly store: FolderStore; readonly name: string; readonly remedy?: string },
  value: unknown,
  parse: (reader: SpecReader, root: Field) => Spec,
): Spec {
  const reader = new SpecReader({ noun: name, code: "job.damaged", file: `${store.place}/${name}`, remedy });
  return specOf(reader.run(value, (root) => parse(reader, root)));
}

export function failDamaged(store: FolderStore, name: string, problem = CHECKSUM_FLAW, remedy = REPAIR): never {
  return fail(error("job.damaged", { problem, remedy, where: { file: `${store.place}/${name}` } }));
}

/** Returns undefined if `read` throws `job.damaged`. */
export function unlessDamaged<T>(read: () => T): T | undefined {
  return unlessRefused(read, (refusal) => {
    if (refusal.code !== "job.damaged") throw refusal;
  });
}

export function checkEqual(reader: SpecReader, at: Field, expected: string, problem: string): void {
  if (at.value !== expected) reader.report(at, { problem, got: at.value, expected });
}

export function matching(pattern: RegExp, expected: string): Shape<string, string> {
  const read = (reader: SpecReader, at: Field): string => {
    if (typeof at.value === "string" && pattern.test(at.value)) return at.value;
    reader.report(at, { problem: `invalid ${at.name}`, got: at.value, expected });
    return "";
  };
  return { read, json: {} };
}

export const ANY_TEXT = matching(/^/, "a text");
export const HASH = matching(/^[0-9a-f]{64}$/, "64 hexadecimal digits");

export function hashOf(bytes: string | Uint8Array): string {
  return sha256()
    .update(typeof bytes === "string" ? Buffer.from(bytes) : bytes)
    .hex();
}

function jsonOf(value: object): string {
  return `${JSON.stringify(value, undefined, 2)}\n`;
}

/** The next task waits while this many tasks have parts that are not yet on the disk. */
const MAX_UNFLUSHED = 4;
/** After each task, the thread waits at most this share of the task's time for the parts of earlier tasks. */
const WAIT_SHARE = 1 / 50;

/** The store of a thread that runs one task after another, while the parts of earlier tasks go to the disk. */
export class BackgroundStore extends FolderStore {
  readonly #signal: Pick<AbortSignal, "throwIfAborted"> | undefined;
  #written: Promise<void>[] = [];
  readonly #flushing = new Set<Promise<unknown>>();
  #earlier: readonly Promise<unknown>[] = [];
  #maxMs = 0;

  constructor(folder: string, signal: Pick<AbortSignal, "throwIfAborted"> | undefined) {
    super(folder);
    this.#signal = signal;
  }

  /** Returns when the operating system has all pieces. The promise of {@link run} waits until they are on the disk. */
  override put(name: string, pieces: Iterable<Uint8Array>): void {
    const written = this.write(name, this.#untilStopped(pieces), (file, temporary, path) => {
      const isFlushed = flushed(file).finally(() => closeSync(file));
      return nameWhen(isFlushed, temporary, path).catch((cause: unknown) => failToWrite(path, cause));
    });
    // only avoids an unhandled rejection: the promise of `run` has the error
    written.catch(() => undefined);
    this.#written.push(written);
  }

  *#untilStopped(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
    for (const piece of pieces) {
      this.#signal?.throwIfAborted();
      yield piece;
    }
  }

  /** Runs a task. Calls `onStored` when the task's parts are on the disk. An error of a write rejects the promise. */
  run(task: () => void, onStored: () => void): Promise<void> {
    const start = performance.now();
    this.#written = [];
    task();
    this.#maxMs = (performance.now() - start) * WAIT_SHARE;
    this.#earlier = [...this.#flushing];
    const stored = Promise.all(this.#written).then(onStored);
    const settled: Promise<unknown> = stored.catch(() => undefined).then(() => this.#flushing.delete(settled));
    this.#flushing.add(settled);
    return stored;
  }

  async pause(): Promise<void> {
    await turn();
    // A flush takes several turns of the event loop. Without a wait, a long task would block the loop, and the flush of
    // the task before it would end late.
    if (this.#flushing.size >= MAX_UNFLUSHED) await Promise.race(this.#flushing);
    else if (this.#maxMs >= 1) await Promise.race([Promise.all(this.#earlier), wait(this.#maxMs)]);
  }

  async end(): Promise<void> {
    await Promise.all(this.#flushing);
  }
}

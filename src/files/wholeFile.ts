import { constants, type Stats, write } from "node:fs";
import { access, type FileHandle, lstat, open, readlink, realpath, stat, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { checkPath, checkText, readOptions, refuseArgument } from "../spec/index.js";
import { nameWhen } from "./folders.js";
import { failToWrite, unless } from "./problem.js";
import { newTemporary, TEMPORARY, whileTemporary } from "./temporaries.js";

/**
 * The content of a file: a text, bytes, or pieces from an iterable or an asynchronous iterable. Each piece is a text or
 * bytes, and may be made lazily. Texts are written as UTF-8.
 */
export type FileContent = string | Uint8Array | Iterable<Piece> | AsyncIterable<Piece>;
/** A piece of a file's content. A text is written as UTF-8. */
export type Piece = string | Uint8Array;

/** Options of {@link writeWhole}. */
export interface WriteOptions {
  /** The name of the file in messages. Default: the path. */
  readonly shown?: string;
  /**
   * The folder for the temporary file. It must be on the same file system as the file. Default: the folder of the file.
   */
  readonly temporaryIn?: string;
}

/** The file to which a path leads after all links. `isDescriptor`: whether it is an open file, such as /dev/stdout. */
interface Target {
  readonly path: string;
  readonly old: Stats | undefined;
  readonly isDescriptor: boolean;
}

/** Linux follows at most this number of links. */
const MAX_LINKS = 40;
/** Matches the folders that list the open files of a process. /dev/stdout and /dev/fd lead there. */
const DESCRIPTORS = /^\/proc\/[^/]+\/(?:task\/[^/]+\/)?fd$|^\/dev\/fd$/;

/**
 * Writes a file completely or not at all. Other programs see either the old file or the new file, even after a crash:
 * writes a temporary file, flushes it to the disk, renames it, and flushes the folder. Cost: O(length), and the flush.
 *
 * - The new file has the mode of the old file. It also has the owner of the old file, if the process may set the owner.
 * - Follows symbolic links: replaces the file that the link leads to, and keeps the link.
 * - Writes directly to pipes and devices, such as /dev/null and /dev/stdout. If a write fails, the pipe or device may
 *   have received a part of the content.
 *
 * @throws RollmillError `file.write` with the path and a remedy; the old file is then unchanged. Also `argument.type`,
 * `argument.option`. Errors of an iterable are thrown unchanged.
 */
export async function writeWhole(path: string, content: FileContent, options: WriteOptions = {}): Promise<void> {
  const { shown = path, temporaryIn } = readOptions("writeWhole", options, ["shown", "temporaryIn"]);
  checkPath("path", path);
  checkText("shown", shown);
  if (temporaryIn !== undefined) checkPath("temporaryIn", temporaryIn);
  const checked = checkedContent(content);
  try {
    const target = await targetOf(path);
    if (isStream(target)) await writeThrough(target, checked);
    else await replace(target, checked, temporaryIn ?? dirname(target.path));
  } catch (cause) {
    failToWrite(shown, cause);
  }
}

function checkedContent(content: FileContent): FileContent {
  if (isPiece(content)) return content;
  const isObject = typeof content === "object" && content !== null && !ArrayBuffer.isView(content);
  if (isObject && (Symbol.asyncIterator in content || Symbol.iterator in content)) return checkedPieces(content);
  return refuseArgument("content", content, "a string, bytes, or an iterable of strings and bytes");
}

async function* checkedPieces(content: Iterable<Piece> | AsyncIterable<Piece>): AsyncGenerator<Piece, void> {
  for await (const piece of content) {
    yield isPiece(piece) ? piece : refuseArgument("content", piece, "pieces that are strings or bytes");
  }
}

/** Returns false for bytes whose buffer was transferred to another thread. */
function isPiece(value: unknown): value is Piece {
  if (!ArrayBuffer.isView(value)) return typeof value === "string";
  try {
    return new Uint8Array(value.buffer, 0, 0).length === 0;
  } catch {
    return false;
  }
}

/** Checks that {@link writeWhole} can write a file. Call it before long work, so that the program fails early. */
export async function checkWritable(path: string, { shown = path }: Pick<WriteOptions, "shown"> = {}): Promise<void> {
  try {
    const target = await targetOf(path);
    await access(isStream(target) ? target.path : dirname(target.path), constants.W_OK);
    if (target.old?.isDirectory()) throw isFolder(path);
  } catch (cause) {
    failToWrite(shown, cause);
  }
}

/** Follows all links of a path. The last link may lead to a file that does not exist yet. */
export async function targetOf(path: string): Promise<Target> {
  let at = resolve(path);
  for (let links = 0; links <= MAX_LINKS; links++) {
    const folder = await realpath(dirname(at));
    at = join(folder, basename(at));
    const isDescriptor = DESCRIPTORS.test(folder);
    const old = await unless(["ENOENT"], () => lstat(at));
    if (isDescriptor || !old?.isSymbolicLink()) return { path: at, old, isDescriptor };
    at = resolve(folder, await readlink(at));
  }
  throw Object.assign(new Error("ELOOP: too many symbolic links"), { code: "ELOOP", syscall: "open" });
}

/** Writes a new file, and gives it the mode and the owner of `old`. */
export async function writeNew(path: string, content: FileContent, old: Stats | undefined): Promise<void> {
  const file = await open(path, "wx", old === undefined ? 0o666 : 0o600);
  try {
    if (old !== undefined) await copyAccess(file, old);
    await writeFile(file, content);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function replace({ path, old }: Target, content: FileContent, folder: string): Promise<void> {
  if (old?.isDirectory()) throw isFolder(path);
  const temporary = newTemporary(folder, TEMPORARY);
  await whileTemporary(temporary, () => nameWhen(writeNew(temporary, content, old), temporary, path));
}

function isStream({ old, isDescriptor }: Target): boolean {
  return isDescriptor || (old !== undefined && !old.isFile() && !old.isDirectory());
}

async function writeThrough({ path, isDescriptor }: Target, content: FileContent): Promise<void> {
  // Writes to the open file, not to the path: if stdout is a regular file, each write must move the position of stdout.
  const isOwn = dirname(path) === `/proc/${process.pid}/fd`;
  if (isOwn && (await stat(path)).isFile()) return writeOpen(Number(basename(path)), content);
  const file = await open(path, constants.O_WRONLY | (isDescriptor ? constants.O_APPEND : 0));
  try {
    await writeFile(file, content);
  } finally {
    await file.close();
  }
}

async function writeOpen(descriptor: number, content: FileContent): Promise<void> {
  const pieces = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
  for await (const piece of pieces) {
    let bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
    while (bytes.length > 0) {
      const { bytesWritten } = await promisify(write)(descriptor, bytes, 0, bytes.length, null);
      bytes = bytes.subarray(bytesWritten);
    }
  }
}

// copies the owner and the mode of a file; only a privileged process can give a file to another user
async function copyAccess(file: FileHandle, { uid, gid, mode }: Stats): Promise<void> {
  const own = await file.stat();
  if (own.uid !== uid || own.gid !== gid) await unless(["EPERM", "EINVAL"], () => file.chown(uid, gid));
  // sets the mode last, because a change of the owner clears the bits setuid and setgid
  await file.chmod(mode & 0o7777);
}

function isFolder(path: string): Error {
  const message = "EISDIR: illegal operation on a directory";
  return Object.assign(new Error(message), { code: "EISDIR", syscall: "open", path });
}

import { closeSync, constants, createReadStream, fstatSync, lstatSync, openSync } from "node:fs";
import { stat } from "node:fs/promises";
import { error, fail } from "../errors/index.js";
import { failToRead } from "./problem.js";

/** Maximum size of a text file, in bytes. */
const MAX_FILE_BYTES = 2 ** 26;
/** Maximum size of a binary file, such as a saved run. */
const MAX_BYTES = 2 ** 32 - 1;

/** A file to read: its name in messages, and its maximum size in bytes. */
type Source = { readonly shown: string; readonly most: number };

/** Reads a text file of at most 64 MiB as UTF-8. `shown` is its name in messages. Throws `file.read`. */
export async function readWhole(path: string, { shown = path }: { readonly shown?: string } = {}): Promise<string> {
  return (await readFrom(path, { shown, most: MAX_FILE_BYTES })).toString("utf8");
}

/** Like {@link readWhole}, but returns the bytes of a file of at most 4 GiB − 1. */
export async function readBytes(path: string, { shown = path }: { readonly shown?: string } = {}): Promise<Uint8Array> {
  const bytes = await readFrom(path, { shown, most: MAX_BYTES });
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.length);
}

async function readFrom(path: string, source: Source): Promise<Buffer> {
  try {
    const found = await stat(path);
    // the size of a pipe or a device is unknown
    if (found.isFile()) checkSize(found.size, source);
    return await collect(createReadStream(path), source);
  } catch (cause) {
    return failToRead(source.shown, cause);
  }
}

/** Reads chunks as one UTF-8 text. Throws `file.read` above 64 MiB, because a pipe or a device may never end. */
export async function readCapped(chunks: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  return (await collect(chunks, { shown: file, most: MAX_FILE_BYTES })).toString("utf8");
}

async function collect(chunks: AsyncIterable<Uint8Array>, source: Source): Promise<Buffer> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    bytes += chunk.length;
    checkSize(bytes, source);
  }
  return Buffer.concat(read);
}

/** @throws RollmillError `file.read` if a file has more than `most` bytes. */
export function checkSize(bytes: number, { shown, most = MAX_FILE_BYTES }: { shown: string; most?: number }): void {
  if (bytes <= most) return;
  const expected = `at most ${most} bytes (${Math.round(most / 2 ** 20)} MiB)`;
  fail(error("file.read", { problem: "the file is too large", got: bytes, expected, where: { file: shown } }));
}

// Windows does not have these flags
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants as Partial<typeof constants>;
/** Flags of `open`: follow no link, and do not wait for the writer of a pipe. */
export const PLAIN = O_NOFOLLOW | O_NONBLOCK;

/**
 * Opens a regular file. Follows no link, and does not wait for the program at the other end of a pipe. Throws errors of
 * the system: EINVAL for a link, a pipe, a device, or a folder.
 */
export function openRegular(path: string, flags: number): number {
  // checks the type first, because opening a device may have an effect
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() === false) throw notRegular();
  const file = openSync(path, flags | PLAIN);
  if (fstatSync(file).isFile()) return file;
  closeSync(file);
  throw notRegular();
}

function notRegular(): Error {
  return Object.assign(new Error("EINVAL: not a regular file"), { code: "EINVAL", syscall: "open" });
}

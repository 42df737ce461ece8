import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { error, fail } from "../errors/index.js";
import { failToRead } from "./problem.js";

/** Maximum size of an input file: 64 MiB. */
const MAX_FILE_BYTES = 2 ** 26;

/**
 * Reads a text file as UTF-8, at most 64 MiB of it. `shown` is the name of the file in messages.
 *
 * @throws RollmillError `file.read`, for a file that is too large with its size and the limit.
 */
export async function readWhole(path: string, { shown = path }: { readonly shown?: string } = {}): Promise<string> {
  try {
    const found = await stat(path);
    // a pipe or a device has no size
    if (found.isFile()) checkSize(found.size, shown);
    return await readCapped(createReadStream(path), shown);
  } catch (cause) {
    return failToRead(shown, cause);
  }
}

/**
 * Reads a text in UTF-8 from chunks. Stops at 64 MiB, because a pipe or a device may never end.
 *
 * @throws RollmillError `file.read` with the number of bytes read so far and the limit; the errors of `chunks`.
 */
export async function readCapped(chunks: AsyncIterable<Uint8Array>, file: string): Promise<string> {
  const read: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    read.push(chunk);
    bytes += chunk.length;
    checkSize(bytes, file);
  }
  return Buffer.concat(read).toString("utf8");
}

/**
 * Checks the size of a file.
 *
 * @throws RollmillError `file.read` with the size and the limit.
 */
export function checkSize(bytes: number, file: string): void {
  if (bytes <= MAX_FILE_BYTES) return;
  const expected = `at most ${MAX_FILE_BYTES} bytes (64 MiB)`;
  fail(error("file.read", { problem: "the file is too large", got: bytes, expected, where: { file } }));
}

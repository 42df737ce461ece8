import { createReadStream } from "node:fs";
import { basename, extname } from "node:path";
import { error, fail, RollmillError } from "../errors/index.js";
import { type Io, pathIn, reasonOf } from "./io.js";
import { jsonFlaw } from "./jsonFlaw.js";

/** Maximum size of an input file: 64 MiB. */
const MAX_FILE_BYTES = 2 ** 26;

/** Returns the name of a file without its folder and its extension; `fallback` for stdin ("-"). */
export function stemOf(file: string, fallback: string): string {
  return file === "-" ? fallback : basename(file, extname(file));
}

/**
 * Reads a text file; "-" is stdin.
 *
 * @throws RollmillError `file.read`.
 */
export async function readText(io: Io, file: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    // in chunks, because a device or a pipe may never end
    for await (const chunk of file === "-" ? io.stdin : createReadStream(pathIn(io, file))) {
      chunks.push(chunk);
      bytes += chunk.length;
      if (bytes > MAX_FILE_BYTES) break;
    }
  } catch (cause) {
    const problem = `cannot read the file (${reasonOf(cause)})`;
    const remedy = 'Check the path; "-" reads stdin';
    fail(error("file.read", { problem, remedy, where: { file } }), cause);
  }
  if (bytes > MAX_FILE_BYTES) {
    fail(error("file.read", { problem: "the file is too large", expected: "at most 64 MiB", where: { file } }));
  }
  return Buffer.concat(chunks).toString("utf8");
}

/**
 * Reads a JSON file, with or without a byte order mark; "-" is stdin.
 *
 * @throws RollmillError `file.read`, `file.json` with line and column.
 */
export async function readJson(io: Io, file: string): Promise<unknown> {
  const text = (await readText(io, file)).replace(/^\ufeff/, "");
  try {
    return JSON.parse(text);
  } catch (cause) {
    const { offset, expected } = jsonFlaw(text) ?? { offset: 0, expected: "JSON" };
    const got = String.fromCodePoint(text.codePointAt(offset) ?? 0);
    const found = offset === text.length ? { problem: "the JSON ends too early" } : { problem: "invalid JSON", got };
    return fail(error("file.json", { ...found, expected, where: { file, ...placeOf(text, offset) } }), cause);
  }
}

/**
 * Calls `check`. If it throws issues, adds the file to the place of each issue.
 *
 * @throws The errors of `check`.
 */
export function withFile<T>(file: string | undefined, check: () => T): T {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    throw new RollmillError(cause.issues.map((issue) => ({ ...issue, where: { ...issue.where, file } })));
  }
}

/** Returns the line and the column of an offset, both counted from 1. A column counts code points. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const pairs = before.slice(lineStart).match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return { line: before.split("\n").length, column: offset - lineStart - pairs + 1 };
}

import { basename, extname } from "node:path";
import { error, fail, RollmillError } from "../errors/index.js";
import { reasonOf } from "../files/problem.js";
import { readCapped, readWhole } from "../files/read.js";
import { type Io, pathIn } from "./io.js";
import { jsonFlaw } from "./jsonFlaw.js";

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
  try {
    return await (file === "-" ? readCapped(io.stdin, file) : readWhole(pathIn(io, file), { shown: file }));
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    return fail(error("file.read", { problem: `cannot read stdin (${reasonOf(cause)})`, where: { file } }), cause);
  }
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

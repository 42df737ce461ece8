import { error, type Issue } from "../errors/index.js";
import { jsonFlaw } from "./jsonFlaw.js";

/**
 * The value of a JSON text or, if the text is malformed, an issue for its first syntax error. `cause` is the error of
 * `JSON.parse`.
 */
type ReadJson = { readonly value: unknown } | { readonly issue: Issue; readonly cause: unknown };

/**
 * Reads a JSON text, with or without a byte order mark. Returns a syntax error as the issue `file.json`, with line and
 * column.
 */
export function readJsonText(given: string, { file }: { readonly file?: string | undefined } = {}): ReadJson {
  const text = given.replace(/^\ufeff/, "");
  try {
    return { value: JSON.parse(text) };
  } catch (cause) {
    const { offset, expected } = jsonFlaw(text) ?? { offset: 0, expected: "JSON" };
    const got = String.fromCodePoint(text.codePointAt(offset) ?? 0);
    const found = offset === text.length ? { problem: "the JSON ends too early" } : { problem: "invalid JSON", got };
    return { issue: error("file.json", { ...found, expected, where: { file, ...placeOf(text, offset) } }), cause };
  }
}

/** Returns the line and the column of an offset, both counted from 1. A column counts code points. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const pairs = before.slice(lineStart).match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return { line: before.split("\n").length, column: offset - lineStart - pairs + 1 };
}

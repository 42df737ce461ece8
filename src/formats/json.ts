import { error, type Issue } from "../errors/index.js";
import { jsonFlaw } from "./jsonFlaw.js";

type ReadJson = { readonly value: unknown } | { readonly issue: Issue; readonly cause: unknown };

/**
 * Reads a JSON text, with or without a byte order mark. An object that has a name twice is an error, because
 * `JSON.parse` would drop the first value silently.
 */
export function readJsonText(given: string, { file }: { readonly file?: string | undefined } = {}): ReadJson {
  const text = given.replace(/^\ufeff/, "");
  try {
    const value: unknown = JSON.parse(text);
    const twice = keyTwice(text);
    if (twice === undefined) return { value };
    const where = { file, ...placeOf(text, twice.offset) };
    const [problem, remedy] = ["an object has the same name twice", "Remove or rename one of the two"];
    return { issue: error("file.json", { problem, got: twice.key, remedy, where }), cause: undefined };
  } catch (cause) {
    const { offset, expected } = jsonFlaw(text) ?? { offset: 0, expected: "JSON" };
    const got = String.fromCodePoint(text.codePointAt(offset) ?? 0);
    const found = offset === text.length ? { problem: "the JSON ends too early" } : { problem: "invalid JSON", got };
    return { issue: error("file.json", { ...found, expected, where: { file, ...placeOf(text, offset) } }), cause };
  }
}

const TOKEN = /"([^"\\]*(?:\\.[^"\\]*)*)"(\s*:)?|[{}]/g;

function keyTwice(text: string): { readonly key: string; readonly offset: number } | undefined {
  const open: Set<string>[] = [];
  for (const { 0: token, 1: key, 2: colon, index } of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    if (colon === undefined) continue;
    // different escapes can stand for the same name
    const name: string = key.includes("\\") ? JSON.parse(`"${key}"`) : key;
    if (open.at(-1)?.has(name)) return { key: name, offset: index };
    open.at(-1)?.add(name);
  }
  return undefined;
}

/** A column counts code points. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const pairs = before.slice(lineStart).match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return { line: before.split("\n").length, column: offset - lineStart - pairs + 1 };
}

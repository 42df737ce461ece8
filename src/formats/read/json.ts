import { error, type Issue } from "../../errors/index.js";

type ReadJson = { readonly value: unknown } | { readonly issue: Issue; readonly cause: unknown };

/** Reads a JSON text. Two equal names in an object are an error, because `JSON.parse` silently drops one value. */
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
    // decodes the name, because a name can be escaped in several ways
    const name: string = key.includes("\\") ? JSON.parse(`"${key}"`) : key;
    if (open.at(-1)?.has(name)) return { key: name, offset: index };
    open.at(-1)?.add(name);
  }
  return undefined;
}

/** Returns the place of an offset. Columns count code points. */
function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lineStart = before.lastIndexOf("\n") + 1;
  const pairs = before.slice(lineStart).match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0;
  return { line: before.split("\n").length, column: offset - lineStart - pairs + 1 };
}

/** A syntax error. `expected` is what JSON allows at `offset`, which counts UTF-16 units. */
interface JsonFlaw {
  readonly offset: number;
  readonly expected: string;
}

const SPACE = /[ \t\n\r]*/y;
const PLAIN_VALUE = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

/** Returns the first syntax error (RFC 8259). Messages of `JSON.parse` differ by engine, and some lack a position. */
export function jsonFlaw(text: string): JsonFlaw | undefined {
  const open: ("[" | "{")[] = [];
  let expected = "a value";
  let offset = 0;
  for (;;) {
    offset = endOf(SPACE, text, offset) ?? offset;
    const character = text[offset];
    if (character === undefined) return expected === "the end of the text" ? undefined : { offset, expected };
    const next = punctuation(character, expected, open);
    if (next !== undefined) {
      expected = next;
      offset++;
    } else {
      const end: number | JsonFlaw | undefined = leafEnd(text, offset, expected);
      if (end === undefined) return { offset, expected };
      if (typeof end === "object") return end;
      offset = end;
      expected = expected.startsWith("a name") ? '":"' : afterValue(open);
    }
  }
}

/** Reads a bracket, comma or colon, and updates the open brackets. Returns what JSON allows next, such as "a value". */
function punctuation(character: string, expected: string, open: ("[" | "{")[]): string | undefined {
  const value = expected.startsWith("a value");
  if (value && (character === "[" || character === "{")) {
    open.push(character);
    return character === "[" ? 'a value or "]"' : 'a name in quotes or "}"';
  }
  if (expected.endsWith(`"${character}"`) && (character === "]" || character === "}")) {
    open.pop();
    return afterValue(open);
  }
  if (character === "," && expected.startsWith('","')) return open.at(-1) === "[" ? "a value" : "a name in quotes";
  return character === ":" && expected === '":"' ? "a value" : undefined;
}

function afterValue(open: readonly ("[" | "{")[]): string {
  const innermost = open.at(-1);
  if (innermost === undefined) return "the end of the text";
  return innermost === "[" ? '"," or "]"' : '"," or "}"';
}

/** Returns the end of a name, string, number or literal, or the flaw of a malformed string. */
function leafEnd(text: string, offset: number, expected: string): number | JsonFlaw | undefined {
  if (!expected.startsWith("a ")) return undefined;
  if (text[offset] === '"') return stringEnd(text, offset + 1);
  return expected.startsWith("a value") ? endOf(PLAIN_VALUE, text, offset) : undefined;
}

function stringEnd(text: string, begin: number): number | JsonFlaw {
  for (let offset = begin; offset < text.length; ) {
    if (text[offset] === '"') return offset + 1;
    if (text[offset] < " ") return { offset, expected: "no line break or control character in quotes" };
    if (text[offset] !== "\\") offset++;
    else {
      const end = endOf(ESCAPE, text, offset);
      if (end === undefined) return { offset, expected: "an escape such as \\n, \\\\ or \\u00e9" };
      offset = end;
    }
  }
  return { offset: text.length, expected: "a closing quote" };
}

function endOf(pattern: RegExp, text: string, offset: number): number | undefined {
  pattern.lastIndex = offset;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

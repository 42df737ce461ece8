/** The first place where a text is no JSON: how many UTF-16 units stand before it, and what could have followed them. */
export interface JsonFlaw {
  readonly offset: number;
  readonly expected: string;
}

type Expected =
  | "a value"
  | 'a value or "]"'
  | "a name in quotes"
  | 'a name in quotes or "}"'
  | '":"'
  | '"," or "]"'
  | '"," or "}"'
  | "the end of the text";

const SPACE = /[ \t\n\r]*/y;
const PLAIN_VALUE = /true|false|null|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})/y;

/**
 * Finds where a text stops being JSON (RFC 8259), or undefined where it does not: the messages of `JSON.parse` tell the
 * place in some cases only, and differ between engines. One pass; nesting costs no stack.
 */
export function jsonFlaw(text: string): JsonFlaw | undefined {
  const open: ("[" | "{")[] = [];
  let expected: Expected = "a value";
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

/** What may follow a bracket, comma or colon that may stand here; undefined where it may not. */
function punctuation(character: string, expected: Expected, open: ("[" | "{")[]): Expected | undefined {
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

function afterValue(open: readonly ("[" | "{")[]): Expected {
  const innermost = open.at(-1);
  if (innermost === undefined) return "the end of the text";
  return innermost === "[" ? '"," or "]"' : '"," or "}"';
}

/** Where the name, or the value without parts, ends that begins here; undefined where none may or does. */
function leafEnd(text: string, offset: number, expected: Expected): number | JsonFlaw | undefined {
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

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { jsonFlaw, readJsonText } from "../../src/formats/read/json.js";

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The place that the engine's message tells, where it tells one. */
function enginePosition(text: string): number | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (cause) {
    const found = /position (\d+)/.exec(String(cause));
    return found === null ? undefined : Number(found[1]);
  }
}

/** JSON, and the same with a character cut out, put in or replaced. */
const nearlyJson = fc
  .tuple(fc.json({ maxDepth: 4 }), fc.nat(), fc.constantFrom("", ...'{}[]",:0-e.\\ \ntu\u0001'), fc.nat(1))
  .map(([text, at, insert, cut]) => {
    const offset = at % (text.length + 1);
    return text.slice(0, offset) + insert + text.slice(offset + cut);
  });

describe("the first syntax error of a JSON text", () => {
  test("property: there is none if and only if JSON.parse accepts the text", () => {
    fc.assert(
      fc.property(fc.oneof(nearlyJson, fc.string({ unit: "binary" }), fc.json()), (text) => {
        expect(jsonFlaw(text) === undefined).toBe(isJson(text));
      }),
      { seed: 20401, numRuns: 5000 },
    );
  });

  test("property: the text before it has no error except its end", () => {
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const flaw = jsonFlaw(text);
        if (flaw === undefined) return;
        const before = jsonFlaw(text.slice(0, flaw.offset));
        expect(before?.offset ?? flaw.offset).toBe(flaw.offset);
      }),
      { seed: 20402, numRuns: 2000 },
    );
  });

  test("property: it is at the engine's place, or before it at the start of the same value", () => {
    let told = 0;
    fc.assert(
      fc.property(nearlyJson, (text) => {
        const position = enginePosition(text);
        if (position === undefined) return;
        told++;
        const offset = jsonFlaw(text)?.offset ?? Number.POSITIVE_INFINITY;
        expect(offset).toBeLessThanOrEqual(position);
        expect(text.slice(offset, position)).toMatch(/^[^[\]{},:]*$/);
      }),
      { seed: 20403, numRuns: 3000 },
    );
    expect(told).toBeGreaterThan(100);
  });

  test.each([
    ["", 0, "a value"],
    [" ", 1, "a value"],
    ["[", 1, 'a value or "]"'],
    ["[1", 2, '"," or "]"'],
    ["[1,", 3, "a value"],
    ["[1}", 2, '"," or "]"'],
    ["{", 1, 'a name in quotes or "}"'],
    ['{"a"', 4, '":"'],
    ['{"a":1', 6, '"," or "}"'],
    ['{"a":1]', 6, '"," or "}"'],
    ['{"a":1,}', 7, "a name in quotes"],
    ["1 1", 2, "the end of the text"],
    ["]", 0, "a value"],
    ["nul", 0, "a value"],
    ["-", 0, "a value"],
    ["+1", 0, "a value"],
    ["1.", 1, "the end of the text"],
    ["\u00a01", 0, "a value"],
    ['"\u0000"', 1, "no line break or control character in quotes"],
    ['"\\u12G4"', 1, "an escape such as \\n, \\\\ or \\u00e9"],
  ])("%j: %d, %s", (text, offset, expected) => {
    expect(jsonFlaw(text)).toEqual({ offset, expected });
  });

  test("nesting needs no recursion", () => {
    const deep = 1_000_000;
    expect(jsonFlaw("[".repeat(deep) + "]".repeat(deep))).toBeUndefined();
    expect(jsonFlaw("[".repeat(deep))?.offset).toBe(deep);
  });
});

describe("a name that occurs twice in one object (first hour 18)", () => {
  const placeOf = (text: string) => {
    const read = readJsonText(text);
    return "issue" in read ? `${read.issue.code} ${read.issue.where.line}:${read.issue.where.column}` : undefined;
  };

  test.each([
    ['{"a": 1,\n "a": 2}', "file.json 2:2"],
    ['[{"b": {"a": 1, "\\u0061": 2}}]', "file.json 1:17"],
    ['{"__proto__": 1, "__proto__": 2}', "file.json 1:18"],
    ['{"a": {"a": 1}, "b": [{"a": 1}, {"a": 2}]}', undefined],
    ['{"a": "\\"b\\": {", "b": "}", "c": ["b", "a"]}', undefined],
  ])("%j", (text, wanted) => {
    expect(placeOf(text)).toBe(wanted);
  });

  test("property: no other JSON is refused", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1), (value, indent) => {
        expect(readJsonText(JSON.stringify(value, undefined, indent))).toEqual({
          value: JSON.parse(JSON.stringify(value)),
        });
      }),
      { seed: 20402, numRuns: 1000 },
    );
  });

  test("a long text without a quote inside takes one pass", () => {
    expect(placeOf(`{"a": "${"x".repeat(2 ** 22)}", "b": [${"[],".repeat(2 ** 18)} []]}`)).toBeUndefined();
  });
});

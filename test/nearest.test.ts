import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { didYouMean, nearest } from "../src/errors/index.js";

/** Levenshtein's distance by the whole table, row by row. */
function distanceOf(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      next.push(Math.min(row[j] + 1, next[j - 1] + 1, row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1)));
    }
    row = next;
  }
  return row[b.length];
}

/** The first of the least distance, where that is at most 2 or a third of the key. */
function nearestByTable(key: string, known: readonly string[]): string | undefined {
  const text = key.slice(0, 64).toLowerCase();
  const distances = known.map((name) => distanceOf(text, name.toLowerCase()));
  const least = Math.min(...distances);
  return least <= Math.max(2, Math.floor(key.length / 3)) ? known[distances.indexOf(least)] : undefined;
}

describe("what is meant is what is nearest by the table of distances", () => {
  const letters = fc.constantFrom("a", "b", "B", "İ", "é", "😀");
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat(2), letters), { maxLength: 30 });
  /** A text with some characters put in, left out or exchanged. */
  const edited = (text: string, changes: readonly (readonly [number, number, string])[]) => {
    const characters = [...text];
    for (const [at, removed, put] of changes) {
      characters.splice(at % (characters.length + 1), removed % 2, ...(removed < 2 ? [put] : []));
    }
    return characters.join("");
  };

  test.each([
    ["short", 6, letters],
    ["about a word of 32", 36, letters],
    ["about 64, and beyond", 90, letters],
    // of two letters texts are near one another in many ways
    ["of two letters", 48, fc.constantFrom("a", "b")],
  ])("%s", (_, maxLength, unit) => {
    const text = fc.string({ unit, maxLength, size: "max" });
    const asked = text.chain((key) =>
      fc.tuple(
        fc.constant(key),
        fc.array(
          fc.oneof(
            text,
            edits.map((changes) => edited(key, changes)),
          ),
          { maxLength: 6 },
        ),
      ),
    );
    fc.assert(
      fc.property(asked, ([key, known]) => {
        expect(nearest(key, known)).toBe(nearestByTable(key, known));
      }),
      { numRuns: 1500 },
    );
  });

  test("of several that are as near the first, and none that is just too far", () => {
    expect(nearest("sword", ["swords", "sward", "sword's"])).toBe("swords");
    expect(nearest("sword", ["sw"])).toBeUndefined();
    expect(nearest("sword", ["swo"])).toBe("swo");
    expect(nearest("", ["abc", "ab"])).toBe("ab");
    const long = "x".repeat(64);
    expect(nearest(`${long}yyyyy`, [`${long}${"z".repeat(24)}`])).toBeUndefined();
    expect(nearest(`${long}yyyyy`, [`${long}${"z".repeat(23)}`])).toBe(`${long}${"z".repeat(23)}`);
  });
});

test("a remedy suggests no name that differs in more than half of its characters", () => {
  expect(didYouMean("form", ["from", "signal"])).toEqual({ remedy: 'Did you mean "from"?' });
  expect(nearest("ZZ", ["I"])).toBe("I");
  expect(didYouMean("ZZ", ["I"], "Use I")).toEqual({ remedy: "Use I" });
  expect(didYouMean("ZZ", ["I"])).toEqual({});
  expect(didYouMean("", ["ab"])).toEqual({});
});

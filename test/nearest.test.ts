import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { didYouMean, IssueList, nearest } from "../src/errors/index.js";

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
  const remedyOf = (...given: Parameters<typeof didYouMean>) => didYouMean(...given).remedy({ left: 100 });
  expect(remedyOf("form", ["from", "signal"])).toBe('Did you mean "from"?');
  expect(nearest("ZZ", ["I"])).toBe("I");
  expect(remedyOf("ZZ", ["I"], "Use I")).toBe("Use I");
  expect(remedyOf("ZZ", ["I"])).toBeUndefined();
  expect(remedyOf("", ["ab"])).toBeUndefined();
});

describe("suggestions for one input compare a limited number of characters (audit 20)", () => {
  const known = Array.from({ length: 5000 }, (_, i) => `label${i}`);

  test("without comparisons left, nothing is suggested", () => {
    const comparisons = { left: 12 };
    expect(nearest("form", ["from", "signal"], comparisons)).toBe("from");
    expect(comparisons.left).toBe(0);
    expect(nearest("form", ["from"], comparisons)).toBeUndefined();
  });

  test("the first misspelt names of an input have suggestions, and later ones cost nothing", () => {
    const issues = new IssueList({ code: "table.columns" });
    let compared = 0;
    for (let i = 0; i < 5000; i++) {
      const names = (function* () {
        for (const name of known) {
          compared++;
          yield name;
        }
      })();
      issues.report("table.jump", { problem: "unknown", got: i, ...didYouMean(`lable${i}`, names) });
    }
    const messages = issues.list().map(({ message }) => message);
    expect(messages[0]).toContain('Did you mean "label0"?');
    expect(messages.filter((message) => message.includes("Did you mean")).length).toBeGreaterThan(50);
    expect(compared).toBeLessThan(500_000);
  });

  test("an issue that is not listed is not composed", () => {
    const issues = new IssueList({ code: "table.columns", most: 1 });
    let composed = 0;
    const remedy = () => {
      composed++;
      return undefined;
    };
    for (let i = 0; i < 100; i++) issues.report("table.jump", { problem: "unknown", remedy });
    expect([composed, issues.errors, issues.list().length]).toEqual([2, 100, 2]);
  });
});

import { describe, expect, test } from "vitest";
import { type ObjectOddsQuery, objectOdds } from "../../src/objects/odds.js";
import { codeOf } from "../refusal.js";
import { filesOf } from "./oddsFiles.js";

const files = filesOf({});
const kind = 1;
const [affixLevel] = files.levels;

const BY_LEVEL: readonly ((level: number) => ObjectOddsQuery)[] = [
  (level) => ({ of: "affixLevel", level, good: true }),
  (level) => ({ of: "slots", level, kind }),
  (level) => ({ of: "depth", level }),
  (level) => ({ of: "affix", level, kind, affixLevel }),
  (level) => ({ of: "affix", level, kind, affixLevel, depth: 1 }),
  (level) => ({ of: "theme", level, kind, has: [], depth: 1 }),
  (level) => ({ of: "kind", level, good: true }),
  (level) => ({ of: "themeOfTwoSlots", level, kind, affixLevel }),
  (level) => ({ of: "object", level }),
];

describe.each(BY_LEVEL)("%#", (query) => {
  test.each([Number.NaN, -3, 1.5, 256, Number.POSITIVE_INFINITY])("refuses level %d", (level) => {
    expect(codeOf(() => objectOdds(files, query(level)))).toBe("argument.range");
  });

  test("takes levels 0 and 255", () => {
    expect(codeOf(() => objectOdds(files, query(0)))).toBeUndefined();
    expect(codeOf(() => objectOdds(files, query(255)))).toBeUndefined();
  });
});

test.each([-1, 0.5, Number.NaN])("refuses %d as the depth of a slot", (depth) => {
  const affix = { of: "affix", level: 1, kind, affixLevel, depth } as const;
  expect(codeOf(() => objectOdds(files, affix))).toBe("argument.range");
  expect(codeOf(() => objectOdds(files, { of: "theme", level: 1, kind, has: [], depth }))).toBe("argument.range");
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, fraction, ZERO } from "../../src/fractions.js";
import { kindOdds } from "../../src/objects/law/kinds.js";
import { mBonusOdds } from "../../src/objects/law/mBonus.js";
import type { Quality } from "../../src/objects/types.js";
import { anyFiles, filesOf, folderFiles, OWN, REAL, sum, text } from "./oddsFiles.js";

const files = filesOf({
  object: `N:1:Kris
I:23:1
A:30:1 to 12
N:2:Oar
I:21:1
A:10:13 to 40
N:3:Ring
I:45:1
A:20:1 to 40
N:4:Crown of One
I:33:1
A:50:1 to 40
F:INSTA_ART
N:5:Amulet
I:40:1
A:5:1 to 30
F:GOOD
N:6:Jerkin
I:36:1
A:0:1 to 40
N:7:Helm
I:32:1
`,
});

function chances(query: { level: number; quality: Quality; tval?: number }): unknown {
  const { kinds, none } = kindOdds(files, query);
  return { ...Object.fromEntries([...kinds].map(([{ name }, chance]) => [name, text(chance)])), none: text(none) };
}

describe("kinds are drawn by commonness", () => {
  test("in depth alone; never those of commonness 0, without an A line, or of artifacts", () => {
    expect(chances({ level: 5, quality: "normal" })).toEqual({
      Kris: "6/11",
      Ring: "4/11",
      Amulet: "1/11",
      none: "0/1",
    });
    expect(chances({ level: 13, quality: "normal" })).toEqual({ Oar: "2/7", Ring: "4/7", Amulet: "1/7", none: "0/1" });
    expect(chances({ level: 0, quality: "normal" })).toEqual({ none: "1/1" });
  });

  test("no deeper than the deepest of those that can be drawn", () => {
    expect(chances({ level: 200, quality: "normal" })).toEqual(chances({ level: 40, quality: "normal" }));
    expect(chances({ level: 200, quality: "great" })).toEqual(chances({ level: 40, quality: "great" }));
    // the deepest of all of them, whatever type is asked for
    expect(chances({ level: 200, quality: "normal", tval: 23 })).toEqual(
      chances({ level: 40, quality: "normal", tval: 23 }),
    );
  });

  test("good ones are weapons, armour and those with the flag, deeper by 5 and a bonus of up to 5", () => {
    const weights = [...mBonusOdds(5, 4)].map(BigInt);
    // depth 9 + bonus: the kris up to a bonus of 3, the oar from 4 on; the amulet all along
    const near = fraction(
      weights.slice(0, 4).reduce((a, b) => a + b),
      2n ** 31n,
    );
    const far = fraction(
      weights.slice(4).reduce((a, b) => a + b),
      2n ** 31n,
    );
    const { kinds, none } = kindOdds(files, { level: 4, quality: "good" });
    const found = new Map([...kinds].map(([{ name }, chance]) => [name, text(chance)]));
    expect([...found.keys()]).toEqual(["Kris", "Oar", "Amulet"]);
    const times = (a: { numerator: bigint; denominator: bigint }, n: bigint, d: bigint) =>
      fraction(a.numerator * n, a.denominator * d);
    expect(found.get("Kris")).toBe(text(times(near, 6n, 7n)));
    expect(found.get("Oar")).toBe(text(times(far, 2n, 3n)));
    expect(found.get("Amulet")).toBe(text(add(times(near, 1n, 7n), times(far, 1n, 3n))));
    expect(text(none)).toBe("0/1");
  });

  test("great ones deeper by 10", () => {
    expect(chances({ level: 3, quality: "great" })).toEqual({ Oar: "2/3", Amulet: "1/3", none: "0/1" });
  });

  test("of a type alone where one is asked for", () => {
    expect(chances({ level: 5, quality: "normal", tval: 45 })).toEqual({ Ring: "1/1", none: "0/1" });
    expect(chances({ level: 5, quality: "good", tval: 45 })).toEqual({ none: "1/1" });
    expect(chances({ level: 5, quality: "normal", tval: 0 })).toEqual({ none: "1/1" });
  });
});

test("kinds and none sum to 1, over random files", () => {
  fc.assert(
    fc.property(anyFiles, fc.nat(255), fc.constantFrom<Quality>("normal", "good", "great"), (some, level, quality) => {
      const { kinds, none } = kindOdds(some, { level, quality });
      expect(sum([...kinds.values(), none])).toBe("1/1");
      for (const [, chance] of kinds) expect(chance.numerator).toBeGreaterThan(0n);
    }),
    { seed: 17 },
  );
});

describe.each([
  ["the project's own files", folderFiles(OWN)],
  ["the real edit files (skipped where ../shared/data is absent)", folderFiles(REAL)],
])("over %s", (_, real) => {
  test.skipIf(real === undefined)("a kind comes at every depth from 1 on, and the chances sum to 1", () => {
    if (real === undefined) return;
    for (const quality of ["normal", "good", "great"] as const) {
      for (const level of [1, 10, 30, 60, 100, 127, 255]) {
        const { kinds, none } = kindOdds(real, { level, quality });
        expect(sum(kinds.values())).toBe("1/1");
        expect(none).toEqual(ZERO);
      }
    }
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, type Fraction, fraction, multiply, ZERO } from "../../src/fractions.js";
import { affixLevelOdds, affixWeight, excludeEachOther, slotOdds } from "../../src/objects/law/slots.js";
import { affixOdds, affixOddsAt } from "../../src/objects/odds/themes.js";
import type { AffixSpec, ObjectFiles, Quality } from "../../src/objects/types.js";
import { anyFiles, depthOdds, filesOf, folderFiles, named, OWN, REAL, sum, text } from "./oddsFiles.js";

const QUALITIES = ["normal", "good", "great"] as const;
const texts = (chances: Iterable<Fraction>) => [...chances].map(text);

describe("the affix level", () => {
  test.each<[number, Quality, readonly string[]]>([
    [0, "normal", ["9/10", "1/10", "0/1", "0/1"]],
    [30, "normal", ["3/5", "2/5", "0/1", "0/1"]],
    [30, "good", ["9/20", "9/20", "1/10", "0/1"]],
    [30, "great", ["0/1", "3/5", "2/5", "0/1"]],
    [90, "normal", ["0/1", "1/1", "0/1", "0/1"]],
    [255, "great", ["0/1", "0/1", "1/1", "0/1"]],
  ])("at %i, %s, is %j", (level, quality, odds) => {
    expect(texts(affixLevelOdds(level, quality, 4))).toEqual(odds);
  });

  test("is never above the last level that there is", () => {
    expect(texts(affixLevelOdds(30, "good", 2))).toEqual(["9/20", "11/20"]);
    expect(texts(affixLevelOdds(30, "great", 1))).toEqual(["1/1"]);
  });
});

describe("the number of slots", () => {
  test.each<[number, Quality, boolean, Readonly<Record<number, string>>]>([
    [0, "normal", false, { 0: "1/2", 1: "1/2" }],
    [24, "good", false, { 1: "1/4", 2: "1/2", 3: "1/4" }],
    [25, "normal", false, { 0: "1/3", 1: "1/3", 2: "1/3" }],
    [25, "normal", true, { 0: "2/3", 1: "1/3" }],
    [30, "great", true, { 2: "1/6", 3: "1/3", 4: "1/3", 5: "1/6" }],
    // below(12) + 3 or 4, cut at 8
    [255, "great", false, { 3: "1/24", 4: "1/12", 5: "1/12", 6: "1/12", 7: "1/12", 8: "5/8" }],
  ])("at %i, %s, GOOD %s, is %j", (level, quality, hasGood, odds) => {
    const found = slotOdds(level, quality, hasGood);
    expect(found).toHaveLength(9);
    expect(
      Object.fromEntries(
        [...found.entries()].filter(([, { numerator }]) => numerator > 0n).map(([n, c]) => [n, text(c)]),
      ),
    ).toEqual(odds);
  });
});

describe("the depth of a slot", () => {
  test("is the real one in 19 of 20 cases, else 1 + ⌊128·L/r⌋", () => {
    const odds = depthOdds(1);
    expect([...odds.keys()].slice(0, 3)).toEqual([1, 2, 3]);
    expect(text(odds.get(1) ?? ZERO)).toBe("19/20");
    // ⌊128/r⌋ is 1 for r = 65 … 128, 2 for 43 … 64, 128 for 1 alone
    expect(text(odds.get(2) ?? ZERO)).toBe(text(fraction(64n, 2560n)));
    expect(text(odds.get(3) ?? ZERO)).toBe(text(fraction(22n, 2560n)));
    expect(text(odds.get(129) ?? ZERO)).toBe("1/2560");
    expect(Math.max(...depthOdds(30).keys())).toBe(1 + 128 * 30);
  });

  test("is 0 at level 0", () => {
    expect([...depthOdds(0)].map(([depth, chance]) => [depth, text(chance)])).toEqual([[0, "1/1"]]);
  });
});

test("affix levels, slots and depths sum to 1, depths in order", () => {
  fc.assert(
    fc.property(
      fc.nat(255),
      fc.constantFrom(...QUALITIES),
      fc.integer({ min: 1, max: 6 }),
      fc.boolean(),
      (level, quality, levels, good) => {
        expect(sum(affixLevelOdds(level, quality, levels))).toBe("1/1");
        expect(sum(slotOdds(level, quality, good))).toBe("1/1");
        const depths = depthOdds(level);
        expect(sum(depths.values())).toBe("1/1");
        expect([...depths.keys()]).toEqual([...depths.keys()].sort((a, b) => a - b));
      },
    ),
    { seed: 5 },
  );
});

describe("what an affix weighs", () => {
  const files = filesOf({
    egoItem: "N:1:prefix:Tanned\nT:soft armour:0:99:great:10:1 to 25\nT:soft armour:0:99:good:25:26 to 100\n",
  });
  const { affix, kind } = named(files);
  const weight = (level: number, affixLevel: number, depth = level) =>
    affixWeight(affix("Tanned"), { kind: kind("Jerkin"), level, depth, affixLevel });

  test("the article's pair: great at 1 to 25, good at 26 to 100", () => {
    expect(weight(10, 0)).toBe(0);
    expect(weight(10, 1)).toBe(10);
    expect(weight(26, 0)).toBe(25);
    expect(weight(26, 1)).toBe(25);
  });

  test("a boost reaches lines early, and loses none", () => {
    expect(weight(10, 0, 26)).toBe(25);
    // the first line that is legal counts
    expect(weight(10, 1, 26)).toBe(10);
    expect(weight(100, 0, 9000)).toBe(25);
    expect(weight(101, 0, 9000)).toBe(0);
  });

  test("is 0 for other kinds", () => {
    expect(affixWeight(affix("Tanned"), { kind: kind("Kris"), level: 26, depth: 26, affixLevel: 3 })).toBe(0);
  });
});

describe("the chances at a slot", () => {
  const files = filesOf({
    egoItem: `N:1:prefix:Hewn
T:sword:0:9:good:3:1 to 40
X:Blunt
N:2:prefix:Blunt
T:sword:0:9:good:1:1 to 40
N:3:prefix:Deep
T:sword:0:9:good:4:11 to 40
N:4:prefix:Once
T:sword:4:4:great:2:1 to 40
X:Once
`,
  });
  const { affixes, kind } = named(files);
  const chances = (odds: { readonly affixes: ReadonlyMap<AffixSpec, Fraction>; readonly none: Fraction }) => ({
    ...Object.fromEntries([...odds.affixes].map(([{ name }, chance]) => [name, text(chance)])),
    none: text(odds.none),
  });
  const at = (level: number, affixLevel: number, has: readonly AffixSpec[] = []) =>
    affixOddsAt(files, { kind: kind("Kris"), level, depth: level, affixLevel, has });

  test("at a depth are weights over their sum", () => {
    expect(chances(at(5, 0))).toEqual({ Hewn: "3/4", Blunt: "1/4", none: "0/1" });
    expect(chances(at(5, 1))).toEqual({ Hewn: "1/2", Blunt: "1/6", Once: "1/3", none: "0/1" });
    expect(chances(at(11, 0))).toEqual({ Hewn: "3/8", Blunt: "1/8", Deep: "1/2", none: "0/1" });
    expect(chances(at(0, 0))).toEqual({ none: "1/1" });
  });

  test("leave out what an affix of the object excludes, in either direction and itself", () => {
    expect(chances(at(5, 1, affixes("Hewn")))).toEqual({ Hewn: "3/5", Once: "2/5", none: "0/1" });
    expect(chances(at(5, 1, affixes("Blunt")))).toEqual({ Blunt: "1/3", Once: "2/3", none: "0/1" });
    expect(chances(at(5, 1, affixes("Once")))).toEqual({ Hewn: "3/4", Blunt: "1/4", none: "0/1" });
    expect(chances(at(5, 0, affixes("Hewn", "Blunt")))).toEqual({ none: "1/1" });
  });

  test("are mixed over the depths that a slot may have", () => {
    const query = { kind: kind("Kris"), level: 5, affixLevel: 0 };
    // 1 + ⌊640/r⌋ ≥ 11 for r ≤ 64: half of the boosts
    const hewn = text(fraction(3n * 79n, 320n));
    expect(chances(affixOdds(files, query))).toEqual({ Hewn: hewn, Blunt: "79/320", Deep: "1/80", none: "0/1" });
  });
});

/** A slot as the contract tells it: pick by weight; an excluded one is picked anew among those that are not. */
function slotByTheLetter(
  files: ObjectFiles,
  query: Parameters<typeof affixOddsAt>[1],
): Map<AffixSpec | undefined, Fraction> {
  const { has = [] } = query;
  const chances = new Map<AffixSpec | undefined, Fraction>();
  const count = (affix: AffixSpec | undefined, chance: Fraction) =>
    chances.set(affix, add(chances.get(affix) ?? ZERO, chance));
  const pick = (list: readonly AffixSpec[], then: (affix: AffixSpec | undefined, chance: Fraction) => void) => {
    const weights = list.map((affix) => affixWeight(affix, query));
    const total = weights.reduce((all, weight) => all + weight, 0);
    if (total === 0) return then(undefined, fraction(1n, 1n));
    list.forEach((affix, i) => {
      if (weights[i] > 0) then(affix, fraction(BigInt(weights[i]), BigInt(total)));
    });
  };
  const isExcluded = (affix: AffixSpec) => has.some((other) => excludeEachOther(affix, other));
  pick(files.affixes, (affix, chance) => {
    if (affix === undefined || !isExcluded(affix)) count(affix, chance);
    else
      pick(
        files.affixes.filter((other) => !isExcluded(other)),
        (next, share) => count(next, multiply(chance, share)),
      );
  });
  return chances;
}

describe("over random files", () => {
  test("a slot's chances are those of picking, and of picking anew, and sum to 1", () => {
    fc.assert(
      fc.property(anyFiles, fc.nat(60), fc.nat(3), fc.subarray([0, 1, 2, 3, 4]), (files, level, affixLevel, owned) => {
        const has = owned.map((i) => files.affixes[i]);
        for (const kind of files.kinds) {
          for (const depth of [level, level + 20]) {
            const query = { kind, level, depth, affixLevel, has };
            const { affixes, none } = affixOddsAt(files, query);
            const letter = slotByTheLetter(files, query);
            expect(texts(files.affixes.map((affix) => affixes.get(affix) ?? ZERO))).toEqual(
              texts(files.affixes.map((affix) => letter.get(affix) ?? ZERO)),
            );
            expect(text(none)).toBe(text(letter.get(undefined) ?? ZERO));
          }
          const { affixes, none } = affixOdds(files, { kind, level, affixLevel, has });
          expect(sum([...affixes.values(), none])).toBe("1/1");
        }
      }),
      { seed: 7, numRuns: 60 },
    );
  });
});

describe.each([
  ["the project's own files", folderFiles(OWN)],
  ["the real edit files (skipped where ../shared/data is absent)", folderFiles(REAL)],
])("over %s", (_, files) => {
  test.skipIf(files === undefined)("a slot's chances sum to 1 and mix those by depth", () => {
    if (files === undefined) return;
    for (const [i, kind] of files.kinds.entries()) {
      const [level, affixLevel] = [(i * 17) % 128, i % 3];
      const query = { kind, level, affixLevel };
      const { affixes, none } = affixOdds(files, query);
      expect(sum([...affixes.values(), none]), kind.name).toBe("1/1");
      const empty = [...depthOdds(level)].reduce((all, [depth, chance]) => {
        return add(all, multiply(chance, affixOddsAt(files, { ...query, depth }).none));
      }, ZERO);
      expect(text(none), kind.name).toBe(text(empty));
    }
  });
});

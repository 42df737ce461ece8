import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, type Fraction, multiply, subtract, ZERO } from "../../src/fractions.js";
import { affixOddsAt, themeOdds, twoSlotThemeOdds } from "../../src/objects/odds/themes.js";
import type { KindSpec, ObjectFiles, ThemeSpec } from "../../src/objects/types.js";
import { anyFiles, depthOdds, filesOf, folderFiles, named, OWN, REAL, sum, text } from "./oddsFiles.js";

const NAMES = ["Acid", "Fire", "Cold", "Shock", "Reinforced", "Durable"];
const resistance = filesOf({
  egoItem: NAMES.map((name, i) => `N:${i + 1}:prefix:${name}\nT:soft armour:0:9:good:1:1 to 99\n`).join(""),
  egoThemes: `N:1:suffix:of Resistance
T:soft armour:0:99:25 to 100
A:Acid:7
A:Fire:7
A:Cold:7
A:Shock:7
A:Durable:4
A:Reinforced:2
`,
});

/** Each theme's half-percents and chance by name, and the chance of none. */
function shown({ odds, none }: ReturnType<typeof themeOdds>): unknown {
  const list = odds.map(({ result, probability, halfPercents }) => [result.name, [halfPercents, text(probability)]]);
  return { ...Object.fromEntries(list), none: text(none) };
}

describe("the article's theme of Resistance", () => {
  const { kind, affixes } = named(resistance);
  const at = (level: number, ...names: string[]) =>
    themeOdds(resistance, { kind: kind("Jerkin"), level, has: affixes(...names) });

  test.each<[readonly string[], number, string]>([
    [["Acid", "Cold"], 46, "23/100"],
    [["Acid", "Fire", "Shock"], 103, "103/200"],
    [["Acid", "Fire", "Cold", "Shock"], 184, "23/25"],
    [["Reinforced", "Durable"], 8, "1/25"],
    [["Reinforced", "Fire", "Durable"], 39, "39/200"],
  ])("comes upon %j in %i half-percents", (names, halfPercents, chance) => {
    const [found] = at(30, ...names).odds;
    expect(found.halfPercents).toBe(halfPercents);
    expect(text(found.probability)).toBe(chance);
  });

  test("needs two different affixes", () => {
    const none = { "of Resistance": [0, "0/1"], none: "1/1" };
    expect(shown(at(30))).toEqual(none);
    expect(shown(at(30, "Acid"))).toEqual(none);
    expect(shown(at(30, "Acid", "Acid"))).toEqual(none);
    // one that is there twice counts once
    expect(shown(at(30, "Acid", "Acid", "Cold"))).toEqual({ "of Resistance": [46, "23/100"], none: "77/100" });
  });

  test("is for its kinds at its depths: the slot's above the least, the real one below the greatest", () => {
    const has = affixes("Acid", "Cold");
    const names = (query: { level: number; depth?: number; kind?: KindSpec }) =>
      themeOdds(resistance, { kind: kind("Jerkin"), has, ...query }).odds.length;
    expect([24, 25, 100, 101].map((level) => names({ level }))).toEqual([0, 1, 1, 0]);
    expect(names({ level: 3, depth: 25 })).toBe(1);
    expect(names({ level: 100, depth: 9000 })).toBe(1);
    expect(names({ level: 30, kind: kind("Kris") })).toBe(0);
  });
});

describe("several themes at once", () => {
  const files = filesOf({
    egoItem: NAMES.map((name, i) => `N:${i + 1}:prefix:${name}\n`).join(""),
    egoThemes: `N:1:prefix:Sure
T:sword:0:9:1 to 99
A:Acid:100
A:Fire:100
N:2:prefix:Also
T:sword:0:9:1 to 99
A:Acid:20
A:Cold:30
A:Cold:10
A:Shock:0
N:3:prefix:Barely
T:sword:0:9:1 to 99
A:Acid:1
A:Cold:1
A:Durable:90
`,
  });
  const { kind, affixes } = named(files);
  const has = (...names: string[]) => shown(themeOdds(files, { kind: kind("Kris"), level: 9, has: affixes(...names) }));

  test("weights of 100 and 100 make one certain", () => {
    expect(has("Acid", "Fire")).toMatchObject({ Sure: [200, "1/1"], none: "0/1" });
  });

  test("they share what there is, and never more than all", () => {
    expect(has("Acid", "Fire", "Cold")).toEqual({
      Sure: [200, "1/2"],
      Also: [200, "1/2"],
      Barely: [0, "0/1"],
      none: "0/1",
    });
    // 8·(1 + 1)²/92 is below 1; 8·60²/60 = 480 is cut at 200
    expect(has("Acid", "Cold")).toEqual({ Sure: [0, "0/1"], Also: [200, "1/1"], Barely: [0, "0/1"], none: "0/1" });
  });

  test("a line of weight 0 does not count", () => {
    expect(has("Acid", "Shock")).toMatchObject({ Also: [0, "0/1"], none: "1/1" });
    expect(has("Acid", "Durable")).toMatchObject({ Barely: [200, "1/1"] });
  });
});

describe("after two slots", () => {
  /** Both slots' depths, both affixes, and the theme: everything there is, one by one. */
  function byTheLetter(files: ObjectFiles, query: { kind: KindSpec; level: number; affixLevel: number }) {
    const chances = new Map<ThemeSpec | "incomplete" | "unthemed", Fraction>();
    const count = (what: ThemeSpec | "incomplete" | "unthemed", ...factors: Fraction[]) =>
      chances.set(what, add(chances.get(what) ?? ZERO, factors.reduce(multiply)));
    for (const [firstDepth, boost] of depthOdds(query.level)) {
      const first = affixOddsAt(files, { ...query, depth: firstDepth });
      count("incomplete", boost, first.none);
      for (const [affix, share] of first.affixes) {
        for (const [depth, again] of depthOdds(query.level)) {
          const second = affixOddsAt(files, { ...query, depth, has: [affix] });
          count("incomplete", boost, share, again, second.none);
          for (const [other, chance] of second.affixes) {
            const { odds, none } = themeOdds(files, { ...query, depth, has: [affix, other] });
            for (const { result, probability } of odds) count(result, boost, share, again, chance, probability);
            count("unthemed", boost, share, again, chance, none);
          }
        }
      }
    }
    return chances;
  }

  test("two certain affixes make a certain theme, whatever their order", () => {
    const files = filesOf({
      egoItem: "N:1:prefix:One\nT:sword:0:9:good:1:1 to 9\nX:One\nN:2:prefix:Two\nT:sword:0:9:good:2:1 to 9\nX:Two\n",
      egoThemes: "N:1:prefix:Both\nT:sword:0:9:1 to 9\nA:One:50\nA:Two:50\n",
    });
    const { kind } = named(files);
    const { odds, none, incomplete } = twoSlotThemeOdds(files, { kind: kind("Kris"), level: 5, affixLevel: 0 });
    expect(odds.map(({ result, probability }) => [result.name, text(probability)])).toEqual([["Both", "1/1"]]);
    expect([text(none), text(incomplete)]).toEqual(["0/1", "0/1"]);
  });

  test("the chances are those of every way there is, over random files", () => {
    fc.assert(
      fc.property(anyFiles, fc.constantFrom(0, 1, 2), fc.nat(3), fc.nat(4), (files, level, affixLevel, i) => {
        const query = { kind: files.kinds[i], level, affixLevel };
        const { odds, none, incomplete } = twoSlotThemeOdds(files, query);
        const themes = new Map(odds.map(({ result, probability }) => [result, probability]));
        const letter = byTheLetter(files, query);
        for (const theme of files.themes) {
          expect(text(themes.get(theme) ?? ZERO)).toBe(text(letter.get(theme) ?? ZERO));
        }
        expect(text(subtract(none, incomplete))).toBe(text(letter.get("unthemed") ?? ZERO));
        expect(text(incomplete)).toBe(text(letter.get("incomplete") ?? ZERO));
      }),
      { seed: 11, numRuns: 12 },
    );
  });
});

describe("over random files", () => {
  test("themes and none sum to 1, and none has more than its half-percents", () => {
    fc.assert(
      fc.property(anyFiles, fc.nat(60), fc.subarray([0, 1, 2, 3, 4]), (files, level, owned) => {
        const has = owned.map((i) => files.affixes[i]);
        for (const kind of files.kinds) {
          const { odds, none } = themeOdds(files, { kind, level, has });
          expect(sum([...odds.map(({ probability }) => probability), none])).toBe("1/1");
          for (const { halfPercents, probability } of odds) {
            expect(probability.numerator * 200n).toBeLessThanOrEqual(BigInt(halfPercents) * probability.denominator);
          }
        }
      }),
      { seed: 13, numRuns: 60 },
    );
  });
});

describe.each([
  ["the project's own files", folderFiles(OWN)],
  ["the real edit files (skipped where ../shared/data is absent)", folderFiles(REAL)],
])("over %s", (_, files) => {
  test.skipIf(files === undefined)("the chances after two slots sum to 1, and some theme can come", () => {
    if (files === undefined) return;
    const query = { level: 30, affixLevel: 1 };
    const odds = files.kinds
      .filter(({ tval }) => [34, 36, 39].includes(tval))
      .slice(0, 3)
      .map((kind) => twoSlotThemeOdds(files, { kind, ...query }));
    for (const { odds: themes, none } of odds) {
      expect(sum([...themes.map(({ probability }) => probability), none])).toBe("1/1");
    }
    expect(odds.some(({ odds: themes }) => themes.length > 0)).toBe(true);
  });
});

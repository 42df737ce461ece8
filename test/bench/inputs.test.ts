import { describe, expect, test } from "vitest";
import { benchModule } from "./modules.js";

const { freeze, resultLaw, SEED_TABLE } = await benchModule("inputs/tables");
const { hasRealFiles, objectFiles } = await benchModule("inputs/objects");
const { objectLaws, themeChances } = await benchModule("inputs/objectsLaw");
const { ObjectCheck } = await benchModule("inputs/objectsCheck");
const { STATS, weaponCounts, weaponLaw, weaponTables } = await benchModule("inputs/recipes");
const { uniformEnds } = await benchModule("inputs/walks");
const { weightsOf } = await benchModule("inputs/weights");

test("the law of the seed's table is its exact odds on a Monday morning", () => {
  const table = freeze(SEED_TABLE, () => 100);
  expect(table.results).toEqual(["0", "1", "2", "4", "5", "6", "10"]);
  const exact = [11 / 178, 55 / 356, 55 / 89, 55 / 801, 55 / 801, 55 / 3204, 1 / 89, 0];
  const law = resultLaw(table);
  expect(law).toHaveLength(exact.length);
  for (const [i, p] of exact.entries()) expect(law[i]).toBeCloseTo(p, 12);
});

test("a row without weight makes the rest of the law dead rolls", () => {
  const dead = freeze(SEED_TABLE, () => 0);
  const law = resultLaw(dead);
  expect(law.at(-1)).toBe(0);
  const text = "2DA V2.0\n\nLabel Random0 Random0Weight Random1 Random1Weight\n0 A r1 3 1 1\n1 B r2 s5 **** ****\n";
  expect(resultLaw(freeze(text, () => 0))).toEqual([0.75, 0, 0.25]);
});

test("the law of a uniform walk is back at its origin after six steps with 85/1944, and sums to one", () => {
  const law = uniformEnds(6);
  expect(law.get("0,0")).toBeCloseTo(85 / 1944, 12);
  expect(law.size).toBe(127);
  expect([...law.values()].reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
});

test("the weights are one seeded arrangement of 1 … 1000, evenly spread, with no zero", () => {
  expect(weightsOf(8)).toEqual(weightsOf(8));
  expect(weightsOf(8).toSorted((a, b) => a - b)).toEqual([63, 188, 313, 438, 563, 688, 813, 938]);
  expect(weightsOf(64)).not.toEqual(weightsOf(64).toSorted((a, b) => a - b));
  expect(Math.min(...weightsOf(65_536))).toBe(1);
  expect(Math.max(...weightsOf(65_536))).toBe(1000);
});

describe("the law of weapons", () => {
  const tables = weaponTables();
  const nothing = { words: Array.from({ length: 6 }, () => [0]), outcomes: [[0], [0]] };

  test("is one law for each part, and says of rolls what their 101 values do", () => {
    expect(weaponLaw(tables).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    expect(weaponLaw(tables, ["prefix"])[0]).toBeCloseTo(75 / 101, 12);
    expect(weaponLaw(tables, ["condition"])[2]).toBeCloseTo(3 / 101, 12);
    const bonus = weaponLaw(tables, ["bonus"]);
    expect(bonus.map((p) => Math.round(p * 10_100))).toEqual([9000, 33, 66, 77, 165, 759]);
  });

  test("is not asked of weapons whose stats are not the sum of what they are made of", () => {
    const stats = STATS.map((stat) => [stat === "hands" ? 1 : 0]);
    expect(weaponCounts({ ...nothing, stats }, tables, ["prefix"])[0]).toBe(1);
    const heavier = stats.with(STATS.indexOf("str"), [1]);
    expect(() => weaponCounts({ ...nothing, stats: heavier }, tables)).toThrow("Weapon 0 has str 1, expected 0.");
    const stronger = stats.with(STATS.indexOf("attack"), [1]);
    expect(() => weaponCounts({ ...nothing, stats: stronger }, tables)).toThrow("changed by -1, expected 0 to 0");
  });
});

describe("the law of objects", () => {
  test.skipIf(!process.env.CI)("is that of the real files on CI", () => {
    expect(hasRealFiles, "../shared/data must be there on CI").toBe(true);
  });

  test("sums to one in each of its parts", async () => {
    const laws = objectLaws(await objectFiles());
    expect(laws).toHaveLength(4);
    for (const { law } of laws) expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
  });

  test("says of a theme's affixes what the article says: two resists 23 %, three 51.5 %, four 92 %", () => {
    const place = { file: undefined, line: 1, column: 1 };
    const part = (affix: number, weight: number) => ({ place, affix, weight, chance: 100 });
    const parts = [...[1, 2, 3, 4].map((affix) => part(affix, 7)), part(5, 2), part(6, 4)];
    const target = { place, tval: 34, leastSval: 0, mostSval: 99, least: 1, most: 100 };
    const theme = { number: 1, kind: "suffix", name: "of Resistance", place, targets: [target], parts } as const;
    const source = { files: { themes: [{ ...theme, description: "" }] } };
    const halfPercents = (numbers: number[], tval = 34) =>
      themeChances(source, { tval, sval: 3 }, { numbers: new Set(numbers), depth: 30 })[0] * 200;
    expect(
      [
        [1, 2],
        [1, 2, 3],
        [1, 2, 3, 4],
        [5, 6],
        [5, 6, 1],
      ].map((own) => halfPercents(own)),
    ).toEqual([46, 103, 184, 8, 39]);
    expect(halfPercents([1])).toBe(0);
    expect(halfPercents([1, 2], 35)).toBe(0);
  });

  test("is not asked of objects that are not what their kind and affixes come to", async () => {
    const source = await objectFiles();
    const i = source.files.kinds.findIndex(({ tval, flags }) => tval === 23 && flags.length < 4);
    const kind = source.files.kinds[i];
    const one = (value: number) => Int32Array.of(value);
    const { ac, dice, sides } = kind;
    const body = { ac: one(ac), dice: one(dice), sides: one(sides), weight: one(kind.weight + 1) };
    const made = {
      kind: one(i),
      artifact: one(0),
      theme: one(0),
      affixLevel: one(1),
      slots: one(1),
      affixCount: one(0),
    };
    const affixes = { affixes: new Int32Array(8), depths: new Int32Array(8) };
    const check = new ObjectCheck(source);
    expect(() => check.add({ ...made, ...body, ...affixes })).toThrow(`weight ${kind.weight + 1}, expected`);
  });
});

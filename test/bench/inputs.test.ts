import { describe, expect, test } from "vitest";
import * as library from "../../src/index.js";
import { benchModule } from "./modules.js";

const { freeze, resultLaw, SEED_TABLE } = await benchModule("inputs/tables");
const { assertLaw } = await benchModule("law");
const { hasRealFiles, LEVEL, objectTexts } = await benchModule("inputs/objects");
const { objectChecks } = await benchModule("inputs/objectsCheck");
const { objectSource, ours } = await benchModule("ours");
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

test("a row without weight makes the rest of the law rolls without a result", () => {
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

  test("has one law for each part, over the 101 values of a roll", () => {
    expect(weaponLaw(tables).reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
    expect(weaponLaw(tables, ["prefix"])[0]).toBeCloseTo(75 / 101, 12);
    expect(weaponLaw(tables, ["condition"])[2]).toBeCloseTo(3 / 101, 12);
    const bonus = weaponLaw(tables, ["bonus"]);
    expect(bonus.map((p) => Math.round(p * 10_100))).toEqual([9000, 33, 66, 77, 165, 759]);
  });

  test("refuses weapons whose stats are not the sum over their words", () => {
    const stats = STATS.map((stat) => [stat === "hands" ? 1 : 0]);
    expect(weaponCounts({ ...nothing, stats }, tables, ["prefix"])[0]).toBe(1);
    const heavier = stats.with(STATS.indexOf("str"), [1]);
    expect(() => weaponCounts({ ...nothing, stats: heavier }, tables)).toThrow("Weapon 0 has str 1, expected 0.");
    const stronger = stats.with(STATS.indexOf("attack"), [1]);
    expect(() => weaponCounts({ ...nothing, stats: stronger }, tables)).toThrow("changed by -1, expected 0 to 0");
  });
});

describe("the check of objects", async () => {
  const source = await objectSource(objectTexts());
  const { law, check } = await objectChecks(source);
  const objects = () => ours(library).objects(objectTexts(), { level: LEVEL, length: 16_384, seed: "moria" });

  test.skipIf(!process.env.CI)("has the real files on CI", () => {
    expect(hasRealFiles, "../shared/data must be there on CI").toBe(true);
  });

  test("has a law that sums to one", () => {
    expect(law.reduce((sum, p) => sum + p, 0)).toBeCloseTo(1, 12);
  });

  test("accepts objects of the library under another seed", () => {
    const [{ make }, started] = [objects(), check()];
    while (!started.isFull) started.add(make());
    const counts = started.counts;
    const draws = counts.reduce((sum, count) => sum + count, 0);
    expect(() => assertLaw(law, counts, draws)).not.toThrow();
  });

  test("refuses objects of which one in a hundred is a hundred pounds heavier", () => {
    const [{ make }, started] = [objects(), check()];
    while (!started.isFull) {
      const made = make();
      for (let k = 0; k < made.weight.length; k += 100) made.weight[k] += 1000;
      started.add(made);
    }
    expect(() => started.counts).toThrow("The mean of weight is");
  });

  test("refuses an affix that the kind cannot have", () => {
    const made = objects().make();
    const k = made.kind.findIndex((_, i) => made.artifact[i] === 0 && made.affixes[8 * i] > 0);
    const kind = source.files.kinds[made.kind[k]];
    made.affixes[8 * k] =
      1 + source.files.affixes.findIndex(({ targets }) => targets.every((t) => t.tval !== kind.tval));
    expect(() => check().add(made)).toThrow(`${kind.name} cannot have`);
  });

  test("refuses an artifact that is made twice", () => {
    const started = check();
    const made = objects().make();
    expect(made.artifact.some((artifact) => artifact > 0)).toBe(true);
    started.add(made);
    expect(() => started.add(made)).toThrow("was made twice");
  });
});

import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type Counts, createMill, type TableOdds, toNumber } from "../../src/index.js";
import { agrees, trialsToTell } from "../statistics/chiSquare.js";
import { SEED_TABLE } from "./seedTable.js";

/** Counts and odds in one order: the results, then no result. */
function sideBySide(counted: Counts<string>, { odds, none }: TableOdds): { counts: number[]; law: number[] } {
  expect([...counted.counts.keys()]).toEqual(odds.map(({ result }) => result));
  const law = [...odds.map(({ probability }) => probability), none].map(toNumber);
  return { counts: [...counted.counts.values(), counted.none], law };
}

describe("the seed's table on a Monday morning", () => {
  // systems/tables.md
  const law = [11 / 178, 55 / 356, 55 / 89, 55 / 801, 55 / 801, 55 / 3204, 1 / 89];
  const open = () => createMill({ seed: "statistics" }).table("seed", SEED_TABLE, { weights: { 1: 100, 2: 100 } });

  test("10^8 counted rolls have the printed odds, and tell a 1 % error on any result", () => {
    const { counts, none } = open().count(100_000_000);
    expect([[...counts.keys()], none]).toEqual([["0", "1", "2", "4", "5", "6", "10"], 0]);
    const seen = [...counts.values()];
    expect(agrees(seen, law)).toBe(true);
    for (const [i, p] of law.entries()) {
      const wrong = law.map((q, j) => (i === j ? q * 1.01 : (q * (1 - p * 1.01)) / (1 - p)));
      expect(trialsToTell(wrong, law)).toBeLessThan(1.2e8);
      expect(agrees(seen, wrong)).toBe(false);
    }
  });

  test("from the other rows, and live", () => {
    const table = open();
    for (const start of [1, 2]) {
      const { counts, law: own } = sideBySide(table.count(2_000_000, { start }), table.odds({ start }));
      expect(agrees(counts, own)).toBe(true);
    }
    const { counts, law: own } = sideBySide(table.count(200_000, { mode: "live" }), table.odds());
    expect(agrees(counts, own)).toBe(true);
  });
});

// Real tables stand beside the project and are never part of it: without them these tests are skipped, except under CI.
const folder = new URL("../../../shared/data/drdt/", import.meta.url);
const missing = !existsSync(folder) && process.env.CI === undefined;
const TABLES = ["reg_r", "rig_root_r", "rig_affix_r", "rig_a_r", "rig_armor_r", "rig_color_r", "rad_stone_base"];
const ROLLS = 1_000_000;

describe.skipIf(missing)("the seven real tables (skipped where ../shared/data is absent)", () => {
  test.each(TABLES)("%s: rolls from any row, at several levels, have their exact odds", (name) => {
    const mill = createMill({ seed: "statistics" });
    const text = readFileSync(new URL(`${name}.2da`, folder), "utf8");
    let compared = 0;
    for (const level of [1, 10, 40]) {
      const table = mill.table(`${name} at ${level}`, text, {
        script: { set: "nwangband", level, type: 3 },
        mode: "frozen",
      });
      const rows = Math.max(...[...text.matchAll(/^\s*\d+\s/gm)].map((_, row) => row));
      for (let start = 0; start < rows; start += Math.max(1, Math.floor(rows / 6))) {
        const { counts, law } = sideBySide(table.count(ROLLS, { start }), table.odds({ start }));
        expect([start, agrees(counts, law)]).toEqual([start, true]);
        if (law.filter((p) => p > 0).length > 1) compared++;
      }
    }
    // but for one table, whose rows have one result each, there was something to compare
    expect(compared > 0).toBe(name !== "rig_armor_r");
  });
});

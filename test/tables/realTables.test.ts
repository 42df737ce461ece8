import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { add, ONE } from "../../src/fractions.js";
import { checkStart, reachableScripts } from "../../src/tables/compile.js";
import { parseTable, type TableOdds } from "../../src/tables/index.js";
import { tableOdds } from "../../src/tables/odds.js";
import { freeze } from "../../src/tables/rolling.js";
import { nwangband } from "../../src/tables/scripts/nwangband.js";
import { planOf, specOf } from "./build.js";

// Real tables stand beside the project and are never part of it: without them these tests are skipped, except under CI.
const folder = new URL("../../../shared/data/drdt/", import.meta.url);
const missing = !existsSync(folder) && process.env.CI === undefined;
const TABLES = ["reg_r", "rig_root_r", "rig_affix_r", "rig_a_r", "rig_armor_r", "rig_color_r", "rad_stone_base"];
const PAYLOADS = ["rad_room", "rad_spawn", "reg", "reg_raceclass", "rig_affix", "rig_armor", "rig_colour", "rig_ip"];
const LEVELS = [0, 1, 10, 20, 40];

const textOf = (name: string) => readFileSync(new URL(`${name}.2da`, folder), "utf8");
const total = ({ odds, none, endless }: TableOdds) =>
  odds.reduce((sum, { probability }) => add(sum, probability), add(none, endless));

describe.skipIf(missing)("the seven real tables (skipped where ../shared/data is absent)", () => {
  test.each(TABLES)("%s parses without an error", (name) => {
    const { spec, issues } = parseTable(textOf(name), { file: `${name}.2da` });
    expect(spec).toBeDefined();
    const lies = name === "rad_stone_base" ? ["twoda.row-number"] : [];
    expect(issues.map((issue) => issue.code)).toEqual(lies);
  });

  test("the row that lies is row 8, which prints 3", () => {
    const [issue] = parseTable(textOf("rad_stone_base"), { file: "rad_stone_base.2da" }).issues;
    expect(issue).toMatchObject({ severity: "warning", where: { line: 12, column: 1 } });
  });

  test.each(TABLES)("%s: from every row, at every level, odds, none and endless add up to exactly 1", (name) => {
    const plan = planOf(textOf(name), { name });
    for (const level of LEVELS) {
      const { script } = nwangband({ level, type: 3 });
      for (const start of plan.spec.rows.keys()) {
        checkStart(plan, start);
        const frozen = freeze(plan, start, { script, context: undefined });
        expect(frozen.failed.size).toBe(0);
        expect(total(tableOdds(plan, start, frozen))).toEqual(ONE);
      }
    }
  });

  test("rig_affix_r rerolls: rows 193 to 195 jump back to row 180, and its odds are exact all the same", () => {
    const spec = specOf(textOf("rig_affix_r"));
    for (const row of [193, 194, 195]) {
      expect(spec.rows[row].columns.slice(0, 2)).toMatchObject([{ jump: 180 }, { jump: 180 }]);
    }
    const plan = planOf(textOf("rig_affix_r"));
    const { script } = nwangband({ level: 10 });
    const frozen = freeze(plan, 180, { script, context: undefined });
    expect(frozen.weights[plan.rowStart[193]]).toBeGreaterThan(0);
    const odds = tableOdds(plan, 180, frozen);
    expect(odds.endless.numerator).toBe(0n);
    expect(total(odds)).toEqual(ONE);
  });

  test("rig_root_r runs dry when all its one-shots are spent", () => {
    const plan = planOf(textOf("rig_root_r"));
    const { script, chosen } = nwangband();
    for (const index of reachableScripts(plan, 0)) chosen(plan.scriptIds[index], undefined);
    const odds = tableOdds(plan, 0, freeze(plan, 0, { script, context: undefined }));
    expect(odds.none).toEqual(ONE);
    expect(odds.odds.length).toBeGreaterThan(0);
  });

  test("rig_a_r keeps the zeros of its results and can end on a blank row", () => {
    const plan = planOf(textOf("rig_a_r"));
    expect(plan.results[0]).toBe("060606040404");
    const dead = [...plan.spec.rows.keys()].filter((start) => {
      const frozen = freeze(plan, start, { script: () => 0, context: undefined });
      return plan.spec.rows[start].columns.length > 0 && tableOdds(plan, start, frozen).none.numerator > 0n;
    });
    expect(dead.length).toBeGreaterThan(0);
  });

  test.each(PAYLOADS)("%s is a 2DA file but not a table of rolls", (name) => {
    const { spec, issues } = parseTable(textOf(name), { file: `${name}.2da` });
    expect(spec).toBeUndefined();
    const errors = issues.filter((issue) => issue.severity === "error");
    expect(errors.map((issue) => issue.code)).toEqual(["table.columns"]);
  });
});

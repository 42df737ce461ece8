import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { type Fraction, toNumber } from "../../src/fractions.js";
import { balance } from "../../src/instruments/balance.js";
import { formula } from "../../src/instruments/formula.js";
import { sensitivity } from "../../src/instruments/sensitivity.js";
import { parseTable, type TableObject } from "../../src/tables/index.js";
import { open } from "./tables.js";

// Real tables stand beside the project and are never part of it: without them these tests are skipped, except under CI.
const file = new URL("../../../shared/data/drdt/rig_affix_r.2da", import.meta.url);
const missing = !existsSync(file) && process.env.CI === undefined;
const present = ({ numerator }: Fraction) => numerator > 0n;
const script = (id: number) => 1 + (id % 7);

test.skipIf(missing)("the largest real table: sensitivity, formula and balance agree with its odds", () => {
  const { spec } = parseTable(readFileSync(file, "utf8"), { file: "real.2da" });
  for (const start of [0, 180]) {
    const table = open(spec as never, { start, script });
    for (const { result, probability } of table
      .odds()
      .odds.filter((one) => present(one.probability))
      .slice(0, 5)) {
      const found = sensitivity(table, result);
      expect(found.probability).toEqual(probability);
      expect(found.weights[0].derivative).not.toBeNull();
      const solved = formula(table, result);
      expect(solved.errorBound).toBeLessThan(1e-12);
      expect(Math.abs(solved.at() / toNumber(probability) - 1)).toBeLessThan(solved.errorBound + 2 ** -52);
    }
  }
  // the same table with fixed weights
  const rows = spec?.rows.map(({ columns }) => ({
    columns: columns.map((column) => ({
      ...column,
      weight: typeof column.weight === "number" ? column.weight : script(column.weight.script as number),
    })),
  }));
  const table = open({ rows } as TableObject);
  const set = table.odds().odds.filter(({ probability }) => present(probability));
  const targets = Object.fromEntries(
    set.slice(0, 3).map(({ result, probability }) => [result, toNumber(probability) / 2]),
  );
  const { reached, bound } = balance(table, targets);
  expect(bound).toBeLessThan(1e-3);
  for (const { wanted, probability } of reached) {
    expect(Math.abs(toNumber(probability) - toNumber(wanted))).toBeLessThanOrEqual(bound);
  }
});

import { expect, test } from "vitest";
import { toNumber } from "../../src/fractions.js";
import { balance } from "../../src/instruments/balance.js";
import type { Balanced } from "../../src/instruments/target.js";
import { refusalOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { integers } from "./random.js";
import { anyTable, open } from "./tables.js";

type Rows = { rows: { columns: { weight: unknown }[] }[] };

/** The table with the changed weights. */
function written<Source>(source: Source, { changed }: Pick<Balanced, "changed">): Source {
  const copy = structuredClone(source) as Rows;
  for (const { row = 0, column, before, after } of changed) {
    expect(copy.rows[row].columns[column].weight).toBe(before);
    copy.rows[row].columns[column].weight = after;
  }
  return copy as Source;
}

const chanceIn = (source: unknown, label: string, start = 0) =>
  open(source as never, { start, script: () => 2 })
    .odds()
    .odds.find(({ result }) => result === label)?.probability;

test("1,000 random tables: the odds of what is written are within the bound", () => {
  const random = integers(34);
  let refused = 0;
  for (let made = 0; made < (IS_SOAK ? 1000 : 250); ) {
    // most rows have all results, so that most targets can be met
    const { rows } = anyTable(random, { scripts: random(3) === 0 }) as unknown as Rows;
    const loot = () => [..."abc"].map((result) => ({ result, weight: 1 + random(9) }));
    const source = { rows: rows.map(({ columns }) => ({ columns: [...columns, ...(random(8) > 0 ? loot() : [])] })) };
    const start = random(rows.length);
    const targets = { a: (1 + random(30)) / 100, b: (1 + random(30)) / 100, c: (1 + random(9)) / 1000 };
    const labels = (["a", "b", "c"] as const).slice(random(3));
    const wanted = Object.fromEntries(labels.map((label) => [label, targets[label]]));
    let found: Balanced;
    try {
      const table = open(source as never, { start, script: () => 2 });
      if (labels.some((label) => !table.results.includes(label))) continue;
      table.odds();
      found = balance(table, wanted);
    } catch (cause) {
      refused += Number(String(cause).includes("cannot be met"));

      continue;
    }
    made++;
    const next = written(source, found);
    for (const { result, wanted: aim, probability } of found.reached) {
      expect(JSON.stringify(probability)).toBe(JSON.stringify(chanceIn(next, result, start)));
      expect(Math.abs(toNumber(probability) - toNumber(aim))).toBeLessThanOrEqual(found.bound);
    }
    if (!JSON.stringify(source).includes("script")) expect(found.bound).toBeLessThan(1e-3);
  }
  expect(refused).toBeGreaterThan(100);
});

const LOOT = {
  rows: [
    {
      label: "Chest",
      columns: [
        { result: "crown", weight: 5 },
        { result: "gold", weight: 90 },
        { jump: 1, weight: 5 },
      ],
    },
    {
      label: "Gems",
      columns: [
        { result: "opal", weight: 1 },
        { result: "crown", weight: 1 },
        { jump: 0, weight: 2 },
      ],
    },
  ],
};

test("a probability, and a chance within 100 rolls; one row has exact weights", () => {
  const { changed, reached } = balance(open(LOOT), { crown: "1/400", opal: { within: 100, chance: "1/2" } });
  expect(reached.map(({ probability }) => toNumber(probability).toFixed(5))).toEqual(["0.00250", "0.00691"]);
  expect(changed.map(({ row, column }) => `${row} ${column}`)).toEqual(["0 0", "0 1", "0 2", "1 0", "1 1", "1 2"]);
  const one = balance(
    open({
      rows: [
        {
          columns: [
            { result: "crown", weight: 5 },
            { result: "gold", weight: 95 },
          ],
        },
      ],
    }),
    {
      crown: "1/400",
    },
  );
  expect(one.changed).toEqual([
    { row: 0, column: 0, before: 5, after: 1 },
    { row: 0, column: 1, before: 95, after: 399 },
  ]);
  expect(balance(open(LOOT), { gold: "36/39" }).bound).toBeLessThan(1e-5);
});

test("what cannot be met says what can be, and what stands in the way", () => {
  const messageOf = (source: unknown, targets: object, options = {}) =>
    refusalOf(() => balance(open(source as never, { script: () => 1 }), targets as never, options)).issues[0].message;
  expect(messageOf(LOOT, { opal: 0.2 })).toMatch(/opal.*above 0 and below 0\.0[45].*row 0 \(Chest\)/);
  expect(messageOf(LOOT, { crown: 0.6, gold: 0.5 })).toMatch(/"crown or gold".*below/);
  expect(messageOf(LOOT, { crwn: 0.5 })).toContain('"crown"');
  expect(messageOf(LOOT, { crown: 0 })).toContain("above 0");
  expect(messageOf(LOOT, { crown: "1/100000" }, { total: 100 })).toContain('Raise "total"');
  const scripted = {
    rows: [
      {
        columns: [
          { result: "a", weight: { script: 1 } },
          { result: "b", weight: 1 },
        ],
      },
    ],
  };
  expect(messageOf(scripted, { a: 0.75 })).toMatch(/0\.5: no fixed weight changes it/);
});

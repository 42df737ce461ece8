// oldschooljs: nested loot tables with summed counts. It has no seed (Math.random) and no single result, so it is
// compared with the count call alone. Its tables hold numeric item ids.

import oldschooljs from "oldschooljs";

const { LootTable } = oldschooljs;

/** count(n): times of each result of an inputs/tables.mjs table in which every roll has a result, in the order of `results`. */
export function oldschooljsRolls({ rows, results, start }) {
  const tables = rows.map(() => new LootTable());
  for (const [r, row] of rows.entries()) {
    for (const { weight, target } of row) tables[r].add(target < 0 ? -1 - target : tables[target], 1, weight);
  }
  return {
    count(n) {
      const bank = tables[start].roll(n);
      return [...results.map((_, id) => bank.amount(id)), 0];
    },
  };
}

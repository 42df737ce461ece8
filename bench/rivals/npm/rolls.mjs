// oldschooljs: nested loot tables with summed counts. It has no seed (it uses Math.random) and no single
// results, so it is compared only with `count`. The items of its tables are numeric ids.

import oldschooljs from "oldschooljs";

const { LootTable } = oldschooljs;

/**
 * {count(n)}: returns how often each result occurred in n rolls, in the order of `results`. The table is of
 * inputs/tables.mjs, and every roll must have a result.
 */
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

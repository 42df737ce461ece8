// A package that people install for draws without replacement. loot-table searches linearly and takes no generator. An
// exhausted table always gives its first item, so this file refills it.

import LootTable from "loot-table";

/** {draw(), drawInto(out), putBack(record)} for a table of records with these masses; each record has the same quantity. */
export function lootTablePools(masses, quantity) {
  const loot = new LootTable();
  for (const [record, mass] of masses.entries()) loot.add(record, mass, quantity);
  const full = masses.length * quantity;
  let left = full;

  function draw() {
    if (left === 0) {
      for (const item of loot.table) item.quantity = quantity;
      left = full;
    }
    left--;
    return loot.choose();
  }

  function drawInto(out) {
    for (let k = 0; k < out.length; k++) out[k] = draw();
  }

  function putBack(record) {
    loot.table[record].quantity++;
    left++;
  }

  return { draw, drawInto, putBack };
}

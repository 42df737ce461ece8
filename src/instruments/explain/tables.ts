import { ONE_ITEM, stackOf } from "../../amounts/index.js";
import { ALWAYS_PLANE, type Drops, PLANES_OF_ENTRY, ROLLS_PLANE } from "../../tables/drops/drops.js";
import { rowName } from "../../tables/issues.js";
import { QUANTITY_PLANE, type Table } from "../../tables/table.js";
import type { TableOptions, TablePlan } from "../../tables/types.js";
import { traceAmount } from "./lists.js";
import type { Tracer } from "./tracer.js";

export function traceRoll(table: Table<string, unknown>, tracer: Tracer, index: number, options: TableOptions = {}) {
  const { results, quantities } = table.plan;
  const id = traceRows(table, tracer, index, options);
  const quantity = quantities && traceAmount(tracer, quantities[id], { plane: QUANTITY_PLANE, index });
  return stackOf(results[id] ?? null, quantity);
}

/** Returns the index of the result, or the number of results if the roll ends on a row of total 0. */
function traceRows(table: Table<string, unknown>, tracer: Tracer, index: number, options: TableOptions): number {
  const { plan } = table;
  const { start, weights } = table.frozen("explain", options, (start, { weights }) => ({ start, weights }));
  let row = start;
  for (let hop = 0; ; hop++) {
    const first = plan.rowStart[row];
    const own = weights.subarray(first, plan.rowStart[row + 1]);
    if (own.every((weight) => weight === 0)) return plan.results.length;
    const columns = Array.from(own, (weight, i) => ({ name: targetName(plan, plan.target[first + i]), weight }));
    const target = plan.target[first + tracer.pick({ what: rowName(plan.spec, row), plane: hop, index }, columns)];
    if (target >= 0) return target;
    row = ~target;
  }
}

function targetName({ results, spec }: TablePlan, target: number): string | null {
  return target < 0 ? `to ${rowName(spec, ~target)}` : results[target];
}

export function traceDrop(drops: Drops<string, unknown>, tracer: Tracer, index: number) {
  const { always, rolls, hasQuantities } = drops.plan;
  const fixed = always.map(({ result, quantity = ONE_ITEM }, i) => {
    const plane = ALWAYS_PLANE + i * PLANES_OF_ENTRY;
    return { result, quantity: traceAmount(tracer.part(`fixed ${result}`), quantity, { plane, index }) };
  });
  const count = traceAmount(tracer.part("number of rolls"), rolls, { plane: ROLLS_PLANE, index });
  const rolled = Array.from({ length: count }, (_, i) =>
    traceRoll(drops.tableOf(i), tracer.fork(i, `roll ${i + 1} of ${count}`), index),
  );
  return [...fixed, ...rolled].flatMap((one) => {
    if (one === null) return [];
    const { result, quantity } = typeof one === "string" ? { result: one, quantity: 1 } : one;
    return [stackOf(result, hasQuantities ? quantity : undefined)];
  });
}

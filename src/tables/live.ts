import type { StreamKey } from "../address.js";
import { type Batch, refusePromise, refuseThrown } from "../calls/index.js";
import { fail } from "../errors/index.js";
import { BLOCK_WORDS } from "../kernel/index.js";
import { deadIssue, hopsIssue, nameOf, whereOf } from "./issues.js";
import type { KernelTable } from "./kernel.js";
import type { Rolling } from "./rolling.js";
import type { TablePlan } from "./types.js";
import { weighRow } from "./weights.js";

/**
 * Makes rolls one at a time, and calls the scripts each time a roll visits a row. The kernel only returns the random
 * integer that selects a column, so callbacks never run inside a kernel call.
 */
export function liveRoller(plan: TablePlan, loops: KernelTable) {
  const { target, script, rowStart, results } = plan;
  let last = new Uint32Array(0);
  const ids = (count: number) => last.subarray(0, count);
  const rollOne = (stream: StreamKey, rolling: Rolling, index: number): number => {
    const { start, maxHops, onDead, source } = rolling;
    let row = start;
    for (let hop = 0; hop < maxHops; hop++) {
      const { weights, total, issue, cause } = weighRow(plan, row, source);
      if (issue !== undefined) fail(issue, cause);
      if (total === 0 && onDead === "throw") fail(deadIssue(plan, { start, index }));
      if (total === 0) return results.length;
      const column = rowStart[row] + firstAbove(weights, loops.below(stream, total, { hop, index }));
      if (script[column] >= 0) callChosen(plan, rolling, row, column);
      if (target[column] >= 0) return target[column];
      row = ~target[column];
    }
    return fail(hopsIssue(plan, row, { maxHops, index }));
  };
  return {
    ids,
    rollOne,
    roll(stream: StreamKey, rolling: Rolling, { block, offset, count }: Batch): void {
      const first = block * BLOCK_WORDS + offset;
      // a script may roll a fork of the table, which calls this function again: so `last` is set at the end
      const rolled = new Uint32Array(count);
      for (let k = 0; k < count; k++) rolled[k] = rollOne(stream, rolling, first + k);
      last = rolled;
    },
    none: (count: number) => ids(count).reduce((none, id) => none + Number(id === results.length), 0),
    countInto(totals: Float64Array, count: number): void {
      for (const id of ids(count)) totals[id]++;
    },
  };
}

function callChosen(plan: TablePlan, { chosen, source }: Rolling, row: number, column: number): void {
  if (chosen === undefined) return;
  const id = plan.scriptIds[plan.script[column]];
  const callback = () => {
    const place = { row, column: column - plan.rowStart[row] };
    return { what: `"chosen" for script ${id} in ${nameOf(plan, place)}`, where: whereOf(plan.spec, place) };
  };
  let returned: unknown;
  try {
    returned = chosen(id, source.context);
  } catch (cause) {
    refuseThrown(callback(), cause);
  }
  if (returned !== undefined) refusePromise(returned, callback());
}

/** `r` is less than the total of the weights. */
function firstAbove(weights: readonly number[], r: number): number {
  let column = 0;
  for (let sum = weights[0]; sum <= r; sum += weights[column]) column++;
  return column;
}

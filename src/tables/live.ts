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
export class LiveRoller {
  readonly #plan: TablePlan;
  readonly #loops: KernelTable;
  #ids = new Uint32Array(0);

  constructor(plan: TablePlan, loops: KernelTable) {
    this.#plan = plan;
    this.#loops = loops;
  }

  roll(stream: StreamKey, rolling: Rolling, { block, offset, count }: Batch): void {
    const first = block * BLOCK_WORDS + offset;
    // a script may roll a fork of the table, which calls this method again: so #ids is set only when the batch is
    // complete
    const ids = new Uint32Array(count);
    for (let k = 0; k < count; k++) ids[k] = this.rollOne(stream, rolling, first + k);
    this.#ids = ids;
  }

  ids(count: number): Uint32Array {
    return this.#ids.subarray(0, count);
  }

  none(count: number): number {
    return this.ids(count).reduce((none, id) => none + Number(id === this.#plan.results.length), 0);
  }

  countInto(totals: Float64Array, count: number): void {
    for (const id of this.ids(count)) totals[id]++;
  }

  rollOne(stream: StreamKey, rolling: Rolling, index: number): number {
    const { start, maxHops, onDead, source } = rolling;
    const { target, script, rowStart, results } = this.#plan;
    let row = start;
    for (let hop = 0; hop < maxHops; hop++) {
      const { weights, total, issue, cause } = weighRow(this.#plan, row, source);
      if (issue !== undefined) fail(issue, cause);
      if (total === 0 && onDead === "throw") fail(deadIssue(this.#plan, { start, index }));
      if (total === 0) return results.length;
      const column = rowStart[row] + firstAbove(weights, this.#loops.below(stream, total, { hop, index }));
      if (script[column] >= 0) this.#tellChosen(rolling, { row, column });
      if (target[column] >= 0) return target[column];
      row = ~target[column];
    }
    return fail(hopsIssue(this.#plan, row, { maxHops, index }));
  }

  #tellChosen({ chosen, source }: Rolling, { row, column }: { readonly row: number; readonly column: number }): void {
    if (chosen === undefined) return;
    const plan = this.#plan;
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
}

/** `r` is less than the total of the weights. */
function firstAbove(weights: readonly number[], r: number): number {
  let column = 0;
  for (let sum = weights[0]; sum <= r; sum += weights[column]) column++;
  return column;
}

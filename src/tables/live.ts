import type { StreamKey } from "../address.js";
import type { Batch } from "../calls/index.js";
import { fail } from "../errors/index.js";
import { BLOCK_WORDS } from "../kernel/index.js";
import { hopsIssue } from "./issues.js";
import type { KernelTable } from "./kernel.js";
import type { Rolling } from "./rolling.js";
import type { TablePlan } from "./types.js";
import { weighRow } from "./weights.js";

/**
 * Rolls one at a time and calls the scripts on every visit. The callbacks run between calls into the kernel, never
 * inside one: the kernel only gives the random integer that decides. Cost: one call into the kernel a row visited.
 */
export class LiveRoller {
  readonly #plan: TablePlan;
  readonly #loops: KernelTable;
  #ids = new Uint32Array(0);

  constructor(plan: TablePlan, loops: KernelTable) {
    this.#plan = plan;
    this.#loops = loops;
  }

  /** Makes a batch of rolls; throws the error of the first roll that fails. */
  roll(stream: StreamKey, rolling: Rolling, { block, offset, count }: Batch): void {
    const first = block * BLOCK_WORDS + offset;
    // a script may roll this very table: publish the batch only when it is complete
    const ids = new Uint32Array(count);
    for (let k = 0; k < count; k++) ids[k] = this.rollOne(stream, rolling, first + k);
    this.#ids = ids;
  }

  /** The ids of the last batch: a view until the next one. */
  ids(count: number): Uint32Array {
    return this.#ids.subarray(0, count);
  }

  /** The number of rolls without a result in the last batch. */
  none(count: number): number {
    return this.ids(count).reduce((none, id) => none + Number(id === this.#plan.results.length), 0);
  }

  /** Adds the last batch to the totals by id. */
  countInto(totals: Float64Array, count: number): void {
    for (const id of this.ids(count)) totals[id]++;
  }

  /** The id of one roll. */
  rollOne(stream: StreamKey, { start, maxHops, source, chosen }: Rolling, index: number): number {
    const { target, script, scriptIds, rowStart, results } = this.#plan;
    let row = start;
    for (let hop = 0; hop < maxHops; hop++) {
      const { weights, total, issue, cause } = weighRow(this.#plan, row, source);
      if (issue !== undefined) fail(issue, cause);
      if (total === 0) return results.length;
      const column = rowStart[row] + firstAbove(weights, this.#loops.below(stream, total, { hop, index }));
      if (script[column] >= 0) chosen?.(scriptIds[script[column]], source.context);
      if (target[column] >= 0) return target[column];
      row = ~target[column];
    }
    return fail(hopsIssue(this.#plan, row, { maxHops, index }));
  }
}

/** The first column whose prefix sum exceeds `r`; `r` is less than the total. */
function firstAbove(weights: readonly number[], r: number): number {
  let column = 0;
  for (let sum = weights[0]; sum <= r; sum += weights[column]) column++;
  return column;
}

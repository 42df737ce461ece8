import type { Batch } from "../calls/index.js";
import { fail } from "../errors/index.js";
import type { Kernel } from "../kernel/index.js";
import { BLOCK_WORDS } from "../kernel/index.js";
import type { Rolling } from "./caller.js";
import { hopsIssue } from "./kernelTable.js";
import type { TablePlan } from "./types.js";
import { weighRow } from "./weigh.js";

/**
 * Rolls one at a time, with the scripts asked on every visit. The callbacks run between calls into the kernel, never inside
 * one: it only picks a column by the weights that they answered. About 0.5 µs a row visited.
 */
export class LiveRoller {
  readonly #kernel: Kernel;
  readonly #plan: TablePlan;
  readonly #purpose: number;
  #ids = new Uint32Array(0);

  constructor(kernel: Kernel, plan: TablePlan, purpose: number) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#purpose = purpose;
  }

  /** Makes a batch of rolls; throws what the first that fails fails with. */
  roll(rolling: Rolling, { block, offset, count }: Batch): void {
    const first = block * BLOCK_WORDS + offset;
    // a script may roll this very table: the batch stands by itself until it is whole
    const ids = new Uint32Array(count);
    for (let k = 0; k < count; k++) ids[k] = this.rollOne(rolling, first + k);
    this.#ids = ids;
  }

  /** The last batch's ids; a view until the next. */
  ids(count: number): Uint32Array {
    return this.#ids.subarray(0, count);
  }

  /** How many of the last batch's rolls are dead. */
  dead(count: number): number {
    return this.ids(count).reduce((dead, id) => dead + Number(id === this.#plan.results.length), 0);
  }

  /** Adds the last batch to the totals by id. */
  countInto(totals: Float64Array, count: number): void {
    for (const id of this.ids(count)) totals[id]++;
  }

  /** One roll by itself: its id. */
  rollOne({ start, maxHops, source, chosen }: Rolling, index: number): number {
    const { target, script, scriptIds, rowStart, results } = this.#plan;
    let row = start;
    for (let hop = 0; hop < maxHops; hop++) {
      const column = this.#pick(row, hop, index, source);
      if (column === undefined) return results.length;
      const at = rowStart[row] + column;
      if (script[at] >= 0) chosen?.(scriptIds[script[at]], source.context);
      if (target[at] >= 0) return target[at];
      row = ~target[at];
    }
    return fail(hopsIssue(this.#plan, row, { maxHops, index }));
  }

  /** The column that a hop picks; undefined on a dead row. */
  #pick(row: number, hop: number, index: number, source: Rolling["source"]): number | undefined {
    const columns = this.#plan.rowStart[row + 1] - this.#plan.rowStart[row];
    const weights: number[] = new Array(columns);
    const { total, issue, cause } = weighRow(this.#plan, row, { source, out: weights });
    if (issue !== undefined) fail(issue, cause);
    if (total === 0) return undefined;
    const block = Math.floor(index / BLOCK_WORDS);
    return this.#kernel.call((kernel) => {
      const window = this.#kernel.windowView;
      for (let column = 0; column < columns; column++) window[column] = weights[column];
      return kernel.pickColumn(columns, this.#purpose, hop, block, index % BLOCK_WORDS);
    });
  }
}

import type { StreamKey } from "../address.js";
import { type Batch, firstAbove, placeOf, refusePromise, refuseThrown, type Setup } from "../calls/index.js";
import { fail } from "../errors/index.js";
import { type Address, BLOCK_WORDS, type Kernel, Resident, Status, within } from "../kernel/index.js";
import { JUMP, RowState, TableHead, TableRow } from "../kernel/layout.js";
import { deadIssue, hopsIssue, nameOf, whereOf } from "./issues.js";
import { type FrozenWeights, type Rolling, weighRow } from "./rolling.js";
import type { Ids, TablePlan } from "./types.js";

/**
 * A table in kernel memory. Each row has a guide: for most random words, one load from the guide finds the column.
 * Memory: 16 bytes for each row, 8 for each column, and 2 or 4 KiB for each guide (less with 4,096 rows or more).
 */
export class KernelTable {
  readonly #kernel: Kernel;
  readonly #plan: TablePlan;
  readonly #table: Resident;
  readonly #counts: Resident;
  #wide: boolean | undefined;
  #written: { readonly frozen: FrozenWeights; readonly generation: number } | undefined;

  constructor({ kernel, name, plan }: Pick<Setup<TablePlan>, "kernel" | "name" | "plan">) {
    this.#kernel = kernel;
    this.#plan = plan;
    const { rowStart, target, results } = plan;
    this.#table = new Resident(kernel, `table ${name}`, (exports) =>
      exports.createTable(rowStart.length - 1, target.length, results.length),
    );
    this.#counts = new Resident(kernel, `counts of ${name}`, (exports) => exports.allocate(4 * (results.length + 1)));
  }

  get wide(): boolean {
    this.#wide ??= this.#kernel.read(this.#table.address, TableHead).wide !== 0;
    return this.#wide;
  }

  /** Makes a batch of rolls and writes their ids to the window. Throws the error of the first roll that fails. */
  roll(stream: StreamKey, rolling: Rolling, batch: Batch): void {
    const { start, maxHops, onDead } = rolling;
    const weights = rolling.frozen();
    const table = this.#write(weights);
    const { block, offset, count } = batch;
    const status = this.#kernel.run(stream, (exports) =>
      exports.rollTable(table, start, maxHops, block, offset, count),
    );
    if (status !== Status.OK) {
      const [row, place] = this.#kernel.call((exports) => [exports.failedRow() >>> 0, exports.failedOffset() >>> 0]);
      // The kernel makes the first hop of all rolls, then the second, and so on. An earlier roll may fail at a later
      // hop, so all rolls before the failed roll are made again.
      if (place > 0) this.roll(stream, rolling, { ...batch, count: place });
      if (status === Status.POISONED_ROW) throw weights.failed.get(row);
      fail(hopsIssue(this.#plan, row, { maxHops, index: indexOf(batch) + place }));
    }
    const dead = onDead === "throw" ? this.ids(count).indexOf(this.#plan.results.length) : -1;
    if (dead >= 0) fail(deadIssue(this.#plan, { start, index: indexOf(batch) + dead }));
  }

  /** Returns a view of the ids of the last batch. The next call overwrites it. */
  ids(count: number): Ids {
    const { window } = this.#kernel;
    return this.wide ? this.#kernel.u32(window, count) : this.#kernel.u16(window, count);
  }

  /** The first id of the last batch. Takes a fraction of the time of {@link ids}, which creates a view. */
  get firstId(): number {
    const word = this.#kernel.windowView[0];
    return this.wide ? word : word & 0xffff;
  }

  none(count: number): number {
    const wide = Number(this.wide);
    return this.#kernel.call((exports) => exports.countCode(wide, count, this.#plan.results.length)) >>> 0;
  }

  /** Counts the ids of the last batch. The last entry of `totals` counts rolls without a result. */
  countInto(totals: Float64Array, count: number): void {
    const counts = this.#counts.address;
    const wide = Number(this.wide);
    this.#kernel.u32(counts, totals.length).fill(0);
    this.#kernel.call((exports) => exports.countWindow(wide, count, counts));
    const histogram = this.#kernel.u32(counts, totals.length);
    for (let id = 0; id < histogram.length; id++) totals[id] += histogram[id];
  }

  /** Returns a uniform integer below `total` for roll `index`, which has visited `hop` rows before. */
  below(stream: StreamKey, total: number, { hop, index }: { readonly hop: number; readonly index: number }): number {
    const { block, offset } = placeOf(index);
    return this.#kernel.run(stream, (exports) => exports.belowOf(hop, 0, block, offset, total)) >>> 0;
  }

  #write(frozen: FrozenWeights): Address {
    const table = this.#table.address;
    const { generation } = this.#kernel;
    const before = this.#written;
    if (before?.generation === generation && sameWeights(before.frozen, frozen)) return table;
    this.#written = undefined;
    this.#fill(this.#kernel.read(table, TableHead), frozen);
    this.#kernel.call((exports) => exports.buildTable(table));
    this.#written = { frozen, generation };
    return table;
  }

  /** Writes the rows with their prefix sums and targets. Leaves out columns of weight 0. */
  #fill(head: TableHead, { weights, failed }: FrozenWeights): void {
    const { rowStart, target } = this.#plan;
    const sums = this.#kernel.u32(head.sums, target.length);
    const targets = this.#kernel.u32(head.targets, target.length);
    let written = 0;
    for (let row = 0; row < rowStart.length - 1; row++) {
      const first = written;
      const state = failed.has(row) ? RowState.POISONED : RowState.READY;
      let total = 0;
      for (let column = rowStart[row]; column < rowStart[row + 1] && state === RowState.READY; column++) {
        if (weights[column] === 0) continue;
        total += weights[column];
        sums[written] = total;
        targets[written] = target[column] < 0 ? JUMP + ~target[column] : target[column];
        written++;
      }
      const at = within(head.rows, row * TableRow.bytes);
      this.#kernel.write(at, TableRow, { first, columns: written - first, total, state });
    }
  }
}

function indexOf({ block, offset }: Batch): number {
  return block * BLOCK_WORDS + offset;
}

function sameWeights(a: FrozenWeights, b: FrozenWeights): boolean {
  if (a === b) return true;
  if (a.failed.size !== b.failed.size || a.weights.some((weight, i) => weight !== b.weights[i])) return false;
  return [...a.failed.keys()].every((row) => b.failed.has(row));
}

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
      const { weights, total } = weighRow(plan, row, source);
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
      // `last` is set at the end, because a script may roll a fork of the table, which calls this function too
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

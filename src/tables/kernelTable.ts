import type { Batch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { type Address, BLOCK_WORDS, type Kernel, Resident, Status } from "../kernel/index.js";
import type { Rolling } from "./caller.js";
import { nameOf, whereOf } from "./places.js";
import type { TablePlan } from "./types.js";
import type { FrozenWeights } from "./weigh.js";

const JUMP = 0x8000_0000;
const ROW_WORDS = 4;
const READY = 0;
const POISONED = 1;

/**
 * A table's plan in the kernel: one at a time, written again when other frozen weights are asked for.
 *
 * Cost: 16 bytes a row, 8 a column, 2 KiB of guide a row (4 where there are 32,767 results or rows, or more); written in
 * about 1 µs a row.
 */
export class KernelTable {
  readonly #kernel: Kernel;
  readonly #plan: TablePlan;
  readonly #purpose: number;
  readonly #resident: Resident;
  readonly #counts: Resident;
  #wide: boolean | undefined;
  #written: { readonly frozen: FrozenWeights; readonly address: Address; readonly generation: number } | undefined;

  constructor(kernel: Kernel, plan: TablePlan, { name, purpose }: { readonly name: string; readonly purpose: number }) {
    this.#kernel = kernel;
    this.#plan = plan;
    this.#purpose = purpose;
    const rows = plan.rowStart.length - 1;
    this.#resident = new Resident(kernel, `table ${name}`, (exports) =>
      exports.createTable(rows, plan.target.length, plan.results.length),
    );
    this.#counts = new Resident(kernel, `counts of ${name}`, (exports) =>
      exports.allocate((plan.results.length + 1) * 4),
    );
  }

  /** Whether ids take 4 bytes instead of 2. */
  get wide(): boolean {
    if (this.#wide === undefined) {
      const address = this.#resident.address;
      this.#wide = this.#kernel.call((kernel) => kernel.tableWide(address)) !== 0;
    }
    return this.#wide;
  }

  /**
   * Rolls a batch into the kernel's window.
   *
   * @throws RollmillError what a poisoned row failed with, where a roll visits one; `table.hops`.
   */
  roll({ start, maxHops, frozen }: Rolling, { block, offset, count }: Batch): void {
    const weights = frozen();
    const address = this.#write(weights);
    const status = this.#kernel.call((kernel) =>
      kernel.rollTable(address, start, maxHops, this.#purpose, block, offset, count),
    );
    if (status === Status.OK) return;
    const { row, place } = this.#kernel.call((kernel) => ({
      row: kernel.failedRow() >>> 0,
      place: kernel.failedOffset() >>> 0,
    }));
    const issue = weights.poisonedRows.get(row);
    if (status === Status.POISONED_ROW && issue !== undefined) fail(issue);
    fail(hopsIssue(this.#plan, row, { maxHops, index: block * BLOCK_WORDS + offset + place }));
  }

  /** The ids of the last batch; a view that the next call overwrites. */
  ids(count: number): Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer> {
    const { window } = this.#kernel;
    return this.wide ? this.#kernel.u32(window, count) : this.#kernel.u16(window, count);
  }

  /** How many of the last batch's rolls are dead. */
  dead(count: number): number {
    const wide = Number(this.wide);
    return this.#kernel.call((kernel) => kernel.countCode(wide, count, this.#plan.results.length)) >>> 0;
  }

  /** Adds the last batch's ids to the totals; the last total is of dead rolls. */
  countInto(totals: Float64Array, count: number): void {
    const counts = this.#counts.address;
    const wide = Number(this.wide);
    this.#kernel.u32(counts, totals.length).fill(0);
    this.#kernel.call((kernel) => kernel.countWindow(wide, count, counts));
    const view = this.#kernel.u32(counts, totals.length);
    for (let i = 0; i < view.length; i++) totals[i] += view[i];
  }

  /** Makes these weights the plan's, unless they are already. */
  #write(frozen: FrozenWeights): Address {
    const address = this.#resident.address;
    const { generation } = this.#kernel;
    const held = this.#written;
    if (held?.address === address && held.generation === generation && sameWeights(held.frozen, frozen)) return address;
    this.#written = undefined;
    this.#kernel.call((exports) => {
      this.#fill(exports.tableRows(address), exports.tableSums(address), exports.tableTargets(address), frozen);
      exports.buildTable(address);
    });
    this.#written = { frozen, address, generation };
    return address;
  }

  /** Writes rows, prefix sums and targets, without the columns of weight 0. */
  #fill(rowsAt: Address, sumsAt: Address, targetsAt: Address, { weights, poisonedRows }: FrozenWeights): void {
    const { rowStart, target } = this.#plan;
    const rowCount = rowStart.length - 1;
    const rows = this.#kernel.u32(rowsAt, rowCount * ROW_WORDS);
    const sums = this.#kernel.u32(sumsAt, target.length);
    const targets = this.#kernel.u32(targetsAt, target.length);
    let written = 0;
    for (let row = 0; row < rowCount; row++) {
      const first = written;
      const poisoned = poisonedRows.has(row);
      let total = 0;
      for (let column = rowStart[row]; column < rowStart[row + 1] && !poisoned; column++) {
        if (weights[column] === 0) continue;
        total += weights[column];
        sums[written] = total;
        targets[written] = target[column] < 0 ? JUMP + ~target[column] : target[column];
        written++;
      }
      rows.set([first, written - first, total, poisoned ? POISONED : READY], row * ROW_WORDS);
    }
  }
}

/** The issue for a roll that went round and round. */
export function hopsIssue(plan: TablePlan, row: number, { maxHops, index }: { maxHops: number; index: number }) {
  return error("table.hops", {
    problem: `${nameOf(plan.spec, { row })}: roll ${index} came here after ${maxHops} rows, and had no result yet`,
    remedy: "Look for rows that mostly jump to one another, or raise maxHops",
    where: whereOf(plan.spec, { row }),
  });
}

function sameWeights(a: FrozenWeights, b: FrozenWeights): boolean {
  if (a === b) return true;
  if (a.poisonedRows.size !== b.poisonedRows.size || a.weights.some((weight, i) => weight !== b.weights[i]))
    return false;
  return [...a.poisonedRows.keys()].every((row) => b.poisonedRows.has(row));
}

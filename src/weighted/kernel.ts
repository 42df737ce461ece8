import type { StreamKey } from "../address.js";
import type { Batch, Setup } from "../calls/index.js";
import { type Kernel, NO_ADDRESS, Resident, Status } from "../kernel/index.js";
import { AliasHead } from "../kernel/layout.js";
import type { WeightedPlan } from "./compile.js";

export class KernelWeighted {
  readonly #kernel: Kernel;
  readonly #length: number;
  readonly #list: Resident;
  readonly #counts: Resident;
  /** A byte for each entry. */
  readonly #passing: Resident;

  constructor({ kernel, name, plan: { weights } }: Pick<Setup<WeightedPlan>, "kernel" | "name" | "plan">) {
    this.#kernel = kernel;
    this.#length = weights.length;
    this.#list = new Resident(kernel, `weighted list ${name}`, (exports) => {
      const list = exports.createAlias(weights.length);
      if (list === 0) return list;
      kernel.u32(kernel.read(list, AliasHead).shares, weights.length).set(weights);
      return exports.buildAlias(list, weights.length) === Status.OK ? list : NO_ADDRESS;
    });
    this.#counts = new Resident(kernel, `counts of ${name}`, (exports) => exports.allocate(4 * weights.length));
    this.#passing = new Resident(kernel, `entries of ${name}`, (exports) => exports.allocate(weights.length));
  }

  pick(stream: StreamKey, { block, offset, count }: Batch): void {
    const list = this.#list.address;
    this.#kernel.run(stream, (exports) => exports.pickList(list, block, offset, count));
  }

  /** Returns a view of the picks of the last batch. The next call into the kernel overwrites it. */
  picks(count: number): Uint32Array<ArrayBuffer> {
    return this.#kernel.u32(this.#kernel.window, count);
  }

  /**
   * Returns the places of the last picks whose entry has the byte 1 in `passing`. The first pick has the place `done`.
   */
  placesOf(passing: Uint8Array, { count, done }: Batch): Uint32Array<ArrayBuffer> {
    const table = this.#passing.address;
    this.#kernel.u8(table, this.#length).set(passing);
    const places = this.#kernel.call((exports) => exports.keepPassing(count, table, done));
    return this.#kernel.u32(this.#kernel.window, places >>> 0);
  }

  countInto(totals: Float64Array, count: number): void {
    // if there are more entries than picks, clearing the kernel's histogram takes longer than counting the picks here
    if (this.#length > count) {
      for (const entry of this.picks(count)) totals[entry]++;
      return;
    }
    const counts = this.#counts.address;
    this.#kernel.u32(counts, this.#length).fill(0);
    this.#kernel.call((exports) => exports.countWindow(1, count, counts));
    const histogram = this.#kernel.u32(counts, this.#length);
    for (let entry = 0; entry < histogram.length; entry++) totals[entry] += histogram[entry];
  }
}

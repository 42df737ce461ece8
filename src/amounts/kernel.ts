import type { StreamKey } from "../address.js";
import { type Batch, halvesOf, placeOf } from "../calls/index.js";
import { BATCH_RESULTS, type Kernel, NO_ADDRESS, Resident, within } from "../kernel/index.js";
import { AmountRecord } from "../kernel/layout.js";
import { type Amount, boundsOf } from "./notation.js";

interface AmountSetup {
  readonly amounts: readonly Amount[];
  /** The first plane of random words. Die j reads the plane `plane + j` (docs/determinism.md). */
  readonly plane: number;
  readonly name: string;
}

/**
 * Rolls amounts with the random words of a stream. Die j of result k reads word k of the plane `plane` + j, and shows a
 * uniform integer 1 … sides.
 *
 * Cost: one word for each die. In a batch, every result costs as many words as the amount with the most dice.
 */
export class KernelAmounts {
  readonly #kernel: Kernel;
  readonly #plane: number;
  readonly #amounts: readonly Amount[];
  readonly #records: Resident;
  readonly #quantities: Resident;

  constructor(kernel: Kernel, { amounts, plane, name }: AmountSetup) {
    this.#kernel = kernel;
    this.#plane = plane;
    this.#amounts = amounts;
    this.#records = new Resident(kernel, `quantities of ${name}`, (exports) => {
      const address = exports.allocate(amounts.length * AmountRecord.bytes);
      if (address === 0) return NO_ADDRESS;
      amounts.forEach((amount, i) => {
        const [least] = boundsOf(amount);
        const { count, sides } = amount;
        kernel.write(within(address, i * AmountRecord.bytes), AmountRecord, { least, count, sides });
      });
      return address;
    });
    this.#quantities = new Resident(kernel, `quantities of ${name}`, (exports) => exports.allocate(4 * BATCH_RESULTS));
  }

  one(stream: StreamKey, index: number, which: number): number {
    const amount = this.#amounts[which];
    const { block, offset } = placeOf(index);
    let [sum] = boundsOf(amount);
    for (let die = 0; die < amount.count; die++) {
      const [low, high] = halvesOf(this.#plane + die);
      sum += this.#kernel.run(stream, (exports) => exports.belowOf(low, high, block, offset, amount.sides)) >>> 0;
    }
    return sum;
  }

  /**
   * Rolls amount `which[i]` for result i. Returns a view, which the next call overwrites. `which` must not be a view of
   * the kernel's memory.
   */
  batch(stream: StreamKey, { block, offset, count }: Batch, which: Uint16Array | Uint32Array): Int32Array {
    const [records, quantities] = [this.#records.address, this.#quantities.address];
    const wide = which instanceof Uint32Array;
    const { window } = this.#kernel;
    if (wide) this.#kernel.u32(window, count).set(which);
    else this.#kernel.u16(window, count).set(which);
    const [low, high] = halvesOf(this.#plane);
    this.#kernel.run(stream, (exports) =>
      exports.rollAmounts(records, Number(wide), quantities, low, high, block, offset, count),
    );
    return this.#kernel.i32(quantities, count);
  }
}

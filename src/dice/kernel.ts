import type { StreamKey } from "../address.js";
import { type Batch, placeOf, type Setup } from "../calls/index.js";
import type { Kernel } from "../kernel/index.js";
import type { DicePlan } from "./types.js";

export class KernelDice {
  readonly #kernel: Kernel;
  readonly #plan: DicePlan;

  constructor({ kernel, plan }: Pick<Setup<DicePlan>, "kernel" | "plan">) {
    this.#kernel = kernel;
    this.#plan = plan;
  }

  one(stream: StreamKey, index: number): number {
    const { least, amount } = this.#plan;
    const { block, offset } = placeOf(index);
    let sum = least;
    for (let die = 0; die < amount.count; die++) {
      sum += this.#kernel.run(stream, (exports) => exports.belowOf(die, 0, block, offset, amount.sides)) >>> 0;
    }
    return sum;
  }

  /** Returns a view of the rolls. The next call overwrites it. */
  batch(stream: StreamKey, { block, offset, count }: Batch): Int32Array {
    const { least, amount } = this.#plan;
    this.#kernel.run(stream, (exports) => exports.rollDice(amount.count, amount.sides, least, block, offset, count));
    return this.#kernel.i32(this.#kernel.window, count);
  }
}

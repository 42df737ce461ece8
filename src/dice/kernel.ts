import type { StreamKey } from "../address.js";
import type { Batch, Setup } from "../calls/index.js";
import type { Kernel } from "../kernel/index.js";
import type { DicePlan } from "./types.js";

export class KernelDice {
  readonly #kernel: Kernel;
  readonly #plan: DicePlan;

  constructor({ kernel, plan }: Pick<Setup<DicePlan>, "kernel" | "plan">) {
    this.#kernel = kernel;
    this.#plan = plan;
  }

  roll(stream: StreamKey, { block, offset, count }: Batch): void {
    const { least, amount } = this.#plan;
    this.#kernel.run(stream, (exports) => exports.rollDice(amount.count, amount.sides, least, block, offset, count));
  }

  /** Makes a batch. Returns a view of the rolls. The next call overwrites it. */
  batch(stream: StreamKey, batch: Batch): Int32Array<ArrayBuffer> {
    this.roll(stream, batch);
    return this.#kernel.i32(this.#kernel.window, batch.count);
  }
}

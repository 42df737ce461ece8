import type { StreamKey } from "../address.js";
import { halvesOf, type Setup } from "../calls/index.js";
import { type Address, BATCH_RESULTS, type Kernel, Resident } from "../kernel/index.js";
import type { SamplerPlan } from "./types.js";

export class KernelSampler {
  readonly #kernel: Kernel;
  readonly #items: number;
  readonly #size: number;
  readonly #order: Resident;
  /** Memory for one sample, if a sample is larger than the kernel's window of results. */
  readonly #large: Resident;

  constructor({ kernel, name, plan: { items, size } }: Pick<Setup<SamplerPlan>, "kernel" | "name" | "plan">) {
    this.#kernel = kernel;
    this.#items = items.length;
    this.#size = size;
    this.#order = new Resident(kernel, `items of ${name}`, (exports) => exports.createOrder(items.length));
    this.#large = new Resident(kernel, `a sample of ${name}`, (exports) => exports.allocate(4 * size));
  }

  get most(): number {
    return Math.max(1, Math.floor(BATCH_RESULTS / this.#size));
  }

  /** Returns a view of the drawn items' indices, one sample after the other. The next call overwrites the view. */
  draw(stream: StreamKey, first: number, count: number): Uint32Array<ArrayBuffer> {
    const order = this.#order.address;
    const out: Address = this.#size > BATCH_RESULTS ? this.#large.address : this.#kernel.window;
    const [low, high] = halvesOf(first);
    this.#kernel.run(stream, (exports) => exports.drawSamples(order, this.#items, this.#size, low, high, count, out));
    return this.#kernel.u32(out, count * this.#size);
  }
}

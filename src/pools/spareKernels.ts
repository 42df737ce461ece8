import type { Address, Kernel } from "../kernel/index.js";

const MAX_SPARE = 2;
/** A kernel with more memory is freed, not kept. */
const MAX_BYTES = 2 ** 22;

/** Reuses a few kernels: a world opens a fork for each region, and a new kernel takes longer than its draws. */
export class SpareKernels {
  readonly #open: () => Kernel;
  readonly #spare: { readonly kernel: Kernel; readonly empty: Address }[] = [];

  constructor(open: () => Kernel) {
    this.#open = open;
  }

  take(): { readonly kernel: Kernel; readonly giveBack: () => void } {
    const spare = this.#spare.pop() ?? this.#opened();
    return { kernel: spare.kernel, giveBack: () => this.#keep(spare) };
  }

  #opened() {
    const kernel = this.#open();
    return { kernel, empty: kernel.call((exports) => exports.mark()) };
  }

  #keep(spare: { readonly kernel: Kernel; readonly empty: Address }): void {
    const { kernel, empty } = spare;
    if (kernel.isDisposed) return;
    // in a generation above 0, a trap has replaced the kernel's instance, and the address `empty` is not valid
    if (kernel.generation > 0 || kernel.bytes > MAX_BYTES || this.#spare.length === MAX_SPARE) kernel.dispose();
    else {
      kernel.call((exports) => exports.release(empty));
      this.#spare.push(spare);
    }
  }
}

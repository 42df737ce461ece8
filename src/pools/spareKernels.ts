import type { Address, Kernel } from "../kernel/index.js";

/** Maximum number of spare kernels. Each one keeps its memory. */
const MOST_SPARE = 2;
/** A kernel with more than this many bytes of memory is freed, not kept. */
const MOST_BYTES = 2 ** 22;

/**
 * Keeps a few kernels of closed engines for the next ones: a world opens and releases a fork of the family for each
 * region, and a new kernel takes longer than the draws of a region.
 */
export class SpareKernels {
  readonly #open: () => Kernel;
  readonly #spare: { readonly kernel: Kernel; readonly empty: Address }[] = [];

  constructor(open: () => Kernel) {
    this.#open = open;
  }

  /** Returns an empty kernel, and a function that takes it back. */
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
    if (kernel.generation > 0 || kernel.bytes > MOST_BYTES || this.#spare.length === MOST_SPARE) kernel.dispose();
    else {
      kernel.call((exports) => exports.release(empty));
      this.#spare.push(spare);
    }
  }
}

import type { KernelExports } from "./exports.js";
import type { Kernel } from "./kernel.js";
import type { Address } from "./views.js";

/** A structure in a kernel's memory, for `purpose`. The first use builds it, and so does the first use after a trap. */
export class Resident {
  readonly #kernel: Kernel;
  readonly #purpose: string;
  readonly #build: (exports: KernelExports) => Address;
  #address = 0 as Address;
  #generation = -1;

  constructor(kernel: Kernel, purpose: string, build: (exports: KernelExports) => Address) {
    this.#kernel = kernel;
    this.#purpose = purpose;
    this.#build = build;
  }

  /** Valid until the next call into the kernel. */
  get address(): Address {
    if (this.#generation !== this.#kernel.generation) {
      const address = this.#kernel.call(this.#build);
      this.#address = this.#kernel.taken(address, this.#purpose);
      this.#generation = this.#kernel.generation;
    }
    return this.#address;
  }
}

import type { KernelExports } from "./exports.js";
import type { Kernel } from "./kernel.js";
import type { Address } from "./views.js";

/** A structure in a kernel's memory: built at its first use, and again after a trap has replaced the instance. */
export class Resident {
  readonly #kernel: Kernel;
  readonly #purpose: string;
  readonly #build: (exports: KernelExports) => Address;
  #address = 0 as Address;
  #generation = -1;

  /** @param purpose - what the memory is for, as messages say it: "weighted list loot". */
  constructor(kernel: Kernel, purpose: string, build: (exports: KernelExports) => Address) {
    this.#kernel = kernel;
    this.#purpose = purpose;
    this.#build = build;
  }

  /** The present address; builds the structure if necessary. Valid until the next call into the kernel. */
  get address(): Address {
    if (this.#generation !== this.#kernel.generation) {
      const address = this.#kernel.call(this.#build);
      this.#address = this.#kernel.taken(address, this.#purpose);
      this.#generation = this.#kernel.generation;
    }
    return this.#address;
  }
}

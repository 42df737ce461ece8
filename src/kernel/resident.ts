import type { KernelExports } from "./exports.js";
import type { Kernel } from "./kernel.js";
import type { Address } from "./views.js";

/**
 * A structure in a kernel's memory. The first use builds it. After a trap has replaced the kernel instance, the next
 * use builds it again.
 */
export class Resident {
  readonly #kernel: Kernel;
  readonly #purpose: string;
  readonly #build: (exports: KernelExports) => Address;
  #address = 0 as Address;
  #generation = -1;

  /** @param purpose - What the memory is for, such as "weighted list loot". For messages. */
  constructor(kernel: Kernel, purpose: string, build: (exports: KernelExports) => Address) {
    this.#kernel = kernel;
    this.#purpose = purpose;
    this.#build = build;
  }

  /** The current address, valid until the next call into the kernel. Builds the structure if necessary. */
  get address(): Address {
    if (this.#generation !== this.#kernel.generation) {
      const address = this.#kernel.call(this.#build);
      this.#address = this.#kernel.taken(address, this.#purpose);
      this.#generation = this.#kernel.generation;
    }
    return this.#address;
  }
}

import type { Address, KernelExports } from "./exports.js";
import type { Kernel } from "./kernel.js";

/** Something built once in a kernel's arena, and again whenever the instance has been replaced after a trap. */
export class Resident {
  readonly #kernel: Kernel;
  readonly #purpose: string;
  readonly #build: (exports: KernelExports) => Address;
  #address = 0 as Address;
  #generation = -1;

  /** @param purpose - what the memory is for, in the words of a message. */
  constructor(kernel: Kernel, purpose: string, build: (exports: KernelExports) => Address) {
    this.#kernel = kernel;
    this.#purpose = purpose;
    this.#build = build;
  }

  /** Where it is now; built first if need be. Good until the next call into the kernel. */
  get address(): Address {
    if (this.#generation !== this.#kernel.generation) {
      const address = this.#kernel.call(this.#build);
      this.#address = this.#kernel.taken(address, this.#purpose);
      this.#generation = this.#kernel.generation;
    }
    return this.#address;
  }
}

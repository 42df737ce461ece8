import type { StreamKey } from "../../address.js";
import type { Fraction } from "../../fractions.js";
import type { Address, Kernel } from "../../kernel/index.js";
import { Share } from "../../kernel/layout.js";
import { shareRecord } from "../../walks/kernel/share.js";

/**
 * Memory of the kernel for the terrain and the placements of a world. Calls with the same purpose return the same
 * memory, because new memory costs a page fault every 4 KiB. Unusable after a trap, or after its release.
 */
export class Buffers {
  readonly #kernel: Kernel;
  readonly #world: string;
  readonly #buffers = new Map<string, { readonly at: Address; readonly bytes: number }>();

  /** @param world - The name of the world, for messages. */
  constructor(kernel: Kernel, world: string) {
    this.#kernel = kernel;
    this.#world = world;
  }

  /**
   * Returns memory for a purpose. Memory that is too small is replaced by at least twice as much. So all replaced
   * memory together is smaller than the new memory.
   */
  take(purpose: string, bytes: number): Address {
    const held = this.#buffers.get(purpose);
    if (held !== undefined && held.bytes >= bytes) return held.at;
    const size = Math.max(bytes, 2 * (held?.bytes ?? 0));
    const made = this.#kernel.call((exports) => exports.allocate(size));
    const at = this.#kernel.taken(made, `the terrain of world ${this.#world}`);
    this.#buffers.set(purpose, { at, bytes: size });
    return at;
  }

  writeShare(purpose: string, key: StreamKey, share: Fraction): Address {
    const at = this.take(purpose, Share.bytes);
    this.#kernel.write(at, Share, shareRecord(key, share));
    return at;
  }
}

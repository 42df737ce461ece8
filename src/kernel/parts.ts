import { decodeBytes } from "./decode.js";
import type { PartName } from "./instantiate.js";

/**
 * A part of the kernel. A system names the part that it needs, so that a bundler includes the bytes of a part only if a
 * system needs it.
 */
export interface KernelPart {
  readonly name: PartName;
  /** Loads the bytes that the library contains. */
  readonly load: () => Promise<Uint8Array<ArrayBuffer>>;
}

/** The part for lists, dice, samples, tables and pools: these systems name no part, and without a name get this one. */
export const DRAWS: KernelPart = {
  name: "draws",
  load: async () => decodeBytes((await import("./chunks/draws.js")).KERNEL),
};

/** The part for walks and worlds. */
export const MAPS: KernelPart = {
  name: "maps",
  load: async () => decodeBytes((await import("./chunks/maps.js")).KERNEL),
};

/** The part for recipes and objects. */
export const ITEMS: KernelPart = {
  name: "items",
  load: async () => decodeBytes((await import("./chunks/items.js")).KERNEL),
};

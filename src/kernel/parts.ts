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
  load: async () => decodeKernel((await import("./chunks/draws.js")).KERNEL),
};

/** The part for walks and worlds. */
export const MAPS: KernelPart = {
  name: "maps",
  load: async () => decodeKernel((await import("./chunks/maps.js")).KERNEL),
};

/** The part for recipes and objects. */
export const ITEMS: KernelPart = {
  name: "items",
  load: async () => decodeKernel((await import("./chunks/items.js")).KERNEL),
};

/** Maximum code of a character of an alphabet. */
const MAX_CODE = 0x17f;

/** @param embedded - what a module of src/kernel/bytes exports. */
export function decodeKernel(embedded: { readonly alphabet: string; readonly text: string }) {
  const { alphabet, text } = embedded;
  const bytesByCode = new Uint8Array(MAX_CODE + 1);
  for (let byte = 0; byte < alphabet.length; byte++) bytesByCode[alphabet.charCodeAt(byte)] = byte;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = bytesByCode[text.charCodeAt(i)];
  return bytes;
}

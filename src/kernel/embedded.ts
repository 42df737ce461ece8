import { KERNEL as DRAWS } from "./bytes/draws.js";
import { KERNEL as ITEMS } from "./bytes/items.js";
import { KERNEL as MAPS } from "./bytes/maps.js";
import { decodeBytes } from "./decode.js";

/** Returns all parts of the kernel, about 75 KB. `rollmill/core` does not load this file. */
export function embeddedKernel(): Uint8Array<ArrayBuffer>[] {
  return [DRAWS, MAPS, ITEMS].map(decodeBytes);
}

import type { Kernel } from "./kernel.js";
import type { Address } from "./views.js";

type Column = Uint16Array | Int16Array | Uint32Array | Int32Array;

/** Up to this many numbers, to copy them one by one takes less time than to create a view. */
const FEW = 16;

/**
 * Copies `count` numbers from an address of the kernel's memory to `out`, from `at` on. This is a function, not a method
 * of the kernel: a bundle that copies no columns leaves it out.
 */
export function copyColumn(kernel: Kernel, from: Address, out: Column, at: number, count: number): void {
  const { u16, i16, u32, i32 } = kernel.views;
  const wide = out instanceof Uint32Array ? u32 : i32;
  const memory = out instanceof Uint16Array ? u16 : out instanceof Int16Array ? i16 : wide;
  const first = (from >>> 0) / out.BYTES_PER_ELEMENT;
  if (count > FEW) out.set(memory.subarray(first, first + count), at);
  else for (let i = 0; i < count; i++) out[at + i] = memory[first + i];
}

// These are functions, not methods of the kernel: a bundle leaves out those that it does not use.

import type { Kernel } from "./kernel.js";
import type { Address } from "./views.js";

type Column = Uint16Array | Int16Array | Uint32Array | Int32Array;

/** Up to this many numbers, to copy them one by one takes less time than to create a view. */
const FEW = 16;

/** Copies `count` numbers from an address of the kernel's memory to `out`, from `at` on. */
export function copyColumn(kernel: Kernel, from: Address, out: Column, at: number, count: number): void {
  const { u16, i16, u32, i32 } = kernel.views;
  const wide = out instanceof Uint32Array ? u32 : i32;
  const memory = out instanceof Uint16Array ? u16 : out instanceof Int16Array ? i16 : wide;
  const first = (from >>> 0) / out.BYTES_PER_ELEMENT;
  if (count > FEW) out.set(memory.subarray(first, first + count), at);
  else for (let i = 0; i < count; i++) out[at + i] = memory[first + i];
}

/** Returns the number of bytes of the kernel's memory that are in use: an empty block begins where they end. */
export function usedBytes(kernel: Kernel): number {
  return kernel.call((exports) => exports.allocate(0)) >>> 0;
}

/** Copies the memory that is in use. Throws a RangeError if the engine has no memory for the copy. */
export function copyMemory(kernel: Kernel): Uint8Array<ArrayBuffer> {
  return kernel.views.u8.slice(0, usedBytes(kernel));
}

/**
 * Replaces the kernel's instance by a new one with a copy that {@link copyMemory} made. The addresses in the copy are valid
 * again.
 *
 * @throws RollmillError `kernel.memory`.
 */
export function restoreMemory(kernel: Kernel, copy: Uint8Array): void {
  kernel.reset();
  const bytes = copy.length - usedBytes(kernel);
  if (kernel.call((exports) => exports.allocate(bytes)) === 0) kernel.outOfMemory("a copy of the memory", bytes);
  kernel.views.u8.set(copy);
}

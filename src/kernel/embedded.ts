import { KERNEL_BASE64 } from "./bytes.js";

/** Returns the kernel that the library contains, about 40 KB. A program that passes `kernel` does not load this file. */
export function embeddedKernel(): Uint8Array<ArrayBuffer> {
  const characters = atob(KERNEL_BASE64);
  // not Uint8Array.from: it uses an iterator, takes five times as long, and would dominate the first createMill of a
  // process
  const bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  return bytes;
}

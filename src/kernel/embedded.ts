import { KERNEL_ALPHABET, KERNEL_TEXT } from "./bytes.js";

/** About 40 KB. Programs that pass the option `kernel` do not load this file. */
export function embeddedKernel(): Uint8Array<ArrayBuffer> {
  const bytesByCode = new Uint8Array(MAX_CODE + 1);
  for (let byte = 0; byte < KERNEL_ALPHABET.length; byte++) bytesByCode[KERNEL_ALPHABET.charCodeAt(byte)] = byte;
  const bytes = new Uint8Array(KERNEL_TEXT.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = bytesByCode[KERNEL_TEXT.charCodeAt(i)];
  return bytes;
}

/** All characters of the alphabet are below U+0180. */
const MAX_CODE = 0x17f;

/** Maximum code of a character of an alphabet. */
const MAX_CODE = 0x17f;

/** @param embedded - what a module of src/kernel/bytes exports (scripts/kernel-module.mjs). */
export function decodeBytes(embedded: { readonly alphabet: string; readonly text: string }) {
  const { alphabet, text } = embedded;
  const bytesByCode = new Uint8Array(MAX_CODE + 1);
  for (let byte = 0; byte < alphabet.length; byte++) bytesByCode[alphabet.charCodeAt(byte)] = byte;
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = bytesByCode[text.charCodeAt(i)];
  return bytes;
}

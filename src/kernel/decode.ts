/** Maximum code of a character of a text. */
const MAX_CODE = 0x17f;

/** @param embedded - what a module of src/kernel/bytes exports (scripts/kernel-module.mjs). */
export function decodeBytes({ frequent, text }: { readonly frequent: string; readonly text: string }) {
  const bytesByCode = new Uint8Array(MAX_CODE + 1);
  // the codes before the first character of one byte, and before the first of two
  let short = 0x1f;
  let long = 0xa0;
  for (let byte = 0; byte < 256; byte++) {
    const isFrequent = ((Number.parseInt(frequent.charAt(byte >> 2), 16) >> (byte & 3)) & 1) === 1;
    const code = nextCode(isFrequent ? short : long);
    if (isFrequent) short = code;
    else long = code;
    bytesByCode[code] = byte;
  }
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = bytesByCode[text.charCodeAt(i)];
  return bytes;
}

/** Returns the code of the next character that a string literal can hold unescaped. */
function nextCode(code: number): number {
  return '"\\\u00ad'.includes(String.fromCharCode(code + 1)) ? code + 2 : code + 1;
}

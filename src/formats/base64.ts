const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const CODES = Uint8Array.from(DIGITS, (digit) => digit.charCodeAt(0));
const PADDING = "=".charCodeAt(0);

/** Returns the base64 text of bytes (RFC 4648, section 4). `btoa` accepts only texts, and only Node has `Buffer`. */
export function base64(bytes: Uint8Array): string {
  const { length } = bytes;
  const text = new Uint8Array(Math.ceil(length / 3) * 4);
  let end = 0;
  for (let i = 0; i < length; i += 3) {
    const three = (bytes[i] << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    text[end++] = CODES[three >>> 18];
    text[end++] = CODES[(three >>> 12) & 63];
    text[end++] = CODES[(three >>> 6) & 63];
    text[end++] = CODES[three & 63];
  }
  if (length % 3 > 0) text[end - 1] = PADDING;
  if (length % 3 === 1) text[end - 2] = PADDING;
  return new TextDecoder().decode(text);
}

// The TypeScript module that holds a part of the kernel, so that the library needs no file access to load it.
//
// Base64 would hide the repetitions of the bytes from gzip, because it cuts them into 6 bits. Here each byte is one
// character: compressed, the module is a quarter smaller. Frequent bytes get the ASCII characters, which take one byte in
// UTF-8; the others take two. Both get their characters in ascending order, so the decoder (src/kernel/decode.ts) only
// needs to know which bytes are frequent.

/** Characters that a string literal can hold unescaped: those of one byte, and those of two. */
const SHORT = characters(0x20, 0x7f);
const LONG = characters(0xa1, 0x180);

const LINE = 100;

/** Returns the source of a file of src/kernel/bytes. */
export function kernelModule(wasm) {
  const banner = "// Made from assembly/ by scripts/build-kernel.mjs: edit nothing here.";
  return `${banner}\nexport const KERNEL = ${embeddedBytes(wasm)};\n`;
}

/** Returns an expression for the bytes. The function `decodeBytes` of the library reads its value. */
export function embeddedBytes(wasm) {
  const counts = new Uint32Array(256);
  for (const byte of wasm) counts[byte]++;
  const bytes = range(0, 256);
  const frequent = new Set(bytes.toSorted((a, b) => counts[b] - counts[a]).slice(0, SHORT.length));
  const [short, long] = [SHORT.values(), LONG.values()];
  const ofByte = bytes.map((byte) => (frequent.has(byte) ? short : long).next().value);
  const text = Array.from(wasm, (byte) => ofByte[byte]);
  const lines = Array.from({ length: Math.ceil(text.length / LINE) }, (_, i) => text.slice(LINE * i, LINE * (i + 1)));
  const digits = range(0, 64).map((i) => range(0, 4).reduce((bits, j) => bits | (frequent.has(4 * i + j) << j), 0));
  return [
    "{",
    "  /** A bit for each byte, 0 … 255, whether it is frequent. A digit has four bits, the lowest first. */",
    `  frequent: "${digits.map((digit) => digit.toString(16)).join("")}",`,
    "  /** Each byte as its character. */",
    "  text: [",
    ...lines.map((line) => `    "${line.join("")}",`),
    '  ].join(""),',
    "}",
  ].join("\n");
}

function characters(from, to) {
  return range(from, to)
    .map((code) => String.fromCharCode(code))
    .filter((character) => !'"\\\u00ad'.includes(character));
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

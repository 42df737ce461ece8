// The snippets that the workbench opens: the whole files among the fenced blocks. test/site opens each of them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { linkOf } from "../workbench/src/link.ts";
import { PAGES, ROOT } from "./pages.mjs";

const KINDS = ["list", "table", "drops", "pools", "walk", "world"];

/** The file name of a block such as `json walk`, `json land.json` or `csv`; undefined if the block is no whole file. */
function fileNameOf(info, text) {
  const [language, kind = ""] = info.split(" ");
  if (language === "csv") return "loot.csv";
  if (language === "text" && text.startsWith("2DA")) return "loot.2da";
  if (language !== "json") return undefined;
  if (KINDS.includes(kind)) return `${kind}.json`;
  return kind.endsWith(".json") ? kind : undefined;
}

/** The links of all snippets, by their text. */
export const snippets = new Map();
for (const page of PAGES) {
  const blocks = readFileSync(join(ROOT, page), "utf8").matchAll(/^```([^\n`]+)\n(.*?)^```$/gms);
  for (const [, info, text] of blocks) {
    const file = fileNameOf(info, text);
    if (file !== undefined)
      snippets.set(text, await linkOf({ files: { [file]: text }, file, seed: "moria", view: {} }));
  }
}

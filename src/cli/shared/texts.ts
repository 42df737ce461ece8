// What the text of a file contains, by the name of the file. Also runs in pages.

import { fail } from "../../errors/index.js";
import { isCsvHeader } from "../../formats/read/csvEntries.js";
import { readJsonText } from "../../formats/read/json.js";

export type FileKind = "list" | "table" | "drops" | "pools" | "recipe" | "walk" | "world";

/** The columns that a list does not have. */
export const TABLE_COLUMNS = ["table", "jump"];

export function isJson(text: string, file: string): boolean {
  return /\.json$/i.test(file) || (!/\.[ct]sv$/i.test(file) && /^\ufeff?\s*[[{]/.test(text));
}

export function jsonIn(text: string, file: string): unknown {
  const read = readJsonText(text, { file });
  return "issue" in read ? fail(read.issue, read.cause) : read.value;
}

export function kindOfJson(input: unknown): FileKind {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return "list";
  if ("roots" in input) return "pools";
  if ("terrain" in input || "placements" in input) return "world";
  if ("layers" in input) return hasScatter(input.layers) ? "world" : "walk";
  if ("steps" in input) return Array.isArray(input.steps) ? "recipe" : "walk";
  if ("rolls" in input && "table" in input) return "drops";
  return "rows" in input ? "table" : "list";
}

function hasScatter(layers: unknown): boolean {
  return Array.isArray(layers) && layers.some((layer) => typeof layer === "object" && layer?.scatter !== undefined);
}

/** The kind of noun that lines of text have: those of a 2DA file, or of a CSV file by its columns. */
export function kindOfLines(text: string): FileKind {
  const [header = "", first = ""] = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/, 2);
  if (header.startsWith("2DA")) return "table";
  const columns = columnsOf(header);
  if (columns.includes("id") && isCsvHeader(header)) return "pools";
  const isTable = TABLE_COLUMNS.some((name) => columns.includes(name)) || /(?:^|[,;\t])"?->/.test(first);
  return isTable ? "table" : "list";
}

export function columnsOf(header: string): string[] {
  return header.split(/[,;\t]/).map((name) => name.replaceAll('"', "").trim().toLowerCase());
}

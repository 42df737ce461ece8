import { error, fail } from "../errors/index.js";
import { CsvPlaces, parseCsv, separatorOf } from "../formats/read/csv.js";
import { readJsonText } from "../formats/read/json.js";
import { isObject } from "../spec/index.js";
import { type StampMap, TiledStamp } from "./tiledStamp.js";

/**
 * Reads the map of a stamp. `.csv` has a sign in each cell, `.json` has the list of rows or a map of Tiled, `.tmj` has
 * a map of Tiled, and any other file has a sign in each character.
 *
 * @throws RollmillError `file.json`, `world.spec`.
 */
export async function readStampMap(text: string, file: string): Promise<StampMap> {
  if (/\.csv$/i.test(file)) return { map: readCsv(text.replace(/^\ufeff/, ""), file), places: [] };
  if (!/\.(?:json|tmj)$/i.test(file)) return { map: linesOf(text), places: [] };
  const json = readJsonText(text, { file });
  if ("issue" in json) return fail(json.issue);
  return isObject(json.value) ? new TiledStamp(json.value, file).read() : { map: json.value, places: [] };
}

function linesOf(text: string): string[] {
  return text
    .replace(/^\ufeff/, "")
    .replace(/(?:\r\n|\n|\r)$/, "")
    .split(/\r\n|\n|\r/);
}

function readCsv(text: string, file: string): (readonly string[])[] {
  const rows: (readonly string[])[] = [];
  const separator = separatorOf(text);
  const flaw = parseCsv(text, ({ cells }) => rows.push(cells.map((cell) => cell.trim())) > 0, separator);
  if (flaw === undefined) return rows;
  const { offset, ...finding } = flaw;
  const where = { file, ...new CsvPlaces(text, separator).placeAt(offset) };
  return fail(error("world.spec", { ...finding, where }));
}

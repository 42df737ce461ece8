// Writes the recipes of data/recipes and their word tables into a TypeScript module, because the library has no file
// access. The script checks only the form of each cell; the tests of the shipped recipes check the contents.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parse } from "csv-parse/sync";

const FOLDER = new URL("../data/recipes/", import.meta.url);
const names = (folder, end) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(end))
    .map((file) => file.slice(0, -end.length))
    .sort();

/** Converts a cell: `word` is a text, `active` is true or false, and every other column has numbers. */
const read = (cell, { column }) => {
  if (column === "word") return cell;
  if (column === "active" && (cell === "0" || cell === "1")) return cell === "1";
  if (column === "active" || !/^-?[0-9]+([.][0-9]+)?$/.test(cell)) throw new Error(`invalid ${column}: ${cell}`);
  return Number(cell);
};

/** Whether a column must be written: a stat of 0 adds nothing, so it can be omitted. */
const isNeeded = ([column, value]) => value !== 0 || column === "tier";

const tablesOf = (recipe) => {
  const folder = new URL(`words/${recipe}/`, FOLDER);
  const tables = names(folder, ".csv").map((table) => {
    const text = readFileSync(new URL(`${table}.csv`, folder), "utf8");
    const rows = parse(text, { columns: true, cast: (cell, at) => (at.header ? cell : read(cell, at)) });
    return [table, rows.map((row) => Object.fromEntries(Object.entries(row).filter(isNeeded)))];
  });
  return Object.fromEntries(tables);
};

const lines = names(FOLDER, ".json").map((recipe) => {
  const spec = JSON.parse(readFileSync(new URL(`${recipe}.json`, FOLDER), "utf8"));
  const text = JSON.stringify({ recipe: spec, tables: tablesOf(recipe) });
  return `  ${recipe}: '${text.replaceAll(/[\\']/g, "\\$&")}',`;
});
const source = `// Made from data/recipes by scripts/embed-recipes.mjs: edit nothing here.
/**
 * Maps the name of each shipped recipe to the recipe and its word tables, as JSON. An engine reads a long text faster
 * than a large object.
 */
export const SHIPPED: { readonly [recipe: string]: string } = {
${lines.join("\n")}
};
`;
writeFileSync(new URL("../src/recipes/data.ts", import.meta.url), source);

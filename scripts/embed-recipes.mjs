// Writes the recipes of data/recipes and their words into a TypeScript module, since the library has no file access. The
// files' own tests are those of what it writes: here only the shape of a table is looked at.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { parse } from "csv-parse/sync";

const FOLDER = new URL("../data/recipes/", import.meta.url);
const names = (folder, end) =>
  readdirSync(folder)
    .filter((file) => file.endsWith(end))
    .map((file) => file.slice(0, -end.length))
    .sort();

/** A cell as it stands in a row: numbers in all columns but two. */
const read = (cell, { column }) => {
  if (column === "word") return cell;
  if (column === "active" && (cell === "0" || cell === "1")) return cell === "1";
  if (column === "active" || !/^-?[0-9]+([.][0-9]+)?$/.test(cell)) throw new Error(`${column} is not ${cell}`);
  return Number(cell);
};

/** Whether a row is another without this: not where it adds 0 to a stat. */
const counts = ([column, value]) => value !== 0 || column === "tier";

const tablesOf = (recipe) => {
  const folder = new URL(`words/${recipe}/`, FOLDER);
  const tables = names(folder, ".csv").map((table) => {
    const text = readFileSync(new URL(`${table}.csv`, folder), "utf8");
    const rows = parse(text, { columns: true, cast: (cell, at) => (at.header ? cell : read(cell, at)) });
    return [table, rows.map((row) => Object.fromEntries(Object.entries(row).filter(counts)))];
  });
  return Object.fromEntries(tables);
};

const lines = names(FOLDER, ".json").map((recipe) => {
  const spec = JSON.parse(readFileSync(new URL(`${recipe}.json`, FOLDER), "utf8"));
  return `  ${recipe}: ${JSON.stringify({ recipe: spec, tables: tablesOf(recipe) })},`;
});
const source = `// Made from data/recipes by scripts/embed-recipes.mjs: edit nothing here.
/** The shipped recipes and their word tables, as they may be written, by name. */
export const SHIPPED: { readonly [recipe: string]: { readonly recipe: unknown; readonly tables: unknown } } = {
${lines.join("\n")}
};
`;
writeFileSync(new URL("../src/recipes/data.ts", import.meta.url), source);

import { checkParsed, type Field, type Fields, type Parsed, readOptions, SpecReader } from "../../spec/index.js";
import { RECIPE_SPEC } from "../parse.js";
import { allSlots } from "../resolve.js";
import type { RecipeSpec, WordRow, WordTable, WordTables } from "../types.js";
import { listed, unknownName } from "../unknownName.js";
import { weightColumn } from "../words.js";
import { CELLS, ROW_KEYS, ROWS, TABLES } from "./rows.js";

export const WORD_TABLES = "word tables";
/** A slot's column has 16-bit numbers: one stands for an empty slot, one for each word, and one for the special. */
const MAX_WORDS = 65_533;
const MAX_REPORTED = 20;

type Needs = ReturnType<typeof needsOf>;

/**
 * Reads word tables from an untrusted object that maps names to lists of rows. Returns the accepted rows, ordered by
 * id. Does not check rows with the status "proposed" or "rejected", so no proposal can make a table invalid.
 *
 * With a `spec`, every table of the recipe must be present, every additional column must be a stat or the weight
 * column, and a table that the recipe does not use causes a warning. Cost: O(n log n) for n rows.
 *
 * Issues, at most 20 for each table: `recipe.tables`; `recipe.duplicate` if two accepted rows have the same id or the
 * same word. "Axe" and "axe" are different words.
 */
export function parseTables(
  input: unknown,
  options: { readonly file?: string | undefined; readonly spec?: RecipeSpec | undefined } = {},
): Parsed<WordTables> {
  const { file, spec } = readOptions("parseTables", options, ["file", "spec"]);
  if (spec !== undefined) checkParsed(RECIPE_SPEC, { name: "spec", value: spec, parser: "parseRecipe" });
  const reader = new SpecReader({ noun: WORD_TABLES, code: "recipe.tables", file, isDocument: true });
  return reader.run(input, (root) => readTables(reader, root, spec === undefined ? undefined : needsOf(spec)));
}

function needsOf(spec: RecipeSpec) {
  const tables = [...new Set(allSlots(spec).map(({ table }) => table))];
  return { tables, stats: spec.stats.map(({ name }) => name), weight: weightColumn(spec) };
}

function readTables(reader: SpecReader, root: Field, needs: Needs | undefined): WordTables {
  const tables = new Map<string, WordTable>();
  for (const [name, at] of TABLES.read(reader, root)) {
    if (needs !== undefined && !needs.tables.includes(name)) {
      reader.warn(at, unknownName("the recipe does not use this table", name, needs.tables));
      continue;
    }
    tables.set(name, { name, rows: readRows(reader, at, needs) });
  }
  for (const name of needs?.tables ?? []) {
    if (tables.has(name)) continue;
    const expected = `the tables ${listed(needs?.tables ?? [])}`;
    reader.report(root.part(name), { problem: `the table ${JSON.stringify(name)} is missing`, expected });
  }
  return tables;
}

function readRows(reader: SpecReader, at: Field, needs: Needs | undefined): readonly WordRow[] {
  const list = ROWS.read(reader, at);
  const readStats = statsReader(reader, needs);
  const checkTwice = readDuplicates(reader);
  const rows: WordRow[] = [];
  const most = reader.errors + MAX_REPORTED;
  for (const entry of list) {
    const before = reader.errors;
    if (before >= most) break;
    const fields = reader.record(entry, "a row with an id and a word");
    const { value: status } = fields.get("status");
    if (reader.errors > before || status === "proposed" || status === "rejected") continue;
    const { id, word, active, tier } = CELLS.values(reader, fields);
    const stats = readStats(fields);
    checkTwice(fields, { id, word });
    rows.push({ id, word, active, tier, stats });
  }
  if (rows.length > MAX_WORDS) {
    const expected = `at most ${MAX_WORDS} words`;
    reader.report(at, { problem: "a table has too many accepted words", got: rows.length, expected });
  }
  return rows.sort((a, b) => a.id - b.id);
}

/** The returned function reports each unknown column only once. */
function statsReader(reader: SpecReader, needs: Needs | undefined): (fields: Fields) => WordRow["stats"] {
  const unknown = new Set<string>();
  return (fields) => {
    // without a prototype: otherwise the name of an inherited property, such as "toString", would count as a stat
    const stats: { [stat: string]: number } = Object.create(null);
    for (const key of fields.outside(ROW_KEYS)) {
      const at = fields.get(key);
      if (needs === undefined || needs.stats.includes(key)) stats[key] = reader.number(at);
      else if (key === needs.weight) stats[key] = reader.number(at, { least: 0 });
      else if (!unknown.has(key)) {
        unknown.add(key);
        const known = [...ROW_KEYS, ...needs.stats, ...(needs.weight === undefined ? [] : [needs.weight])];
        reader.report(at, unknownName("the recipe has no stat with the name of this column", key, known));
      }
    }
    return stats;
  };
}

/**
 * Returns a function that reports a row with the id or the word of an earlier row. Invalid ids and words are skipped.
 */
export function readDuplicates(reader: SpecReader): (row: Fields, read: Pick<WordRow, "id" | "word">) => void {
  const taken = { id: new Map<unknown, Field>(), word: new Map<unknown, Field>() };
  return (row, read) => {
    for (const key of ["id", "word"] as const) {
      const [got, at] = [read[key], row.get(key)];
      if (got === "" || Number.isNaN(got)) continue;
      const first = taken[key].get(got);
      const expected = `a value that differs from ${first?.path}`;
      if (first === undefined) taken[key].set(got, at);
      else reader.report(at, { problem: `two rows have the same ${key}`, got, expected }, "recipe.duplicate");
    }
  };
}

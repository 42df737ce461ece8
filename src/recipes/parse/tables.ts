import { checkParsed, type Field, type Fields, type Parsed, readOptions, SpecReader } from "../../spec/index.js";
import { RECIPE_SPEC } from "../parse.js";
import { allSlots } from "../resolve/requests.js";
import type { RecipeSpec, WordRow, WordTable, WordTables } from "../types.js";
import { listed, unknownName } from "../unknownName.js";
import { weightColumn } from "../weights.js";
import { CELLS, ROW_KEYS, ROWS, TABLES } from "./rows.js";

export const WORD_TABLES = "word tables";
/** The column of a slot has 16-bit numbers: for an empty slot, for each word, and for the slot's special. */
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
  const rows = new RowReader(reader, needs);
  const before = reader.errors;
  for (const row of list) {
    if (reader.errors >= before + MAX_REPORTED) break;
    rows.read(row);
  }
  if (rows.accepted.length > MAX_WORDS) {
    const expected = `at most ${MAX_WORDS} words`;
    reader.report(at, { problem: "a table has too many accepted words", got: rows.accepted.length, expected });
  }
  return rows.accepted.sort((a, b) => a.id - b.id);
}

/** Returns a function that reports a row with the id or the word of an earlier row. Invalid ids and words are skipped. */
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

class RowReader {
  readonly accepted: WordRow[] = [];
  readonly #reader: SpecReader;
  readonly #needs: Needs | undefined;
  readonly #checkTwice: ReturnType<typeof readDuplicates>;
  /** The unknown columns that were already reported. Each is reported only once. */
  readonly #unknown = new Set<string>();

  constructor(reader: SpecReader, needs: Needs | undefined) {
    this.#reader = reader;
    this.#needs = needs;
    this.#checkTwice = readDuplicates(reader);
  }

  read(at: Field): void {
    const reader = this.#reader;
    const before = reader.errors;
    const row = reader.record(at, "a row with an id and a word");
    const { value: status } = row.get("status");
    if (reader.errors > before || status === "proposed" || status === "rejected") return;
    const { id, word, active, tier } = CELLS.values(reader, row);
    const stats = this.#readStats(row);
    this.#checkTwice(row, { id, word });
    this.accepted.push({ id, word, active, tier, stats });
  }

  #readStats(fields: Fields): WordRow["stats"] {
    // without a prototype: otherwise the name of an inherited property, such as "toString", would count as a stat
    const stats: { [stat: string]: number } = Object.create(null);
    for (const key of fields.keys) {
      if (ROW_KEYS.includes(key)) continue;
      const at = fields.get(key);
      if (this.#needs === undefined || this.#needs.stats.includes(key)) stats[key] = this.#reader.number(at);
      else if (key === this.#needs.weight) stats[key] = this.#reader.number(at, { least: 0 });
      else this.#reportColumn(at, key, this.#needs);
    }
    return stats;
  }

  #reportColumn(at: Field, column: string, { stats, weight }: Needs): void {
    if (this.#unknown.has(column)) return;
    this.#unknown.add(column);
    const known = [...ROW_KEYS, ...stats, ...(weight === undefined ? [] : [weight])];
    this.#reader.report(at, unknownName("the recipe has no stat with the name of this column", column, known));
  }
}

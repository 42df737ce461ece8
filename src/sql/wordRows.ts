import { failOnErrors, type Issue } from "../errors/index.js";
import { MAX_TIER, readWord } from "../recipes/parse/tables.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import { Field, type Fields, SpecReader } from "../spec/index.js";
import { KEYS, type TableShape } from "./shape.js";

/** The remedy in the error about existing words. It addresses users of the command line and of the library. */
export const REPLACE_REMEDY = "To replace the existing words, use --replace, or { replace: true } in code";

/**
 * Converts rows to a canonical form, which is the same for every source. The rows are sorted by id. Each has `id`,
 * `word`, and `active` as a boolean; `status` if it is "proposed"; `tier` if some row of the table has a tier
 * other than 0; and the stats that are not 0 in some row of the table, in the recipe's order.
 */
export function canonicalRows(rows: readonly WordInput[], { stats }: TableShape): WordInput[] {
  const used = stats.filter((stat) => rows.some((row) => numberOf(row[stat]) !== 0));
  const hasTiers = rows.some((row) => numberOf(row.tier) !== 0);
  return rows.map((row) => canonicalRow(row, used, hasTiers)).sort(byIdThenWord);
}

function canonicalRow(row: WordInput, stats: readonly string[], hasTiers: boolean): WordInput {
  return {
    id: row.id,
    word: row.word,
    active: row.active === undefined || row.active === true || row.active === 1,
    ...(row.status === "proposed" && { status: row.status }),
    ...(hasTiers && { tier: numberOf(row.tier) }),
    ...Object.fromEntries(stats.map((stat) => [stat, numberOf(row[stat])])),
  };
}

function byIdThenWord(a: WordInput, b: WordInput): number {
  if (a.id !== b.id) return a.id - b.id;
  if (a.word === b.word) return 0;
  return a.word < b.word ? -1 : 1;
}

/** Returns the number in a cell; 0 if the cell is missing or −0. */
function numberOf(value: unknown): number {
  return typeof value === "number" && value !== 0 ? value : 0;
}

/**
 * Checks that the tables to save are exactly the tables of the recipe, and that parseTables would accept their rows.
 * Returns the tables in canonical form.
 *
 * @throws RollmillError `recipe.tables`, `recipe.duplicate`, with all errors.
 */
export function checkedTables(tables: TablesInput, shapes: readonly TableShape[]): TablesInput {
  const reader = tablesReader();
  const names = shapes.map((shape) => shape.name);
  const { issues } = reader.run(tables, (root) => {
    const fields = reader.fields(root, names);
    const isObject = reader.errors === 0 || fields.keys.length > 0;
    for (const shape of isObject ? shapes : []) checkRows(reader, fields.get(shape.name), shape);
    return {};
  });
  failOnErrors(issues);
  return Object.fromEntries(shapes.map((shape) => [shape.name, canonicalRows(tables[shape.name], shape)]));
}

/**
 * Returns the errors of one table's rows. Proposals obey the same rules for words and tiers. Otherwise parseTables could
 * refuse the table after a proposal is accepted.
 */
export function rowIssues(rows: unknown, shape: TableShape): readonly Issue[] {
  const reader = tablesReader();
  const { issues } = reader.run(rows, () => {
    checkRows(reader, new Field(rows, undefined, shape.name), shape);
    return {};
  });
  return issues;
}

function tablesReader(): SpecReader {
  return new SpecReader({ noun: "word tables", code: "recipe.tables" });
}

function checkRows(reader: SpecReader, at: Field, { stats }: TableShape): void {
  const known = [...KEYS, ...stats];
  const ids = new Set<unknown>();
  const words = new Set<unknown>();
  for (const entry of reader.list(at, { of: "rows" })) {
    const before = reader.errors;
    const row = reader.fields(entry, known);
    if (reader.errors > before && row.keys.length === 0) continue;
    checkCells(reader, row, stats);
    const [id, word] = [row.get("id"), row.get("word")];
    if (ids.has(id.value)) reportDuplicate(reader, id, "id");
    if (words.has(word.value)) reportDuplicate(reader, word, "word");
    ids.add(id.value);
    words.add(word.value);
  }
}

function checkCells(reader: SpecReader, row: Fields, stats: readonly string[]): void {
  reader.integer(row.get("id"), { least: 1, most: Number.MAX_SAFE_INTEGER });
  readWord(reader, row.get("word"));
  const active = row.get("active");
  if (![undefined, true, false, 0, 1].some((one) => one === active.value)) {
    const expected = "true, false, 0 or 1";
    reader.report(active, { problem: `invalid ${active.name}`, got: active.value, expected });
  }
  reader.choice(row.get("status"), ["accepted", "proposed"], { fallback: "accepted" });
  reader.integer(row.get("tier"), { least: 0, most: MAX_TIER, fallback: 0 });
  // skips a stat that has the name of a key, such as tier: the cell of that name is checked above
  const own = stats.filter((stat) => !KEYS.some((key) => key === stat));
  for (const stat of own) reader.number(row.get(stat), { fallback: 0 });
}

function reportDuplicate(reader: SpecReader, at: Field, key: "id" | "word"): void {
  const problem = `two rows have the same ${key}`;
  reader.report(at, { problem, got: at.value, remedy: "Change or remove one of the two rows" }, "recipe.duplicate");
}

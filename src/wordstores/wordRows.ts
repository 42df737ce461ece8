import { failOnErrors, type Issue } from "../errors/index.js";
import { MAX_TIER, readWord } from "../recipes/parse/tables.js";
import { type TablesInput, WORD_STATUSES, type WordInput } from "../recipes/types.js";
import { ownCell } from "../recipes/wordCells.js";
import { Field, type Fields, SpecReader } from "../spec/index.js";
import { columnsOfShape, type TableShape } from "./shape.js";

/** The remedy if words exist already. It is for users of the command line and of the library. */
export const REPLACE_REMEDY = "To replace the existing words, use --replace, or { replace: true } in code";

/**
 * Converts rows to a canonical form. Equal tables have the same form, whatever their source. Rows are sorted by id.
 * Each row has:
 *
 * - `id`, `word`, and `active` as a boolean;
 * - `status`, if it is not "accepted";
 * - `proposer` and `proposed`, if they are not empty;
 * - `tier`, if any row of the table has a tier other than 0;
 * - the weight, if any row has a weight other than 1;
 * - each stat that any row changes, in the recipe's order.
 */
export function canonicalRows(rows: readonly WordInput[], { stats, weight }: TableShape): WordInput[] {
  const columns = ["tier", ...(weight === undefined ? [] : [weight]), ...stats];
  const numberIn = (row: WordInput, column: string) => numberOf(ownCell(row, column), column === weight ? 1 : 0);
  const used = columns.filter((column) => rows.some((row) => numberIn(row, column) !== (column === weight ? 1 : 0)));
  return rows
    .map((row): WordInput => {
      const numbers = used.map((column) => [column, numberIn(row, column)] as const);
      return { ...canonicalKeys(row), ...Object.fromEntries(numbers) };
    })
    .sort(byIdThenWord);
}

function canonicalKeys({ id, word, active, status = "accepted", proposer = "", proposed = "" }: WordInput): WordInput {
  return {
    id,
    word,
    active: active === undefined || active === true || active === 1,
    ...(status !== "accepted" && { status }),
    ...(proposer !== "" && { proposer }),
    ...(proposed !== "" && { proposed }),
  };
}

function byIdThenWord(a: WordInput, b: WordInput): number {
  if (a.id !== b.id) return a.id - b.id;
  if (a.word === b.word) return 0;
  return a.word < b.word ? -1 : 1;
}

/** Returns the number in a cell, with 0 for −0. Returns `missing` if the cell has no number. */
function numberOf(value: unknown, missing: number): number {
  return typeof value === "number" ? value + 0 : missing;
}

/**
 * Checks tables before they are saved, and returns them in canonical form.
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
 * Returns the errors in the rows of one table, proposals included: parseTables must accept the table after they are
 * accepted.
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

function checkRows(reader: SpecReader, at: Field, shape: TableShape): void {
  const known = columnsOfShape(shape);
  const ids = new Set<unknown>();
  const words = new Set<unknown>();
  for (const entry of reader.list(at, { of: "rows" })) {
    const before = reader.errors;
    const row = reader.fields(entry, known);
    if (reader.errors > before && row.keys.length === 0) continue;
    checkCells(reader, row, shape);
    const [id, word] = [row.get("id"), row.get("word")];
    if (ids.has(id.value)) reportDuplicate(reader, id, "id");
    if (words.has(word.value)) reportDuplicate(reader, word, "word");
    ids.add(id.value);
    words.add(word.value);
  }
}

function checkCells(reader: SpecReader, row: Fields, { stats, weight }: TableShape): void {
  reader.integer(row.get("id"), { least: 1, most: Number.MAX_SAFE_INTEGER });
  readWord(reader, row.get("word"));
  const active = row.get("active");
  if (![undefined, true, false, 0, 1].some((one) => one === active.value)) {
    const expected = "true, false, 0 or 1";
    reader.report(active, { problem: `invalid ${active.name}`, got: active.value, expected });
  }
  reader.choice(row.get("status"), WORD_STATUSES, { fallback: "accepted" });
  for (const key of ["proposer", "proposed"]) if (row.has(key)) reader.text(row.get(key));
  if (weight !== undefined) reader.number(row.get(weight), { least: 0, fallback: 1 });
  reader.integer(row.get("tier"), { least: 0, most: MAX_TIER, fallback: 0 });
  for (const stat of stats) reader.number(row.get(stat), { fallback: 0 });
}

function reportDuplicate(reader: SpecReader, at: Field, key: "id" | "word"): void {
  const problem = `two rows have the same ${key}`;
  reader.report(at, { problem, got: at.value, remedy: "Change or remove one of the two rows" }, "recipe.duplicate");
}

import { failOnErrors, type Issue } from "../errors/index.js";
import { CELLS } from "../recipes/parse/rows.js";
import { readDuplicates } from "../recipes/parse/tables.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import { ownCell } from "../recipes/wordCsv.js";
import { Field, SpecReader } from "../spec/index.js";
import { columnsOfShape, missingValue, type TableShape } from "./shape.js";
import type { OnIssue, UnreadableRow } from "./store.js";

/**
 * Equal tables have the same canonical form, whatever their source. Rows are sorted by id, `active` is a boolean, and
 * texts with default values are left out. A column of numbers is left out if all its values are the default.
 */
export function canonicalRows(rows: readonly WordInput[], shape: TableShape): WordInput[] {
  const { stats, weight } = shape;
  const columns = ["tier", ...(weight === undefined ? [] : [weight]), ...stats];
  const numberIn = (row: WordInput, column: string) => {
    const value = ownCell(row, column);
    // + 0 converts −0 to 0
    return typeof value === "number" ? value + 0 : missingValue(column, shape);
  };
  const used = columns.filter((column) => rows.some((row) => numberIn(row, column) !== missingValue(column, shape)));
  return rows
    .map((row): WordInput => {
      const numbers = used.map((column) => [column, numberIn(row, column)] as const);
      return { ...canonicalKeys(row), ...Object.fromEntries(numbers) };
    })
    .sort((a, b) => a.id - b.id || (a.word < b.word ? -1 : Number(a.word > b.word)));
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

/** Throws all errors of the tables: `recipe.tables`, `recipe.duplicate`. */
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

/** Returns the errors of all rows, even of proposals: once a proposal is accepted, parseTables must accept it. */
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
  const checkTwice = readDuplicates(reader);
  for (const entry of reader.list(at, { of: "rows" })) {
    const before = reader.errors;
    const row = reader.fields(entry, known);
    if (reader.errors > before && row.keys.length === 0) continue;
    const { id, word } = CELLS.values(reader, row);
    for (const key of ["proposer", "proposed"]) if (row.has(key)) reader.text(row.get(key));
    if (shape.weight !== undefined) reader.number(row.get(shape.weight), { least: 0, fallback: 1 });
    for (const stat of shape.stats) reader.number(row.get(stat), { fallback: 0 });
    checkTwice(row, { id, word });
  }
}

export function warnOfUnreadable(rows: readonly UnreadableRow[], onIssue: OnIssue): void {
  for (const { issues } of rows) for (const issue of issues) onIssue(skippedRow(issue));
}

export function skippedRow(issue: Issue): Issue {
  return { ...issue, severity: "warning", message: `a row is skipped: ${issue.message}` };
}

/** Reports and removes rows that parseTables would refuse. With `keepsProposals`, does not remove proposals. */
export function withoutMalformed(
  tables: TablesInput,
  shapes: readonly TableShape[],
  { onIssue, shown, keepsProposals }: { onIssue: OnIssue; shown: string; keepsProposals: boolean },
): TablesInput {
  const kept = { ...tables };
  for (const shape of shapes) {
    const rows: unknown = tables[shape.name];
    // parseTables reports a missing table
    if (!Array.isArray(rows)) continue;
    const dropped = new Set<number>();
    for (const { index, issue } of issuesOfRows(rows, shape)) {
      const isKept = keepsProposals && ["proposed", "rejected"].includes(rows[index]?.status);
      if (!isKept) dropped.add(index);
      const message = `the row with id ${rows[index]?.id}: ${issue.message}`;
      const located: Issue = { ...issue, severity: "warning", where: { ...issue.where, file: shown }, message };
      onIssue(isKept ? located : skippedRow(located));
    }
    if (dropped.size > 0) kept[shape.name] = rows.filter((_, index) => !dropped.has(index));
  }
  return kept;
}

/** Returns the errors of single rows. Ignores duplicates, because it is not known which of the two rows is right. */
export function issuesOfRows(rows: readonly unknown[], shape: TableShape) {
  return rowIssues(rows, shape).flatMap((issue) => {
    const index = /^\[(\d+)\]/.exec(issue.where.path?.slice(shape.name.length) ?? "")?.[1];
    return index === undefined || issue.code === "recipe.duplicate" ? [] : [{ index: Number(index), issue }];
  });
}

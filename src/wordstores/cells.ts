import { error, type Finding, fail } from "../errors/index.js";
import { WORD_STATUSES, type WordInput } from "../recipes/types.js";
import { ACTIVE } from "../recipes/wordCells.js";
import type { UnreadableRow } from "./change.js";
import type { Column, ColumnKind } from "./dialect.js";
import { exactNumber, shortestOf32 } from "./exactNumber.js";
import { columnsOfShape, missingValue, type TableShape } from "./shape.js";

type Wanted = "integer" | "flag" | "text" | "number";

const WANTED: ReadonlyMap<string, Wanted> = new Map([
  ["id", "integer"],
  ["word", "text"],
  ["active", "flag"],
  ["status", "text"],
  ["tier", "integer"],
  ["proposer", "text"],
  ["proposed", "text"],
]);
/** For each needed type: the types of database columns that can store its values exactly. */
const KINDS: { readonly [wanted in Wanted]: readonly ColumnKind[] } = {
  integer: ["integer", "decimal", "any"],
  flag: ["integer", "decimal", "boolean", "bit", "any"],
  text: ["text", "any"],
  number: ["integer", "decimal", "float", "float32", "any"],
};
const EXPECTED: { readonly [wanted in Wanted]: string } = {
  integer: "an integer",
  flag: "0 or 1, or a boolean",
  text: "text",
  number: "a decimal number of at most about 15 digits",
};

interface TablePlace {
  readonly shown: string;
  readonly shape: TableShape;
}

/**
 * Returns the names of the columns to read. They are the columns of the recipe that the database table also has. A stat
 * without a column is 0 in every word of the table.
 *
 * @throws RollmillError `sql.schema` if a required column is missing, or a column has a type that cannot store its
 * values exactly.
 */
export function columnsRead(columns: ReadonlyMap<string, Column>, place: TablePlace): readonly string[] {
  const { shape } = place;
  for (const name of ["id", "word", "active"]) {
    if (!columns.has(name)) missingColumn(name, place, "every word table");
  }
  if (shape.tierSlots.length > 0 && !columns.has("tier")) {
    missingColumn("tier", place, `the tiers of slot ${shape.tierSlots.join(", ")}`);
  }
  const names = columnsOfShape(shape).filter((name) => columns.has(name));
  for (const name of names) {
    const column = columns.get(name);
    const wanted = wantedOf(name);
    if (column !== undefined && !KINDS[wanted].includes(column.kind)) {
      const expected = `a type for ${EXPECTED[wanted]}`;
      refuse(name, place, { problem: `the column ${name} has an unsuitable type`, got: column.type, expected });
    }
  }
  return names;
}

/** Throws `sql.schema` for a missing column. The remedy is the statement that adds the column. */
export function missingColumn(name: string, place: TablePlace, neededBy: string): never {
  const wanted = wantedOf(name);
  const type = { integer: "INTEGER", flag: "SMALLINT", text: "VARCHAR(500)", number: "DECIMAL(15, 3)" }[wanted];
  const value = name === "active" ? 1 : missingValue(name, place.shape);
  const start = typeof value === "string" ? `'${value}'` : value;
  const isKey = name === "id" || name === "word";
  const declaration = `${name} ${type} NOT NULL DEFAULT ${start}`;
  const remedy = `Add the column with ALTER TABLE ${place.shape.sqlName} ADD COLUMN ${declaration}`;
  const problem = `the column ${name} is missing, but Rollmill needs it for ${neededBy}`;
  return refuse(name, place, { problem, ...(!isKey && { remedy }) });
}

/** A row of a database table that cannot be read as a row of a word table. */
export interface MalformedRow extends UnreadableRow {
  /** Whether the word is accepted. Recipes use only accepted words. */
  readonly isUsed: boolean;
}

/** Converts a row of the database. If cells are invalid, reports only the first of them. */
export function rowOf(
  cells: Readonly<Record<string, unknown>>,
  columns: ReadonlyMap<string, Column>,
  place: TablePlace,
): { readonly row: WordInput } | { readonly malformed: MalformedRow } {
  const read = (name: string) => meaningOf(name, cells[name], { kind: columns.get(name)?.kind ?? "other", place });
  const entries = Object.keys(cells).map((name) => [name, read(name)] as const);
  const bad = entries.find(([, value]) => value === undefined)?.[0];
  if (bad === undefined) return { row: Object.fromEntries(entries) as unknown as WordInput };
  const [id, word] = [read("id") as number | undefined, read("word") as string | undefined];
  const isUsed = cells.status !== "proposed" && cells.status !== "rejected";
  return { malformed: { id, word, isUsed, issues: [error("sql.schema", badCell(bad, cells, place))] } };
}

function wantedOf(name: string): Wanted {
  return WANTED.get(name) ?? "number";
}

/**
 * Converts a cell. Returns undefined for an invalid value. NULL means the same as a missing column, except in id, word
 * and active, where it is invalid.
 */
function meaningOf(
  name: string,
  cell: unknown,
  { kind, place }: { readonly kind: ColumnKind; readonly place: TablePlace },
): unknown {
  const wanted = wantedOf(name);
  if (cell === null) return ["id", "word", "active"].includes(name) ? undefined : missingValue(name, place.shape);
  if (wanted === "text") {
    const isKnown = name !== "status" || WORD_STATUSES.some((status) => status === cell);
    return typeof cell === "string" && isKnown ? cell : undefined;
  }
  // in SQLite every value has its own type, so a number may be stored as text
  if (kind === "any" && typeof cell === "string") return undefined;
  if (wanted === "flag") return ACTIVE.get(String(cell));
  const value = exactNumber(String(cell));
  if (value === undefined) return undefined;
  if (wanted === "integer") return Number.isSafeInteger(value) ? value : undefined;
  return kind === "float32" ? shortestOf32(value) : value;
}

function badCell(name: string, cells: Readonly<Record<string, unknown>>, { shown, shape }: TablePlace): Finding {
  const expected = name === "status" ? `one of ${WORD_STATUSES.join(", ")}` : EXPECTED[wantedOf(name)];
  const problem = `invalid "${name}"${name === "id" ? "" : ` in the row with id ${String(cells.id)}`}`;
  return { problem, got: cells[name], expected, where: { file: shown, path: `${shape.sqlName}.${name}` } };
}

function refuse(column: string, { shown, shape }: TablePlace, finding: Finding): never {
  return fail(error("sql.schema", { ...finding, where: { file: shown, path: `${shape.sqlName}.${column}` } }));
}

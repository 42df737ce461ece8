import { error, type Finding, fail } from "../errors/index.js";
import { WORD_STATUSES, type WordInput } from "../recipes/types.js";
import type { Column, ColumnKind } from "./dialect.js";
import { exactNumber, shortestOf32 } from "./exactNumber.js";
import { columnsOfShape, missingValue, type TableShape } from "./shape.js";

/** The type of the values in a column of a word table. */
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
/** The column types that can store each type of value exactly. */
const KINDS: { readonly [wanted in Wanted]: readonly ColumnKind[] } = {
  integer: ["integer", "decimal", "any"],
  flag: ["integer", "decimal", "boolean", "bit", "any"],
  text: ["text", "any"],
  number: ["integer", "decimal", "float", "float32", "any"],
};
/** Descriptions of the types for messages. */
const EXPECTED: { readonly [wanted in Wanted]: string } = {
  integer: "an integer",
  flag: "0 or 1, or a boolean",
  text: "text",
  number: "a decimal number of at most about 15 digits",
};
/** Maps each form in which databases return `active` to its value. */
const ACTIVE = new Map([
  ["1", true],
  ["true", true],
  ["0", false],
  ["false", false],
]);

/** The database and the table that a message names. */
interface TablePlace {
  readonly shown: string;
  readonly shape: TableShape;
}

/**
 * Returns the names of the columns to read. These are the recipe's columns that the database table has.
 *
 * @throws RollmillError `sql.schema` if a required column is missing, or the type of a column cannot hold its values
 * exactly.
 */
export function columnsRead(columns: ReadonlyMap<string, Column>, place: TablePlace): readonly string[] {
  const { shape } = place;
  const required = ["id", "word", "active", ...(shape.hasTiers ? ["tier"] : [])];
  const stats = shape.stats.filter((stat) => stat !== shape.strength);
  for (const name of [...required, ...stats]) {
    if (!columns.has(name)) missingColumn(name, place);
  }
  const names = columnsOfShape(shape).filter((name) => columns.has(name));
  for (const name of names) {
    const column = columns.get(name);
    const wanted = wantedOf(name);
    if (column !== undefined && !KINDS[wanted].includes(column.kind)) {
      const finding = {
        problem: `the column ${name} has an unsuitable type`,
        got: column.type,
        expected: `a type for ${EXPECTED[wanted]}`,
      };
      refuse(name, place, finding);
    }
  }
  return names;
}

/** Throws `sql.schema` for a missing column. The remedy is the statement that adds it, except for id and word. */
export function missingColumn(name: string, place: TablePlace): never {
  const wanted = wantedOf(name);
  const type = { integer: "INTEGER", flag: "SMALLINT", text: "VARCHAR(500)", number: "DECIMAL(15, 3)" }[wanted];
  const value = name === "active" ? 1 : missingValue(name, place.shape);
  const start = typeof value === "string" ? `'${value}'` : value;
  const isKey = name === "id" || name === "word";
  const remedy = `Add the column with ALTER TABLE ${place.shape.sqlName} ADD COLUMN ${name} ${type} NOT NULL DEFAULT ${start}`;
  return refuse(name, place, { problem: `the column ${name} is missing`, ...(!isKey && { remedy }) });
}

/**
 * Converts a row of the database to a row of a word table.
 *
 * @throws RollmillError `sql.schema` for a value that does not have the type of its column.
 */
export function rowOf(
  cells: Readonly<Record<string, unknown>>,
  columns: ReadonlyMap<string, Column>,
  place: TablePlace,
): WordInput {
  const entries = Object.entries(cells).map(([name, cell]) => {
    const value = meaningOf(name, cell, { kind: columns.get(name)?.kind ?? "other", place });
    if (value === undefined) refuseCell(name, cell, cells, place);
    return [name, value] as const;
  });
  return Object.fromEntries(entries) as unknown as WordInput;
}

function wantedOf(name: string): Wanted {
  return WANTED.get(name) ?? "number";
}

/**
 * Converts a cell. Returns undefined if its value is invalid for its column. A NULL stands for the value of a missing
 * column (see missingValue); it is invalid in the columns id, word and active.
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
  // in SQLite each value has a separate type, so a number can be stored as text
  if (kind === "any" && typeof cell === "string") return undefined;
  if (wanted === "flag") return ACTIVE.get(String(cell));
  const value = exactNumber(String(cell));
  if (value === undefined) return undefined;
  if (wanted === "integer") return Number.isSafeInteger(value) ? value : undefined;
  return kind === "float32" ? shortestOf32(value) : value;
}

function refuseCell(name: string, cell: unknown, row: Readonly<Record<string, unknown>>, place: TablePlace): never {
  const expected = name === "status" ? `one of ${WORD_STATUSES.join(", ")}` : EXPECTED[wantedOf(name)];
  const which = name === "id" ? "" : ` in the row with id ${String(row.id)}`;
  return refuse(name, place, { problem: `invalid "${name}"${which}`, got: cell, expected });
}

function refuse(column: string, { shown, shape }: TablePlace, finding: Finding): never {
  return fail(error("sql.schema", { ...finding, where: { file: shown, path: `${shape.sqlName}.${column}` } }));
}

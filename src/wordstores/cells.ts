import { error, type Finding, fail } from "../errors/index.js";
import { WORD_STATUSES, type WordInput } from "../recipes/parse/rows.js";
import { ACTIVE } from "../recipes/wordCsv.js";
import type { Column, ColumnKind } from "./dialect.js";
import { columnsOfShape, missingValue, type TableShape } from "./shape.js";
import type { UnreadableRow } from "./store.js";

interface CellType {
  /** The kinds of database columns that can store such values exactly. */
  readonly kinds: readonly ColumnKind[];
  readonly expected: string;
  /** The type that a missing column gets. */
  readonly declared: string;
}

const WHOLE: readonly ColumnKind[] = ["integer", "decimal", "any"];
const INTEGER: CellType = { kinds: WHOLE, expected: "an integer", declared: "INTEGER" };
const TEXT: CellType = { kinds: ["text", "any"], expected: "text", declared: "VARCHAR(500)" };
const FLAG: CellType = {
  kinds: [...WHOLE, "boolean", "bit"],
  expected: "0 or 1, or a boolean",
  declared: "SMALLINT",
};
const NUMBER: CellType = {
  kinds: [...WHOLE, "float", "float32"],
  expected: "a decimal number of at most about 15 digits",
  declared: "DECIMAL(15, 3)",
};
const TYPES: ReadonlyMap<string, CellType> = new Map([
  ...["id", "tier"].map((name) => [name, INTEGER] as const),
  ...["word", "status", "proposer", "proposed"].map((name) => [name, TEXT] as const),
  ["active", FLAG],
]);
const REQUIRED: readonly string[] = ["id", "word", "active"];

/** Stats and weights are numbers. */
function typeOf(column: string): CellType {
  return TYPES.get(column) ?? NUMBER;
}

/** A table of a database. The keys of `columns` are in lower case. */
export interface StoredTable {
  readonly shown: string;
  readonly shape: TableShape;
  readonly columns: ReadonlyMap<string, Column>;
}

/** The columns of the recipe that the table has. Throws `sql.schema` for a missing or unsuitable column. */
export function columnsRead(table: StoredTable): readonly string[] {
  const { shape, columns } = table;
  for (const name of REQUIRED) if (!columns.has(name)) missingColumn(name, table, "every word table");
  if (shape.tierSlots.length > 0 && !columns.has("tier")) {
    missingColumn("tier", table, `the tiers of slot ${shape.tierSlots.join(", ")}`);
  }
  return columnsOfShape(shape).filter((name) => {
    const column = columns.get(name);
    const { kinds, expected } = typeOf(name);
    if (column !== undefined && !kinds.includes(column.kind)) {
      const problem = `the column ${name} has an unsuitable type`;
      refuse(name, table, { problem, got: column.type, expected: `a type for ${expected}` });
    }
    return column !== undefined;
  });
}

/** Throws `sql.schema` for a missing column. The remedy is the statement that adds the column. */
export function missingColumn(name: string, table: StoredTable, neededBy: string): never {
  const { shape } = table;
  const declaration = `${name} ${typeOf(name).declared} NOT NULL DEFAULT ${literal(missingValue(name, shape))}`;
  const remedy = `Add the column with ALTER TABLE ${shape.sqlName} ADD COLUMN ${declaration}`;
  const problem = `the column ${name} is missing, but Rollmill needs it for ${neededBy}`;
  return refuse(name, table, { problem, ...(name !== "id" && name !== "word" && { remedy }) });
}

export function literal(value: string | number): string {
  return typeof value === "string" ? `'${value}'` : String(value);
}

export interface MalformedRow extends UnreadableRow {
  /** Whether the word is accepted. */
  readonly isUsed: boolean;
}

type CellsRead = Readonly<Record<string, unknown>>;

export function rowOf(
  cells: CellsRead,
  table: StoredTable,
): { readonly row: WordInput } | { readonly malformed: MalformedRow } {
  const read = (name: string) => meaningOf(name, cells[name], table);
  const entries = Object.keys(cells).map((name) => [name, read(name)] as const);
  const bad = entries.find(([, value]) => value === undefined)?.[0];
  if (bad === undefined) return { row: Object.fromEntries(entries) as unknown as WordInput };
  const [id, word] = [read("id") as number | undefined, read("word") as string | undefined];
  const isUsed = cells.status !== "proposed" && cells.status !== "rejected";
  return { malformed: { id, word, isUsed, issues: [error("sql.schema", badCell(bad, cells, table))] } };
}

/** Returns undefined for an invalid value. NULL means the same as a missing column, unless the column is required. */
function meaningOf(name: string, cell: unknown, { shape, columns }: StoredTable): unknown {
  const type = typeOf(name);
  if (cell === null) return REQUIRED.includes(name) ? undefined : missingValue(name, shape);
  if (type === TEXT) {
    const isKnown = name !== "status" || WORD_STATUSES.some((status) => status === cell);
    return typeof cell === "string" && isKnown ? cell : undefined;
  }
  const kind = columns.get(name)?.kind;
  // in SQLite every value has its own type, so a number may be stored as text
  if (kind === "any" && typeof cell === "string") return undefined;
  if (type === FLAG) return ACTIVE.get(String(cell));
  const value = exactNumber(String(cell));
  if (value === undefined) return undefined;
  if (type === INTEGER) return Number.isSafeInteger(value) ? value : undefined;
  return kind === "float32" ? shortestOf32(value) : value;
}

function badCell(name: string, cells: CellsRead, { shown, shape }: StoredTable): Finding {
  const expected = name === "status" ? `one of ${WORD_STATUSES.join(", ")}` : typeOf(name).expected;
  const problem = `invalid "${name}"${name === "id" ? "" : ` in the row with id ${String(cells.id)}`}`;
  return { problem, got: cells[name], expected, where: { file: shown, path: `${shape.sqlName}.${name}` } };
}

function refuse(column: string, { shown, shape }: StoredTable, finding: Finding): never {
  return fail(error("sql.schema", { ...finding, where: { file: shown, path: `${shape.sqlName}.${column}` } }));
}

/**
 * Converts a decimal text such as "1.50" or "-2e-3" to a number that prints as the same decimal value. Returns undefined
 * for any other text, also if it has more digits than a number can represent, such as "9007199254740993".
 */
export function exactNumber(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || digitsOf(text) !== digitsOf(String(value))) return undefined;
  return value === 0 ? 0 : value;
}

/** `value` is a 32-bit float, given as a double. Returns the shortest decimal that rounds to this float. */
export function shortestOf32(value: number): number {
  for (let precision = 1; precision < 9; precision++) {
    const shorter = Number(value.toPrecision(precision));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}

// Equal values give equal results, such as "100" and "1e2": the sign, the digits and the exponent of the last digit.
function digitsOf(text: string): string {
  const [mantissa, exponent = "0"] = text.toLowerCase().split("e");
  const sign = mantissa.startsWith("-") ? "-" : "";
  const [whole, tail = ""] = mantissa.replace(/^[+-]/, "").split(".");
  const digits = (whole + tail).replace(/^0+/, "");
  const significant = digits.match(/^\d*[1-9]/)?.[0] ?? "";
  if (significant === "") return "0";
  return `${sign}${significant}e${Number(exponent) - tail.length + digits.length - significant.length}`;
}

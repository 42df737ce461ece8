import { type RawBuilder, sql } from "kysely";
import { decimalOf } from "../decimals.js";
import { error, type Finding, fail, failOnErrors, IssueList } from "../errors/index.js";
import { WORD_STATUSES, type WordInput } from "../recipes/parse/rows.js";
import { ACTIVE, ownCell } from "../recipes/wordCsv.js";
import type { Column, ColumnKind } from "./dialect.js";
import { canonicalRows, warnOfUnreadable } from "./rows.js";
import { type DatabaseCall, inTransaction, type Session, withDatabase } from "./session.js";
import { checkNames, columnsOfShape, missingValue, type TableShape } from "./shape.js";
import { type Decide, REPLACE_REMEDY, type TablesContent, type UnreadableRow, type WordStore } from "./store.js";

/** A statement binds at most this many values. SQLite's own limit is 32,766. */
const MAX_VALUES = 30_000;

export function storeOfDatabase(call: DatabaseCall): WordStore {
  return {
    load: async (shapes, onIssue) => {
      checkNames(shapes);
      // in one transaction, so that all tables belong to one state of the database
      const read = await withDatabase(call, "read", (session) =>
        inTransaction(session, undefined, async () => {
          const tables: { rows: WordInput[]; malformed: MalformedRow[] }[] = [];
          for (const shape of shapes) tables.push(await readTable(await openTable(session, shape)));
          return tables;
        }),
      );
      const malformed = read.flatMap((table) => table.malformed);
      if (onIssue === undefined) refuseUsed(malformed);
      else warnOfUnreadable(malformed, onIssue);
      return Object.fromEntries(shapes.map(({ name }, i) => [name, read[i].rows]));
    },
    save: async (shapes, content) => {
      checkNames(shapes);
      await withDatabase(call, "create", (session) =>
        inTransaction(session, shapes.map(lockOf), () => writeTables(session, shapes, content)),
      );
    },
    change: async ({ shape, locked }, decide) => {
      checkNames([shape]);
      await withDatabase(call, "write", async (session) => {
        const change = () => inTransaction(session, locked.map(lockOf), () => changeTable(session, shape, decide));
        try {
          await change();
        } catch (cause) {
          // another program inserted the word without taking the lock, so calls `decide` again with the current rows
          if (!session.dialect.isDuplicate(cause)) throw cause;
          await change();
        }
      });
    },
  };
}

/** Throws only the issues of accepted words, because items cannot have proposed or rejected words. */
function refuseUsed(malformed: readonly MalformedRow[]): void {
  const issues = new IssueList({ code: "sql.schema" });
  for (const row of malformed.filter(({ isUsed }) => isUsed)) for (const issue of row.issues) issues.add(issue);
  failOnErrors(issues.list());
}

function lockOf({ sqlName }: TableShape): string {
  return `rollmill ${sqlName}`;
}

/** A table of an open database. The keys of `columns` are in lower case. */
interface OpenTable extends Session {
  readonly shape: TableShape;
  readonly columns: ReadonlyMap<string, Column>;
}

/** Returns undefined if the table does not exist. */
async function findTable(session: Session, shape: TableShape): Promise<OpenTable | undefined> {
  const { connection, dialect } = session;
  const { rows } = await dialect.columns(shape.sqlName).execute(connection);
  const columns = rows.map(({ name, type }) => [name.toLowerCase(), { kind: dialect.kindOf(type), type }] as const);
  return columns.length === 0 ? undefined : { ...session, shape, columns: new Map(columns) };
}

async function openTable(session: Session, shape: TableShape): Promise<OpenTable> {
  const found = await findTable(session, shape);
  if (found !== undefined) return found;
  const problem = `the table ${shape.sqlName} is missing`;
  const remedy = "Import the recipe's tables into the database first";
  const where = { file: session.shown, path: shape.sqlName };
  return fail(error("sql.schema", { problem, remedy, where }));
}

async function readTable(table: OpenTable) {
  const { connection, dialect, shape, columns } = table;
  const selected = columnsRead(table).map(
    (name) => sql`${dialect.selected(name, columns.get(name)?.kind ?? "other")} as ${sql.ref(name)}`,
  );
  const result = await sql<Record<string, unknown>>`
    select ${sql.join(selected)} from ${sql.table(shape.sqlName)}`.execute(connection);
  const [rows, malformed]: [WordInput[], MalformedRow[]] = [[], []];
  for (const cells of result.rows) {
    const read = rowOf(cells, table);
    if ("row" in read) rows.push(read.row);
    else malformed.push(read.malformed);
  }
  return { rows: canonicalRows(rows, shape), malformed };
}

async function changeTable(session: Session, shape: TableShape, decide: Decide): Promise<void> {
  const table = await openTable(session, shape);
  await checkTransactions(table);
  if (!table.columns.has("status")) missingColumn("status", table, "a proposal");
  const { rows, malformed } = await readTable(table);
  const { row, isNew } = await decide(rows, malformed);
  if (isNew) await insertRows(table, [row]);
  else await updateRow(table, row);
  await checkWritten(table, [...rows.filter(({ id }) => id !== row.id), row]);
}

async function writeTables(
  session: Session,
  shapes: readonly TableShape[],
  { tables, replace }: TablesContent,
): Promise<void> {
  const { connection, dialect } = session;
  const created: TableShape[] = [];
  try {
    for (const shape of shapes) {
      if ((await findTable(session, shape)) !== undefined) continue;
      await createTable(session, shape, tables[shape.name]);
      created.push(shape);
    }
    // MySQL has ended the transaction at CREATE TABLE, so this line begins a new transaction
    if (dialect.weakTables) await sql.raw(dialect.beginWrite).execute(connection);
    for (const shape of shapes) await fillTable(await openTable(session, shape), tables[shape.name], replace);
  } catch (cause) {
    if (dialect.weakTables) {
      await sql`rollback`.execute(connection);
      for (const { sqlName } of created) await sql`drop table ${sql.table(sqlName)}`.execute(connection);
    }
    throw cause;
  }
}

async function createTable({ connection, dialect }: Session, shape: TableShape, rows: readonly WordInput[]) {
  const { id, word, active, status, text, number } = await dialect.declared(connection);
  const types = new Map([
    ["id", `${id} primary key`],
    ["word", `${word} not null unique`],
    ["active", active],
    ["status", status],
    ["tier", "integer"],
    ["proposer", text],
    ["proposed", text],
  ]);
  const columns = columnsOfShape(shape).map((name) => {
    const type = types.get(name) ?? number(decimalsOf(rows, name));
    const start = name === "id" || name === "word" ? "" : ` not null default ${literal(missingValue(name, shape))}`;
    return sql`${sql.ref(name)} ${sql.raw(`${type}${start}`)}`;
  });
  const engine = sql.raw(dialect.weakTables?.engine ?? "");
  await sql`create table ${sql.table(shape.sqlName)} (${sql.join(columns)})${engine}`.execute(connection);
}

async function fillTable(table: OpenTable, rows: readonly WordInput[], replace: boolean): Promise<void> {
  const { connection, shown } = table;
  const { sqlName } = table.shape;
  columnsRead(table);
  await checkTransactions(table);
  const { rows: some } = await sql`select 1 from ${sql.table(sqlName)} limit 1`.execute(connection);
  if (some.length > 0 && !replace) {
    const problem = `the table ${sqlName} already has rows`;
    fail(error("sql.query", { problem, remedy: REPLACE_REMEDY, where: { file: shown, path: sqlName } }));
  }
  if (some.length > 0) await sql`delete from ${sql.table(sqlName)}`.execute(connection);
  await insertRows(table, rows);
  await checkWritten(table, rows);
}

async function checkTransactions({ connection, dialect, shown, shape: { sqlName } }: OpenTable): Promise<void> {
  if ((await dialect.weakTables?.isTransactional(connection, sqlName)) !== false) return;
  const problem = `the table ${sqlName} does not support transactions`;
  const remedy = `Run: ALTER TABLE ${sqlName} ENGINE = InnoDB`;
  fail(error("sql.schema", { problem, remedy, where: { file: shown, path: sqlName } }));
}

async function insertRows(table: OpenTable, rows: readonly WordInput[]): Promise<void> {
  const { connection, dialect, shape } = table;
  const cells = rows.map((row) => cellsOf(row, shape));
  const used = columnsWritten(cells, table);
  const names = sql.join(used.map((name) => sql.ref(name)));
  const perStatement = Math.floor(MAX_VALUES / used.length);
  for (let start = 0; start < cells.length; start += perStatement) {
    const tuples: RawBuilder<unknown>[] = cells
      .slice(start, start + perStatement)
      .map((row) => sql`(${sql.join(used.map((name) => sql`${dialect.bound(row[name])}`))})`);
    await sql`insert into ${sql.table(shape.sqlName)} (${names}) values ${sql.join(tuples)}`.execute(connection);
  }
}

async function updateRow(table: OpenTable, row: WordInput): Promise<void> {
  const { connection, dialect, shape } = table;
  const cells = cellsOf(row, shape);
  const changes = columnsWritten([cells], table).map((name) => sql`${sql.ref(name)} = ${dialect.bound(cells[name])}`);
  await sql`update ${sql.table(shape.sqlName)} set ${sql.join(changes)}
    where id = ${dialect.bound(row.id)}`.execute(connection);
}

type Cells = Readonly<Record<string, string | number>>;

function cellsOf(row: WordInput, shape: TableShape): Cells {
  const cells = columnsOfShape(shape).map((column) => {
    const value = (ownCell(row, column) ?? missingValue(column, shape)) as string | number | boolean;
    return [column, typeof value === "boolean" ? Number(value) : value] as const;
  });
  return Object.fromEntries(cells);
}

function columnsWritten(cells: readonly Cells[], table: OpenTable): readonly string[] {
  const { shape, columns } = table;
  return columnsOfShape(shape).filter((name) => {
    if (columns.has(name)) return true;
    const needs = cells.find((row) => row[name] !== missingValue(name, shape));
    if (needs !== undefined) missingColumn(name, table, `the word ${JSON.stringify(needs.word)}`);
    return false;
  });
}

// reads the rows back: a column with too few decimals rounds a number, and a trigger or a character set changes a text
async function checkWritten(table: OpenTable, wanted: readonly WordInput[]): Promise<void> {
  const { rows } = await readTable(table);
  const expected = canonicalRows(wanted, table.shape);
  const at = expected.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(rows[i]));
  if (at < 0 && rows.length === expected.length) return;
  const row: Readonly<Record<string, unknown>> = rows[at] ?? {};
  const [column = "", value] = Object.entries(expected[at] ?? {}).find(([key, cell]) => row[key] !== cell) ?? [];
  const problem = "the database did not store a value as it was written";
  const remedy =
    "Give the column a type that can store the value, for example with more decimals, and check for triggers";
  refuse(column, table, { problem, got: row[column], expected: String(value), remedy });
}

function decimalsOf(rows: readonly WordInput[], column: string): number {
  const numbers = rows.map((row) => Math.abs(Number(ownCell(row, column) ?? 0)));
  return numbers.reduce((most, number) => Math.max(most, -decimalOf(String(number)).exponent), 0);
}

/** A type of values: the kinds of columns that store them exactly, and the SQL type to declare for a missing column. */
interface CellType {
  readonly kinds: readonly ColumnKind[];
  readonly expected: string;
  readonly declared: string;
}

const WHOLE: readonly ColumnKind[] = ["integer", "decimal", "any"];
const NUMBERS: readonly ColumnKind[] = [...WHOLE, "float", "float32"];
const INTEGER: CellType = { kinds: WHOLE, expected: "an integer", declared: "INTEGER" };
const TEXT: CellType = { kinds: ["text", "any"], expected: "text", declared: "VARCHAR(500)" };
const FLAG: CellType = { kinds: [...WHOLE, "boolean", "bit"], expected: "0 or 1, or a boolean", declared: "SMALLINT" };
const NUMBER = { kinds: NUMBERS, expected: "a decimal number of at most about 15 digits", declared: "DECIMAL(15, 3)" };
const TYPES = new Map([
  ["id", INTEGER],
  ["word", TEXT],
  ["active", FLAG],
  ["tier", INTEGER],
  ...["status", "proposer", "proposed"].map((name) => [name, TEXT] as const),
]);
const REQUIRED: readonly string[] = ["id", "word", "active"];

function typeOf(column: string): CellType {
  return TYPES.get(column) ?? NUMBER;
}

/** Returns the recipe's columns that the table has. Throws `sql.schema` for a missing or unsuitable column. */
function columnsRead(table: OpenTable): readonly string[] {
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

/** Throws `sql.schema`. The remedy is the statement that adds the column. */
function missingColumn(name: string, table: OpenTable, neededBy: string): never {
  const { shape } = table;
  const declaration = `${name} ${typeOf(name).declared} NOT NULL DEFAULT ${literal(missingValue(name, shape))}`;
  const remedy = `Add the column with ALTER TABLE ${shape.sqlName} ADD COLUMN ${declaration}`;
  const problem = `the column ${name} is missing, but Rollmill needs it for ${neededBy}`;
  return refuse(name, table, { problem, ...(name !== "id" && name !== "word" && { remedy }) });
}

function literal(value: string | number): string {
  return typeof value === "string" ? `'${value}'` : String(value);
}

interface MalformedRow extends UnreadableRow {
  /** Whether the word is accepted, so that items can have it. */
  readonly isUsed: boolean;
}

type CellsRead = Readonly<Record<string, unknown>>;

function rowOf(cells: CellsRead, table: OpenTable): { row: WordInput } | { malformed: MalformedRow } {
  const read = (name: string) => meaningOf(name, cells[name], table);
  const entries = Object.keys(cells).map((name) => [name, read(name)] as const);
  const bad = entries.find(([, value]) => value === undefined)?.[0];
  if (bad === undefined) return { row: Object.fromEntries(entries) as unknown as WordInput };
  const [id, word] = [read("id") as number | undefined, read("word") as string | undefined];
  const isUsed = cells.status !== "proposed" && cells.status !== "rejected";
  return { malformed: { id, word, isUsed, issues: [error("sql.schema", badCell(bad, cells, table))] } };
}

/** Returns undefined for an invalid value. NULL means the same as a missing column, unless the column is required. */
function meaningOf(name: string, cell: unknown, { shape, columns }: OpenTable): unknown {
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

function badCell(name: string, cells: CellsRead, { shown, shape }: OpenTable): Finding {
  const expected = name === "status" ? `one of ${WORD_STATUSES.join(", ")}` : typeOf(name).expected;
  const problem = `invalid "${name}"${name === "id" ? "" : ` in the row with id ${String(cells.id)}`}`;
  return { problem, got: cells[name], expected, where: { file: shown, path: `${shape.sqlName}.${name}` } };
}

function refuse(column: string, { shown, shape }: OpenTable, finding: Finding): never {
  return fail(error("sql.schema", { ...finding, where: { file: shown, path: `${shape.sqlName}.${column}` } }));
}

/** Returns the number that prints as the decimal `text`; undefined if no number does, as for "9007199254740993". */
export function exactNumber(text: string): number | undefined {
  if (!/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return undefined;
  const value = Number(text);
  const [given, stored] = [text.toLowerCase(), String(value)].map((one) => decimalOf(one.replace(/^[+-]/, "")));
  if (given.digits !== stored.digits || given.exponent !== stored.exponent) return undefined;
  return value === 0 ? 0 : value;
}

/** `value` must be a 32-bit float. Returns the shortest decimal that rounds to this float. */
export function shortestOf32(value: number): number {
  for (let precision = 1; precision < 9; precision++) {
    const shorter = Number(value.toPrecision(precision));
    if (Math.fround(shorter) === value) return shorter;
  }
  return Number(value.toPrecision(9));
}

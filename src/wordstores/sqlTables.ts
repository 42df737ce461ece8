import { type RawBuilder, sql } from "kysely";
import { error, fail } from "../errors/index.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import { ownCell } from "../recipes/wordCells.js";
import { columnsRead, type MalformedRow, missingColumn, rowOf } from "./cells.js";
import type { Decide } from "./change.js";
import type { Column } from "./dialect.js";
import { type DatabaseCall, inTransaction, type Session, withDatabase } from "./session.js";
import { checkNames, columnsOfShape, missingValue, type TableShape } from "./shape.js";
import { canonicalRows, REPLACE_REMEDY } from "./wordRows.js";

/** A statement binds at most this many values. SQLite's own limit is 32,766. */
const MAX_VALUES = 30_000;

/** Reads all tables in one transaction. Skips malformed rows, and passes them to `report`. */
export async function loadFromDatabase(
  call: DatabaseCall,
  shapes: readonly TableShape[],
  report: Report,
): Promise<TablesInput> {
  checkNames(shapes);
  const read = await withDatabase(call, "read", (session) =>
    inTransaction(session, { access: "read" }, async () => {
      const tables: ReadRows[] = [];
      for (const shape of shapes) tables.push(await readTable(session, shape, await columnsOf(session, shape)));
      return tables;
    }),
  );
  report(read.flatMap(({ malformed }) => malformed));
  return Object.fromEntries(shapes.map(({ name }, i) => [name, read[i].rows]));
}

type Report = (malformed: readonly MalformedRow[]) => void;

export async function saveToDatabase(
  call: DatabaseCall,
  shapes: readonly TableShape[],
  { tables, replace }: { readonly tables: TablesInput; readonly replace: boolean },
): Promise<void> {
  checkNames(shapes);
  await withDatabase(call, "create", (session) =>
    inTransaction(session, { access: "write", locks: shapes.map(lockOf) }, () =>
      writeTables(session, shapes, { tables, replace }),
    ),
  );
}

/**
 * Calls `decide` with the rows of a table, and makes the change that it returns. Locks the tables `locked` first. Every
 * call locks them in the same order, so two calls never wait for each other.
 */
export async function changeInDatabase(
  call: DatabaseCall,
  { shape, locked }: { readonly shape: TableShape; readonly locked: readonly TableShape[] },
  decide: Decide,
): Promise<void> {
  checkNames([shape]);
  await withDatabase(call, "write", async (session) => {
    const change = () =>
      inTransaction(session, { access: "write", locks: locked.map(lockOf) }, () => changeTable(session, shape, decide));
    try {
      await change();
    } catch (cause) {
      // another program inserted the word without taking the lock, so calls `decide` again with the current rows
      if (!session.dialect.isDuplicate(cause)) throw cause;
      await change();
    }
  });
}

async function changeTable(session: Session, shape: TableShape, decide: Decide): Promise<void> {
  const columns = await columnsOf(session, shape);
  await checkTransactions(session, shape);
  if (!columns.has("status")) missingColumn("status", { shown: session.shown, shape }, "a proposal");
  const { rows, malformed } = await readTable(session, shape, columns);
  const change = await decide(rows, malformed);
  if ("insert" in change) {
    await insertRows(session, shape, { columns, rows: [change.insert] });
    return checkWritten(session, shape, [...rows, change.insert]);
  }
  const { update } = change;
  await updateRow(session, shape, { columns, row: update });
  return checkWritten(
    session,
    shape,
    rows.map((row) => (row.id === update.id ? update : row)),
  );
}

function lockOf({ sqlName }: TableShape): string {
  return `rollmill ${sqlName}`;
}

async function columnsOf({ connection, dialect, shown }: Session, { sqlName }: TableShape) {
  const columns = await dialect.columnsOf(connection, sqlName);
  if (columns !== undefined) return columns;
  const where = { file: shown, path: sqlName };
  const remedy = "Import the recipe's tables into the database first";
  return fail(error("sql.schema", { problem: `the table ${sqlName} is missing`, remedy, where }));
}

interface ReadRows {
  readonly rows: WordInput[];
  readonly malformed: readonly MalformedRow[];
}

async function readTable(
  { connection, dialect, shown }: Session,
  shape: TableShape,
  columns: ReadonlyMap<string, Column>,
): Promise<ReadRows> {
  const place = { shown, shape };
  const names = columnsRead(columns, place);
  const selected = names.map(
    (name) => sql`${dialect.selected(name, columns.get(name)?.kind ?? "other")} as ${sql.ref(name)}`,
  );
  const result = await sql<Record<string, unknown>>`
    select ${sql.join(selected)} from ${sql.table(shape.sqlName)}`.execute(connection);
  const [rows, malformed]: [WordInput[], MalformedRow[]] = [[], []];
  for (const cells of result.rows) {
    const read = rowOf(cells, columns, place);
    if ("row" in read) rows.push(read.row);
    else malformed.push(read.malformed);
  }
  return { rows: canonicalRows(rows, shape), malformed };
}

async function writeTables(
  session: Session,
  shapes: readonly TableShape[],
  { tables, replace }: { readonly tables: TablesInput; readonly replace: boolean },
): Promise<void> {
  const { connection, dialect } = session;
  const created: TableShape[] = [];
  try {
    for (const shape of shapes) {
      if ((await dialect.columnsOf(connection, shape.sqlName)) !== undefined) continue;
      const statement = await dialect.create(connection, shape, decimalsOf(tables[shape.name], shape));
      await statement.execute(connection);
      created.push(shape);
    }
    // MySQL has ended the transaction at CREATE TABLE, so this line begins a new transaction
    if (!dialect.createsInTransaction) await sql.raw(dialect.beginWrite).execute(connection);
    for (const shape of shapes) await fillTable(session, shape, { rows: tables[shape.name], replace });
  } catch (cause) {
    if (!dialect.createsInTransaction) {
      await sql`rollback`.execute(connection);
      for (const { sqlName } of created) await sql`drop table ${sql.table(sqlName)}`.execute(connection);
    }
    throw cause;
  }
}

async function fillTable(
  session: Session,
  shape: TableShape,
  { rows, replace }: { readonly rows: readonly WordInput[]; readonly replace: boolean },
): Promise<void> {
  const { connection, shown } = session;
  const { sqlName } = shape;
  const columns = await columnsOf(session, shape);
  columnsRead(columns, { shown, shape });
  await checkTransactions(session, shape);
  const { rows: some } = await sql`select 1 from ${sql.table(sqlName)} limit 1`.execute(connection);
  if (some.length > 0 && !replace) {
    const finding = {
      problem: `the table ${sqlName} already has rows`,
      remedy: REPLACE_REMEDY,
    };
    fail(error("sql.query", { ...finding, where: { file: shown, path: sqlName } }));
  }
  if (some.length > 0) await sql`delete from ${sql.table(sqlName)}`.execute(connection);
  await insertRows(session, shape, { columns, rows });
  await checkWritten(session, shape, rows);
}

async function checkTransactions({ connection, dialect, shown }: Session, { sqlName }: TableShape): Promise<void> {
  if (await dialect.isTransactional(connection, sqlName)) return;
  const problem = `the table ${sqlName} does not support transactions`;
  const remedy = `Run: ALTER TABLE ${sqlName} ENGINE = InnoDB`;
  fail(error("sql.schema", { problem, remedy, where: { file: shown, path: sqlName } }));
}

async function insertRows(
  { connection, dialect, shown }: Session,
  shape: TableShape,
  { columns, rows }: { readonly columns: ReadonlyMap<string, Column>; readonly rows: readonly WordInput[] },
): Promise<void> {
  const cells = rows.map((row) => cellsOf(row, shape));
  const used = columnsWritten(cells, columns, { shown, shape });
  const names = sql.join(used.map((name) => sql.ref(name)));
  const perStatement = Math.floor(MAX_VALUES / used.length);
  for (let start = 0; start < cells.length; start += perStatement) {
    const tuples: RawBuilder<unknown>[] = cells
      .slice(start, start + perStatement)
      .map((row) => sql`(${sql.join(used.map((name) => sql`${dialect.bound(row[name])}`))})`);
    await sql`insert into ${sql.table(shape.sqlName)} (${names}) values ${sql.join(tuples)}`.execute(connection);
  }
}

type Cells = Readonly<Record<string, string | number>>;

function cellsOf(row: WordInput, shape: TableShape): Cells {
  const cells = columnsOfShape(shape).map((column) => {
    return [column, (ownCell(row, column) ?? missingValue(column, shape)) as string | number] as const;
  });
  return { ...Object.fromEntries(cells), active: row.active ? 1 : 0 };
}

function columnsWritten(
  cells: readonly Cells[],
  columns: ReadonlyMap<string, Column>,
  place: { readonly shown: string; readonly shape: TableShape },
): readonly string[] {
  const { shape } = place;
  return columnsOfShape(shape).filter((name) => {
    if (columns.has(name)) return true;
    const needs = cells.find((row) => row[name] !== missingValue(name, shape));
    if (needs !== undefined) missingColumn(name, place, `the word ${JSON.stringify(needs.word)}`);
    return false;
  });
}

async function updateRow(
  { connection, dialect, shown }: Session,
  shape: TableShape,
  { columns, row }: { readonly columns: ReadonlyMap<string, Column>; readonly row: WordInput },
): Promise<void> {
  const cells = cellsOf(row, shape);
  const used = columnsWritten([cells], columns, { shown, shape });
  const changes = used.map((name) => sql`${sql.ref(name)} = ${dialect.bound(cells[name])}`);
  await sql`update ${sql.table(shape.sqlName)} set ${sql.join(changes)}
    where id = ${dialect.bound(row.id)}`.execute(connection);
}

// Reads the rows back before the transaction ends, because a database can change values. For example, a column with too
// few decimals rounds a number. A trigger or a character set can change a text.
async function checkWritten(session: Session, shape: TableShape, wanted: readonly WordInput[]): Promise<void> {
  const { rows } = await readTable(session, shape, await columnsOf(session, shape));
  const expected = canonicalRows(wanted, shape);
  const at = expected.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(rows[i]));
  if (at < 0 && rows.length === expected.length) return;
  const row: Readonly<Record<string, unknown>> = rows[at] ?? {};
  const [column = "", value] = Object.entries(expected[at] ?? {}).find(([key, cell]) => row[key] !== cell) ?? [];
  const where = { file: session.shown, path: `${shape.sqlName}.${column}` };
  const finding = {
    problem: "the database did not store a value as it was written",
    got: row[column],
    expected: String(value),
  };
  const remedy =
    "Give the column a type that can store the value, for example with more decimals, and check for triggers";
  fail(error("sql.schema", { ...finding, remedy, where }));
}

/** Returns how many decimal places each stat of a table needs. Includes the column of weights. */
function decimalsOf(rows: readonly WordInput[], { stats, weight }: TableShape): ReadonlyMap<string, number> {
  const columns = weight === undefined ? stats : [weight, ...stats];
  return new Map(
    columns.map((name) => [name, rows.reduce((most, row) => Math.max(most, decimals(ownCell(row, name))), 0)]),
  );
}

function decimals(value: unknown): number {
  const [mantissa, exponent = "0"] = String(value ?? 0).split("e");
  return Math.max((mantissa.split(".")[1] ?? "").length - Number(exponent), 0);
}

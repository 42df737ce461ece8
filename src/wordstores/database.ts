import { type RawBuilder, sql } from "kysely";
import { error, fail, failOnErrors, IssueList } from "../errors/index.js";
import type { WordInput } from "../recipes/types.js";
import { ownCell } from "../recipes/wordCsv.js";
import { columnsRead, literal, type MalformedRow, missingColumn, rowOf, type StoredTable } from "./cells.js";
import { canonicalRows, warnOfUnreadable } from "./rows.js";
import { type DatabaseCall, inTransaction, type Session, withDatabase } from "./session.js";
import { checkNames, columnsOfShape, missingValue, type TableShape } from "./shape.js";
import { type Decide, REPLACE_REMEDY, type TablesContent, type WordStore } from "./store.js";

/** A statement binds at most this many values. SQLite's own limit is 32,766. */
const MAX_VALUES = 30_000;

export function storeOfDatabase(call: DatabaseCall): WordStore {
  return {
    load: async (shapes, onIssue) => {
      checkNames(shapes);
      // one transaction, so that all tables belong to one state of the database
      const read = await withDatabase(call, "read", (session) =>
        inTransaction(session, undefined, async () => {
          const tables: Awaited<ReturnType<typeof readTable>>[] = [];
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

/** No item can have a proposed or rejected word. */
function refuseUsed(malformed: readonly MalformedRow[]): void {
  const issues = new IssueList({ code: "sql.schema" });
  for (const row of malformed.filter(({ isUsed }) => isUsed)) for (const issue of row.issues) issues.add(issue);
  failOnErrors(issues.list());
}

function lockOf({ sqlName }: TableShape): string {
  return `rollmill ${sqlName}`;
}

/** A table of an open database. */
interface OpenTable extends Session, StoredTable {}

/** Undefined if the table does not exist. */
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

async function readTable(
  table: OpenTable,
): Promise<{ readonly rows: WordInput[]; readonly malformed: readonly MalformedRow[] }> {
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

// a column with too few decimals rounds a number, and a trigger or a character set can change a text
async function checkWritten(table: OpenTable, wanted: readonly WordInput[]): Promise<void> {
  const { shape, shown } = table;
  const { rows } = await readTable(table);
  const expected = canonicalRows(wanted, shape);
  const at = expected.findIndex((row, i) => JSON.stringify(row) !== JSON.stringify(rows[i]));
  if (at < 0 && rows.length === expected.length) return;
  const row: Readonly<Record<string, unknown>> = rows[at] ?? {};
  const [column = "", value] = Object.entries(expected[at] ?? {}).find(([key, cell]) => row[key] !== cell) ?? [];
  const where = { file: shown, path: `${shape.sqlName}.${column}` };
  const problem = "the database did not store a value as it was written";
  const remedy =
    "Give the column a type that can store the value, for example with more decimals, and check for triggers";
  fail(error("sql.schema", { problem, got: row[column], expected: String(value), remedy, where }));
}

function decimalsOf(rows: readonly WordInput[], column: string): number {
  return rows.reduce((most, row) => {
    const [mantissa, exponent = "0"] = String(ownCell(row, column) ?? 0).split("e");
    return Math.max(most, (mantissa.split(".")[1] ?? "").length - Number(exponent));
  }, 0);
}

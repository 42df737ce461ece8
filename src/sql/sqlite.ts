import { closeSync, existsSync, openSync, readSync } from "node:fs";
import { type SqliteDatabase, SqliteDialect, sql } from "kysely";
import type { Database, JSValue } from "node-sqlite3-wasm";
import { error, fail } from "../errors/index.js";
import { type Access, type Column, laterColumns, type SqlDialect } from "./dialect.js";
import { loadDriver, messageOf } from "./driver.js";

/** SQLite, compiled to WebAssembly, through the optional package node-sqlite3-wasm. It needs no server. */
export const sqlite: SqlDialect = {
  open: async (address, access) => {
    checkFile(address, access);
    const { Database } = await sqliteModule();
    const options = { readOnly: access === "read", fileMustExist: access !== "create" };
    return new SqliteDialect({ database: async () => adapted(new Database(address, options)) });
  },
  setUp: [],
  beginRead: "begin",
  beginWrite: "begin immediate",
  createsInTransaction: true,
  async columnsOf(connection, table) {
    const { rows } = await sql<{ readonly name: string; readonly type: string }>`
      select name, type from pragma_table_info(${table})`.execute(connection);
    if (rows.length === 0) return undefined;
    return new Map(rows.map(({ name, type }): [string, Column] => [name.toLowerCase(), { kind: "any", type }]));
  },
  isTransactional: async () => true,
  selected: (column) => sql.ref(column),
  bound: (value) => value,
  create: async (_, shape) => sql`create table ${sql.table(shape.sqlName)} (
    id integer primary key, word text not null collate binary unique, active integer not null default 1,
    ${laterColumns(shape)})`,
  // does nothing, because a writing transaction locks the whole database
  lock: async () => undefined,
  unlock: async () => undefined,
  isDuplicate: (cause) => /^UNIQUE constraint failed/.test(messageOf(cause)),
  isBusy: () => false,
  isPassing: (cause) => /database (?:table )?is locked/.test(messageOf(cause)),
};

// The package is CommonJS: some loaders provide its named exports, others only the default export.
async function sqliteModule(): Promise<{ readonly Database: typeof Database }> {
  const loaded = await loadDriver("node-sqlite3-wasm", () => import("node-sqlite3-wasm"));
  return "Database" in loaded
    ? loaded
    : (loaded as { readonly default: { readonly Database: typeof Database } }).default;
}

// Checks the file before the driver opens it, because the driver's own errors do not name the fault.
function checkFile(path: string, access: Access): void {
  if (!existsSync(path)) {
    if (access === "create") return;
    fail(error("sql.connect", { problem: "the database does not exist", got: path, where: { file: path } }));
  }
  const header = Buffer.alloc(20);
  const file = openSync(path, "r");
  const length = readSync(file, header);
  closeSync(file);
  // https://www.sqlite.org/fileformat.html#the_database_header; an empty file is a new database
  if (length > 0 && header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    fail(error("sql.connect", { problem: "the file is not an SQLite database", where: { file: path } }));
  }
  if (header[18] === 2) {
    const problem = "the database uses a write-ahead log, which this build of SQLite cannot share";
    const remedy = "Run PRAGMA journal_mode=DELETE in the program that uses the database";
    fail(error("sql.connect", { problem, remedy, where: { file: path } }));
  }
}

/** Adapts a database to kysely's interface. Statements are not cached, so none has to be finalized. */
function adapted(database: Database): SqliteDatabase {
  return {
    close: () => database.close(),
    prepare: (text) => ({
      reader: /^\s*select\b/i.test(text),
      all: (values) => database.all(text, values as JSValue[]),
      run: (values) => database.run(text, values as JSValue[]),
      iterate: (values) => database.all(text, values as JSValue[]).values(),
    }),
  };
}

import { accessSync, constants, existsSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { SqliteDialect, sql } from "kysely";
import { error, fail, messageOf } from "../errors/index.js";
import { type Access, CHECKED_STATUS, codeOf, type DriverConnection, type SqlDialect } from "./dialect.js";
import { loadPackage, nodeSqlite, SQLITE_REMEDY } from "./driver.js";

/** SQLite. The drivers do not wait for a lock, because a wait would block the process. `inTransaction` tries again. */
export const sqlite: SqlDialect = {
  async open(address, access) {
    if (access !== "create" && !existsSync(address)) {
      fail(error("sql.connect", { problem: "the database does not exist", got: address, where: { file: address } }));
    }
    const openDatabase = await loadSqlite();
    const readOnly = isReadOnly(address, access);
    // makes the path absolute, because node:sqlite reads a name that begins with "file:" as a URI
    return connectionOf(() => openDatabase(resolve(address), { readOnly }));
  },
  Kysely: SqliteDialect,
  // By default, better-sqlite3 can lose a change in a write-ahead log if the machine loses power. The select fails if
  // the file is not a database.
  setUp: () => ["pragma synchronous = full", "select 1 from sqlite_master limit 1"],
  beginRead: "begin",
  beginWrite: "begin immediate",
  columns: (table) => sql`select name, type from pragma_table_info(${table})`,
  kindOf: () => "any",
  // Node 22 cuts off a text at the first NUL. So a text with a NUL is selected as bytes, which are not a valid cell.
  selected(column) {
    const name = sql.ref(column);
    const isCut = sql`typeof(${name}) = 'text' and instr(${name}, char(0))`;
    return sql`case when ${isCut} then cast(${name} as blob) else ${name} end`;
  },
  bound: (value) => value,
  declared: async () => ({
    id: "integer",
    word: "text collate binary",
    active: "integer",
    status: CHECKED_STATUS,
    text: "text",
    number: () => "numeric",
  }),
  isDuplicate: (cause) => /^UNIQUE constraint failed/.test(messageOf(cause)),
  isBusy,
  isPassing: isBusy,
  // a reader can delay a commit: then the commit fails, but the transaction stays open
  canRepeatCommit: isBusy,
  isLost: () => false,
};

// SQLITE_BUSY is 5, and SQLITE_LOCKED is 6 (https://www.sqlite.org/rescode.html). node:sqlite has the code in the low
// byte of `errcode`; better-sqlite3 has the name of the code at the start of `code`
function isBusy(cause: unknown): boolean {
  const { errcode } = (cause ?? {}) as { readonly errcode?: unknown };
  if (typeof errcode === "number") return [5, 6].includes(errcode & 0xff);
  return /^SQLITE_(?:BUSY|LOCKED)(?:_|$)/.test(codeOf(cause));
}

/** The functions of the drivers node:sqlite and better-sqlite3 that this file uses. */
interface SqliteDatabase {
  prepare(statement: string): SqliteStatement;
  close(): void;
}
interface SqliteStatement {
  all(...values: unknown[]): readonly unknown[];
  /** Runs a statement that returns no rows. */
  run(...values: unknown[]): unknown;
  // only node:sqlite has `setReadBigInts`; only better-sqlite3 has `safeIntegers` and `reader`
  setReadBigInts?(isOn: true): void;
  safeIntegers?(isOn: true): void;
  readonly reader?: boolean;
}
type Open = (path: string, options: { readonly readOnly: boolean }) => SqliteDatabase;

async function loadSqlite(): Promise<Open> {
  type Driver<Options> = new (path: string, options: Options & { readonly timeout: 0 }) => SqliteDatabase;
  const builtin = nodeSqlite();
  if (builtin !== undefined) {
    const { DatabaseSync } = builtin as { readonly DatabaseSync: Driver<{ readonly readOnly: boolean }> };
    return (path, { readOnly }) => new DatabaseSync(path, { readOnly, timeout: 0 });
  }
  // a CommonJS package that has no types
  const load = async (): Promise<Driver<{ readonly readonly: boolean }>> =>
    createRequire(import.meta.url)("better-sqlite3");
  const Database = await loadPackage("better-sqlite3", load, SQLITE_REMEDY);
  return (path, { readOnly }) => new Database(path, { readonly: readOnly, timeout: 0 });
}

/**
 * A driver finishes each statement before it returns, so no statement can time out. Only the driver opens the file,
 * because closing a second handle would release all locks of the process. Source: sqlite.org/howtocorrupt.html, 2.2.
 */
function connectionOf(open: () => SqliteDatabase): DriverConnection {
  let database: SqliteDatabase | undefined;
  const close = () => database?.close();
  return {
    connect: async () => {
      database = open();
    },
    query: async (text, values) => {
      const statement = database?.prepare(text);
      // binds integers as bigints: a driver binds a number as a real, and 5.0 differs from 5 in a column without a type
      const bound = values.map((value) => (Number.isSafeInteger(value) ? BigInt(value as number) : value));
      if (statement?.reader === false) {
        statement.run(...bound);
        return [];
      }
      // reads integers as bigints: as a number, a large integer would be rounded, or cause an error
      statement?.setReadBigInts?.(true);
      statement?.safeIntegers?.(true);
      return statement?.all(...bound) ?? [];
    },
    close,
    destroy: close,
  };
}

// Even a call that only reads may have to write: SQLite undoes the unfinished changes of a killed program, and updates
// the index of the write-ahead log. So only a file without the permission to write is opened read-only.
function isReadOnly(path: string, access: Access): boolean {
  if (access !== "read") return false;
  try {
    accessSync(path, constants.W_OK);
    return false;
  } catch {
    return true;
  }
}

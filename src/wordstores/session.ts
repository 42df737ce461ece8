import { CompiledQuery, type DatabaseConnection, DummyDriver, Kysely } from "kysely";
import { error, fail, type Issue, messageOf, RollmillError } from "../errors/index.js";
import type { Access, Connection, DriverConnection, SqlDialect } from "./dialect.js";
import { type Limits, newGuard, retrying } from "./limits.js";
import { mysql } from "./mysql.js";
import type { DatabasePlace } from "./place.js";
import { postgres } from "./postgres.js";
import { sqlite } from "./sqlite.js";

export interface Session {
  readonly connection: Connection;
  readonly dialect: SqlDialect;
  readonly limits: Limits;
  readonly shown: string;
}

export interface DatabaseCall {
  readonly place: DatabasePlace;
  readonly limits: Limits;
}

const DIALECTS = { sqlite, postgres, mysql };

/** Throws `sql.*`; `recipe.duplicate` if a unique index refuses a row; the reason of the signal. */
export async function withDatabase<T>(
  { place: { kind, address, shown }, limits }: DatabaseCall,
  access: Access,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  limits.signal?.throwIfAborted();
  const dialect = DIALECTS[kind];
  const opened = await dialect.open(address, access);
  const guard = newGuard(limits, shown, () => opened.destroy());
  const connection = connectionOf(dialect, opened, guard);
  let isOpen = false;
  try {
    await guard.within(() => opened.connect());
    for (const statement of dialect.setUp(limits)) {
      await retrying(dialect.isPassing, () => connection.executeQuery(CompiledQuery.raw(statement)), limits);
    }
    isOpen = true;
    return await work({ connection, dialect, limits, shown });
  } catch (cause) {
    if (cause instanceof RollmillError || (limits.signal?.aborted && cause === limits.signal.reason)) throw cause;
    return fail(issueOf(cause, { dialect, shown, limits }, { kind, isOpen }), cause);
  } finally {
    if (!guard.isClosed) opened.close();
  }
}

function connectionOf(
  { Kysely: Dialect }: SqlDialect,
  opened: DriverConnection,
  guard: ReturnType<typeof newGuard>,
): Connection {
  const connection: DatabaseConnection = {
    executeQuery: async <R>({ sql, parameters }: CompiledQuery) => {
      const rows = await guard.within(() => opened.query(sql, parameters), sql);
      return { rows: rows as R[] };
    },
    streamQuery: () => fail(error("sql.query", { problem: "results are not streamed" })),
  };
  const driver = new DummyDriver();
  driver.acquireConnection = async () => connection;
  const dialect = new Dialect({} as never);
  dialect.createDriver = () => driver;
  return new Kysely({ dialect });
}

function issueOf(
  cause: unknown,
  { dialect, shown, limits }: Omit<Session, "connection">,
  { kind, isOpen }: { readonly kind: DatabasePlace["kind"]; readonly isOpen: boolean },
): Issue {
  const where = { file: shown };
  const got = messageOf(cause);
  if (dialect.isPassing(cause) || dialect.isBusy(cause)) {
    const problem = `another program kept the database busy for ${limits.lockMs} ms`;
    const remedy = "Try again, end the other program's transaction, or set a greater timeoutMs";
    return error("sql.busy", { problem, remedy, where });
  }
  if (!isOpen) {
    const remedy =
      kind === "sqlite"
        ? "Check that the path names an SQLite file, and that the file and its folder are writable"
        : "Check that the server is running, and that the host, port, user, password and database are correct";
    return error("sql.connect", { problem: "the database cannot be reached", got, remedy, where });
  }
  if (dialect.isLost(cause)) {
    const remedy = "Check the server. If the call writes, read the tables to see whether it stored the change";
    return error("sql.connect", { problem: "the connection to the database was lost", got, remedy, where });
  }
  if (dialect.isDuplicate(cause)) {
    const problem = `a unique index of the database refuses a word or an id (${got})`;
    const remedy = "If the words differ, give the column word a collation that compares bytes";
    return error("recipe.duplicate", { problem, remedy, where });
  }
  return error("sql.query", { problem: `the database refuses a statement (${got})`, where });
}

/** Runs `work` in a transaction. Repeats it after a temporary error. Without `locks`, the transaction only reads. */
export async function inTransaction<T>(
  { connection, dialect, limits }: Session,
  locks: readonly string[] | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const run = (statement: string) => connection.executeQuery(CompiledQuery.raw(statement));
  const attempt = async () => {
    const held: string[] = [];
    try {
      await run(locks === undefined ? dialect.beginRead : dialect.beginWrite);
      for (const name of locks ?? []) {
        await dialect.lock?.(connection, name, limits);
        held.push(name);
      }
      const result = await work();
      await retrying(dialect.canRepeatCommit ?? (() => false), () => run("commit"), limits);
      return result;
    } catch (cause) {
      // ignores an error of the rollback: the database may have ended the transaction itself
      await run("rollback").catch(() => undefined);
      throw cause;
    } finally {
      for (const name of held) await dialect.unlock?.(connection, name).catch(() => undefined);
    }
  };
  return retrying(dialect.isPassing, attempt, limits);
}

import { CompiledQuery, Kysely } from "kysely";
import { error, fail, RollmillError } from "../errors/index.js";
import type { Access, Connection, SqlDialect } from "./dialect.js";
import { messageOf } from "./driver.js";
import { mysql } from "./mysql.js";
import type { DatabasePlace } from "./place.js";
import { postgres } from "./postgres.js";
import { retrying } from "./retry.js";
import { sqlite } from "./sqlite.js";

/** An open database. */
export interface Session {
  readonly connection: Connection;
  readonly dialect: SqlDialect;
  /** Name of the database in messages, without a password. */
  readonly shown: string;
}

const DIALECTS = { sqlite, postgres, mysql };

/**
 * Opens a database, runs some work and closes the database, even after an error.
 *
 * @throws RollmillError `sql.connect` if the database cannot be opened, `recipe.duplicate` if a unique index refuses a
 * row, `sql.query` if the database refuses a statement.
 */
export async function withDatabase<T>(
  { kind, address, shown }: DatabasePlace,
  access: Access,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const dialect = DIALECTS[kind];
  const database: Connection = new Kysely({ dialect: await dialect.open(address, access) });
  let isOpen = false;
  try {
    return await database.connection().execute(async (connection) => {
      for (const statement of dialect.setUp) await connection.executeQuery(CompiledQuery.raw(statement));
      isOpen = true;
      return await work({ connection, dialect, shown });
    });
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    const where = { file: shown };
    if (!isOpen) {
      const problem = "the database cannot be reached";
      return fail(error("sql.connect", { problem, got: messageOf(cause), remedy: remedyFor(kind), where }), cause);
    }
    if (dialect.isDuplicate(cause)) {
      const problem = `a unique index of the database refuses a word or an id (${messageOf(cause)})`;
      const remedy = "If the words differ, give the column word a collation that compares bytes";
      return fail(error("recipe.duplicate", { problem, remedy, where }), cause);
    }
    if (dialect.isPassing(cause) || dialect.isBusy(cause))
      return fail(error("sql.query", { ...inUse(kind, shown), where }), cause);
    return fail(
      error("sql.query", { problem: `the database refuses a statement (${messageOf(cause)})`, where }),
      cause,
    );
  } finally {
    await database.destroy();
  }
}

/** Options of {@link inTransaction}. */
interface TransactionOptions {
  readonly access: "read" | "write";
  /** Names of the locks to hold. Transactions that hold the same lock run one after another. */
  readonly locks?: readonly string[];
}

/** Runs some work in one transaction. Rolls back if the work throws, and repeats it after a temporary error. */
export async function inTransaction<T>(
  { connection, dialect }: Session,
  { access, locks = [] }: TransactionOptions,
  work: () => Promise<T>,
): Promise<T> {
  const run = (statement: string) => connection.executeQuery(CompiledQuery.raw(statement));
  return retrying(dialect.isPassing, async () => {
    const held: string[] = [];
    try {
      await run(access === "read" ? dialect.beginRead : dialect.beginWrite);
      for (const name of locks) {
        await dialect.lock(connection, name);
        held.push(name);
      }
      const result = await work();
      await run("commit");
      return result;
    } catch (cause) {
      // ignores an error of the rollback: the database may have ended the transaction, and the first error matters more
      await run("rollback").catch(() => undefined);
      throw cause;
    } finally {
      for (const name of held) await dialect.unlock(connection, name).catch(() => undefined);
    }
  });
}

function remedyFor(kind: DatabasePlace["kind"]): string {
  if (kind === "sqlite") return "Check that the file is readable and its folder is writable";
  return "Check that the server is running, and that the host, port, user, password and database are correct";
}

function inUse(kind: DatabasePlace["kind"], shown: string): { readonly problem: string; readonly remedy: string } {
  const remedy =
    kind === "sqlite"
      ? `Try again. If no program uses the database, delete ${shown}.lock, which a crashed program left`
      : "Try again";
  return { problem: "another program keeps the database busy", remedy };
}

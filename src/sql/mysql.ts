import { MysqlDialect, type MysqlPool, type MysqlPoolConnection, type MysqlQueryResult, sql } from "kysely";
import { error, fail } from "../errors/index.js";
import { type Column, type ColumnKind, type Connection, codeOf, type SqlDialect } from "./dialect.js";
import { CONNECT_MS, loadDriver, QUERY_MS } from "./driver.js";

const KINDS: ReadonlyMap<string, ColumnKind> = new Map([
  ["tinyint", "integer"],
  ["smallint", "integer"],
  ["mediumint", "integer"],
  ["int", "integer"],
  ["bigint", "integer"],
  ["decimal", "decimal"],
  ["float", "float32"],
  ["double", "float"],
  ["bit", "bit"],
  ["char", "text"],
  ["varchar", "text"],
  ["tinytext", "text"],
  ["text", "text"],
  ["mediumtext", "text"],
  ["longtext", "text"],
  ["enum", "text"],
]);

/**
 * Collations that compare bytes. The first one that the server has is used. MariaDB and MySQL each have a collation
 * without padding; the last collation exists on every server, but ignores trailing spaces.
 */
const COLLATIONS = ["utf8mb4_nopad_bin", "utf8mb4_0900_bin", "utf8mb4_bin"];

/** MySQL and MariaDB, through the optional package mysql2. */
export const mysql: SqlDialect = {
  open: async (address) => {
    const uri = address.replace(/^mariadb:/i, "mysql:");
    if (new URL(uri).pathname.length < 2) {
      const expected = "mysql://user:password@host:port/database";
      fail(error("sql.connect", { problem: "the address has no database name", expected }));
    }
    const { default: driver } = await loadDriver("mysql2", () => import("mysql2"));
    const pool = driver.createPool({ uri, connectTimeout: CONNECT_MS, connectionLimit: 1, charset: "utf8mb4" });
    // ignores a lost connection here: the next statement reports it
    pool.on("connection", (connection) => connection.on("error", () => undefined));
    return new MysqlDialect({ pool: prepared(pool as unknown as RawPool) });
  },
  // replaces the server's mode, which could change the meaning of quotes and backslashes; a value that is too long or
  // too large for its column is then an error, and is not truncated
  setUp: [
    "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
    "set session innodb_lock_wait_timeout = 5",
  ],
  beginRead: "start transaction with consistent snapshot, read only",
  beginWrite: "start transaction",
  createsInTransaction: false,
  async columnsOf(connection, table) {
    const { rows } = await sql<{ readonly name: string; readonly type: string }>`
      select column_name as name, data_type as type from information_schema.columns
      where table_schema = database() and table_name = ${table}`.execute(connection);
    if (rows.length === 0) return undefined;
    const kindOf = (type: string) => KINDS.get(type.toLowerCase()) ?? "other";
    return new Map(rows.map(({ name, type }): [string, Column] => [name.toLowerCase(), { kind: kindOf(type), type }]));
  },
  async isTransactional(connection, table) {
    const { rows } = await sql<{ readonly can: unknown }>`
      select e.transactions as can from information_schema.tables t join information_schema.engines e on e.engine = t.engine
      where t.table_schema = database() and t.table_name = ${table}`.execute(connection);
    return rows.every(({ can }) => can === "YES");
  },
  selected(column, kind) {
    const name = sql.ref(column);
    if (kind === "float32") return sql`cast(${name} + 0e0 as char)`;
    return kind === "bit" ? sql`cast(${name} + 0 as char)` : sql`cast(${name} as char)`;
  },
  bound: String,
  create: async (connection, { sqlName, stats, weight }, decimals) => sql`create table ${sql.table(sqlName)} (
    id bigint primary key, word varchar(500) character set utf8mb4 collate ${sql.raw(await collationOf(connection))} not null unique,
    active tinyint(1) not null default 1, status enum('accepted', 'proposed', 'rejected') not null default 'accepted',
    tier integer not null default 0, proposer varchar(500) character set utf8mb4 not null default '',
    proposed varchar(64) not null default ''
    ${sql.join(
      [...(weight === undefined ? [] : [weight]), ...stats].map((column) => {
        const type = sql.raw(decimalType(decimals.get(column) ?? 0));
        return sql`, ${sql.ref(column)} ${type} not null default ${sql.raw(column === weight ? "1" : "0")}`;
      }),
      sql``,
    )}) engine = InnoDB`,
  async lock(connection, name) {
    const { rows } = await sql<{ readonly got: unknown }>`
      select get_lock(md5(concat(database(), '.', ${name})), 5) as got`.execute(connection);
    if (Number(rows[0].got) !== 1)
      throw Object.assign(new Error("another program holds the lock"), { code: "ER_LOCKED" });
  },
  async unlock(connection, name) {
    await sql`select release_lock(md5(concat(database(), '.', ${name})))`.execute(connection);
  },
  isDuplicate: (cause) => codeOf(cause) === "ER_DUP_ENTRY",
  isBusy: (cause) => ["ER_LOCK_WAIT_TIMEOUT", "ER_LOCKED"].includes(codeOf(cause)),
  isPassing: (cause) => codeOf(cause) === "ER_LOCK_DEADLOCK",
};

async function collationOf(connection: Connection): Promise<string> {
  const { rows } = await sql<{ readonly name: string }>`
    select collation_name as name from information_schema.collations
    where collation_name in (${sql.join(COLLATIONS)})`.execute(connection);
  return COLLATIONS.find((collation) => rows.some(({ name }) => name === collation)) ?? "utf8mb4_bin";
}

// The type has at least three decimals, because words that are added later may need them. 12 digits before the point
// suffice for all sums of a recipe.
function decimalType(decimals: number): string {
  const scale = Math.min(Math.max(decimals, 3), 30);
  return `decimal(${12 + scale}, ${scale})`;
}

/**
 * The methods of mysql2's connections that this file calls. Kysely's types have no `execute`, and do not allow a
 * statement to be an object.
 */
interface RawConnection {
  query: RawQuery;
  execute: RawQuery;
  release(): void;
}
type RawQuery = (
  statement: { readonly sql: string; readonly timeout: number },
  values: unknown[],
  callback: (cause: unknown, result: MysqlQueryResult) => void,
) => void;
interface RawPool {
  getConnection(callback: (cause: unknown, connection: RawConnection) => void): void;
  end(callback: (cause: unknown) => void): void;
}

// Prepares each statement that has values, so that the server binds them. Otherwise the driver would insert the values
// into the text. Does not prepare statements without values, because some of them cannot be prepared.
function prepared(pool: RawPool): MysqlPool {
  const wrap = (raw: RawConnection) => ({
    query(text: string, values: unknown[], callback: (cause: unknown, result: MysqlQueryResult) => void) {
      const statement = { sql: text, timeout: QUERY_MS };
      if (values.length > 0) raw.execute(statement, values, callback);
      else raw.query(statement, values, callback);
    },
    release: () => raw.release(),
  });
  return {
    // kysely ignores the connection if the callback gets an error
    getConnection: (callback) =>
      pool.getConnection((cause, raw) => callback(cause, wrap(raw) as unknown as MysqlPoolConnection)),
    end: (callback) => pool.end(callback),
  };
}

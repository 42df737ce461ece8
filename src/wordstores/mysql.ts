import { Socket } from "node:net";
import { MysqlAdapter, MysqlIntrospector, MysqlQueryCompiler, sql } from "kysely";
import { error, fail } from "../errors/index.js";
import {
  type Column,
  type ColumnKind,
  type Connection,
  codeOf,
  type DriverConnection,
  type SqlDialect,
} from "./dialect.js";
import { loadDriver } from "./driver.js";

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
 * Collations that compare bytes. The first is for MariaDB, and the second for MySQL. The third exists on every server,
 * but ignores trailing spaces. A table gets the first collation of this list that the server knows.
 */
const COLLATIONS = ["utf8mb4_nopad_bin", "utf8mb4_0900_bin", "utf8mb4_bin"];

export const mysql: SqlDialect = {
  open: async (address) => {
    const uri = address.replace(/^mariadb:/i, "mysql:");
    if (new URL(uri).pathname.length < 2) {
      const expected = "mysql://user:password@host:port/database";
      fail(error("sql.connect", { problem: "the address has no database name", expected }));
    }
    const { default: driver } = await loadDriver("mysql2", () => import("mysql2"));
    const socket = new Socket();
    // The socket connects only in `connect`. At that time, the guard of the call already limits the wait.
    return connectionOf(socket, () =>
      driver.createConnection({ uri, connectTimeout: 0, charset: "utf8mb4", stream: connecting(socket) }),
    );
  },
  kysely: {
    createAdapter: () => new MysqlAdapter(),
    createIntrospector: (database) => new MysqlIntrospector(database),
    createQueryCompiler: () => new MysqlQueryCompiler(),
  },
  // Replaces the server's mode, because a mode can change the meaning of quotes and backslashes. In strict mode, a
  // value that is too long or too large for its column is an error. It is not truncated.
  setUp: ({ lockMs }) => [
    "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
    `set session innodb_lock_wait_timeout = ${secondsOf(lockMs)}`,
    `set session lock_wait_timeout = ${secondsOf(lockMs)}`,
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
  async lock(connection, name, { lockMs }) {
    const { rows } = await sql<{ readonly got: unknown }>`
      select get_lock(md5(concat(database(), '.', ${name})), ${secondsOf(lockMs)}) as got`.execute(connection);
    if (Number(rows[0].got) !== 1)
      throw Object.assign(new Error("another program holds the lock"), { code: "ER_LOCKED" });
  },
  async unlock(connection, name) {
    await sql`select release_lock(md5(concat(database(), '.', ${name})))`.execute(connection);
  },
  isDuplicate: (cause) => codeOf(cause) === "ER_DUP_ENTRY",
  isBusy: (cause) => ["ER_LOCK_WAIT_TIMEOUT", "ER_LOCKED"].includes(codeOf(cause)),
  isPassing: (cause) => codeOf(cause) === "ER_LOCK_DEADLOCK",
  canRepeatCommit: () => false,
  isLost: (cause) => ["PROTOCOL_CONNECTION_LOST", "ECONNRESET", "EPIPE", "ER_SERVER_SHUTDOWN"].includes(codeOf(cause)),
};

async function collationOf(connection: Connection): Promise<string> {
  const { rows } = await sql<{ readonly name: string }>`
    select collation_name as name from information_schema.collations
    where collation_name in (${sql.join(COLLATIONS)})`.execute(connection);
  return COLLATIONS.find((collation) => rows.some(({ name }) => name === collation)) ?? "utf8mb4_bin";
}

// Declares at least three decimals, because later words may need them. 12 digits before the point are enough for all
// sums of a recipe.
function decimalType(decimals: number): string {
  const scale = Math.min(Math.max(decimals, 3), 30);
  return `decimal(${12 + scale}, ${scale})`;
}

// the server counts this wait in whole seconds
function secondsOf(lockMs: number): number {
  return Math.ceil(lockMs / 1000);
}

/** The part of a mysql2 connection that this file uses. The types of mysql2 lack the results of `execute`. */
interface RawConnection {
  on(event: "error", listener: () => void): unknown;
  connect(callback: (cause: unknown) => void): void;
  query: RawQuery;
  execute: RawQuery;
  end(): void;
}
type RawQuery = (
  statement: string,
  values: readonly unknown[],
  callback: (cause: unknown, result: unknown) => void,
) => void;

interface Target {
  readonly config: { readonly socketPath?: string; readonly port: number; readonly host: string };
}

// connects a socket in the same way as mysql2, but this file keeps the socket and can destroy it
function connecting(socket: Socket): (target: Target) => Socket {
  return ({ config: { socketPath, port, host } }) =>
    socketPath === undefined ? socket.connect(port, host).setNoDelay(true) : socket.connect(socketPath);
}

function connectionOf(socket: Socket, create: () => unknown): DriverConnection {
  let raw: RawConnection | undefined;
  return {
    connect: () =>
      new Promise((resolve, reject) => {
        raw = create() as RawConnection;
        // ignores a lost connection here, because the next statement reports it
        raw.on("error", () => undefined);
        raw.connect((cause) => (cause === null || cause === undefined ? resolve() : reject(cause)));
      }),
    query: (statement, values) =>
      new Promise((resolve, reject) => {
        // A statement with values is prepared, so that the server binds the values. Otherwise the driver would insert
        // them into the text. A statement without values is not prepared, because some statements cannot be prepared.
        const run = values.length > 0 ? raw?.execute : raw?.query;
        run?.call(raw, statement, values, (cause, result) => {
          if (cause === null || cause === undefined) resolve(Array.isArray(result) ? result : []);
          else reject(cause);
        });
      }),
    close() {
      raw?.end();
      socket.destroySoon();
    },
    destroy: () => socket.destroy(),
  };
}

import { Socket } from "node:net";
import { promisify } from "node:util";
import { MysqlDialect, sql } from "kysely";
import { error, fail } from "../errors/index.js";
import { type Connection, codeOf, type DriverConnection, kindOf, type SqlDialect } from "./dialect.js";
import { loadPackage } from "./driver.js";

const TYPES = {
  integer: ["tinyint", "smallint", "mediumint", "int", "bigint"],
  decimal: ["decimal"],
  float32: ["float"],
  float: ["double"],
  bit: ["bit"],
  text: ["char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum"],
};

/**
 * Collations that compare bytes. The third exists on every server, but ignores trailing spaces. A table gets the first
 * one that the server knows: in MariaDB the first of this list, in MySQL the second.
 */
const COLLATIONS = ["utf8mb4_nopad_bin", "utf8mb4_0900_bin", "utf8mb4_bin"];

export const mysql: SqlDialect = {
  open: async (address) => {
    const uri = address.replace(/^mariadb:/i, "mysql:");
    if (new URL(uri).pathname.length < 2) {
      const expected = "mysql://user:password@host:port/database";
      fail(error("sql.connect", { problem: "the address has no database name", expected }));
    }
    const { default: driver } = await loadPackage("mysql2", () => import("mysql2"));
    const socket = new Socket();
    // connects like mysql2, but keeps the socket here, so that `destroy` can end the connection at once
    const stream = ({
      config: { socketPath, port, host },
    }: {
      config: { socketPath?: string; port: number; host: string };
    }) => (socketPath === undefined ? socket.connect(port, host).setNoDelay(true) : socket.connect(socketPath));
    // the socket connects only in `connect`, when the guard of the call limits the wait
    const create = () => driver.createConnection({ uri, connectTimeout: 0, charset: "utf8mb4", stream });
    return connectionOf(socket, create);
  },
  Kysely: MysqlDialect,
  // An SQL mode can change the meaning of quotes and backslashes. In strict mode, a value that is too long or too large
  // is an error, and is not truncated.
  setUp: ({ lockMs }) => [
    "set session sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION'",
    `set session innodb_lock_wait_timeout = ${secondsOf(lockMs)}`,
    `set session lock_wait_timeout = ${secondsOf(lockMs)}`,
  ],
  beginRead: "start transaction with consistent snapshot, read only",
  beginWrite: "start transaction",
  columns: (table) => sql`
    select column_name as name, data_type as type from information_schema.columns
    where table_schema = database() and table_name = ${table}`,
  kindOf: (type) => kindOf(type.toLowerCase(), TYPES),
  selected(column, kind) {
    const name = sql.ref(column);
    if (kind === "float32") return sql`cast(${name} + 0e0 as char)`;
    return kind === "bit" ? sql`cast(${name} + 0 as char)` : sql`cast(${name} as char)`;
  },
  bound: String,
  declared: async (connection) => ({
    id: "bigint",
    word: `varchar(500) character set utf8mb4 collate ${await collationOf(connection)}`,
    active: "tinyint(1)",
    status: "enum('accepted', 'proposed', 'rejected')",
    text: "varchar(500) character set utf8mb4",
    number: decimalType,
  }),
  weakTables: {
    engine: " engine = InnoDB",
    async isTransactional(connection, table) {
      const { rows } = await sql<{ readonly can: unknown }>`
        select e.transactions as can from information_schema.tables t
        join information_schema.engines e on e.engine = t.engine
        where t.table_schema = database() and t.table_name = ${table}`.execute(connection);
      return rows.every(({ can }) => can === "YES");
    },
  },
  async lock(connection, name, { lockMs }) {
    const { rows } = await sql<{ readonly got: unknown }>`
      select get_lock(md5(concat(database(), '.', ${name})), ${secondsOf(lockMs)}) as got`.execute(connection);
    if (Number(rows[0].got) !== 1)
      throw Object.assign(new Error("another program holds the lock"), { code: "ER_LOCKED" });
  },
  unlock: (connection, name) => sql`select release_lock(md5(concat(database(), '.', ${name})))`.execute(connection),
  isDuplicate: (cause) => codeOf(cause) === "ER_DUP_ENTRY",
  isBusy: (cause) => ["ER_LOCK_WAIT_TIMEOUT", "ER_LOCKED"].includes(codeOf(cause)),
  isPassing: (cause) => codeOf(cause) === "ER_LOCK_DEADLOCK",
  isLost: (cause) => ["PROTOCOL_CONNECTION_LOST", "ECONNRESET", "EPIPE", "ER_SERVER_SHUTDOWN"].includes(codeOf(cause)),
};

async function collationOf(connection: Connection): Promise<string> {
  const { rows } = await sql<{ readonly name: string }>`
    select collation_name as name from information_schema.collations
    where collation_name in (${sql.join(COLLATIONS)})`.execute(connection);
  return COLLATIONS.find((collation) => rows.some(({ name }) => name === collation)) ?? "utf8mb4_bin";
}

// later words may need three decimals; 12 digits before the point are enough for all sums of a recipe
function decimalType(decimals: number): string {
  const scale = Math.min(Math.max(decimals, 3), 30);
  return `decimal(${12 + scale}, ${scale})`;
}

// the server counts this wait in whole seconds
function secondsOf(lockMs: number): number {
  return Math.ceil(lockMs / 1000);
}

/** The members of a mysql2 connection that this file uses. The types of mysql2 lack the results of `execute`. */
interface RawConnection {
  on(event: "error", listener: () => void): unknown;
  connect(callback: (cause: unknown) => void): void;
  query: RawQuery;
  execute: RawQuery;
  end(): void;
}
type RawQuery = (text: string, values: readonly unknown[], then: (cause: unknown, result: unknown) => void) => void;

function connectionOf(socket: Socket, create: () => unknown): DriverConnection {
  let raw: RawConnection | undefined;
  return {
    connect: async () => {
      raw = create() as RawConnection;
      // ignores a lost connection here, because the next statement reports it
      raw.on("error", () => undefined);
      await promisify(raw.connect).call(raw);
    },
    query: async (statement, values) => {
      // `execute` lets the server bind the values; `query` would insert them into the text. But some statements without
      // values cannot be prepared.
      const run = values.length > 0 ? raw?.execute : raw?.query;
      const result = run && (await promisify(run).call(raw, statement, values));
      return Array.isArray(result) ? result : [];
    },
    close() {
      raw?.end();
      socket.destroySoon();
    },
    destroy: () => socket.destroy(),
  };
}

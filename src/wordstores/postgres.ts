import { Socket } from "node:net";
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler, sql } from "kysely";
import { type Column, type ColumnKind, codeOf, laterColumns, type SqlDialect } from "./dialect.js";
import { loadDriver, messageOf } from "./driver.js";

const KINDS: ReadonlyMap<string, ColumnKind> = new Map([
  ["int2", "integer"],
  ["int4", "integer"],
  ["int8", "integer"],
  ["numeric", "decimal"],
  ["float4", "float"],
  ["float8", "float"],
  ["bool", "boolean"],
  ["text", "text"],
  ["varchar", "text"],
  ["bpchar", "text"],
  ["citext", "text"],
]);

export const postgres: SqlDialect = {
  async open(address) {
    const { default: pg } = await loadDriver("pg", () => import("pg"));
    const socket = new Socket();
    const client = new pg.Client({ connectionString: address, stream: () => socket });
    // ignores a lost connection here, because the next statement reports it
    client.on("error", () => undefined);
    return {
      connect: async () => {
        await client.connect();
      },
      query: async (statement, values) => (await client.query(statement, [...values])).rows ?? [],
      close() {
        void client.end();
        socket.destroySoon();
      },
      destroy: () => socket.destroy(),
    };
  },
  kysely: {
    createAdapter: () => new PostgresAdapter(),
    createIntrospector: (database) => new PostgresIntrospector(database),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
  setUp: ({ lockMs }) => [`set lock_timeout = ${lockMs}`],
  beginRead: "begin isolation level repeatable read read only",
  beginWrite: "begin isolation level read committed",
  createsInTransaction: true,
  async columnsOf(connection, table) {
    // The type of a column may be a domain. Then selects the type on which the domain is based. A typtype 'e' means an
    // enum.
    const { rows } = await sql<{ readonly name: string; readonly type: string; readonly typtype: string }>`
      select a.attname as name, coalesce(b.typname, t.typname) as type, coalesce(b.typtype, t.typtype) as typtype
      from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
      left join pg_catalog.pg_type b on b.oid = t.typbasetype
      where a.attrelid = to_regclass(quote_ident(${table})) and a.attnum > 0 and not a.attisdropped`.execute(
      connection,
    );
    if (rows.length === 0) return undefined;
    const kindOf = (type: string, typtype: string) => (typtype === "e" ? "text" : (KINDS.get(type) ?? "other"));
    return new Map(
      rows.map(({ name, type, typtype }): [string, Column] => [name, { kind: kindOf(type, typtype), type }]),
    );
  },
  isTransactional: async () => true,
  selected: (column) => sql`cast(${sql.ref(column)} as text)`,
  bound: String,
  create: async (_, shape) => sql`create table ${sql.table(shape.sqlName)} (
    id bigint primary key, word text collate "C" not null unique, active smallint not null default 1,
    ${laterColumns(shape)})`,
  async lock(connection, name) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(connection);
  },
  unlock: async () => undefined,
  // SQLSTATE of unique_violation
  isDuplicate: (cause) => codeOf(cause) === "23505",
  // SQLSTATE of lock_not_available
  isBusy: (cause) => codeOf(cause) === "55P03",
  // SQLSTATEs of serialization_failure and deadlock_detected
  isPassing: (cause) => ["40001", "40P01"].includes(codeOf(cause)),
  canRepeatCommit: () => false,
  // Class 57P: an operator's intervention, such as a shutdown. The driver reports a closed socket without a code.
  isLost: (cause) =>
    /^(?:57P|EPIPE$|ECONNRESET$)/.test(codeOf(cause)) || /^Connection terminated/.test(messageOf(cause)),
};

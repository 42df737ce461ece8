import { Socket } from "node:net";
import { PostgresDialect, sql } from "kysely";
import { messageOf } from "../errors/index.js";
import { CHECKED_STATUS, codeOf, kindOf, type SqlDialect } from "./dialect.js";
import { loadPackage } from "./driver.js";

const TYPES = {
  integer: ["int2", "int4", "int8"],
  decimal: ["numeric"],
  float: ["float4", "float8"],
  boolean: ["bool"],
  text: ["text", "varchar", "bpchar", "citext", "enum"],
};

export const postgres: SqlDialect = {
  async open(address) {
    const { default: pg } = await loadPackage("pg", () => import("pg"));
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
  Kysely: PostgresDialect,
  setUp: ({ lockMs }) => [`set lock_timeout = ${lockMs}`],
  beginRead: "begin isolation level repeatable read read only",
  beginWrite: "begin isolation level read committed",
  // the type of a column may be a domain: then selects the type on which the domain is based
  columns: (table) => sql`
    select a.attname as name, case coalesce(b.typtype, t.typtype) when 'e' then 'enum'
      else coalesce(b.typname, t.typname) end as type
    from pg_catalog.pg_attribute a join pg_catalog.pg_type t on t.oid = a.atttypid
    left join pg_catalog.pg_type b on b.oid = t.typbasetype
    where a.attrelid = to_regclass(quote_ident(${table})) and a.attnum > 0 and not a.attisdropped`,
  kindOf: (type) => kindOf(type, TYPES),
  selected: (column) => sql`cast(${sql.ref(column)} as text)`,
  bound: String,
  declared: async () => ({
    id: "bigint",
    word: 'text collate "C"',
    active: "smallint",
    status: CHECKED_STATUS,
    text: "text",
    number: () => "numeric",
  }),
  lock: (connection, name) => sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(connection),
  // unique_violation
  isDuplicate: (cause) => codeOf(cause) === "23505",
  // lock_not_available
  isBusy: (cause) => codeOf(cause) === "55P03",
  // serialization_failure and deadlock_detected
  isPassing: (cause) => ["40001", "40P01"].includes(codeOf(cause)),
  // Class 57P: an operator's intervention, such as a shutdown. The driver reports a closed socket without a code.
  isLost: (cause) =>
    /^(?:57P|EPIPE$|ECONNRESET$)/.test(codeOf(cause)) || /^Connection terminated/.test(messageOf(cause)),
};

import { type Dialect, type Kysely, type RawBuilder, sql } from "kysely";
import type { TableShape } from "./shape.js";

/** A connection. The names of tables are known at run time only. */
export type Connection = Kysely<Record<string, Record<string, unknown>>>;

/**
 * The type of a column. SQLite's columns are "any", because each value has its own type. A "float32" is a float that
 * the server prints rounded, a "bit" a boolean that it prints as a byte.
 */
export type ColumnKind = "integer" | "decimal" | "float" | "float32" | "bit" | "boolean" | "text" | "any" | "other";

/** A column as its database describes it. */
export interface Column {
  readonly kind: ColumnKind;
  /** The database's name of the type, for messages. */
  readonly type: string;
}

/** Access to a database. "create" is "write", and creates the file of SQLite if it is missing. */
export type Access = "read" | "write" | "create";

/** Everything that differs between the kinds of database. */
export interface SqlDialect {
  /** Opens the database for kysely; `address` is a URL or the path of SQLite's file. */
  open(address: string, access: Access): Promise<Dialect>;
  /** Statements that configure a new connection, such as its strict mode. */
  readonly setUp: readonly string[];
  /** The statement that begins a read-only transaction on one state of the database. */
  readonly beginRead: string;
  /** The statement that begins a transaction that writes. */
  readonly beginWrite: string;
  /** Whether a rollback undoes the creation of a table. */
  readonly createsInTransaction: boolean;
  /** The columns of a table by lower-case name; undefined if there is no such table. */
  columnsOf(connection: Connection, table: string): Promise<ReadonlyMap<string, Column> | undefined>;
  /** Whether a rollback undoes writes to a table. */
  isTransactional(connection: Connection, table: string): Promise<boolean>;
  /** The expression that selects a column: as exact text; in SQLite unchanged, so that values keep their types. */
  selected(column: string, kind: ColumnKind): RawBuilder<unknown>;
  /** The form in which a value is bound. */
  bound(value: string | number): string | number;
  /** The statement that creates a table; `decimals` is the number of decimal places of each stat. */
  create(
    connection: Connection,
    shape: TableShape,
    decimals: ReadonlyMap<string, number>,
  ): Promise<RawBuilder<unknown>>;
  /** Takes a lock by name until {@link unlock} or the end of the transaction. Others wait. */
  lock(connection: Connection, name: string): Promise<void>;
  unlock(connection: Connection, name: string): Promise<void>;
  /** Whether an error is that of a unique index. */
  isDuplicate(cause: unknown): boolean;
  /** Whether an error is that of a lock that others held until the timeout. */
  isBusy(cause: unknown): boolean;
  /** Whether an error is temporary, such as a deadlock, so that the transaction can be repeated. */
  isPassing(cause: unknown): boolean;
}

/** The code of a driver's error, as text. */
export function codeOf(cause: unknown): string {
  return String((cause as { readonly code?: unknown } | null)?.code);
}

/** The columns behind `active` as PostgreSQL and SQLite declare them. */
export function laterColumns(stats: readonly string[]): RawBuilder<unknown> {
  const declared = stats.map((stat) => sql`, ${sql.ref(stat)} numeric not null default 0`);
  return sql`status text not null default 'accepted' check (status in ('accepted', 'proposed')),
    tier integer not null default 0 ${sql.join(declared, sql``)}`;
}

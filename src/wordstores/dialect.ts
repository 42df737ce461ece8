import { type Dialect, type Kysely, type RawBuilder, sql } from "kysely";
import type { Limits } from "./limits.js";
import type { TableShape } from "./shape.js";

/** A connection that runs statements. Its types are loose, because table names are known only at run time. */
export type Connection = Kysely<Record<string, Record<string, unknown>>>;

/**
 * The type of a column. In SQLite it is always "any", because every value has its own type. A "float32" is a 32-bit
 * float: the server rounds such a float when it converts the float to text. A "bit" is a boolean that the server prints
 * as a byte.
 */
export type ColumnKind = "integer" | "decimal" | "float" | "float32" | "bit" | "boolean" | "text" | "any" | "other";

export interface Column {
  readonly kind: ColumnKind;
  readonly type: string;
}

/** How a database may be used. "create" is like "write", and also creates a missing SQLite file. */
export type Access = "read" | "write" | "create";

export interface DriverConnection {
  connect(): Promise<void>;
  query(statement: string, values: readonly unknown[]): Promise<readonly unknown[]>;
  /** Closes the connection. Tells the server, but does not wait for its answer. */
  close(): void;
  /** Closes the connection at once, even while it connects or runs a statement. */
  destroy(): void;
}

/** The operations and statements that differ between SQLite, PostgreSQL and MySQL. */
export interface SqlDialect {
  /** Loads the driver and makes a connection. `address` is a URL, or the path of an SQLite file. */
  open(address: string, access: Access): Promise<DriverConnection>;
  /** The parts of kysely that write statements for this database. */
  readonly kysely: Omit<Dialect, "createDriver">;
  setUp(limits: Limits): readonly string[];
  /** The statement that begins a read-only transaction on one state of the database. */
  readonly beginRead: string;
  readonly beginWrite: string;
  /** Whether a rollback undoes CREATE TABLE. */
  readonly createsInTransaction: boolean;
  /** Returns the columns of a table, by lower-case name. Undefined if the table does not exist. */
  columnsOf(connection: Connection, table: string): Promise<ReadonlyMap<string, Column> | undefined>;
  /** Whether a rollback undoes writes to a table. */
  isTransactional(connection: Connection, table: string): Promise<boolean>;
  /** Returns an expression that selects a column as exact text. SQLite selects the value unchanged. */
  selected(column: string, kind: ColumnKind): RawBuilder<unknown>;
  bound(value: string | number): string | number;
  /** Returns the statement that creates a table. `decimals` maps each stat to its number of decimal places. */
  create(
    connection: Connection,
    shape: TableShape,
    decimals: ReadonlyMap<string, number>,
  ): Promise<RawBuilder<unknown>>;
  /** Takes a named lock, and holds it until {@link unlock} or the end of the transaction. */
  lock(connection: Connection, name: string, limits: Limits): Promise<void>;
  /** Releases a named lock. Does nothing if the lock ends with the transaction. */
  unlock(connection: Connection, name: string): Promise<void>;
  /** Whether an error means that a unique index refused a row. */
  isDuplicate(cause: unknown): boolean;
  /** Whether an error means that another program held a lock for too long. */
  isBusy(cause: unknown): boolean;
  /** Whether an error is temporary, such as a deadlock. Then the transaction can be repeated. */
  isPassing(cause: unknown): boolean;
  /** Whether the transaction is still open after a COMMIT failed with this error. Then the COMMIT can be repeated. */
  canRepeatCommit(cause: unknown): boolean;
  /** Whether an error means that the connection was lost. */
  isLost(cause: unknown): boolean;
}

export function codeOf(cause: unknown): string {
  return String((cause as { readonly code?: unknown } | null)?.code);
}

/** Returns the declarations of the columns that follow `active`, for PostgreSQL and SQLite. */
export function laterColumns({ stats, weight }: TableShape): RawBuilder<unknown> {
  const declared = stats.map((stat) => sql`, ${sql.ref(stat)} numeric not null default 0`);
  if (weight !== undefined) declared.unshift(sql`, ${sql.ref(weight)} numeric not null default 1`);
  return sql`status text not null default 'accepted' check (status in ('accepted', 'proposed', 'rejected')),
    tier integer not null default 0, proposer text not null default '', proposed text not null default ''
    ${sql.join(declared, sql``)}`;
}

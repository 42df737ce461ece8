import { type Dialect, type Kysely, type RawBuilder, sql } from "kysely";
import type { Limits } from "./limits.js";
import type { TableShape } from "./shape.js";

/** A database that runs statements. Its types are loose, because the names of tables are known only at run time. */
export type Connection = Kysely<Record<string, Record<string, unknown>>>;

/**
 * The type of a column. SQLite's columns are "any", because each value has a separate type. A "float32" is a 32-bit
 * float, which the server rounds when it converts it to text. A "bit" is a boolean that the server prints as a byte.
 */
export type ColumnKind = "integer" | "decimal" | "float" | "float32" | "bit" | "boolean" | "text" | "any" | "other";

/** A column as its database describes it. */
export interface Column {
  readonly kind: ColumnKind;
  /** Name of the type in the database, for messages. */
  readonly type: string;
}

/** Access to a database. "create" allows writing, and also creates a missing SQLite file. */
export type Access = "read" | "write" | "create";

/** One connection of a driver. */
export interface DriverConnection {
  /** Connects. Called once, before any statement. */
  connect(): Promise<void>;
  /** Runs a statement and returns its rows. */
  query(statement: string, values: readonly unknown[]): Promise<readonly unknown[]>;
  /** Says goodbye to the server, if there is one, and closes the connection without waiting for an answer. */
  close(): void;
  /** Closes the connection at once, even while it connects or runs a statement. */
  destroy(): void;
}

/** The operations and statements that differ between SQLite, PostgreSQL and MySQL. */
export interface SqlDialect {
  /** Makes a connection, and loads its driver. `address` is a URL or the path of an SQLite file. */
  open(address: string, access: Access): Promise<DriverConnection>;
  /** The parts of kysely that write statements for the database. */
  readonly kysely: Omit<Dialect, "createDriver">;
  /** Statements that configure a new connection, such as its strict mode. */
  setUp(limits: Limits): readonly string[];
  /** The statement that begins a read-only transaction. All its queries see the same state of the database. */
  readonly beginRead: string;
  /** The statement that begins a writing transaction. */
  readonly beginWrite: string;
  /** Whether a rollback undoes the creation of a table. */
  readonly createsInTransaction: boolean;
  /** Returns the columns of a table, by lower-case name; undefined if the table does not exist. */
  columnsOf(connection: Connection, table: string): Promise<ReadonlyMap<string, Column> | undefined>;
  /** Whether a rollback undoes writes to a table. */
  isTransactional(connection: Connection, table: string): Promise<boolean>;
  /**
   * Returns the expression that selects a column as exact text. SQLite selects the column unchanged, so that values
   * keep their types.
   */
  selected(column: string, kind: ColumnKind): RawBuilder<unknown>;
  /** Converts a value to the form in which the driver binds it. */
  bound(value: string | number): string | number;
  /** Returns the statement that creates a table. `decimals` has the number of decimal places of each stat. */
  create(
    connection: Connection,
    shape: TableShape,
    decimals: ReadonlyMap<string, number>,
  ): Promise<RawBuilder<unknown>>;
  /** Takes the lock with a name, until {@link unlock} or the end of the transaction. Other transactions wait for it. */
  lock(connection: Connection, name: string, limits: Limits): Promise<void>;
  /** Releases the lock with a name. Does nothing if the end of the transaction releases it. */
  unlock(connection: Connection, name: string): Promise<void>;
  /** Whether an error means that a unique index refused a row. */
  isDuplicate(cause: unknown): boolean;
  /** Whether an error means that another program held a lock for too long. */
  isBusy(cause: unknown): boolean;
  /** Whether an error is temporary, such as a deadlock, so that the transaction can be repeated. */
  isPassing(cause: unknown): boolean;
  /** Whether a COMMIT that failed with this error left the transaction open, so that the COMMIT can be repeated. */
  canRepeatCommit(cause: unknown): boolean;
  /** Whether an error means that the connection was lost. */
  isLost(cause: unknown): boolean;
}

/** Returns the code of a driver's error, as text. */
export function codeOf(cause: unknown): string {
  return String((cause as { readonly code?: unknown } | null)?.code);
}

/** Returns the declarations of the columns after `active`, for PostgreSQL and SQLite. */
export function laterColumns({ stats, weight }: TableShape): RawBuilder<unknown> {
  const declared = stats.map((stat) => sql`, ${sql.ref(stat)} numeric not null default 0`);
  if (weight !== undefined) declared.unshift(sql`, ${sql.ref(weight)} numeric not null default 1`);
  return sql`status text not null default 'accepted' check (status in ('accepted', 'proposed', 'rejected')),
    tier integer not null default 0, proposer text not null default '', proposed text not null default ''
    ${sql.join(declared, sql``)}`;
}

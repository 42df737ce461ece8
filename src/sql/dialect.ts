import type { Dialect, Kysely, RawBuilder } from "kysely";
import type { TableShape } from "./shape.js";

/** A connection; tables are named at run time, from a closed list. */
export type Connection = Kysely<Record<string, Record<string, unknown>>>;

/**
 * What a column holds. SQLite's columns hold "any": there each value has a type of its own. "float32" is a float that its
 * server shows rounded, "bit" a boolean that it shows as a byte.
 */
export type ColumnKind = "integer" | "decimal" | "float" | "float32" | "bit" | "boolean" | "text" | "any" | "other";

/** A column as its database describes it. */
export interface Column {
  readonly kind: ColumnKind;
  /** The database's own name of the type, for messages. */
  readonly type: string;
}

/** What a database is opened for: "create" writes too, and makes SQLite's file where there is none. */
export type Access = "read" | "write" | "create";

/** What one kind of database does in its own way. */
export interface SqlDialect {
  /** How kysely reaches the database; `address` is a URL or SQLite's file. */
  open(address: string, access: Access): Promise<Dialect>;
  /** Statements that make a new connection fit for use, such as a strict mode. */
  readonly setUp: readonly string[];
  /** What begins a transaction that sees one state of the database. */
  readonly beginRead: string;
  /** What begins a transaction that writes. */
  readonly beginWrite: string;
  /** Whether a table created in a transaction goes with it when it is rolled back. */
  readonly createsInTransaction: boolean;
  /** A table's columns by name in lower case; undefined where there is no such table. */
  columnsOf(connection: Connection, table: string): Promise<ReadonlyMap<string, Column> | undefined>;
  /** Whether what is written to a table can be undone. */
  isTransactional(connection: Connection, table: string): Promise<boolean>;
  /** A column as it is selected: as exact text, but for SQLite's, which keeps its values' types. */
  selected(column: string, kind: ColumnKind): RawBuilder<unknown>;
  /** A value as it is bound. */
  bound(value: string | number): string | number;
  /** A statement that creates a table; `decimals` is how many each stat needs. */
  create(
    connection: Connection,
    shape: TableShape,
    decimals: ReadonlyMap<string, number>,
  ): Promise<RawBuilder<unknown>>;
  /** Keeps others that call this with the same name waiting until {@link unlock}, or the transaction's end. */
  lock(connection: Connection, name: string): Promise<void>;
  unlock(connection: Connection, name: string): Promise<void>;
  /** Whether a unique index refused a row. */
  isDuplicate(cause: unknown): boolean;
  /** Whether others kept something locked for as long as a server waits. */
  isBusy(cause: unknown): boolean;
  /** Whether others were in the way for a moment, so that the transaction may be done again at once. */
  isPassing(cause: unknown): boolean;
}

/** A driver's code of an error, as text. */
export function codeOf(cause: unknown): string {
  return String((cause as { readonly code?: unknown } | null)?.code);
}

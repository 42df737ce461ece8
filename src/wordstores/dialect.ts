import type { Dialect, Kysely, RawBuilder } from "kysely";
import type { Limits } from "./limits.js";

/** Runs statements. Its types are loose, because table names are known only at run time. */
export type Connection = Kysely<Record<string, Record<string, unknown>>>;

/** "any": in SQLite, every value has its own type. "bit": a boolean that the server prints as a byte. */
export type ColumnKind = "integer" | "decimal" | "float" | "float32" | "bit" | "boolean" | "text" | "any" | "other";

export interface Column {
  readonly kind: ColumnKind;
  readonly type: string;
}

export function kindOf(type: string, types: { readonly [kind in ColumnKind]?: readonly string[] }): ColumnKind {
  const kinds = Object.keys(types) as ColumnKind[];
  return kinds.find((kind) => types[kind]?.includes(type)) ?? "other";
}

/** "create" is like "write", and also creates a missing SQLite file. */
export type Access = "read" | "write" | "create";

export interface DriverConnection {
  connect(): Promise<void>;
  query(statement: string, values: readonly unknown[]): Promise<readonly unknown[]>;
  /** Asks for the end of the connection. Does not wait for the server. */
  close(): void;
  /** Ends the connection at once, even while it connects or runs a statement. */
  destroy(): void;
}

interface DeclaredTypes {
  readonly id: string;
  /** The type of the column `word`, with a collation that compares words byte by byte. */
  readonly word: string;
  readonly active: string;
  readonly status: string;
  readonly text: string;
  readonly number: (decimals: number) => string;
}

export interface SqlDialect {
  /** `address` is a URL, or the path of an SQLite file. */
  open(address: string, access: Access): Promise<DriverConnection>;
  /** The dialect of Kysely. It only compiles statements, so it needs no pool and no database. */
  readonly Kysely: new (
    config: never,
  ) => Dialect;
  setUp(limits: Limits): readonly string[];
  /** Begins a read-only transaction on one state of the database. */
  readonly beginRead: string;
  readonly beginWrite: string;
  columns(table: string): RawBuilder<{ readonly name: string; readonly type: string }>;
  kindOf(type: string): ColumnKind;
  /** Selects a column as exact text. SQLite selects the value unchanged. */
  selected(column: string, kind: ColumnKind): RawBuilder<unknown>;
  bound(value: string | number): string | number;
  declared(connection: Connection): Promise<DeclaredTypes>;
  /** For a database that cannot roll back CREATE TABLE, and has tables without transactions. */
  readonly weakTables?: {
    readonly engine: string;
    isTransactional(connection: Connection, table: string): Promise<boolean>;
  };
  /** Takes a named lock. Absent if a transaction locks all tables. */
  lock?(connection: Connection, name: string, limits: Limits): Promise<unknown>;
  /** Releases a named lock. Absent if the lock ends with the transaction. */
  unlock?(connection: Connection, name: string): Promise<unknown>;
  isDuplicate(cause: unknown): boolean;
  isBusy(cause: unknown): boolean;
  /** Whether an error is temporary, such as a deadlock, so that the transaction can be repeated. */
  isPassing(cause: unknown): boolean;
  /** Whether the transaction is still open after a COMMIT failed. */
  canRepeatCommit?(cause: unknown): boolean;
  isLost(cause: unknown): boolean;
}

export function codeOf(cause: unknown): string {
  return String((cause as { readonly code?: unknown } | null)?.code);
}

export const CHECKED_STATUS = "text check (status in ('accepted', 'proposed', 'rejected'))";

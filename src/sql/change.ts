import type { Issue } from "../errors/index.js";
import type { WordInput } from "../recipes/types.js";

/** A change to a table: a row to insert, or a row that replaces the row with its id. */
export type Change = { readonly insert: WordInput } | { readonly update: WordInput };

/** A row that cannot be read. Its id and its word stay taken, if they are known. */
export interface UnreadableRow {
  readonly id: number | undefined;
  readonly word: string | undefined;
  /** The errors of the row. There is at least one. */
  readonly issues: readonly Issue[];
}

/** Decides about a change of a table from its rows, while the locks are held. It may throw. */
export type Decide = (rows: readonly WordInput[], unreadable: readonly UnreadableRow[]) => Change | Promise<Change>;

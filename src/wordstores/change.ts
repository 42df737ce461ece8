import type { Issue } from "../errors/index.js";
import type { WordInput } from "../recipes/types.js";

/** A change to a table. `insert` is a new row. `update` replaces the row that has the same id. */
export type Change = { readonly insert: WordInput } | { readonly update: WordInput };

/** A row that cannot be read. If its id and word are known, no other row may use them. */
export interface UnreadableRow {
  readonly id: number | undefined;
  readonly word: string | undefined;
  /** The errors of the row, at least one. */
  readonly issues: readonly Issue[];
}

/** Returns the change to make to these rows. Called while the locks are held. May throw. */
export type Decide = (rows: readonly WordInput[], unreadable: readonly UnreadableRow[]) => Change | Promise<Change>;

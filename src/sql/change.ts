import type { WordInput } from "../recipes/types.js";

/** A change to a table: a row to insert, or a proposed row to accept. */
type Change = { readonly insert: WordInput } | { readonly accept: WordInput };

/** A row that cannot be read. Its id and its word stay taken, if they are known. */
interface UnreadableRow {
  readonly id: number | undefined;
  readonly word: string | undefined;
}

/** Decides about a change of a table from its rows. It may throw. */
export type Decide = (rows: readonly WordInput[], unreadable: readonly UnreadableRow[]) => Change;

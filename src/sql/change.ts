import type { WordInput } from "../recipes/types.js";

/** A change to a table: a row to insert, or a row that replaces the row with its id. */
export type Change = { readonly insert: WordInput } | { readonly update: WordInput };

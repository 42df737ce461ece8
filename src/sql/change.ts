import type { WordInput } from "../recipes/types.js";

/** A change to a table: a row to insert, or a proposed row to accept. */
export type Change = { readonly insert: WordInput } | { readonly accept: WordInput };

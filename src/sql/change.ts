import type { WordInput } from "../recipes/types.js";

/** A change of a table: a new row, or a row that is accepted. */
export type Change = { readonly insert: WordInput } | { readonly accept: WordInput };

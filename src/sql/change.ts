import type { WordInput } from "../recipes/types.js";

/** How a table is changed: a row more, or a row that is accepted from now on. */
export type Change = { readonly insert: WordInput } | { readonly accept: WordInput };

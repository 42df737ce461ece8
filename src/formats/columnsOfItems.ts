import type { Column } from "./columns.js";

/** Items as `makeMany` of a recipe returns them. */
export interface ItemSource {
  readonly length: number;
  /** By slot: 0 for an empty slot, else an index into the slot's vocabulary. */
  readonly words: Readonly<Record<string, Uint16Array>>;
  readonly vocabulary: Readonly<Record<string, readonly string[]>>;
  /** By stat, in units of 10^−decimals. */
  readonly stats: Readonly<Record<string, Int16Array | Int32Array>>;
  readonly decimals: Readonly<Record<string, number>>;
  /** Item k's name, k from 0. */
  name(k: number): string;
}

/**
 * Items as columns: the name, the stats in the recipe's order, then the word of each slot, null for an empty slot. A slot
 * with the name of an earlier column becomes `slot.<name>`.
 *
 * Cost: composes every name; stats and words are the items' own arrays.
 */
export function itemColumns(items: ItemSource): Column[] {
  const names = Array.from({ length: items.length }, (_, k) => items.name(k));
  const stats = Object.entries(items.stats).map(([name, values]): Column => {
    const decimals = items.decimals[name];
    return decimals === 0 ? { kind: "integer", name, values } : { kind: "decimal", name, values, decimals };
  });
  const taken = new Set(["name", ...stats.map(({ name }) => name)]);
  const words = Object.entries(items.words).map(([slot, indices]): Column => {
    const [, ...vocabulary] = items.vocabulary[slot];
    return { kind: "word", name: taken.has(slot) ? `slot.${slot}` : slot, words: [null, ...vocabulary], indices };
  });
  return [{ kind: "text", name: "name", values: names }, ...stats, ...words];
}

import type { Column } from "../formats/columns.js";
import type { Items } from "./items.js";

/** The properties of {@link Items} that become columns. */
type ItemSource = Pick<Items, "length" | "words" | "vocabulary" | "stats" | "decimals" | "name">;

/**
 * Returns items as columns for files: first the name, then the stats in the recipe's order, then the word of each slot
 * (null for an empty slot). The column of a slot is called `slot.<name>` if an earlier column has the slot's name.
 *
 * Cost: composes every name. The columns of stats and words use the arrays of the items without a copy.
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

import { createMill } from "../../src/index.js";
import type { Items } from "../../src/recipes/items.js";
import type { ItemOptions, RecipeSource, RecipeSpec, TablesInput } from "../../src/recipes/types.js";
import { decisionsOf, recipeTwin, type TwinItem } from "../oracle/recipeTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import type { RecipeCase } from "./cases.js";

export const SEED = "moria";
export const NAME = "things";

/** A case's recipe in a mill of its own. */
export function opened({ recipe, tables }: Pick<RecipeCase, "recipe" | "tables">) {
  return createMill({ seed: SEED }).recipe(NAME, recipe as RecipeSpec, { tables: tables as TablesInput });
}

export const words = streamWords(streamKey(SEED, NAME));

/** Item `from` + k by the twin. */
export function twinOf({ spec, tables }: RecipeSource, options: ItemOptions) {
  const make = recipeTwin(spec, tables, options);
  return (index: number) => make(decisionsOf(words, index));
}

/** Item k of made ones, as the twin has it. */
export function itemOf(items: Items, k: number): TwinItem {
  const at = (columns: Readonly<Record<string, ArrayLike<number>>>) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column[k]]));
  const stats = Object.entries(at(items.stats)).map(([name, value]) => [name, BigInt(value)]);
  return {
    words: at(items.words),
    outcomes: at(items.outcomes),
    stats: Object.fromEntries(stats),
    name: items.name(k),
  };
}

/** The bytes of every column, of `count` items from item `first` on: a fast comparison of many items. */
export function bytesOf({ words, outcomes, stats }: Items, first: number, count: number): string {
  const columns = [words, outcomes, stats].flatMap((group) => Object.entries(group));
  return JSON.stringify(
    columns.map(([name, column]) => {
      const { buffer, byteOffset, byteLength } = column.slice(first, first + count);
      return [name, Buffer.from(buffer, byteOffset, byteLength).toString("base64")];
    }),
  );
}

/** The columns of some items. */
export function columnsOf({ words, outcomes, stats }: Items): Record<string, unknown> {
  return { words, outcomes, stats };
}

import { createMill } from "../../src/index.js";
import type { ItemOptions } from "../../src/recipes/index.js";
import { shippedRecipe } from "../../src/recipes/shipped.js";
import type { RecipeSpec, TablesInput } from "../../src/recipes/types.js";
import { decisionsOf, recipeTwin } from "../oracle/recipeTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { read } from "../recipes/cases.js";
import { digestOf } from "./golden.js";

/** A shipped recipe by name, or one that is written out; items of a range. */
export interface RecipeGolden {
  readonly seed: string;
  readonly name: string;
  readonly shipped?: string;
  readonly recipe?: RecipeSpec;
  readonly tables?: TablesInput;
  readonly options?: ItemOptions;
  readonly from: number;
  readonly count: number;
}

/** What a case gives: the first names, and each column's digest, signed values as u32. */
interface Made {
  readonly first: readonly string[];
  readonly digests: Readonly<Record<string, string>>;
}

const NAMES = 8;

/** What a case gives in a mill. */
export function itemsInMill(golden: RecipeGolden): Made {
  const { recipe, tables } = sourceOf(golden);
  const mill = createMill({ seed: golden.seed });
  const made = mill.recipe(golden.name, recipe as RecipeSpec, { tables: tables as TablesInput });
  const items = made.makeMany(golden.count, { ...golden.options, from: golden.from });
  const columns = Object.entries({ ...items.words, ...items.outcomes, ...items.stats });
  return {
    first: Array.from({ length: NAMES }, (_, k) => items.name(k)),
    digests: Object.fromEntries(columns.map(([name, column]) => [name, digestOf(Uint32Array.from(column))])),
  };
}

/** What it gives by the slow twin. */
export function itemsByTwin(golden: RecipeGolden): Made {
  const { spec, tables } = read(sourceOf(golden));
  const random = streamWords(streamKey(golden.seed, golden.name));
  const make = recipeTwin(spec, tables, golden.options ?? {});
  const items = Array.from({ length: golden.count }, (_, k) => make(decisionsOf(random, golden.from + k)));
  const [{ words: slots, outcomes, stats }] = items;
  const columns = [
    ...Object.keys(slots).map((name) => [name, items.map((item) => item.words[name])] as const),
    ...Object.keys(outcomes).map((name) => [name, items.map((item) => item.outcomes[name])] as const),
    ...Object.keys(stats).map((name) => [name, items.map((item) => Number(item.stats[name]))] as const),
  ];
  return {
    first: items.slice(0, NAMES).map(({ name }) => name),
    digests: Object.fromEntries(columns.map(([name, column]) => [name, digestOf(Uint32Array.from(column))])),
  };
}

function sourceOf({ shipped, recipe, tables }: RecipeGolden): { recipe: unknown; tables: unknown } {
  return shipped === undefined ? { recipe, tables } : shippedRecipe(shipped);
}

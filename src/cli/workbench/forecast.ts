// What a change of a word does to the odds and to the names of items.

import { createMill, type RecipeSpec, type TablesInput } from "../../index.js";
import { compare, numberOf } from "../../instruments/index.js";

/** What changes in the odds and in the first items of the seed. */
export interface Forecast {
  /** The odds that change, the largest difference first. A null result is an empty slot. */
  readonly changes: readonly OddsChange[];
  /** How many more odds change. */
  readonly more: number;
  /** How many items were compared. */
  readonly items: number;
  /** How many of them get another name. */
  readonly renamed: number;
  /** The first of these names. */
  readonly names: readonly (readonly [before: string, after: string])[];
}

interface OddsChange {
  readonly part: string | undefined;
  readonly result: string | number | null;
  readonly before: number;
  readonly after: number;
}

interface Forecasting {
  readonly name: string;
  readonly spec: RecipeSpec;
  readonly seed: string;
  readonly before: TablesInput;
  readonly after: TablesInput;
}

const ITEMS = 1000;
const MAX_CHANGES = 12;
const MAX_NAMES = 6;

/** Throws the errors of the recipe with its words. */
export function forecastOf({ name, spec, seed, before, after }: Forecasting): Forecast {
  using mill = createMill({ seed });
  using other = createMill({ seed });
  const old = mill.recipe(name, spec, { tables: before });
  const next = other.recipe(name, spec, { tables: after });
  const { changes } = compare(old, next);
  const [items, others] = [old, next].map((recipe) => recipe.makeMany(ITEMS, { from: 0 }));
  const names = Array.from({ length: ITEMS }, (_, k) => [items.name(k), others.name(k)] as const);
  const renamed = names.filter(([one, another]) => one !== another);
  return {
    changes: changes.slice(0, MAX_CHANGES).map(({ part, result, ...odds }) => {
      return { part, result, before: numberOf(odds.before), after: numberOf(odds.after) };
    }),
    more: Math.max(0, changes.length - MAX_CHANGES),
    items: ITEMS,
    renamed: renamed.length,
    names: renamed.slice(0, MAX_NAMES),
  };
}

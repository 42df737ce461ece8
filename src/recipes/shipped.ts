import { error, fail, nearest } from "../errors/index.js";
import { SHIPPED } from "./data.js";

/** A recipe that ships with the library, and its words: both as they may be written, for the parsers. */
export interface ShippedRecipe {
  readonly recipe: unknown;
  readonly tables: unknown;
}

/** The names of the shipped recipes. */
export const SHIPPED_RECIPES: readonly string[] = Object.keys(SHIPPED);

/**
 * A copy of the shipped recipe of a name and of its word tables.
 *
 * @throws RollmillError `recipe.unknown` where there is none of that name.
 */
export function shippedRecipe(name: string): ShippedRecipe {
  if (Object.hasOwn(SHIPPED, name)) return structuredClone(SHIPPED[name]);
  const near = nearest(name, SHIPPED_RECIPES);
  fail(
    error("recipe.unknown", {
      problem: "no recipe of that name ships with Rollmill",
      got: name,
      expected: `one of ${SHIPPED_RECIPES.join(", ")}`,
      remedy: near === undefined ? "Give a recipe of your own as data" : `Did you mean ${JSON.stringify(near)}?`,
    }),
  );
}

import { didYouMean, error, fail, type Issue } from "../errors/index.js";
import { checkText } from "../spec/index.js";
import { SHIPPED } from "./data.js";
import type { TablesInput } from "./parse/rows.js";
import type { RecipeSpec } from "./parse.js";

/** A recipe that ships with the library, with its word tables. Both are input for the parsers. */
export interface ShippedRecipe {
  readonly recipe: RecipeSpec;
  readonly tables: TablesInput;
}

/** Names of the shipped recipes. */
export const SHIPPED_RECIPES: readonly string[] = Object.keys(SHIPPED);

/**
 * Returns a copy of a shipped recipe and its word tables.
 *
 * @throws RollmillError `recipe.unknown` if no shipped recipe has this name.
 */
export function shippedRecipe(name: string): ShippedRecipe {
  checkText("name", name);
  return shippedIn(name) ?? fail(notShipped(name));
}

export function shippedIn(name: string): ShippedRecipe | undefined {
  return Object.hasOwn(SHIPPED, name) ? (JSON.parse(SHIPPED[name]) as ShippedRecipe) : undefined;
}

export function notShipped(name: string): Issue {
  const expected = `one of ${SHIPPED_RECIPES.join(", ")}`;
  const hint = didYouMean(name, SHIPPED_RECIPES, "To use your own recipe, pass it as an object");
  return error("recipe.unknown", { problem: "no shipped recipe has this name", got: name, expected, ...hint });
}

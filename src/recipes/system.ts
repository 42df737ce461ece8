import type { System } from "../calls/index.js";
import type { RecipeLayout } from "./layout.js";
import { openRecipe, type RecipeSetup } from "./open.js";
import { Recipe } from "./recipe.js";

/** Recipes, as a mill opens them. */
export const recipes: System<RecipeSetup, { readonly layout: RecipeLayout }, RecipeLayout, Recipe> = {
  noun: "recipe",
  options: ["recipe", "tables", "file"],
  parse: (_, { name, ...setup }) => ({ spec: { layout: openRecipe(name, setup) }, issues: [] }),
  compile: ({ layout }) => layout,
  open: ({ kernel, name, stream, plan }) => new Recipe(kernel, name, stream, plan),
};

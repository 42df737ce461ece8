import type { System } from "../calls/index.js";
import { ITEMS } from "../kernel/index.js";
import { isParsed, type Parsed } from "../spec/index.js";
import { compileRecipe, type RecipePlan } from "./compile.js";
import { parseTables, WORD_TABLES } from "./parse/tables.js";
import { parseRecipe, RECIPE_SPEC } from "./parse.js";
import { Recipe } from "./recipe.js";
import { notShipped, shippedIn } from "./shipped.js";
import type { RecipeOptions, RecipeSource, RecipeSpec, WordTables } from "./types.js";

/** Tells a mill how to parse, compile and open a recipe. */
export const recipes: System<RecipeOptions, RecipeSource, RecipePlan, Recipe> = {
  noun: "recipe",
  options: ["tables", "file"],
  kernel: ITEMS,
  parse: parseSource,
  compile: compileRecipe,
  open: (setup, _, { seed }) => new Recipe(setup, seed),
};

export function parseSource(input: unknown, { tables, file }: RecipeOptions): Parsed<RecipeSource> {
  const shipped = typeof input === "string" ? shippedIn(input) : { recipe: input, tables: {} };
  if (shipped === undefined) return { spec: undefined, issues: [notShipped(String(input))] };
  const { recipe, tables: own } = shipped;
  const parsed = isParsed(RECIPE_SPEC, recipe) ? whole(recipe as RecipeSpec) : parseRecipe(recipe, { file });
  const { spec } = parsed;
  if (spec === undefined) return { spec, issues: parsed.issues };
  const given = tables ?? own;
  const words = isParsed(WORD_TABLES, given) ? whole(given as WordTables) : parseTables(given, { spec });
  const source = words.spec && { spec, tables: words.spec };
  return { spec: source, issues: [...parsed.issues, ...words.issues] };
}

function whole<Spec>(spec: Spec): Parsed<Spec> {
  return { spec, issues: [] };
}

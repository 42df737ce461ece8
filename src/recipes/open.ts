import { fail, failOnErrors } from "../errors/index.js";
import { compileItems } from "./compile.js";
import { layOut, type RecipeLayout } from "./layout.js";
import { parseRecipe } from "./parse.js";
import { parseTables } from "./parseTables.js";
import { resolve } from "./resolve.js";
import { shippedRecipe } from "./shipped.js";
import type { RecipeSpec, TablesInput } from "./types.js";

/** What a recipe is made from. */
export interface RecipeSetup {
  /** The recipe: one of the shipped ones by name, or data. Default: the shipped one that the name is of. */
  readonly recipe?: string | RecipeSpec;
  /** The word tables. Default: those that ship with the recipe. */
  readonly tables?: TablesInput;
  /** The file that the recipe came from, for messages. */
  readonly file?: string;
}

/**
 * Reads a recipe and its tables, and tries them with default options.
 *
 * @throws RollmillError `recipe.unknown`, every error of the recipe and its tables, `recipe.word`, `recipe.candidates`,
 * `recipe.overflow`.
 */
export function openRecipe(name: string, { recipe = name, tables, file }: RecipeSetup): RecipeLayout {
  const shipped = typeof recipe === "string" ? shippedRecipe(recipe) : { recipe, tables: {} };
  const { spec, issues } = parseRecipe(shipped.recipe, { file });
  failOnErrors(issues);
  if (spec === undefined) return fail(issues[0]);
  const words = parseTables(tables ?? shipped.tables, { spec });
  failOnErrors(words.issues);
  if (words.tables === undefined) return fail(words.issues[0]);
  // what no option can mend is found now, not at the first item
  const layout = layOut(spec, words.tables);
  compileItems(layout, resolve(spec, words.tables));
  return layout;
}

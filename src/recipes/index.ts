export { requestFromForm } from "./form.js";
export { itemColumns } from "./itemColumns.js";
export { type ItemRow, Items, type RequestReport, type StatColumn } from "./items.js";
export type { RecipeOdds, WordOdds } from "./odds.js";
export { openRecipe, type RecipeSetup } from "./open.js";
export { parseRecipe } from "./parse.js";
export { parseTables } from "./parseTables.js";
export type { NamedOutcome } from "./probability.js";
export { type MakeOptions, Recipe } from "./recipe.js";
export { SHIPPED_RECIPES, type ShippedRecipe, shippedRecipe } from "./shipped.js";
export type { StrengthOdds } from "./strength.js";
export { recipes } from "./system.js";
export type {
  BonusStepSpec,
  ChanceSpec,
  ConditionStepSpec,
  ItemOptions,
  RecipeSpec,
  RungSpec,
  SlotSpec,
  SlotsStepSpec,
  SpecialSpec,
  StatSpec,
  StepSpec,
  SwingSpec,
  TablesInput,
  WordInput,
  WordRow,
  WordTable,
  WordTables,
} from "./types.js";

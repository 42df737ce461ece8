export { checkRecipe } from "./check.js";
export { Items } from "./items.js";
export type { StatColumn } from "./kernel.js";
export type { NamedOutcome, RecipeChances } from "./odds.js";
export { MAX_TIER } from "./parse/rows.js";
export { parseTables } from "./parse/tables.js";
export { parseRecipe } from "./parse.js";
export { Recipe } from "./recipe.js";
export { requestFromForm } from "./resolve.js";
export { SHIPPED_RECIPES, type ShippedRecipe, shippedRecipe } from "./shipped.js";
export { recipes } from "./system.js";
export type {
  BonusStepSpec,
  ChanceSpec,
  ConditionStepSpec,
  ItemContent,
  ItemCountOptions,
  ItemOddsOptions,
  ItemOptions,
  ItemResult,
  ItemRow,
  MakeManyOptions,
  MakeOptions,
  RecipeInput,
  RecipeOptions,
  RecipeSource,
  RecipeSpec,
  RequestReport,
  RungSpec,
  SlotOf,
  SlotSpec,
  SlotsStepSpec,
  SpecialSpec,
  StatOf,
  StatSpec,
  StepSpec,
  SwingSpec,
  TablesInput,
  WordInput,
  WordRow,
  WordStatus,
  WordTable,
  WordTables,
} from "./types.js";
export { parseWordCsv, toWordCsv, type WordCsv, type WordCsvOptions } from "./wordCsv.js";

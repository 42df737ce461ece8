import { error, fail, type Issue } from "../errors/index.js";
import { ROW_KEYS } from "../recipes/parse/rows.js";
import { parseRecipe, RECIPE_SPEC, type RecipeSpec } from "../recipes/parse.js";
import { allSlots } from "../recipes/resolve.js";
import { weightColumn } from "../recipes/words.js";
import { checkFunction, checkText, isParsed, readOptions, specOf } from "../spec/index.js";
import type { DatabaseLimits } from "./limits.js";

/** Selects the tables of one recipe. Other tables of the database or folder are ignored. */
export interface RecipeTables extends DatabaseLimits {
  /** Name of the recipe, and prefix of its SQL tables: `weapon` has the tables `weapon_element`, and so on. */
  readonly recipe: string;
  /** The recipe. Its slots name the tables. Its stats are columns of the tables. */
  readonly spec: RecipeSpec;
}

const OF_TABLES = ["recipe", "spec", "timeoutMs", "signal", "onIssue", "asOf", "replace"];
const OF_WORDS = [
  "table",
  "status",
  "word",
  "seen",
  "strict",
  "tier",
  "weight",
  "stats",
  "proposer",
  "proposed",
  "change",
];
/** Each function accepts the options of all functions, so that one object can serve several calls. */
const OPTIONS = [...OF_TABLES, ...OF_WORDS];

/** Throws `argument.type`, `argument.option`, `recipe.spec`. */
export function readTablesOptions<
  Options extends RecipeTables & { readonly onIssue?: ((issue: Issue) => void) | undefined },
>(call: string, options: Options): Options {
  const read = readOptions(call, options, OPTIONS);
  checkText("recipe", read.recipe);
  if (read.onIssue !== undefined) checkFunction("onIssue", read.onIssue);
  return { ...read, spec: isParsed(RECIPE_SPEC, read.spec) ? read.spec : specOf(parseRecipe(read.spec)) };
}

export interface TableShape {
  readonly name: string;
  readonly sqlName: string;
  /** The names of the slots that use tiers of words from this table. */
  readonly tierSlots: readonly string[];
  readonly stats: readonly string[];
  readonly weight: string | undefined;
}

/** Returns the columns in their order. The columns after `active` may be missing in a table. */
export function columnsOfShape({ stats, weight }: TableShape): readonly string[] {
  return [...ROW_KEYS, ...(weight === undefined ? [] : [weight]), ...stats];
}

export function missingValue(column: string, { weight }: TableShape): string | number {
  if (column === "status") return "accepted";
  if (column === "word" || column === "proposer" || column === "proposed") return "";
  return column === "active" || column === weight ? 1 : 0;
}

const NAME = /^[a-z][a-z0-9_]*$/;
/** Maximum length of an SQL name: PostgreSQL truncates longer names, and MySQL's limit is 64. */
const MAX_NAME = 63;

export function tableShapes({ recipe, spec }: RecipeTables): readonly TableShape[] {
  const slots = allSlots(spec);
  const names = [...new Set(slots.map((slot) => slot.table))];
  return names.map((name) => ({
    name,
    sqlName: `${recipe}_${name}`,
    tierSlots: slots.filter((slot) => slot.table === name && slot.tiers !== undefined).map((slot) => slot.slot),
    stats: spec.stats.map((stat) => stat.name),
    weight: weightColumn(spec),
  }));
}

export function tableShape(tables: RecipeTables, name: string): TableShape {
  const shapes = tableShapes(tables);
  const shape = shapes.find((one) => one.name === name);
  if (shape !== undefined) return shape;
  const expected = shapes.map((one) => one.name).join(", ");
  const problem = `recipe ${tables.recipe} has no table with this name`;
  return fail(error("recipe.tables", { problem, got: name, expected }));
}

/** Refuses names that need quotes, because SQL cannot bind names. */
export function checkNames(shapes: readonly TableShape[]): void {
  for (const shape of shapes) {
    const { sqlName } = shape;
    for (const name of [sqlName, ...columnsOfShape(shape)]) {
      if (NAME.test(name) && name.length <= MAX_NAME) continue;
      const problem =
        name === sqlName ? "invalid name for an SQL table" : "the name of a stat or weight is not a valid column name";
      const expected = `1 to ${MAX_NAME} of the characters a–z, 0–9 and _, beginning with a letter`;
      const remedy = `Rename the ${name === sqlName ? "table" : "stat"} in the recipe, or keep the tables as CSV or JSON`;
      fail(error("sql.schema", { problem, got: name, expected, remedy }));
    }
  }
}

import { error, fail } from "../errors/index.js";
import type { RecipeSpec } from "../recipes/types.js";

/** The recipe whose tables are meant. Other tables of a database or a folder are neither read nor written. */
export interface RecipeTables {
  /** The recipe's name, the prefix of its SQL tables: `weapon` has `weapon_element`, `weapon_prefix`, … */
  readonly recipe: string;
  /** Its slots name the tables; its stats name their columns. */
  readonly spec: RecipeSpec;
}

/** The structure of a word table. */
export interface TableShape {
  /** The table's name in the recipe. */
  readonly name: string;
  /** Its name in a database. */
  readonly sqlName: string;
  /** Whether a slot uses the tiers of its words. */
  readonly hasTiers: boolean;
  /** The recipe's stats, in its order. */
  readonly stats: readonly string[];
  /** The stat that slots add to. A table may lack a column for it. */
  readonly strength: string;
}

/** The columns that are not stats. */
export const KEYS = ["id", "word", "active", "status", "tier"] as const;

const NAME = /^[a-z][a-z0-9_]*$/;
/** PostgreSQL truncates longer names; MySQL's limit is 64. */
const MAX_NAME = 63;

/** The recipe's tables, each once, in the order of the slots. */
export function tableShapes({ recipe, spec }: RecipeTables): readonly TableShape[] {
  const slots = spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
  const names = [...new Set(slots.map((slot) => slot.table))];
  return names.map((name) => ({
    name,
    sqlName: `${recipe}_${name}`,
    hasTiers: slots.some((slot) => slot.table === name && slot.tiers !== undefined),
    stats: spec.stats.map((stat) => stat.name),
    strength: spec.strength,
  }));
}

/**
 * The shape of one table of the recipe.
 *
 * @throws RollmillError `recipe.tables` if the recipe has no such table.
 */
export function tableShape(tables: RecipeTables, name: string): TableShape {
  const shapes = tableShapes(tables);
  const shape = shapes.find((one) => one.name === name);
  if (shape !== undefined) return shape;
  const expected = shapes.map((one) => one.name).join(", ");
  return fail(error("recipe.tables", { problem: `recipe ${tables.recipe} has no such table`, got: name, expected }));
}

/**
 * Checks the names of tables and stats. SQL cannot bind names, so only names that need no quotes are allowed.
 *
 * @throws RollmillError `sql.schema`.
 */
export function checkNames(shapes: readonly TableShape[]): void {
  for (const { sqlName, stats } of shapes) {
    for (const name of [sqlName, ...stats]) {
      if (NAME.test(name) && name.length <= MAX_NAME && !KEYS.some((key) => key === name)) continue;
      const problem =
        name === sqlName
          ? "the name is not usable for an SQL table"
          : "the name is not usable for the column of a stat";
      const expected = `at most ${MAX_NAME} of a … z, 0 … 9 and _, starting with a letter, except ${KEYS.join(", ")}`;
      const remedy = "Rename it in the recipe, or keep the tables as CSV or JSON";
      fail(error("sql.schema", { problem, got: name, expected, remedy }));
    }
  }
}

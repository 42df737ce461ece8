import { error, fail } from "../errors/index.js";
import type { RecipeSpec } from "../recipes/types.js";

/** Which tables: those of a recipe. Only they are read or written, whatever else a database or a folder has. */
export interface RecipeTables {
  /** The recipe's name, which its SQL tables begin with: `weapon` has `weapon_element`, `weapon_prefix`, … */
  readonly recipe: string;
  /** Its slots name the tables, its stats their columns. */
  readonly spec: RecipeSpec;
}

/** What one word table has. */
export interface TableShape {
  /** The table's name in the recipe. */
  readonly name: string;
  /** Its name in a database. */
  readonly sqlName: string;
  /** Whether a slot goes by its words' tiers. */
  readonly hasTiers: boolean;
  /** The recipe's stats, in its order. */
  readonly stats: readonly string[];
  /** The stat that slots add to; a table needs no column for it. */
  readonly strength: string;
}

/** Columns that are no stats. */
export const KEYS = ["id", "word", "active", "status", "tier"] as const;

const NAME = /^[a-z][a-z0-9_]*$/;
/** PostgreSQL cuts longer names off; MySQL's limit is 64. */
const MAX_NAME = 63;

/** The recipe's tables, each once, in the order in which its slots name them. */
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
 * @throws RollmillError `recipe.tables`: the recipe has no such table.
 */
export function tableShape(tables: RecipeTables, name: string): TableShape {
  const shapes = tableShapes(tables);
  const shape = shapes.find((one) => one.name === name);
  if (shape !== undefined) return shape;
  const expected = shapes.map((one) => one.name).join(", ");
  return fail(error("recipe.tables", { problem: `recipe ${tables.recipe} has no such table`, got: name, expected }));
}

/** Throws `sql.schema` where a name of the recipe cannot be a name in a database. Names are never bound, so none is quoted into safety. */
export function checkNames(shapes: readonly TableShape[]): void {
  for (const { sqlName, stats } of shapes) {
    for (const name of [sqlName, ...stats]) {
      if (NAME.test(name) && name.length <= MAX_NAME && !KEYS.some((key) => key === name)) continue;
      const problem = name === sqlName ? "no SQL table can have this name" : "no column of a stat can have this name";
      const expected = `at most ${MAX_NAME} of a … z, 0 … 9 and _, a letter first, and none of ${KEYS.join(", ")}`;
      const remedy = "Rename it in the recipe, or keep the tables as CSV or JSON";
      fail(error("sql.schema", { problem, got: name, expected, remedy }));
    }
  }
}

import {
  Field,
  type InputOf,
  list,
  number,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  shape,
  TEXT,
} from "../spec/index.js";
import { checkStat, checkSteps, refuseTwice } from "./parse/relations.js";
import { ROW_KEYS } from "./parse/rows.js";
import { NAME, STEP } from "./parse/steps.js";

/** The kind of parsed recipes, for `isParsed`. */
export const RECIPE_SPEC = "recipe spec";

const MAX_PARTS = 64;
/** Names that a stat cannot have, because word rows or items already have these keys. */
const RESERVED = [...ROW_KEYS, "name", "requests", "words", "ids", "outcomes", "index", "seed"];

const COLUMN = shape<string, string>(readColumn, { ...NAME.json, not: { enum: RESERVED } });
const ENDS = list(number({}), { least: 2, most: 2 });
const CLAMP = shape<readonly [least: number, most: number], readonly [number, number]>(readClamp, ENDS);

export const STAT = record({
  /**
   * Name of the stat, unique, without "=". It is also a column of the word tables, so it is not `id`, `word`, `active`,
   * `status`, `tier`, `proposer`, `proposed`, `name`, `requests`, `words`, `ids`, `outcomes`, `index` or `seed`.
   */
  name: COLUMN,
  /** [least, most], both inclusive: the range of the final value. Default: no range. */
  clamp: optional(CLAMP),
});
/** A stat: a number that every item has. */
export interface StatSpec extends InputOf<typeof STAT> {}

export const RECIPE = record({
  /** 1 to 64 numbers that an item has: `{"name", "clamp"}`. */
  stats: list(STAT, { least: 1, most: MAX_PARTS }),
  /** Name of the stat to which every filled slot adds its strength. */
  strength: TEXT,
  /**
   * The column of the word tables that has the weights of the words. A weight is a decimal ≥ 0. The chance of a word in a
   * random pick is proportional to its weight. Words without a weight have the weight 1. A word of weight 0 is never
   * picked at random, but a request can choose it. Default: the column `weight`, unless a stat has this name; then all
   * words have the weight 1.
   */
  weight: optional(COLUMN),
  /** 1 to 64 steps, in order. Each has a `kind` and a unique `name`. */
  steps: list(STEP, { least: 1, most: MAX_PARTS }),
});
/** A recipe for items: stats, and steps that fill slots and change stats, in order. */
export interface RecipeSpec extends InputOf<typeof RECIPE> {}

/**
 * Reads a recipe from an untrusted object. The returned spec is a copy of the input. It is undefined if there is an
 * error.
 *
 * Cost: O(size). All issues have the code `recipe.spec`.
 */
export function parseRecipe(input: unknown, options: { readonly file?: string | undefined } = {}): Parsed<RecipeSpec> {
  const { file } = readOptions("parseRecipe", options, ["file"]);
  const reader = new SpecReader({ noun: RECIPE_SPEC, code: "recipe.spec", file, isDocument: true });
  return reader.run(input, (root) => {
    const { steps, ...recipe } = RECIPE.read(reader, root);
    refuseTwice(reader, root.part("stats"), recipe.stats);
    const stats = recipe.stats.map(({ name }) => name);
    checkStat(reader, new Field(recipe.strength, root, "strength"), stats);
    if (recipe.weight !== undefined && stats.includes(recipe.weight)) {
      const problem = "the column of weights has the name of a stat";
      reader.report(root.part("weight"), { problem, got: recipe.weight, expected: "a name that no stat has" });
    }
    checkSteps(reader, root.part("steps"), steps, stats);
    return { ...recipe, steps: steps.filter((step) => step !== undefined) };
  });
}

function readColumn(reader: SpecReader, at: Field): string {
  const name = NAME.read(reader, at);
  if (RESERVED.includes(name)) {
    const expected = `a name other than ${RESERVED.join(", ")}`;
    reader.report(at, { problem: "the name of the column is reserved", got: name, expected });
  }
  return name;
}

function readClamp(reader: SpecReader, at: Field): readonly [number, number] {
  const [least = 0, most = 0] = ENDS.read(reader, at);
  if (least > most) {
    const problem = `the lower end ${least} of the clamp is above the upper end ${most}`;
    reader.report(at, { problem, expected: "[least, most] with least ≤ most" });
  }
  return [least, most];
}

import { scaleToIntegers } from "../../decimals.js";
import { error, fail, type Issue } from "../../errors/index.js";
import type { SlotSpec, WordTable, WordTables } from "../types.js";
import { lowestTerms } from "../weights.js";

/** The rows that a random pick can choose, and the weights of all rows. */
interface Weights {
  /** Indices of the rows that are active and have a weight above 0, ascending. */
  readonly candidates: readonly number[];
  readonly weights: readonly number[];
  readonly issues: readonly Issue[];
}

interface Lookup {
  readonly byWord: ReadonlyMap<string, number>;
  /** The weights that were already read, by column; undefined for recipes without a weight column. */
  readonly byColumn: Map<string | undefined, Weights>;
}

// word tables never change, so the lookup structures are built once for each table
const lookups = new WeakMap<WordTable, Lookup>();

function lookupOf(table: WordTable): Lookup {
  const known = lookups.get(table);
  if (known !== undefined) return known;
  const byWord = new Map(table.rows.map(({ word }, row) => [word, row]));
  const lookup = { byWord, byColumn: new Map<string | undefined, Weights>() };
  lookups.set(table, lookup);
  return lookup;
}

export function rowOf(table: WordTable, word: string): number | undefined {
  return lookupOf(table).byWord.get(word);
}

/**
 * Returns the weights of a table. `column` is the recipe's column of weights.
 *
 * Issues:
 * - `weights.invalid`: a weight is not a number ≥ 0.
 * - `weights.overflow`: the weights are integers, and the total of the active rows exceeds 2^32 − 1.
 * - `weights.decimals`: the total of the active rows exceeds 2^32 − 1 after the weights were scaled to integers.
 *
 * All weights are 0 if there is an issue.
 */
export function weightsOf(table: WordTable, column: string | undefined): Weights {
  const { byColumn } = lookupOf(table);
  const known = byColumn.get(column);
  if (known !== undefined) return known;
  const written = table.rows.map(({ active, stats }) => {
    if (!active) return 0;
    return column === undefined ? 1 : (stats[column] ?? 1);
  });
  const { scaled, issues } = scaleToIntegers(written, { path: `${table.name}.${column}` });
  const weights = lowestTerms(scaled?.integers ?? written.map(() => 0));
  const found = { candidates: weights.flatMap((weight, row) => (weight > 0 ? [row] : [])), weights, issues };
  byColumn.set(column, found);
  return found;
}

export function tableOf(tables: WordTables, { table, slot }: SlotSpec): WordTable {
  const found = tables.get(table);
  if (found !== undefined) return found;
  const problem = `the table ${JSON.stringify(table)} of the slot ${JSON.stringify(slot)} is missing`;
  return fail(error("recipe.tables", { problem, remedy: "Add the table to the word tables of the recipe" }));
}

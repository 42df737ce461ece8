import { scaleToIntegers } from "../decimals.js";
import { error, fail, type Issue } from "../errors/index.js";
import { commonDivisor } from "../fractions.js";
import type { RecipeSpec, SlotSpec, WordTable, WordTables } from "./types.js";

interface Weights {
  /** Indices of the rows that are active and have a weight above 0, ascending. */
  readonly candidates: readonly number[];
  readonly weights: readonly number[];
  readonly issues: readonly Issue[];
}

// word tables never change, so the lookup structures are built once for each table
const lookups = new WeakMap<WordTable, ReturnType<typeof createLookup>>();

function createLookup({ rows }: WordTable) {
  const byWord = new Map(rows.map(({ word }, row) => [word, row]));
  return { byWord, byColumn: new Map<string | undefined, Weights>() };
}

function lookupOf(table: WordTable) {
  const lookup = lookups.get(table) ?? createLookup(table);
  lookups.set(table, lookup);
  return lookup;
}

export function rowOf(table: WordTable, word: string): number | undefined {
  return lookupOf(table).byWord.get(word);
}

/** Returns an integer weight for each row, and the issues of `scaleToIntegers`. With issues, all weights are 0. */
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

/** Returns undefined if the recipe has no weight column: then all words have the weight 1. */
export function weightColumn({ stats, weight }: RecipeSpec): string | undefined {
  if (weight !== undefined) return weight;
  return stats.some(({ name }) => name === "weight") ? undefined : "weight";
}

export function lowestTerms(weights: readonly number[]): readonly number[] {
  let divisor = 0;
  for (const weight of weights) {
    if (divisor === 1) return weights;
    divisor = commonDivisor(weight, divisor);
  }
  return divisor <= 1 ? weights : weights.map((weight) => weight / divisor);
}

import { error, fail } from "../../errors/index.js";
import type { SlotSpec, WordTable, WordTables } from "../types.js";

/**
 * Lookup structures for a table. `byWord` maps each word to its row index; `active` lists the indices of active rows.
 */
interface Lookup {
  readonly byWord: ReadonlyMap<string, number>;
  readonly active: readonly number[];
}

// word tables never change, so the lookup structures of a table are built only once
const lookups = new WeakMap<WordTable, Lookup>();

function lookupOf(table: WordTable): Lookup {
  const known = lookups.get(table);
  if (known !== undefined) return known;
  const byWord = new Map(table.rows.map(({ word }, row) => [word, row]));
  const active = table.rows.flatMap((row, index) => (row.active ? [index] : []));
  const lookup = { byWord, active };
  lookups.set(table, lookup);
  return lookup;
}

/** Returns the index of the row with exactly this word, active or not; undefined if the table has no such word. */
export function rowOf(table: WordTable, word: string): number | undefined {
  return lookupOf(table).byWord.get(word);
}

/** Returns the indices of the active rows, ascending. */
export function activeRows(table: WordTable): readonly number[] {
  return lookupOf(table).active;
}

/**
 * Returns the table of a slot.
 *
 * @throws RollmillError `recipe.tables` if the table is missing.
 */
export function tableOf(tables: WordTables, { table, slot }: SlotSpec): WordTable {
  const found = tables.get(table);
  if (found !== undefined) return found;
  const problem = `the table ${JSON.stringify(table)} of the slot ${JSON.stringify(slot)} is missing`;
  return fail(error("recipe.tables", { problem, remedy: "Add the table to the word tables of the recipe" }));
}

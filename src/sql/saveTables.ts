import type { TablesInput } from "../recipes/types.js";
import { loadTables } from "./loadTables.js";
import { isFiles, placeOf } from "./place.js";
import { type RecipeTables, tableShapes } from "./shape.js";
import { checkedTables } from "./wordRows.js";

/** Which tables are saved, and whether over others. */
export interface SaveOptions extends RecipeTables {
  /** Whether words that are there already may go. Default false. */
  readonly replace?: boolean;
}

/**
 * Writes a recipe's word tables, proposals too, to a folder of CSV files, a JSON file or a database, named as
 * {@link loadTables} reads them. Database tables that are missing are created, with a unique index over words that takes
 * upper and lower case, accents and trailing spaces for different.
 *
 * All or nothing: everything is checked first; in a database one transaction writes all tables, reads them back, and keeps
 * them only if every number and word is what was meant (MySQL, which cannot undo a CREATE TABLE, has what was created
 * dropped); a file takes its name only when it is whole, and of several none before all are.
 *
 * Cost: O(rows).
 *
 * @throws RollmillError `recipe.tables`, `recipe.duplicate` (rows that cannot be kept: an id that is no integer ≥ 1, a word
 * that is empty, longer than 256 characters or has control characters, a tier above 255, a key that is no stat, two rows
 * of one word), `sql.connect`, `sql.schema`, `sql.query` (also where a table has rows already, without `replace`),
 * `file.write` (also where a file is there already).
 */
export async function saveTables(target: string | URL, tables: TablesInput, options: SaveOptions): Promise<void> {
  const place = placeOf(target);
  const shapes = tableShapes(options);
  const content = { tables: checkedTables(tables, shapes), replace: options.replace ?? false };
  if (isFiles(place)) {
    const { saveToFiles } = await import("./files.js");
    return saveToFiles(place, shapes, content);
  }
  const { saveToDatabase } = await import("./sqlTables.js");
  return saveToDatabase(place, shapes, content);
}

/**
 * Copies a recipe's word tables from one place to another: what `rollmill recipe tables import` and `export` do.
 *
 * @returns the tables.
 * @throws RollmillError as {@link loadTables} and {@link saveTables}.
 */
export async function copyTables(
  source: string | URL,
  target: string | URL,
  options: SaveOptions,
): Promise<TablesInput> {
  const tables = await loadTables(source, options);
  await saveTables(target, tables, options);
  return tables;
}

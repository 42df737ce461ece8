import type { TablesInput } from "../recipes/types.js";
import { isFiles, placeOf } from "./place.js";
import { type RecipeTables, tableShapes } from "./shape.js";

/**
 * Reads a recipe's word tables from a source:
 *
 * - a folder of CSV files `<table>.csv`, in the form of `parseWordCsv` of `rollmill/recipes`;
 * - a file `*.json`, an object of lists of rows;
 * - an SQLite file: `sqlite:PATH`, or a path that ends in .sqlite, .sqlite3 or .db;
 * - a server: `postgres://…` (needs the package pg), `mysql://…` or `mariadb://…` (need mysql2).
 *
 * In a database, table t of recipe r is `r_t`. Other columns than these are ignored:
 *
 * - id, word, active;
 * - one for each stat of the recipe; the strength stat may be missing;
 * - tier, required if a slot uses tiers;
 * - status, "accepted" or "proposed"; without the column all words are accepted.
 *
 * Numbers are exact: a DECIMAL is its shortest form (1.50 is 1.5), a binary float the shortest decimal that rounds to
 * it. A number with more digits than a double can represent is an error. NULL as a stat or tier is 0. Files are
 * returned unchanged; rows of a database are sorted by id, so the same rows give the same bytes from every kind of
 * database. The rows include proposals, which have the status "proposed"; parseTables and mill.recipe ignore them.
 *
 * Cost: two queries for each table, one for its columns and one for its rows, in one transaction. A connection may take
 * 5 s.
 *
 * @throws RollmillError `sql.connect` (no driver, server, database or file; never shows a password), `sql.schema` (a
 * missing table or column, or one of an unsuitable type), `sql.query`, `file.read`, `file.json`, `recipe.tables`
 * (malformed CSV).
 */
export async function loadTables(source: string | URL, tables: RecipeTables): Promise<TablesInput> {
  const place = placeOf(source);
  const shapes = tableShapes(tables);
  if (isFiles(place)) {
    const { loadFromFiles } = await import("./files.js");
    return loadFromFiles(place, shapes);
  }
  const { loadFromDatabase } = await import("./sqlTables.js");
  return loadFromDatabase(place, shapes);
}

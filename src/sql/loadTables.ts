import type { TablesInput } from "../recipes/types.js";
import { loadDatabaseCode } from "./driver.js";
import { isFiles, placeOf } from "./place.js";
import { type RecipeTables, tableShapes } from "./shape.js";

/**
 * Reads a recipe's word tables from a source:
 *
 * - a folder of CSV files `<table>.csv`, in the form of `parseWordCsv` of `rollmill/recipes`;
 * - a file `*.json`, an object that maps tables to lists of rows;
 * - an SQLite file: `sqlite:PATH`, or a path that ends in .sqlite, .sqlite3 or .db (needs the package
 *   node-sqlite3-wasm);
 * - a server: `postgres://…` (needs the package pg), `mysql://…` or `mariadb://…` (need mysql2).
 *
 * Every database also needs the package kysely.
 *
 * In a database, table t of recipe r has the name `r_t`. It has these columns (further columns are ignored):
 *
 * - id, word, active;
 * - one column for each stat of the recipe; the column of the strength stat may be missing;
 * - tier, required if a slot uses tiers;
 * - status, "accepted" or "proposed"; if the column is missing, all words are accepted.
 *
 * Numbers are read exactly: a DECIMAL as its shortest form (1.50 as 1.5), and a binary float as the shortest decimal
 * that rounds to it. A number with more digits than a double can represent is an error. A NULL in a stat or tier is
 * read as 0. Rows from files are returned unchanged. Rows from a database are sorted by id, so that every kind of
 * database returns the same rows in the same order. The rows include proposals, which have the status "proposed";
 * parseTables and mill.recipe ignore proposals.
 *
 * Cost: in one transaction, two queries for each table, one for its columns and one for its rows. A connection times
 * out after 5 s.
 *
 * @throws RollmillError `sql.connect` (no driver, server, database or file; the message never shows a password),
 * `sql.schema` (a missing table or column, or a column with an unsuitable type), `sql.query`, `file.read` (also for
 * a symbolic link that leads out of the folder), `file.busy` (other programs keep changing the files), `file.json`,
 * `recipe.tables` (malformed CSV), `recipe.spec` (the name of a table cannot be a file name).
 */
export async function loadTables(source: string | URL, tables: RecipeTables): Promise<TablesInput> {
  const place = placeOf(source);
  const shapes = tableShapes(tables);
  if (isFiles(place)) {
    const { loadFromFiles } = await import("./files.js");
    return loadFromFiles(place, shapes);
  }
  const { loadFromDatabase } = await loadDatabaseCode(place.kind, () => import("./sqlTables.js"));
  return loadFromDatabase(place, shapes);
}

import type { TablesInput } from "../recipes/types.js";
import { isFiles, placeOf } from "./place.js";
import { type RecipeTables, tableShapes } from "./shape.js";

/**
 * Reads a recipe's word tables from where they are kept:
 *
 * - a folder of CSV files `<table>.csv`, as parseCsvTable reads them;
 * - a file `*.json`, an object of lists of rows;
 * - an SQLite file: `sqlite:PATH`, or a path that ends in .sqlite, .sqlite3 or .db;
 * - a server: `postgres://…` (needs the package pg), `mysql://…` or `mariadb://…` (need mysql2).
 *
 * In a database, table t of recipe r is `r_t`, with the columns id, word, active and one for each stat of the recipe (but
 * for the one that slots add strength to, which may be missing), tier where a slot goes by tiers, and status ("accepted" or
 * "proposed"; without it all are accepted). Other columns are not looked at. Numbers come out exactly: a DECIMAL is its
 * shortest form (1.50 is 1.5), a binary float the shortest decimal that it is read back from, as everywhere in Rollmill.
 * One that a number cannot carry is an error. An empty stat or tier (NULL) is 0. Files are given as they are; rows from a
 * database come in the order of their ids, whatever order it returns them in, and the same rows are the same bytes from
 * every kind. Proposals are among the rows, with status "proposed": parseTables and mill.recipe take no notice of them.
 *
 * Cost: one query a table for its columns and one for its rows, in one transaction; a server has 5 s to accept.
 *
 * @throws RollmillError `sql.connect` (no driver, server, database or file; never shows a password), `sql.schema` (a table
 * or column that is missing or of another type), `sql.query`, `file.read`, `file.json`, `recipe.tables` (a malformed CSV).
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

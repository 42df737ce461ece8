import type { TablesInput } from "../recipes/types.js";
import { checkFlag } from "../spec/index.js";
import { loadDatabaseCode } from "./driver.js";
import { limitsOf } from "./limits.js";
import { type LoadOptions, loadFrom } from "./loadTables.js";
import { withoutMalformed } from "./malformed.js";
import { isFiles, placeOf } from "./place.js";
import { type RecipeTables, readTablesOptions, tableShapes } from "./shape.js";
import { checkedTables } from "./wordRows.js";

/** Options of {@link saveTables} and {@link copyTables}. */
export interface SaveOptions extends RecipeTables {
  /** Whether to replace existing words. If false, existing words are an error. Default false. */
  readonly replace?: boolean;
}

/**
 * Writes a recipe's word tables to a folder of CSV files, a JSON file or a database. Also writes proposals. Tables have
 * the names that {@link loadTables} reads. Creates missing database tables. A created table has a unique index, for
 * which words are different even if they differ only in case, accents or trailing spaces.
 *
 * Writes all tables or none. Checks all rows first. In a database, one transaction writes the tables and reads them
 * back. If any value differs, the transaction is rolled back. MySQL cannot roll back a CREATE TABLE. There, the tables
 * that this call has created are dropped instead. Files are replaced all at once, even if the process is killed.
 *
 * Cost: O(rows).
 *
 * @throws RollmillError `recipe.tables` (an id that is not an integer ≥ 1; a word that has no visible character, is
 * longer than 256 characters or has control characters; a tier above 255; a key that is not a stat), `recipe.duplicate`
 * (two rows with the same id or word), `sql.connect`, `sql.schema`, `sql.busy`, `sql.timeout`, `sql.query` (also if a
 * table has rows and `replace` is not set), `file.write` (also if a file exists and `replace` is not set), `file.busy`
 * (another process holds the lock of the files for 5 s), `recipe.spec` (an invalid recipe), `argument.type`,
 * `argument.option`; the reason of the signal.
 */
export async function saveTables(target: string | URL, tables: TablesInput, options: SaveOptions): Promise<void> {
  return saveTo(target, tables, readTablesOptions("saveTables", options));
}

async function saveTo(target: string | URL, tables: TablesInput, options: SaveOptions): Promise<void> {
  if (options.replace !== undefined) checkFlag("replace", options.replace);
  const place = placeOf(target);
  const shapes = tableShapes(options);
  const content = { tables: checkedTables(tables, shapes), replace: options.replace ?? false };
  if (isFiles(place)) {
    const { saveToFiles } = await import("./files.js");
    return saveToFiles(place, shapes, content);
  }
  const { saveToDatabase } = await loadDatabaseCode(place.kind, () => import("./sqlTables.js"));
  return saveToDatabase({ place, limits: limitsOf(options) }, shapes, content);
}

/**
 * Copies a recipe's word tables from one place to another. With `onIssue`, malformed rows are reported, but not copied.
 * The commands `rollmill recipe tables import` and `rollmill recipe tables export` call this function.
 *
 * @returns the tables.
 * @throws The errors of {@link loadTables} and {@link saveTables}.
 */
export async function copyTables(
  source: string | URL,
  target: string | URL,
  options: SaveOptions & LoadOptions,
): Promise<TablesInput> {
  const read = readTablesOptions("copyTables", options);
  const { onIssue } = read;
  const loaded = await loadFrom(source, read);
  const report = { onIssue: () => undefined, shown: String(source), keepsProposals: false };
  const tables = onIssue === undefined ? loaded : withoutMalformed(loaded, tableShapes(read), report);
  await saveTo(target, tables, read);
  return tables;
}

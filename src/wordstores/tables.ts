import type { Issue } from "../errors/index.js";
import type { TablesInput } from "../recipes/types.js";
import { checkFlag } from "../spec/index.js";
import { loadDatabaseCode } from "./driver.js";
import { storeOfFiles } from "./files.js";
import { type DatabaseLimits, limitsOf } from "./limits.js";
import { type Place, placeOf, versionAsOf } from "./place.js";
import { checkedTables, withoutMalformed } from "./rows.js";
import { type RecipeTables, readTablesOptions, tableShapes } from "./shape.js";
import type { WordStore } from "./store.js";

/** Options of {@link loadTables}. */
export interface LoadOptions extends RecipeTables {
  /**
   * Called with a warning for each malformed row, which has a cell of the wrong type, or a word that breaks a rule.
   * Such a row is left out, unless it is a proposed or rejected word whose cells can be read. Default: a malformed row
   * of an accepted word is an error.
   */
  readonly onIssue?: ((issue: Issue) => void) | undefined;
  /**
   * A date, such as "2026-11-22". The source is then a folder of versions: folders, `.json` or `.sqlite` files
   * whose names are the dates from which they are valid. Reads the last version that is not newer than the date.
   */
  readonly asOf?: string | undefined;
}

/** Options of {@link saveTables} and {@link copyTables}. */
export interface SaveOptions extends RecipeTables {
  /** Whether to replace existing words. If false, existing words are an error. Default false. */
  readonly replace?: boolean;
}

/**
 * Reads a recipe's word tables from a source:
 *
 * - a folder of CSV files `<table>.csv`, in the form of `parseWordCsv` of `rollmill/recipes`;
 * - a file `*.json`, an object that maps tables to lists of rows;
 * - an SQLite file: `sqlite:PATH`, or a path that ends in .sqlite, .sqlite3 or .db. Needs Node 22.13 or later, or the
 *   package better-sqlite3. Other programs may use the file at the same time. But one process must not open it through
 *   two copies of SQLite: if one copy closes its connection, the other copy loses its locks;
 * - a server: `postgres://…` (needs the package pg), `mysql://…` or `mariadb://…` (need mysql2). Every database also
 *   needs the package kysely.
 *
 * In a database, table t of recipe r has the name `r_t`. These columns are read: id, word, active; a column for each
 * stat (default 0); tier, required if a slot uses tiers; status, "accepted" (the default), "proposed" or "rejected";
 * the recipe's column of weights (default 1); proposer and proposed, the person and the time of a proposal.
 *
 * Numbers are read exactly. A binary float becomes the shortest decimal that rounds to the same float. A number with
 * more digits than a double can represent is an error. A NULL in a stat or tier is read as 0. Rows from files are
 * returned unchanged; rows from a database are sorted by id, and belong to one state of the database. The rows include
 * proposals, which parseTables and mill.recipe ignore.
 *
 * Cost: two queries for each table of a database.
 *
 * @throws RollmillError `sql.connect` (no driver, server, database or file, or a lost connection), `sql.timeout`,
 * `sql.busy` (another program holds a lock), `sql.schema` (a missing table or column, an unsuitable type, or a
 * malformed row), `sql.query`, `argument.type`, `argument.option`, `argument.range`, `file.read` (also for a symbolic
 * link in the folder), `file.busy` (other programs keep changing the files), `file.json`, `recipe.tables` (malformed
 * CSV, or no version as old as `asOf`), `recipe.spec`; the reason of the signal.
 */
export async function loadTables(source: string | URL, options: LoadOptions): Promise<TablesInput> {
  const read = readTablesOptions("loadTables", options);
  const { onIssue, asOf } = read;
  const given = placeOf(source);
  const place = asOf === undefined ? given : await versionAsOf(given, asOf);
  const shapes = tableShapes(read);
  const tables = await (await openStore(place, read)).load(shapes, onIssue);
  if (onIssue === undefined) return tables;
  return withoutMalformed(tables, shapes, { onIssue, shown: place.shown, keepsProposals: true });
}

export async function openStore(place: Place, options: DatabaseLimits): Promise<WordStore> {
  const limits = limitsOf(options);
  if (!("address" in place)) return storeOfFiles(place);
  const { storeOfDatabase } = await loadDatabaseCode(place.kind, () => import("./database.js"));
  return storeOfDatabase({ place, limits });
}

/**
 * Writes a recipe's word tables, with their proposals, as {@link loadTables} reads them. Creates missing database
 * tables. Their unique index distinguishes words that differ only in case, accents or trailing spaces. Cost: O(rows).
 *
 * Writes all tables or none. Files are replaced all at once, even if the process is killed. In a database, one
 * transaction writes the tables and reads them back, and is rolled back if any value differs.
 *
 * @throws RollmillError `recipe.tables` (an id that is not an integer ≥ 1; a word without a visible character, with
 * control characters or with more than 256 characters; a tier above 255; a key that is not a stat), `recipe.duplicate`
 * (an id or a word twice), `sql.query`, `file.write` (also without `replace` if a table has rows or a file exists),
 * `file.busy` (another process holds the lock for 5 s), and the errors of {@link loadTables}.
 */
export async function saveTables(target: string | URL, tables: TablesInput, options: SaveOptions): Promise<void> {
  const read = readTablesOptions("saveTables", options);
  const { replace = false } = read;
  checkFlag("replace", replace);
  const place = placeOf(target);
  const shapes = tableShapes(read);
  const content = { tables: checkedTables(tables, shapes), replace };
  await (await openStore(place, read)).save(shapes, content);
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
  const loaded = await loadTables(source, read);
  const report = { onIssue: () => undefined, shown: String(source), keepsProposals: false };
  const tables = onIssue === undefined ? loaded : withoutMalformed(loaded, tableShapes(read), report);
  await saveTables(target, tables, read);
  return tables;
}

import { type Issue, warning } from "../errors/index.js";
import { didYouMean, guarded, hasErrors, listed, type Report, readMap, readText, report, textFlaw } from "./report.js";
import { allSlots } from "./requests.js";
import type { RecipeSpec, WordRow, WordTable, WordTables } from "./types.js";

/** The most accepted words of a table: a column of items holds 0, each word, and the special's word once more in 16 bits. */
export const MAX_WORDS = 65_533;
/** What {@link isTier} expects. */
export const TIERS = "an integer from 0 to 255";
/** The most rows of a table, proposals included. */
const MAX_ROWS = 1_000_000;
/** Bad rows reported for one table. */
const MAX_REPORTED = 20;
/** A row's keys that are no stat. */
const ROW_KEYS = ["id", "word", "active", "status", "tier"];

/** The tables of a recipe: what it needs of them. */
interface Needs {
  readonly tables: readonly string[];
  readonly stats: readonly string[];
}

/**
 * Reads word tables from lists of rows by table name, trusting nothing in them: accepted rows only, ordered by id. What is
 * proposed is left out unjudged, so that no proposal can keep a recipe from its words. With a
 * `spec` every table that it names must be there, every further column must be one of its stats, and a table that it does
 * not name is a warning. `tables`, a copy, is there where the issues have no error.
 *
 * Issues: `recipe.tables` (malformed), `recipe.duplicate` (an id twice, or a word twice among accepted rows; words are
 * compared exactly). The first 20 errors of a table are reported. Cost: O(n log n) for n rows.
 */
export function parseTables(
  input: unknown,
  { file, spec }: { readonly file?: string | undefined; readonly spec?: RecipeSpec | undefined } = {},
): { tables?: WordTables; issues: readonly Issue[] } {
  const to: Report = { issues: [], file, code: "recipe.tables" };
  const tables = guarded(to, () => readTables(to, input, spec === undefined ? undefined : needsOf(spec)));
  return tables === undefined || hasErrors(to) ? { issues: to.issues } : { tables, issues: to.issues };
}

function needsOf(spec: RecipeSpec): Needs {
  const tables = new Set(allSlots(spec).map(({ table }) => table));
  return { tables: [...tables], stats: spec.stats.map(({ name }) => name) };
}

function readTables(to: Report, input: unknown, needs: Needs | undefined): WordTables {
  const tables = new Map<string, WordTable>();
  const lists = readMap(to, "", input, "an object with a list of rows for each table");
  if (lists === undefined) return tables;
  for (const [name, list] of lists) {
    if (needs !== undefined && !needs.tables.includes(name)) {
      const expected = `one of ${listed(needs.tables)}`;
      const finding = {
        problem: "the recipe has no such table",
        got: name,
        expected,
        ...didYouMean(name, needs.tables),
      };
      to.issues.push(warning("recipe.tables", { ...finding, where: { path: name, file: to.file } }));
      continue;
    }
    readText(to, name, name);
    tables.set(name, { name, rows: readRows(to, name, list, needs?.stats) });
  }
  for (const name of needs?.tables ?? []) {
    if (tables.has(name)) continue;
    const expected = `the tables ${listed(needs?.tables ?? [])}`;
    report(to, name, { problem: "a table of the recipe is missing", got: [...lists.keys()].join(", "), expected });
  }
  return tables;
}

function readRows(to: Report, table: string, list: unknown, stats: readonly string[] | undefined): readonly WordRow[] {
  if (!Array.isArray(list) || list.length > MAX_ROWS) {
    const got = Array.isArray(list) ? `${list.length} rows` : list;
    report(to, table, { problem: "a table is no list of rows", got, expected: `a list of at most ${MAX_ROWS} rows` });
    return [];
  }
  const reader = new RowReader(to, stats);
  const before = to.issues.length;
  for (let i = 0; i < list.length && to.issues.length < before + MAX_REPORTED; i++)
    reader.read(`${table}[${i}]`, list[i]);
  const rows = reader.rows.sort((a, b) => a.id - b.id);
  if (rows.length > MAX_WORDS) {
    const expected = `at most ${MAX_WORDS}`;
    report(to, table, { problem: "a table has too many accepted words", got: rows.length, expected });
  }
  return rows;
}

/** Reads the rows of one table. */
class RowReader {
  /** The accepted ones, as they came. */
  readonly rows: WordRow[] = [];
  readonly #to: Report;
  readonly #stats: readonly string[] | undefined;
  readonly #ids = new Map<number, string>();
  readonly #words = new Map<string, string>();
  /** Unknown columns are reported once a table. */
  readonly #unknown = new Set<string>();

  constructor(to: Report, stats: readonly string[] | undefined) {
    this.#to = to;
    this.#stats = stats;
  }

  read(path: string, value: unknown): void {
    const fields = readMap(this.#to, path, value, "a row with an id and a word");
    if (fields === undefined) return;
    if (fields.get("status") === "proposed") return;
    const { id, word, active = true, status = "accepted", tier = 0 } = Object.fromEntries(fields);
    if (!isId(id)) this.#refuse(`${path}.id`, "an id is not usable", id, "a positive integer");
    const flaw = textFlaw(word);
    if (flaw !== undefined) this.#refuse(`${path}.word`, "a word is not usable", word, flaw);
    const isActive = active === true || active === 1;
    if (!isActive && active !== false && active !== 0) {
      this.#refuse(`${path}.active`, "active is not usable", active, "true or false, or 1 or 0");
    }
    if (status !== "accepted") {
      this.#refuse(`${path}.status`, "a status is not known", status, '"accepted" or "proposed"');
    }
    if (!isTier(tier)) this.#refuse(`${path}.tier`, "a tier is not usable", tier, TIERS);
    const stats = this.#readStats(path, fields);
    if (isId(id)) this.#claim(this.#ids, id, `${path}.id`);
    if (status !== "accepted" || typeof word !== "string") return;
    this.#claim(this.#words, word, `${path}.word`);
    if (isId(id) && isTier(tier)) this.rows.push({ id, word, active: isActive, tier: tier + 0, stats });
  }

  #readStats(path: string, fields: ReadonlyMap<string, unknown>): WordRow["stats"] {
    // no inherited names
    const stats: { [stat: string]: number } = Object.create(null);
    for (const [key, value] of fields) {
      if (ROW_KEYS.includes(key) || value === undefined) continue;
      if (this.#stats !== undefined && !this.#stats.includes(key))
        this.#reportColumn(`${path}.${key}`, key, this.#stats);
      else if (typeof value === "number" && Number.isFinite(value)) stats[key] = value + 0;
      else this.#refuse(`${path}.${key}`, "what a word adds to a stat is not usable", value, "a finite number");
    }
    return stats;
  }

  #reportColumn(path: string, column: string, stats: readonly string[]): void {
    if (this.#unknown.has(column)) return;
    this.#unknown.add(column);
    const known = [...ROW_KEYS, ...stats];
    const expected = `one of ${listed(known)}`;
    report(this.#to, path, {
      problem: "a column is no stat of the recipe",
      got: column,
      expected,
      ...didYouMean(column, known),
    });
  }

  #claim<T>(taken: Map<T, string>, value: T, path: string): void {
    const first = taken.get(value);
    if (first === undefined) taken.set(value, path);
    else {
      const problem = typeof value === "number" ? "an id stands twice" : "a word stands twice";
      const expected = `one of its own (${first} has it)`;
      report(this.#to, path, { problem, got: value, expected }, "recipe.duplicate");
    }
  }

  #refuse(path: string, problem: string, got: unknown, expected: string): void {
    report(this.#to, path, { problem, got, expected });
  }
}

function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

/** Whether a row may have this tier. */
export function isTier(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 255;
}

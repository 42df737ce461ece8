import { didYouMean, error, type Finding, failOnErrors, type Issue } from "../errors/index.js";
import { MAX_TIER } from "../recipes/parse/tables.js";
import type { TablesInput, WordInput } from "../recipes/types.js";
import { textFlaw } from "../spec/index.js";
import { KEYS, type TableShape } from "./shape.js";

/** How to replace existing words, on the command line and in code. */
export const REPLACE_REMEDY = "To replace existing words, use --replace (in code { replace: true })";

const MAX_ISSUES = 100;

/**
 * Rows in the form that every source gives: ordered by id; `active` as true or false; `status` only if it is "proposed";
 * `tier` if any row of the table has one; then each stat that any row has, in the recipe's order.
 */
export function canonicalRows(rows: readonly WordInput[], { stats }: TableShape): WordInput[] {
  const used = stats.filter((stat) => rows.some((row) => numberOf(row[stat]) !== 0));
  const hasTiers = rows.some((row) => numberOf(row.tier) !== 0);
  return rows.map((row) => canonicalRow(row, used, hasTiers)).sort(byIdThenWord);
}

function canonicalRow(row: WordInput, stats: readonly string[], hasTiers: boolean): WordInput {
  return {
    id: row.id,
    word: row.word,
    active: row.active === undefined || row.active === true || row.active === 1,
    ...(row.status === "proposed" && { status: row.status }),
    ...(hasTiers && { tier: numberOf(row.tier) }),
    ...Object.fromEntries(stats.map((stat) => [stat, numberOf(row[stat])])),
  };
}

function byIdThenWord(a: WordInput, b: WordInput): number {
  if (a.id !== b.id) return a.id - b.id;
  if (a.word === b.word) return 0;
  return a.word < b.word ? -1 : 1;
}

/** A number of a row; 0 if it is missing or −0. */
function numberOf(value: unknown): number {
  return typeof value === "number" && value !== 0 ? value : 0;
}

/**
 * Checks tables before they are saved: exactly the recipe's. Returns them in canonical form.
 *
 * @throws RollmillError `recipe.tables`, `recipe.duplicate`: every issue, at most 100.
 */
export function checkedTables(tables: TablesInput, shapes: readonly TableShape[]): TablesInput {
  const names = shapes.map((shape) => shape.name);
  const issues: Issue[] = [];
  const isObject = typeof tables === "object" && tables !== null && !Array.isArray(tables);
  if (!isObject) {
    issues.push(
      error("recipe.tables", { problem: "the tables are not usable", got: tables, expected: "an object of lists" }),
    );
  }
  const given: Readonly<Record<string, unknown>> = isObject ? tables : {};
  for (const name of Object.keys(given).filter((key) => !names.includes(key))) {
    issues.push(problem(name, { problem: "the recipe has no such table", got: name, expected: names.join(", ") }));
  }
  for (const shape of isObject ? shapes : []) issues.push(...rowIssues(given[shape.name], shape));
  failOnErrors(issues.slice(0, MAX_ISSUES));
  return Object.fromEntries(shapes.map((shape) => [shape.name, canonicalRows(tables[shape.name], shape)]));
}

/**
 * The issues of one table's rows. Proposals follow the same rules as accepted words, so that they can be read once they are
 * accepted.
 */
export function rowIssues(rows: unknown, shape: TableShape): readonly Issue[] {
  const { name } = shape;
  if (!Array.isArray(rows)) {
    return [problem(name, { problem: `the table ${name} is missing`, got: rows, expected: "a list of rows" })];
  }
  const issues: Issue[] = [];
  const ids = new Set<unknown>();
  const words = new Set<unknown>();
  for (const [i, row] of (rows as unknown[]).entries()) {
    if (issues.length >= MAX_ISSUES) break;
    const path = `${name}[${i}]`;
    if (typeof row !== "object" || row === null) {
      issues.push(problem(path, { problem: "a row is not an object", got: row, expected: '{ "id": 1, "word": "…" }' }));
      continue;
    }
    const { id, word } = row as WordInput;
    issues.push(...cellIssues(row as WordInput, path, shape));
    if (ids.has(id)) issues.push(duplicate(`${path}.id`, "two rows have one id", id));
    if (words.has(word)) issues.push(duplicate(`${path}.word`, "two rows have one word", word));
    ids.add(id);
    words.add(word);
  }
  return issues;
}

function cellIssues(row: WordInput, path: string, { stats }: TableShape): Issue[] {
  const issues: Issue[] = [];
  const check = (key: string, isGood: boolean, expected: string) => {
    if (!isGood) {
      issues.push(problem(`${path}.${key}`, { problem: `a row's ${key} is not usable`, got: row[key], expected }));
    }
  };
  check("id", Number.isSafeInteger(row.id) && row.id >= 1, "an integer ≥ 1");
  const flaw = textFlaw(row.word);
  check("word", flaw === undefined, flaw ?? "");
  check("active", row.active === undefined || [true, false, 0, 1].includes(row.active), "true, false, 0 or 1");
  check(
    "status",
    row.status === undefined || ["accepted", "proposed"].includes(row.status),
    '"accepted" or "proposed"',
  );
  const { tier = 0 } = row;
  check("tier", Number.isInteger(tier) && tier >= 0 && tier <= MAX_TIER, `an integer from 0 to ${MAX_TIER}`);
  for (const key of Object.keys(row).filter((one) => !KEYS.some((known) => known === one))) {
    if (stats.includes(key)) check(key, row[key] === undefined || Number.isFinite(row[key]), "a finite number");
    else {
      const finding = { problem: "the recipe has no stat for this column", got: key, ...didYouMean(key, stats) };
      issues.push(problem(`${path}.${key}`, finding));
    }
  }
  return issues;
}

function problem(path: string, finding: Finding): Issue {
  return error("recipe.tables", { ...finding, where: { path } });
}

function duplicate(path: string, what: string, got: unknown): Issue {
  return error("recipe.duplicate", { problem: what, got, remedy: "Rename or remove one", where: { path } });
}

import { failOnErrors, type Issue, IssueList, RollmillError, warning } from "../errors/index.js";
import { checkText, isParsed, type Parsed, readOptions } from "../spec/index.js";
import { compileTable, endingRows, endlessIssue, firstUses, reachableRows, rowOf, startIssue } from "./compile.js";
import { listed, nameOf, rowName, whereOf } from "./issues.js";
import { parseTable } from "./parse.js";
import { type Proofs, prove, type Trap } from "./proofs.js";
import { checkChoice, overridesOf, scriptFlaw, scriptsOf } from "./rolling.js";
import { absentScripts } from "./scripts.js";
import type { ParseTableOptions, ScriptOptions, TablePlan, TableSpec } from "./types.js";

/** Options of {@link checkTable}. */
export interface CheckTableOptions extends ParseTableOptions, Omit<ScriptOptions, "chosen"> {
  /** The table's name. Messages show it. */
  readonly name?: string | undefined;
  /** The row that rolls start from, as a number or a label. Default 0. */
  readonly start?: number | string | undefined;
}

/**
 * Checks every row of a table, or of a spec that {@link parseTable} returned, without a roll. Returns all errors and
 * warnings: first the issues of {@link parseTable}, then the issues below.
 *
 * - `table.start`: the row `start` does not exist.
 * - `table.endless`: a roll that reaches the row never ends. An error if rolls from `start` can reach the row, else a
 * warning. Also a warning if such a roll never ends under some weights of the scripts.
 * - `table.orphan`, a warning: no row jumps to the row, and rolls do not start there. Of several rows that jump only to
 * each other, the first is reported. Rows without columns are not reported.
 * - `table.never`, a warning: the column cannot win, because its weight is always 0.
 * - `table.unknown-script`: the script set or the option `scripts` lacks a script id of the table.
 * - `table.script`: your own script returns an invalid weight. The check calls it once for each id.
 *
 * Cost: O(columns), and the calls of the scripts.
 *
 * @throws RollmillError `table.unknown-script` if `script` is neither a function nor a built-in set; `argument.option`,
 * `argument.type`.
 */
export function checkTable(source: unknown, options: CheckTableOptions = {}): readonly Issue[] {
  const known = ["file", "files", "name", "start", "script", "scripts", "context", "weights"];
  const { file, files, name, start = 0, ...scripts } = readOptions("checkTable", options, known);
  if (name !== undefined) checkText("name", name);
  const parsed: Parsed<TableSpec> = isParsed("table", source)
    ? { spec: source as TableSpec, issues: [] }
    : parseTable(source, { file, files });
  const { spec, issues } = parsed;
  if (spec === undefined) return issues;
  const found = new IssueList({ code: "twoda.limit" });
  for (const issue of issues) found.add(issue);
  try {
    const plan = compileTable(spec, { name });
    const { never, traps } = prove(plan, rowOf(spec, start), overridesOf(scripts.weights));
    for (const issue of rowIssues(plan, start)) found.add(issue);
    for (const trap of traps) found.add(trapIssue(plan, trap));
    for (const issue of idleColumns(plan, never)) found.add(issue);
    for (const issue of scriptIssues(plan, scripts)) found.add(issue);
  } catch (cause) {
    if (!(cause instanceof RollmillError && cause.code === "weights.overflow")) throw cause;
    for (const issue of cause.issues) found.add(issue);
  }
  return found.list();
}

/** @throws RollmillError `table.unknown-script`, with an issue for each script id that the options lack. */
export function refuseAbsentScripts(plan: TablePlan, options: ScriptOptions): void {
  failOnErrors(sourceOf(plan, options).absent);
}

function sourceOf(plan: TablePlan, { script, scripts, context, weights }: ScriptOptions) {
  const choice = script === undefined ? undefined : checkChoice(script);
  const named = scripts === undefined ? undefined : scriptsOf(scripts);
  const overrides = overridesOf(weights);
  const set = typeof choice === "object" ? choice.set : undefined;
  const absent = absentScripts(plan, plan.spec.rows.keys(), { set, named, overrides });
  return { own: typeof choice === "function" ? choice : undefined, named, context, overrides, absent };
}

function scriptIssues(plan: TablePlan, options: ScriptOptions): Issue[] {
  const { own, named, context, overrides, absent } = sourceOf(plan, options);
  const source = { script: own ?? (() => 0), scripts: named, context, overrides };
  const uses = [...firstUses(plan, plan.spec.rows.keys())];
  const asked = uses.filter(({ id }) => (typeof id === "string" ? named?.has(id) : own !== undefined));
  return [...absent, ...asked.flatMap((use) => scriptFlaw(plan, use, source) ?? [])];
}

function* rowIssues(plan: TablePlan, start: number | string): Generator<Issue, void> {
  const first = rowOf(plan.spec, start);
  if (first === undefined) yield startIssue(plan, start);
  const rows = [...plan.spec.rows.keys()];
  const fromStart = new Set(first === undefined ? [] : reachableRows(plan, first));
  const ending = endingRows(plan, rows);
  for (const row of rows) {
    if (ending.has(row)) continue;
    const issue = endlessIssue(plan, [row]);
    yield fromStart.has(row) ? issue : { ...issue, severity: "warning" };
  }
  yield* orphans(plan, fromStart);
}

/** Pass 1 drops rows that an earlier row reaches, pass 2 rows that a later row reaches. Reports the remaining rows. */
function* orphans(plan: TablePlan, fromStart: Iterable<number>): Generator<Issue, void> {
  const unreached = (rows: readonly number[], seen = new Set(fromStart)) =>
    rows.filter((row) => reachableRows(plan, row, seen).length > 0);
  const entries = unreached([...plan.spec.rows.keys()]);
  for (const row of unreached(entries.reverse()).reverse()) {
    if (plan.spec.rows[row].columns.length === 0) continue;
    yield warning("table.orphan", {
      problem: `rolls reach ${nameOf(plan, { row })} only if they start there`,
      remedy: "Add a jump to the row, or ignore this if rolls start on it",
      where: whereOf(plan.spec, { row }),
    });
  }
}

function* idleColumns(plan: TablePlan, never: Proofs["never"]): Generator<Issue, void> {
  for (const { row, column } of never) {
    yield warning("table.never", {
      problem: `${nameOf(plan, { row, column })} cannot win, because its weight is 0`,
      remedy: "Give it a weight above 0, or remove it",
      where: whereOf(plan.spec, { row, column }),
    });
  }
}

function trapIssue(plan: TablePlan, { rows, scripts }: Trap): Issue {
  const names = listed(rows.map((row) => rowName(plan.spec, row)));
  const add = `Give a column that leaves ${names} a fixed weight`;
  return warning("table.endless", {
    problem: `some weights of scripts make rolls that reach ${nameOf(plan, { row: rows[0] })} endless`,
    remedy: scripts.length === 0 ? add : `${add}, or do not let all of these scripts return 0: ${listed(scripts)}`,
    where: whereOf(plan.spec, { row: rows[0] }),
  });
}

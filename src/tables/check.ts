import { failOnErrors, type Issue, IssueList, RollmillError, warning } from "../errors/index.js";
import { isParsed, type Parsed, readOptions } from "../spec/index.js";
import { compileTable } from "./compile.js";
import { nameOf, whereOf } from "./issues.js";
import { type ParseTableOptions, parseTable } from "./parse.js";
import { canWin, columnsOf, endingRows, endlessIssue, reachableRows, rowOf, startIssue } from "./reach.js";
import { checkChoice, overridesOf } from "./rolling.js";
import { absentScripts, firstUses } from "./scripts/absent.js";
import type { ScriptOptions, TablePlan, TableSpec } from "./types.js";
import { scriptFlaw } from "./weights.js";

/** Options of {@link checkTable}. */
export interface CheckTableOptions extends ParseTableOptions, Pick<ScriptOptions, "script" | "context" | "weights"> {
  /** The table's name, for messages. */
  readonly name?: string | undefined;
  /** The row that rolls start from: its number, or its label. Default 0. */
  readonly start?: number | string | undefined;
}

/**
 * Checks a table from every row, and returns all errors and warnings: those of {@link parseTable}, then those of the
 * whole table. The source can also be the spec that {@link parseTable} returned. The check makes no roll.
 *
 * - `table.start`: the row `start` does not exist.
 * - `table.endless`: no roll that reaches this row can end. An error if rolls from `start` reach the row, otherwise a
 *   warning.
 * - `table.orphan`, a warning: no row leads to this row, and it is not `start`. If rows lead only to each other, the
 *   first of them is reported. Rows without columns are not reported.
 * - `table.never`, a warning: the column cannot win, because its weight, or the weight that `weights` gives to its
 *   script, is 0.
 * - With the option `script`: `table.unknown-script` for each id that a built-in set does not have, `table.script` for
 *   each id for which your own script returns no valid weight. Your own script is called once for each id.
 *
 * Cost: O(columns), and the calls of the script.
 *
 * @throws RollmillError `table.unknown-script` if `script` is neither a function nor a built-in set; `argument.option`.
 */
export function checkTable(source: unknown, options: CheckTableOptions = {}): readonly Issue[] {
  const known = ["file", "files", "name", "start", "script", "context", "weights"];
  const { file, files, name, start = 0, ...scripts } = readOptions("checkTable", options, known);
  const parsed: Parsed<TableSpec> = isParsed("table", source)
    ? { spec: source as TableSpec, issues: [] }
    : parseTable(source, { file, files });
  const { spec, issues } = parsed;
  if (spec === undefined) return issues;
  const found = new IssueList({ code: "twoda.limit" });
  const report = (more: Iterable<Issue>) => {
    for (const issue of more) found.add(issue);
  };
  report(issues);
  try {
    const plan = compileTable(spec, { name });
    report(rowIssues(plan, start));
    report(idleColumns(plan, overridesOf(scripts.weights)));
    report(scriptIssues(plan, scripts));
  } catch (cause) {
    if (!(cause instanceof RollmillError && cause.code === "weights.overflow")) throw cause;
    report(cause.issues);
  }
  return found.list();
}

/**
 * Refuses a table whose own option `script` names a built-in set that lacks some of the table's scripts.
 *
 * @throws RollmillError `table.unknown-script`, with an issue for each script id that the set does not have.
 */
export function refuseAbsentScripts(plan: TablePlan, options: Pick<ScriptOptions, "script" | "weights">): void {
  if (typeof options.script !== "function") failOnErrors(scriptIssues(plan, options));
}

function scriptIssues(plan: TablePlan, { script, context, weights }: ScriptOptions): Issue[] {
  if (script === undefined) return [];
  const choice = checkChoice(script);
  const overrides = overridesOf(weights);
  const rows = plan.spec.rows.keys();
  if (typeof choice !== "function") return absentScripts(plan, { set: choice.set, overrides, rows });
  const source = { script: choice, context, overrides };
  return firstUses(plan, rows).flatMap((use) => scriptFlaw(plan, use, source) ?? []);
}

/** The issues about the start, endless rows and orphans. */
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

/**
 * A warning for each orphan: a row that no other row leads to, or the first row of a circle that no other row leads to.
 *
 * The first pass finds rows from which all others are reached. A row of this list is not reached from a row before it,
 * so the second pass, backwards, drops the rows that are reached from a row after it.
 */
function* orphans(plan: TablePlan, fromStart: Iterable<number>): Generator<Issue, void> {
  const reached = new Set(fromStart);
  const entries: number[] = [];
  for (const row of plan.spec.rows.keys()) if (visitFrom(plan, row, reached)) entries.push(row);
  const again = new Set(fromStart);
  const found = entries.reverse().filter((row) => visitFrom(plan, row, again));
  for (const row of found.reverse()) {
    if (plan.spec.rows[row].columns.length === 0) continue;
    yield warning("table.orphan", {
      problem: `no roll reaches ${nameOf(plan, { row })} unless it starts there`,
      remedy: "Jump to the row, or ignore this if rolls start on it",
      where: whereOf(plan.spec, { row }),
    });
  }
}

/** Adds a row and all rows that it leads to. Returns false if the row was there already. */
function visitFrom(plan: TablePlan, start: number, reached: Set<number>): boolean {
  if (reached.has(start)) return false;
  const open = [start];
  reached.add(start);
  for (let row = open.pop(); row !== undefined; row = open.pop()) {
    for (const column of columnsOf(plan, row)) {
      const next = ~plan.target[column];
      if (next < 0 || !canWin(plan, column) || reached.has(next)) continue;
      reached.add(next);
      open.push(next);
    }
  }
  return true;
}

/** A warning for each column whose weight is always 0. */
function* idleColumns(plan: TablePlan, overrides: ReadonlyMap<number, number>): Generator<Issue, void> {
  for (const row of plan.spec.rows.keys()) {
    for (const column of columnsOf(plan, row)) {
      const id = plan.scriptIds[plan.script[column]];
      const weight = id === undefined ? plan.weight[column] : overrides.get(id);
      if (weight !== 0) continue;
      const place = { row, column: column - plan.rowStart[row] };
      yield warning("table.never", {
        problem: `${nameOf(plan, place)} cannot win, because its weight is 0`,
        remedy: "Give it a weight above 0, or remove it",
        where: whereOf(plan.spec, place),
      });
    }
  }
}

import { error, fail, type Issue } from "../errors/index.js";
import { labelFinding, labelsIn, nameOf, rowName, rowRange, whereOf } from "./issues.js";
import type { TablePlan, TableSpec } from "./types.js";

/**
 * Returns the rows that a roll from `start` can visit if scripts return suitable weights, in breadth-first order.
 * Leaves out the rows in `seen`, and adds all others to it. Cost: O(columns of the returned rows).
 */
export function reachableRows(plan: TablePlan, start: number, seen = new Set<number>()): number[] {
  const rows: number[] = [];
  const visit = (row: number) => {
    if (!seen.has(row)) rows.push(row);
    seen.add(row);
  };
  visit(start);
  for (const row of rows) {
    for (const column of columnsOf(plan, row)) {
      if (plan.target[column] < 0 && canWin(plan, column)) visit(~plan.target[column]);
    }
  }
  return rows;
}

/** Returns the scripts that a roll from `start` can call, as indices into `scriptIds`, in order of first appearance. */
export function reachableScripts(plan: TablePlan, start: number): number[] {
  return Array.from(firstUses(plan, reachableRows(plan, start)), ({ script }) => script);
}

/** Yields each script of some rows once, with the row and the column that use it first. */
export function* firstUses(plan: TablePlan, rows: Iterable<number>) {
  const seen = new Set<number>();
  for (const row of rows) {
    for (const at of columnsOf(plan, row)) {
      const script = plan.script[at];
      if (script < 0 || seen.has(script)) continue;
      seen.add(script);
      yield { script, id: plan.scriptIds[script], row, column: at - plan.rowStart[row] };
    }
  }
}

/**
 * @throws RollmillError `table.start` if no row or several rows match; `table.endless` if rolls can reach a row from
 * which no roll can end, whatever the scripts return.
 */
export function checkStart(plan: TablePlan, start: unknown): number {
  const row = rowOf(plan.spec, start);
  if (row === undefined) return fail(startIssue(plan, start));
  const rows = reachableRows(plan, row);
  const ending = endingRows(plan, rows);
  const endless = rows.filter((one) => !ending.has(one));
  return endless.length === 0 ? row : fail(endlessIssue(plan, endless));
}

export function rowOf(spec: TableSpec, row: unknown): number | undefined {
  const number = typeof row === "string" ? labelsIn(spec).get(row) : row;
  return typeof number === "number" && number in spec.rows ? number : undefined;
}

/** The issue's position is the first of these rows. */
export function endlessIssue(plan: TablePlan, endless: readonly number[]): Issue {
  const listed = endless.slice(0, 8).map((row) => rowName(plan.spec, row));
  const rest = endless.length > 8 ? ` or ${endless.length - 8} more rows` : "";
  return error("table.endless", {
    problem: `rolls that reach ${nameOf(plan, { row: endless[0] })} never end`,
    expected: `${listed.join(" or ")}${rest} to lead to a result or to a dead row (all weights 0)`,
    remedy: "Give one of these rows a result, or a jump to a row that has a result",
    where: whereOf(plan.spec, { row: endless[0] }),
  });
}

export function startIssue({ name, spec }: TablePlan, start: unknown): Issue {
  const table = name === undefined ? "the table" : `table ${name}`;
  const finding =
    typeof start === "string"
      ? { problem: `invalid start row of ${table}`, ...labelFinding(labelsIn(spec), start) }
      : { problem: `the start row does not exist in ${table}`, got: start, expected: rowRange(spec.rows.length) };
  return error("table.start", { ...finding, where: { file: spec.file } });
}

export function* columnsOf(plan: TablePlan, row: number): Generator<number, void, undefined> {
  for (let column = plan.rowStart[row]; column < plan.rowStart[row + 1]; column++) yield column;
}

function canWin(plan: TablePlan, column: number): boolean {
  return plan.weight[column] > 0 || plan.script[column] >= 0;
}

/** Returns the rows from which a roll can end if scripts return suitable weights. */
export function endingRows(plan: TablePlan, rows: readonly number[]): Set<number> {
  const before = new Map<number, number[]>(rows.map((row) => [row, []]));
  const ending = new Set<number>();
  for (const row of rows) {
    let canDie = true;
    for (const column of columnsOf(plan, row)) {
      if (plan.weight[column] > 0) canDie = false;
      if (!canWin(plan, column)) continue;
      if (plan.target[column] >= 0) ending.add(row);
      else before.get(~plan.target[column])?.push(row);
    }
    if (canDie) ending.add(row);
  }
  for (const row of ending) for (const earlier of before.get(row) ?? []) ending.add(earlier);
  return ending;
}

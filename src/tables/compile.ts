import { type Amount, ONE_ITEM } from "../amounts/index.js";
import { error, fail, failOnErrors, type Issue } from "../errors/index.js";
import { labelFinding, labelsIn, nameOf, type Place, rowName, rowRange, whereOf } from "./issues.js";
import { MAX_WEIGHT, type ScriptId } from "./parse/input.js";
import type { ColumnSpec, TablePlan, TableSpec } from "./types.js";

/** Cost: O(columns) time, 12 bytes for each column. Throws `weights.overflow` for each row whose total is too large. */
export function compileTable(spec: TableSpec, { name }: { readonly name?: string | undefined } = {}): TablePlan {
  const { rows } = spec;
  const issues: Issue[] = [];
  const count = rows.reduce((sum, row) => sum + row.columns.length, 0);
  const rowStart = new Uint32Array(rows.length + 1);
  const target = new Int32Array(count);
  const weight = new Uint32Array(count);
  const script = new Int32Array(count).fill(-1);
  const hasQuantities = rows.some(({ columns }) => columns.some((column) => "quantity" in column));
  const outcomes: { readonly result: string | null; readonly quantity: Amount }[] = [];
  const indices = new Map<string | null, number>();
  const outcomeOf = ({ result, quantity = result === null ? NONE : ONE_ITEM }: Extract<ColumnSpec, ResultTarget>) => {
    const { count: dice, sides, plus } = quantity;
    const key = hasQuantities && result !== null ? `${dice} ${sides} ${plus} ${result}` : result;
    const index = indexOf(indices, key);
    outcomes[index] ??= { result, quantity };
    return index;
  };
  const scriptIds = new Map<ScriptId, number>();
  let c = 0;
  for (const [r, row] of rows.entries()) {
    let total = 0;
    for (const column of row.columns) {
      target[c] = "jump" in column ? ~column.jump : outcomeOf(column);
      if (typeof column.weight === "number") {
        weight[c] = column.weight;
        if (total <= MAX_WEIGHT && total + column.weight > MAX_WEIGHT) {
          issues.push(overflow({ name, spec }, { row: r, column: c - rowStart[r] }, total + column.weight));
        }
        total += column.weight;
      } else script[c] = indexOf(scriptIds, column.weight.script);
      c++;
    }
    rowStart[r + 1] = c;
  }
  failOnErrors(issues);
  const results = outcomes.map(({ result }) => result);
  const quantities = hasQuantities ? [...outcomes.map(({ quantity }) => quantity), NONE] : undefined;
  return { name, spec, rowStart, target, weight, script, scriptIds: [...scriptIds.keys()], results, quantities };
}

const NONE: Amount = { count: 0, sides: 1, plus: 0 };
type ResultTarget = { readonly result: unknown };

function indexOf<T>(seen: Map<T, number>, key: T): number {
  const index = seen.get(key) ?? seen.size;
  seen.set(key, index);
  return index;
}

function overflow(table: Pick<TablePlan, "name" | "spec">, place: Place, got: number): Issue {
  return error("weights.overflow", {
    problem: `the total of the weights up to ${nameOf(table, place)} is too large`,
    got,
    expected: `at most ${MAX_WEIGHT}`,
    remedy: "Divide the row's weights by a common factor",
    where: whereOf(table.spec, place),
  });
}

/**
 * Returns the rows that a roll from `start` can visit if scripts return suitable weights, in breadth-first order.
 * Leaves out the rows in `seen`, and adds the returned rows to `seen`.
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
  if (plan.scriptIds.length === 0) return [];
  return Array.from(firstUses(plan, reachableRows(plan, start)), ({ script }) => script);
}

/** Yields each script of the given rows once, with the row and the column that use the script first. */
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

/** Throws `table.start` unless exactly one row matches `start`; `table.endless` if a roll can jump endlessly. */
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

/** Returns the issue of rows from which no roll can end. Its position is the first of these rows. */
export function endlessIssue(plan: TablePlan, endless: readonly number[]): Issue {
  const names = endless.slice(0, 8).map((row) => rowName(plan.spec, row));
  const rest = endless.length > 8 ? ` or another of these ${endless.length} rows` : "";
  return error("table.endless", {
    problem: `rolls that reach ${nameOf(plan, { row: endless[0] })} never end`,
    expected: `${names.join(" or ")}${rest} to lead to a result or to a dead row (all weights 0)`,
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

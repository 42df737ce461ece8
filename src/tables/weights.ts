import { ignoreRejection, reasonOf } from "../calls/index.js";
import { error, type Issue } from "../errors/index.js";
import { nameOf, totalIssue, whereOf } from "./issues.js";
import { columnsOf, reachableRows } from "./reach.js";
import { MAX_WEIGHT, type NamedScript, type Script, type ScriptId, type TablePlan } from "./types.js";

/** Scripts, the context for their calls, and constant weights for some ids. */
export interface WeightSource {
  readonly script: Script;
  /** The scripts that have names. */
  readonly scripts?: ReadonlyMap<string, NamedScript> | undefined;
  readonly context: unknown;
  /** Constant weights by script id. The script is not called for these ids. */
  readonly overrides?: ReadonlyMap<ScriptId, number> | undefined;
}

type Answer =
  | { readonly weight: number }
  | { readonly weight: undefined; readonly problem: string; readonly returned?: unknown; readonly cause?: unknown };

/**
 * Returns the weight of a script id, from the overrides or from the script. Checks the weight, but never rounds or
 * clamps it.
 */
function askScript({ script, scripts, context, overrides }: WeightSource, id: ScriptId): Answer {
  let returned: unknown;
  try {
    if (overrides?.has(id)) returned = overrides.get(id);
    else returned = typeof id === "string" ? scripts?.get(id)?.(context) : script(id, context);
  } catch (cause) {
    return { weight: undefined, problem: `failed (${reasonOf(cause)})`, cause };
  }
  if (typeof returned === "number" && Number.isInteger(returned) && returned >= 0 && returned <= MAX_WEIGHT) {
    return { weight: returned + 0 };
  }
  const problem = ignoreRejection(returned)
    ? "returned a promise, which a roll cannot await"
    : "returned an invalid weight";
  return { weight: undefined, problem, returned };
}

function scriptIssue(plan: TablePlan, row: number, column: number, answer: Answer): Issue {
  const place = { row, column: column - plan.rowStart[row] };
  const id = plan.scriptIds[plan.script[column]];
  const { problem, ...rest } = answer.weight === undefined ? answer : { problem: "" };
  const expected = `an integer from 0 to ${MAX_WEIGHT}`;
  return error("table.script", {
    problem: `script ${id} in ${nameOf(plan, place)} ${problem}`,
    ...("returned" in rest ? { got: rest.returned, expected } : {}),
    where: whereOf(plan.spec, place),
  });
}

interface ColumnPlace {
  readonly row: number;
  readonly column: number;
}

/** Calls the script of a column. Returns an issue if the script returns no valid weight. */
export function scriptFlaw(plan: TablePlan, { row, column }: ColumnPlace, source: WeightSource): Issue | undefined {
  const index = plan.rowStart[row] + column;
  const answer = askScript(source, plan.scriptIds[plan.script[index]]);
  return answer.weight === undefined ? scriptIssue(plan, row, index, answer) : undefined;
}

/**
 * The weights of a row and their total, which is at most 2³² − 1. If no such weights exist, the issue instead: every
 * roll that visits the row fails with this issue.
 */
type Weighed =
  | { readonly weights: readonly number[]; readonly total: number; readonly issue?: never; readonly cause?: never }
  | { readonly weights?: never; readonly total?: never; readonly issue: Issue; readonly cause?: unknown };

/**
 * Gets the weights of a row for one visit: calls the script of every scripted column, in column order. Stops at the
 * first script that fails. Cost: O(columns of the row).
 */
export function weighRow(plan: TablePlan, row: number, source: WeightSource): Weighed {
  const start = plan.rowStart[row];
  const end = plan.rowStart[row + 1];
  const weights: number[] = new Array(end - start);
  let total = 0;
  for (let column = start; column < end; column++) {
    let weight: number | undefined = plan.weight[column];
    if (plan.script[column] >= 0) {
      const answer = askScript(source, plan.scriptIds[plan.script[column]]);
      weight = answer.weight;
      if (weight === undefined) {
        const issue = scriptIssue(plan, row, column, answer);
        return "cause" in answer ? { issue, cause: answer.cause } : { issue };
      }
    }
    weights[column - start] = weight;
    total += weight;
  }
  return total > MAX_WEIGHT ? { issue: totalIssue(plan, row, total) } : { weights, total };
}

/**
 * The weights of a table for a whole call. Each script is called only once. Batches of rolls and exact odds use these
 * weights.
 */
export interface FrozenWeights {
  /**
   * The weight of each column of the plan. It is 0 if the script failed, or if no roll from the start can reach the
   * script.
   */
  readonly weights: Uint32Array;
  /**
   * The poisoned rows: reachable rows where a script failed or the total is too large. Maps each row to its issue (see
   * {@link weighRow}). A roll that visits the row fails with this issue.
   */
  readonly poisonedRows: ReadonlyMap<number, Issue>;
  /** For each row that is poisoned because a script threw: the thrown value. */
  readonly causes: ReadonlyMap<number, unknown>;
}

/**
 * Calls the script once for every script id that rolls from `start` can reach. The order is the order of first
 * appearance in the reachable rows. If a script fails, every row that uses the script is poisoned. The failure is
 * reported only if a roll visits one of these rows. Cost: O(columns).
 */
export function freeze(plan: TablePlan, start: number, source: WeightSource): FrozenWeights {
  const weights = plan.weight.slice();
  const answers = new Map<number, Answer>();
  const poisonedRows = new Map<number, Issue>();
  const causes = new Map<number, unknown>();
  for (const row of reachableRows(plan, start)) {
    let total = 0;
    for (const column of columnsOf(plan, row)) {
      const script = plan.script[column];
      if (script >= 0) {
        const answer = answers.get(script) ?? askScript(source, plan.scriptIds[script]);
        answers.set(script, answer);
        weights[column] = answer.weight ?? 0;
        if (answer.weight === undefined && !poisonedRows.has(row)) {
          poisonedRows.set(row, scriptIssue(plan, row, column, answer));
          if ("cause" in answer) causes.set(row, answer.cause);
        }
      }
      total += weights[column];
    }
    if (total > MAX_WEIGHT && !poisonedRows.has(row)) poisonedRows.set(row, totalIssue(plan, row, total));
  }
  return { weights, poisonedRows, causes };
}

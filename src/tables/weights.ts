import { ignoreRejection, reasonOf } from "../calls/index.js";
import { error, type Finding, type Issue } from "../errors/index.js";
import { nameOf, totalIssue, whereOf } from "./issues.js";
import { MAX_WEIGHT, type ScriptId } from "./parse/input.js";
import { reachableRows, reachableScripts } from "./reach.js";
import type { NamedScript, Script, TablePlan } from "./types.js";

export interface WeightSource {
  readonly script: Script;
  readonly scripts?: ReadonlyMap<string, NamedScript> | undefined;
  readonly context: unknown;
  readonly overrides?: ReadonlyMap<ScriptId, number> | undefined;
}

/** The problem of a finding continues "script 7 in row 1". */
type Answer =
  | { readonly weight: number }
  | { readonly weight?: never; readonly finding: Finding; readonly cause?: unknown };

function askScript({ script, scripts, context, overrides }: WeightSource, id: ScriptId): Answer {
  let returned: unknown;
  try {
    if (overrides?.has(id)) returned = overrides.get(id);
    else returned = typeof id === "string" ? scripts?.get(id)?.(context) : script(id, context);
  } catch (cause) {
    return { finding: { problem: `failed (${reasonOf(cause)})` }, cause };
  }
  if (typeof returned === "number" && Number.isInteger(returned) && returned >= 0 && returned <= MAX_WEIGHT) {
    return { weight: returned + 0 };
  }
  const isPromise = ignoreRejection(returned);
  const problem = isPromise ? "returned a promise, which a roll cannot await" : "returned an invalid weight";
  return { finding: { problem, got: returned, expected: `an integer from 0 to ${MAX_WEIGHT}` } };
}

function scriptIssue(plan: TablePlan, row: number, column: number, finding: Finding): Issue {
  const place = { row, column: column - plan.rowStart[row] };
  const problem = `script ${plan.scriptIds[plan.script[column]]} in ${nameOf(plan, place)} ${finding.problem}`;
  return error("table.script", { ...finding, problem, where: whereOf(plan.spec, place) });
}

/** Calls the script of a column, given by its row and its index in the row. Returns the issue of an invalid weight. */
export function scriptFlaw(
  plan: TablePlan,
  place: { readonly row: number; readonly column: number },
  source: WeightSource,
): Issue | undefined {
  const column = plan.rowStart[place.row] + place.column;
  const answer = askScript(source, plan.scriptIds[plan.script[column]]);
  return answer.weight === undefined ? scriptIssue(plan, place.row, column, answer.finding) : undefined;
}

/** Why every roll that visits a row fails. `cause` is what a script threw. */
interface FailedRow {
  readonly issue: Issue;
  readonly cause?: unknown;
}

type Weighed =
  | { readonly weights: readonly number[]; readonly total: number; readonly issue?: never; readonly cause?: never }
  | (FailedRow & { readonly weights?: never; readonly total?: never });

/** Calls the script of every scripted column of a row, in column order, up to the first script that fails. */
export function weighRow(
  plan: TablePlan,
  row: number,
  source: WeightSource,
  ask = (script: number): Answer => askScript(source, plan.scriptIds[script]),
): Weighed {
  const start = plan.rowStart[row];
  const end = plan.rowStart[row + 1];
  const weights: number[] = new Array(end - start);
  let total = 0;
  for (let column = start; column < end; column++) {
    let weight = plan.weight[column];
    if (plan.script[column] >= 0) {
      const answer = ask(plan.script[column]);
      if (answer.weight === undefined) {
        return { issue: scriptIssue(plan, row, column, answer.finding), cause: answer.cause };
      }
      weight = answer.weight;
    }
    weights[column - start] = weight;
    total += weight;
  }
  return total > MAX_WEIGHT ? { issue: totalIssue(plan, row, total) } : { weights, total };
}

/** The weights of a table for a whole call, in which each script is called only once. */
export interface FrozenWeights {
  /** By column of the plan; 0 if a script of the row failed, or no roll from the start can reach the script. */
  readonly weights: Uint32Array;
  /** Reachable rows where a script failed or the total is too large. */
  readonly failed: ReadonlyMap<number, FailedRow>;
}

/** Calls each script that a roll can reach once. A failure is reported only if a roll visits its row. */
export function freeze(plan: TablePlan, start: number, source: WeightSource): FrozenWeights {
  const failed = new Map<number, FailedRow>();
  const scripts = reachableScripts(plan, start);
  if (scripts.length === 0) return { weights: plan.weight, failed };
  const answers = new Map(scripts.map((script) => [script, askScript(source, plan.scriptIds[script])]));
  const ask = (script: number) => answers.get(script) as Answer;
  const weights = plan.weight.slice();
  for (const row of reachableRows(plan, start)) {
    const weighed = weighRow(plan, row, source, ask);
    if (weighed.issue === undefined) weights.set(weighed.weights, plan.rowStart[row]);
    else failed.set(row, weighed);
  }
  return { weights, failed };
}

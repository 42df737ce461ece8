import { error, type Issue, RollmillError } from "../errors/index.js";
import { nameOf, whereOf } from "./places.js";
import { columnsOf, reachableRows } from "./reachability.js";
import { MAX_WEIGHT, type Script, type TablePlan } from "./types.js";

/** Who answers script ids: the overrides first, then the script with its context. */
export interface WeightSource {
  readonly script: Script;
  readonly context: unknown;
  /** Constant answers by script id; an id that stands here never reaches the script. */
  readonly overrides?: ReadonlyMap<number, number> | undefined;
}

/** What a script id was answered with: a usable weight, or the reason why there is none. */
export type Answer =
  | { readonly weight: number }
  | { readonly weight: undefined; readonly problem: string; readonly returned?: unknown; readonly cause?: unknown };

/** Asks for a script's weight. An exception is an answer too, and nothing is rounded or clamped. */
export function askScript({ script, context, overrides }: WeightSource, id: number): Answer {
  let returned: unknown;
  try {
    returned = overrides?.has(id) ? overrides.get(id) : script(id, context);
  } catch (cause) {
    return { weight: undefined, problem: `failed: ${reasonOf(cause)}`, cause };
  }
  if (typeof returned === "number" && Number.isInteger(returned) && returned >= 0 && returned <= MAX_WEIGHT) {
    return { weight: returned + 0 };
  }
  // nobody awaits an async script: its rejection must not end the process
  if (returned instanceof Promise) returned.catch(() => undefined);
  return { weight: undefined, problem: "returned no weight", returned };
}

/** The issue for a column whose script gave no weight: it names table, row, label, column, id and what came back. */
export function scriptIssue(plan: TablePlan, row: number, column: number, answer: Answer): Issue {
  const place = { row, column: column - plan.rowStart[row] };
  const id = plan.scriptIds[plan.script[column]];
  const { problem, ...rest } = answer.weight === undefined ? answer : { problem: "" };
  const expected = `an integer from 0 to ${MAX_WEIGHT}`;
  return error("table.script", {
    problem: `${nameOf(plan.spec, place)}: script ${id} ${problem}`,
    ...("returned" in rest ? { got: rest.returned, expected } : {}),
    where: whereOf(plan.spec, place),
  });
}

/** The issue for a row whose weights add up to more than 2³² − 1. */
export function totalIssue(plan: TablePlan, row: number, total: number): Issue {
  return error("weights.overflow", {
    problem: `${nameOf(plan.spec, { row })}: the row's weights add up to too much`,
    got: total,
    expected: `at most ${MAX_WEIGHT}`,
    remedy: "Let its scripts answer smaller weights",
    where: whereOf(plan.spec, { row }),
  });
}

/** A row's total, ≤ 2³² − 1, or the issue that makes the row unusable. */
export type Weighed =
  | { readonly total: number; readonly issue?: never; readonly cause?: never }
  | { readonly total?: never; readonly issue: Issue; readonly cause?: unknown };

/**
 * Weighs a row for one visit: asks every script column in column order and writes each column's weight to `out`, from
 * index 0. Stops at the first script that fails. Cost: O(columns of the row).
 */
export function weighRow(
  plan: TablePlan,
  row: number,
  { source, out }: { source: WeightSource; out: { [column: number]: number } },
): Weighed {
  const start = plan.rowStart[row];
  let total = 0;
  for (let column = start; column < plan.rowStart[row + 1]; column++) {
    let weight: number | undefined = plan.weight[column];
    if (plan.script[column] >= 0) {
      const answer = askScript(source, plan.scriptIds[plan.script[column]]);
      weight = answer.weight;
      if (weight === undefined) {
        const issue = scriptIssue(plan, row, column, answer);
        return "cause" in answer ? { issue, cause: answer.cause } : { issue };
      }
    }
    out[column - start] = weight;
    total += weight;
  }
  return total > MAX_WEIGHT ? { issue: totalIssue(plan, row, total) } : { total };
}

/** A table's weights as they stood when asked: what a batch of rolls and the exact odds go by. */
export interface FrozenWeights {
  /** For each column of the plan; 0 where its script failed, or is out of the start's reach. */
  readonly weights: Uint32Array;
  /** Failures by index into the plan's `scriptIds`, each naming the first reachable column that asks. */
  readonly failed: ReadonlyMap<number, Issue>;
  /** Reachable rows that cannot be rolled on, with the issue that {@link weighRow} would give. No other row's weights add up to more than 2³² − 1. */
  readonly poisonedRows: ReadonlyMap<number, Issue>;
}

/**
 * Asks every script id that rolls from `start` can reach, once, in order of first appearance over the reachable rows.
 * A failure poisons the rows that hold the id, and is reported only if a roll visits one. Cost: O(columns).
 */
export function freeze(plan: TablePlan, start: number, source: WeightSource): FrozenWeights {
  const weights = plan.weight.slice();
  const answers = new Map<number, Answer>();
  const failed = new Map<number, Issue>();
  const poisonedRows = new Map<number, Issue>();
  for (const row of reachableRows(plan, start)) {
    let total = 0;
    for (const column of columnsOf(plan, row)) {
      const script = plan.script[column];
      if (script >= 0) {
        const answer = answers.get(script) ?? askScript(source, plan.scriptIds[script]);
        answers.set(script, answer);
        weights[column] = answer.weight ?? 0;
        if (answer.weight === undefined) {
          const issue = scriptIssue(plan, row, column, answer);
          if (!failed.has(script)) failed.set(script, issue);
          if (!poisonedRows.has(row)) poisonedRows.set(row, issue);
        }
      }
      total += weights[column];
    }
    if (total > MAX_WEIGHT && !poisonedRows.has(row)) poisonedRows.set(row, totalIssue(plan, row, total));
  }
  return { weights, failed, poisonedRows };
}

/** What a script threw, as words: the messages of a RollmillError without their places, or an error's own. */
function reasonOf(cause: unknown): string {
  if (cause instanceof RollmillError) return cause.issues.map((issue) => issue.message).join("; ");
  if (cause instanceof Error) return `it threw ${cause.name}: ${cause.message}`;
  return `it threw ${typeof cause === "string" ? JSON.stringify(cause) : typeof cause}`;
}

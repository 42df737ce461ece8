import { refuseArgument } from "../../spec/index.js";
import type { Explanation } from "./explain.js";
import { type Choice, type Decision, textOf } from "./tracer.js";

/** Writes an explanation as an indented tree, one line for each decision and one for the weights of a pick. */
export function explainText(explanation: Explanation): string {
  checkExplanation(explanation);
  const { noun, name, forks, index, decisions, result } = explanation;
  const place = [name, ...forks.map((id) => JSON.stringify(id))].join(" / ");
  const lines = [`${noun} ${place}, index ${index}: ${JSON.stringify(result)}`];
  for (const [i, decision] of decisions.entries()) {
    const { part } = decision;
    if (part !== undefined && part !== decisions[i - 1]?.part) lines.push(`  ${part}`);
    const indent = part === undefined ? "  " : "    ";
    lines.push(`${indent}${lineOf(decision)}`);
    if (decision.weights !== undefined) lines.push(`${indent}  ${weightsOf(decision, decision.weights)}`);
  }
  return `${lines.join("\n")}\n`;
}

function lineOf({ what, plane, index, word, extra, m, value, alias, so }: Decision): string {
  const more = extra.length === 0 ? "" : ` and extra words ${extra.join(", ")}`;
  const read = `${what}: word ${word}${more} of plane ${plane}, index ${index}`;
  if (alias === undefined) return `${read}; below(${m}) = ${value}: ${so}`;
  const { columns, column, f, q } = alias;
  const sign = f < q ? "<" : f > q ? ">" : "=";
  const tie = value === undefined ? "" : `, so below(${m}) = ${value} of extra words decides`;
  return `${read}; column ${column} of ${columns}, f = ${f} ${sign} q = ${q}${tie}: ${so}`;
}

/** Number of entries that are shown before and after the picked one. */
const NEIGHBOURS = 3;

function weightsOf({ m, alias, choice = 0 }: Decision, weights: readonly Choice[]): string {
  const from = Math.max(0, choice - NEIGHBOURS);
  const near = weights.slice(from, choice + NEIGHBOURS + 1).map(({ name, weight, sum }, i) => {
    const range = alias === undefined ? ` ${sum - weight} … ${sum - 1}` : "";
    return `${textOf(name)} ${weight}${from + i === choice ? ` ←${range}` : ""}`;
  });
  const before = from > 0 ? "…, " : "";
  const after = from + near.length < weights.length ? ", …" : "";
  return `entry ${choice + 1} of ${weights.length}, total ${m}: ${before}${near.join(", ")}${after}`;
}

/** The first decision that differs between two results. */
export interface ExplanationDiff {
  /** Index into the decisions of both. */
  readonly position: number;
  /** Undefined if this result has no more decisions. */
  readonly a: Decision | undefined;
  readonly b: Decision | undefined;
}

/**
 * Finds the first decision that differs between two results: in its part, in what is decided, or in what was chosen. A
 * decision with other words or weights but the same choice does not differ. Undefined if no decision differs.
 *
 * @example explainDiff(explain(before, { at: 17 }), explain(after, { at: 17 }))
 */
export function explainDiff(a: Explanation, b: Explanation): ExplanationDiff | undefined {
  checkExplanation(a);
  checkExplanation(b);
  const keyOf = (decision: Decision | undefined) => JSON.stringify([decision?.part, decision?.what, decision?.so]);
  const length = Math.max(a.decisions.length, b.decisions.length);
  for (let position = 0; position < length; position++) {
    const [one, other] = [a.decisions[position], b.decisions[position]];
    if (keyOf(one) !== keyOf(other)) return { position, a: one, b: other };
  }
  return undefined;
}

function checkExplanation(given: Explanation): void {
  if (!Array.isArray(given?.decisions) || !Array.isArray(given.forks))
    refuseArgument("explanation", given, "a result of `explain`");
}

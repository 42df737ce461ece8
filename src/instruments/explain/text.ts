import { isObject, refuseArgument } from "../../spec/index.js";
import type { Explanation } from "./explain.js";
import { type Choice, type Decision, type Fact, textOf } from "./tracer.js";

/** Writes an explanation as an indented tree, one line for each decision and one for the weights of a pick. */
export function explainText(explanation: Explanation): string {
  checkExplanation(explanation);
  const { noun, name, forks, at, result } = explanation;
  const place = [name, ...forks.map((id) => JSON.stringify(id))].join(" / ");
  const lines = [`${noun} ${place}, ${placeText(at)}: ${JSON.stringify(result, withoutBigints)}`];
  const entries = entriesOf(explanation);
  for (const [i, entry] of entries.entries()) {
    const { part } = entry;
    if (part !== undefined && part !== entries[i - 1]?.part) lines.push(`  ${part}`);
    const indent = part === undefined ? "  " : "    ";
    if (!("word" in entry)) {
      lines.push(`${indent}${entry.what}: ${entry.value === undefined ? "" : `${entry.value}, `}${entry.so}`);
      continue;
    }
    lines.push(`${indent}${lineOf(entry)}`);
    if (entry.weights !== undefined) lines.push(`${indent}  ${weightsOf(entry, entry.weights)}`);
  }
  return `${lines.join("\n")}\n`;
}

function withoutBigints(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? `${value}` : value;
}

function placeText(at: Explanation["at"]): string {
  if (typeof at === "number") return `index ${at}`;
  if ("row" in at) return `cell ${at.row}, ${at.col}`;
  const { region, walker, step } = at;
  return `${region === undefined ? "" : `region ${region.join(" ")}, `}walker ${walker}, step ${step}`;
}

/** The decisions, with each fact before the decision that followed it. */
function entriesOf({ decisions, facts = [] }: Explanation): readonly (Decision | Fact)[] {
  const entries: (Decision | Fact)[] = [];
  let next = 0;
  for (let i = 0; i <= decisions.length; i++) {
    for (; next < facts.length && facts[next].before === i; next++) entries.push(facts[next]);
    if (i < decisions.length) entries.push(decisions[i]);
  }
  return entries;
}

function lineOf({ what, plane, index, skipped, word, extra, m, value, alias, so }: Decision): string {
  const more = extra.length === 0 ? "" : ` and extra words ${extra.join(", ")}`;
  const own = skipped === undefined ? "word" : "extra word";
  const read = `${what}: ${own} ${word}${more} of plane ${plane}, index ${index}`;
  if (alias === undefined) return `${read}; below(${m}) = ${value}: ${so}`;
  const { columns, column, f, q } = alias;
  const sign = f < q ? "<" : f > q ? ">" : "=";
  const tie = value === undefined ? "" : `, so below(${m}) = ${value} of extra words decides`;
  return `${read}; column ${column} of ${columns}, f = ${f} ${sign} q = ${q}${tie}: ${so}`;
}

/** Number of entries that are shown before and after the picked one. A list that fits is shown whole. */
const NEIGHBOURS = 3;

function weightsOf({ m, alias, choice = 0 }: Decision, weights: readonly Choice[]): string {
  const isShort = weights.length <= 2 * NEIGHBOURS + 1;
  const from = isShort ? 0 : Math.max(0, choice - NEIGHBOURS);
  const near = weights
    .slice(from, isShort ? weights.length : choice + NEIGHBOURS + 1)
    .map(({ name, weight, sum, why }, i) => {
      const range = alias === undefined ? ` ${sum - weight} … ${sum - 1}` : "";
      const reason = why === undefined ? "" : ` (${why})`;
      return `${textOf(name)} ${weight}${reason}${from + i === choice ? ` ←${range}` : ""}`;
    });
  const before = from > 0 ? "…, " : "";
  const after = from + near.length < weights.length ? ", …" : "";
  return `entry ${choice + 1} of ${weights.length}, total ${m}: ${before}${near.join(", ")}${after}`;
}

/** The first decision, or fact, that differs between two results. */
export interface ExplanationDiff {
  /** How many decisions and facts are before it, in both. */
  readonly position: number;
  /** Undefined if this result has no more decisions or facts. */
  readonly a: Decision | Fact | undefined;
  readonly b: Decision | Fact | undefined;
}

/**
 * Finds the first decision or fact that differs between two results: in its part, its subject or its outcome. Other
 * words or weights with the same choice do not count as a difference. Undefined if nothing differs.
 *
 * @example explainDiff(explain(before, { at: 17 }), explain(after, { at: 17 }))
 */
export function explainDiff(a: Explanation, b: Explanation): ExplanationDiff | undefined {
  checkExplanation(a);
  checkExplanation(b);
  const keyOf = (entry: Decision | Fact | undefined) => JSON.stringify([entry?.part, entry?.what, entry?.so]);
  const [ofA, ofB] = [entriesOf(a), entriesOf(b)];
  for (let position = 0; position < Math.max(ofA.length, ofB.length); position++) {
    const [one, other] = [ofA[position], ofB[position]];
    if (keyOf(one) !== keyOf(other)) return { position, a: one, b: other };
  }
  return undefined;
}

/** More than any call of `explain` returns. */
const MAX_ENTRIES = 2 ** 22;

function checkExplanation(given: Explanation): void {
  const isPlaced = typeof given?.at === "number" || isObject(given?.at);
  if (!isPlaced || ![given.decisions, given.forks].every((list) => Array.isArray(list) && list.length <= MAX_ENTRIES))
    refuseArgument("explanation", given, "a result of `explain`");
}

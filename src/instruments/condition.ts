import type { Chance } from "../calls/index.js";
import { didYouMean, error, fail, show } from "../errors/index.js";
import { add, type Fraction, ONE, ZERO } from "../fractions.js";
import { plainName } from "../objects/parse/names.js";
import { checkInteger, readOptions, refuseArgument } from "../spec/index.js";
import { type Certified, compare } from "./distribution.js";

/** A result: a label, an entry, the id of a record, or a number. Null stands for no result. */
export type Wanted = string | number | null;

/** Numbers from `atLeast` to `atMost`, both inclusive. */
export interface Between {
  readonly atLeast?: number | undefined;
  readonly atMost?: number | undefined;
}

/** One of several results. */
export interface AnyOf {
  readonly any: readonly (Wanted | Between)[];
}

/** The results of an attempt that meet a condition. */
export type ValueCondition = Wanted | Between | AnyOf;

/**
 * Results of parts of an item or an object, such as `{ prefix: "burnished" }` or `{ artifact: "any" }`. All parts must
 * have their results.
 */
export interface PartsCondition {
  readonly [part: string]: ValueCondition;
}

export type Condition = ValueCondition | PartsCondition;

/** The odds of results that exclude each other. */
export interface ExclusiveOdds {
  readonly odds: readonly Chance<unknown>[];
  /** The probability of no result, null. */
  readonly none: Fraction;
  /** By how much each probability, or a sum of several, can be greater. Default 0. */
  readonly unexplored?: Fraction;
}

export function isParts(condition: Condition): condition is PartsCondition {
  if (typeof condition !== "object" || condition === null) return false;
  return !Object.keys(condition).some((key) => VALUE_KEYS.includes(key));
}

/** Maximum number of results of a condition. */
export const MAX_ANY = 100_000;
const VALUE_KEYS = ["any", "atLeast", "atMost"];

/**
 * Adds up the probabilities of the results that meet the condition, without `unexplored`.
 *
 * @throws RollmillError `argument.range` for a result that is not possible; `argument.option`, `argument.type`.
 */
export function probabilityOf(condition: ValueCondition, { odds, none }: ExclusiveOdds): Fraction {
  const meets = matcherOf(condition, odds);
  let sum = meets(null) ? none : ZERO;
  for (const { result, probability } of odds) if (meets(result)) sum = add(sum, probability);
  return sum;
}

/** Returns the bounds of a probability that can be greater by at most `unexplored`. */
export function orMore(least: Fraction, unexplored = ZERO): Certified {
  if (unexplored.numerator === 0n) return least;
  const most = add(least, unexplored);
  return { least, most: compare(most, ONE) > 0 ? ONE : most };
}

/** Returns a function that tells whether a result meets the condition. Refuses names that `odds` does not have. */
export function matcherOf(
  condition: ValueCondition,
  odds: readonly Pick<Chance<unknown>, "result">[],
): (result: unknown) => boolean {
  if (typeof condition !== "object" || condition === null) return wantedMatcher(condition, odds);
  if ("any" in condition) {
    const { any } = readOptions("the condition", condition, ["any"]);
    if (!Array.isArray(any) || any.length > MAX_ANY) refuseArgument("any", any, `a list of at most ${MAX_ANY} results`);
    const matchers = any.map((one) => matcherOf(one, odds));
    return (result) => matchers.some((meets) => meets(result));
  }
  const [lowest, highest] = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  const { atLeast = lowest, atMost = highest } = readOptions("the condition", condition, ["atLeast", "atMost"]);
  checkInteger("atLeast", atLeast, lowest, highest);
  checkInteger("atMost", atMost, lowest, highest);
  if (!odds.every(({ result }) => typeof result === "number")) {
    const expected = "the name of a result: these results are not numbers";
    return refuseArgument("condition", condition, expected);
  }
  return (result) => typeof result === "number" && result >= atLeast && result <= atMost;
}

function wantedMatcher(wanted: unknown, odds: readonly Pick<Chance<unknown>, "result">[]) {
  const isNamed = (result: unknown) => nameOf(result) === wanted;
  if (wanted === null || odds.some(({ result }) => isNamed(result))) return isNamed;
  const texts = odds.map(({ result }) => nameOf(result)).filter((name) => typeof name === "string");
  const hint = typeof wanted === "string" ? didYouMean(wanted, texts) : {};
  return fail(error("argument.range", { problem: `unknown result ${show(wanted)}`, ...hint }));
}

/** Returns the name of a kind, an affix, a theme or an artifact. Other results are already names or numbers. */
export function nameOf(result: unknown): Wanted {
  if (typeof result === "object" && result !== null && "fullName" in result) return plainName(String(result.fullName));
  if (typeof result === "object" && result !== null && "name" in result) return String(result.name);
  return result as Wanted;
}

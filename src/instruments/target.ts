import { error, fail, show } from "../errors/index.js";
import { type Fraction, fraction, ONE, subtract } from "../fractions.js";
import { checkInteger, isObject, readOptions } from "../spec/index.js";
import { compare, type ProbabilityInput, readProbability } from "./distribution.js";

/** The target of a result: its probability, or the chance of at least one within a number of attempts. */
export type Target = ProbabilityInput | { readonly within: number; readonly chance: ProbabilityInput };

/** The targets of some results. */
export type Targets = Readonly<Record<string, Target>>;

/** A result with a target. */
export interface Reached {
  readonly result: string;
  readonly wanted: Fraction;
  /** The exact probability with the new weights. */
  readonly probability: Fraction;
}

/** A weight to change in a spec. */
export interface ChangedWeight {
  /** The row of a table. Undefined for a list. */
  readonly row: number | undefined;
  /** The column of the row, or the entry of the list. */
  readonly column: number;
  /** The present weight. If a list or a row has decimal weights, all its weights are scaled to integers first. */
  readonly before: number;
  readonly after: number;
}

/** The result of `balance`. */
export interface Balanced {
  /** The weights to change, in the order of the rows and columns. */
  readonly changed: readonly ChangedWeight[];
  readonly reached: readonly Reached[];
  /** Maximum difference between a reached probability and the wanted one. */
  readonly bound: number;
}

/**
 * Returns the probability of a target. For a chance within a number of attempts, it is a multiple of 1 / total.
 *
 * @throws RollmillError `argument.range`, `argument.type`, `argument.option`.
 */
export function readTarget(label: string, target: Target, total: number): Fraction {
  if (typeof target !== "object" || target === null || !("within" in target)) {
    const p = readProbability(label, target as ProbabilityInput);
    if (p.numerator > 0n && compare(p, ONE) < 0) return p;
    return refuseTarget(label, target, "a probability above 0 and below 1");
  }
  const { within, chance } = readOptions("the target", target, ["within", "chance"]);
  checkInteger("within", within, 1, 2 ** 16);
  const wanted = readProbability("chance", chance);
  if (wanted.numerator <= 0n) refuseTarget(label, chance, "a chance above 0");
  if (compare(wanted, ONE) >= 0) refuseTarget(label, chance, "a chance below 1", "Use a pool or pity for certainty");
  // finds the least weight w that is enough: the chance of none in `within` attempts is (1 − w / total)^within
  const isEnough = (weight: number) => {
    const none = fraction(BigInt(total - weight) ** BigInt(within), BigInt(total) ** BigInt(within));
    return compare(subtract(ONE, none), wanted) >= 0;
  };
  let [low, high] = [-1, total];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isEnough(middle)) high = middle;
    else low = middle;
  }
  return fraction(BigInt(high), BigInt(total));
}

export function refuseTarget(label: string, target: unknown, expected: string, remedy?: string): never {
  const problem = `the target of ${show(label)} cannot be met`;
  return fail(error("argument.range", { problem, got: targetText(target), expected, remedy }));
}

function targetText(target: unknown): unknown {
  if (!isObject(target)) return target;
  if ("within" in target) return `${targetText(target.chance)} in ${target.within}`;
  return "numerator" in target ? `${target.numerator}/${target.denominator}` : target;
}

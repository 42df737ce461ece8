import { MAX_TOTAL, type WeightInput, weightFraction } from "../decimals.js";
import { error, fail } from "../errors/index.js";
import { type Fraction, fraction } from "../fractions.js";
import { checkInteger } from "../spec/index.js";
import { weightsIn } from "./parse.js";

/** Integer weights for given probabilities. */
export interface Apportionment {
  /** One integer for each probability. Their sum is the total. */
  readonly weights: number[];
  /** The exact probability of each entry with these weights: weight / total, in lowest terms. */
  readonly odds: Fraction[];
}

/** Maximum number of probabilities. The calculation with so many big integers takes about a second. */
const MAX_PROBABILITIES = 2 ** 20;
/** Maximum number of bits of a common denominator. 5e-324, the smallest number, needs 1,077 bits. */
const MAX_BITS = 4096;

/**
 * Converts probabilities to integer weights with the given total. Use it for probabilities with too many decimals for
 * exact weights. Each weight differs from its exact share of the total by less than 1, and the sum of these differences
 * is minimal. Shares with the largest remainders are rounded up; of equal remainders, the earlier entry comes first. A
 * small probability can get the weight 0: then raise the total.
 *
 * Cost: O(n log n) operations on big integers.
 * Source: the largest remainder method of Hamilton, in exact integers.
 *
 * @param probabilities - 1 to 2^20 numbers ≥ 0 or fractions, not all 0. Only their proportions count.
 * @param total - the sum of the weights, 1 … 2^32 − 1.
 * @throws RollmillError `argument.type` (not an array), `argument.range` (the total), `weights.empty`,
 * `weights.invalid`, `weights.decimals` (the common denominator has more than 4,096 bits).
 */
export function apportion(probabilities: ArrayLike<WeightInput>, total: number): Apportionment {
  checkInteger("total", total, 1, MAX_TOTAL);
  const shares = sharesOf(probabilities);
  if (shares.every((share) => share === 0n)) refuse("weights.empty", "all probabilities are 0", "at least one above 0");
  const weights = largestRemainders(shares, total);
  return { weights, odds: weights.map((weight) => fraction(BigInt(weight), BigInt(total))) };
}

/** Divides a total in proportion to shares ≥ 0, not all 0. The method of {@link apportion}. */
export function largestRemainders(shares: readonly bigint[], total: number): number[] {
  const sum = shares.reduce((a, b) => a + b, 0n);
  const parts = shares.map((share) => share * BigInt(total));
  const weights = parts.map((part) => Number(part / sum));
  const remainders = parts.map((part) => part % sum);
  const left = weights.reduce((rest, weight) => rest - weight, total);
  // the sort is stable, so entries with equal remainders keep their order
  const order = weights.map((_, i) => i).sort((a, b) => Number(remainders[b] - remainders[a]));
  for (const i of order.slice(0, left)) weights[i]++;
  return weights;
}

function sharesOf(probabilities: unknown): readonly bigint[] {
  const { length, weights } = weightsIn(probabilities);
  if (length < 0) refuse("argument.type", "invalid probabilities", "an array or a typed array of numbers");
  if (length === 0 || length > MAX_PROBABILITIES) {
    refuse("weights.empty", "wrong number of probabilities", `1 to ${MAX_PROBABILITIES} probabilities`);
  }
  const fractions = weights.map((weight, i) => weightFraction(weight) ?? refuseEntry(weight, i));
  let common = 1n;
  for (const { denominator } of fractions) {
    common *= fraction(denominator, common).numerator;
    if (common >> BigInt(MAX_BITS) === 0n) continue;
    const expected = `a common denominator of at most ${MAX_BITS} bits`;
    refuse("weights.decimals", "the common denominator of the probabilities is too large", expected);
  }
  return fractions.map(({ numerator, denominator }) => numerator * (common / denominator));
}

function refuse(
  code: "argument.type" | "weights.empty" | "weights.decimals",
  problem: string,
  expected: string,
): never {
  return fail(error(code, { problem, expected, where: { path: "probabilities" } }));
}

function refuseEntry(got: unknown, i: number): never {
  const expected = 'a finite number that is 0 or more, or a fraction such as "1/3" or { n: 1, d: 3 }';
  return fail(
    error("weights.invalid", { problem: "invalid probability", got, expected, where: { path: `probabilities[${i}]` } }),
  );
}

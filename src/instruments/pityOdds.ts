import { error, fail } from "../errors/index.js";
import { add, divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../fractions.js";
import { checkFlag, checkInteger, readOptions } from "../spec/index.js";
import { hitChances, MAX_PULLS, type PityRule, type PityState } from "../weighted/pity/rule.js";
import {
  compare,
  type Distribution,
  KnownDistribution,
  type ProbabilityInput,
  readProbability,
} from "./distribution.js";

/** The exact odds of a pity system. */
export interface PityOdds {
  /** In the long run, the share of pulls that hit. */
  readonly rate: Fraction;
  /** In the long run, the share of pulls that have the featured result. Undefined without `featured`. */
  readonly featuredRate: Fraction | undefined;
  /** The chance of a hit at each pull after the last hit: entry 0 is that of the first pull. The last entry is 1. */
  readonly chances: readonly Fraction[];
  /** Returns the distribution of the number of pulls until the next hit. */
  wait(state?: PityState): Distribution;
  /**
   * Returns the distribution of the number of pulls until the next featured result.
   *
   * @throws RollmillError `argument.option` without `featured`.
   */
  waitFeatured(state?: PityState): Distribution;
}

/**
 * Computes the exact odds of a pity system.
 *
 * Cost: O(pulls²) operations on fractions, where `pulls` is the number of pulls until a hit is sure.
 *
 * @throws RollmillError `argument.range` if a hit is never sure within 10,000 pulls, or for a chance outside 0 … 1;
 * `argument.type`, `argument.option`.
 */
export function pityOdds(given: PityRule): PityOdds {
  const { base, soft, hard, featured } = readOptions("pityOdds", given, ["base", "soft", "hard", "featured"]);
  const chances = chancesOf({ base, soft, hard });
  const half = featured === undefined ? undefined : readChance("featured", featured);
  const sinceOf = (since: number) => {
    checkInteger("since", since, 0, chances.length - 1);
    return hits(chances.slice(since));
  };
  const mean = known(hits(chances)).mean;
  // a featured result takes one hit, or two if the first hit is not featured
  const hitsPerFeatured = half === undefined ? undefined : subtract(fraction(2n, 1n), half);
  return {
    rate: divide(ONE, mean),
    featuredRate: hitsPerFeatured && divide(ONE, multiply(mean, hitsPerFeatured)),
    chances,
    wait: (state = {}) => known(sinceOf(readState(state).since)),
    waitFeatured: (state = {}) => {
      if (half === undefined) {
        const problem = "the rule has no featured result";
        return fail(error("argument.option", { problem, remedy: 'Give the chance "featured"' }));
      }
      const { since, guaranteed } = readState(state);
      const first = sinceOf(since);
      if (guaranteed) return known(first);
      const won = first.map((p) => multiply(p, half));
      const lost = convolved(first, hits(chances)).map((p) => multiply(p, subtract(ONE, half)));
      return known(lost.map((p, n) => add(p, won[n] ?? ZERO)));
    },
  };
}

function readState(state: PityState): { readonly since: number; readonly guaranteed: boolean } {
  const { since = 0, guaranteed = false } = readOptions("the state", state, ["since", "guaranteed"]);
  checkFlag("guaranteed", guaranteed);
  return { since, guaranteed };
}

function chancesOf({ base, soft, hard }: Pick<PityRule, "base" | "soft" | "hard">): readonly Fraction[] {
  if (hard !== undefined) checkInteger("hard", hard, 1, MAX_PULLS);
  const usual = readChance("base", base);
  const rise = soft && readOptions("soft", soft, ["from", "add"]);
  if (rise !== undefined) checkInteger("soft.from", rise.from, 1, MAX_PULLS);
  const step = rise && { from: rise.from, add: readChance("soft.add", rise.add) };
  const chances = hitChances({ base: usual, soft: step, hard });
  if (chances !== undefined) return chances;
  const problem = "no pull hits for sure";
  const remedy = 'Set "hard", or let "soft" reach 1';
  return fail(error("argument.range", { problem, expected: `a sure hit within ${MAX_PULLS} pulls`, remedy }));
}

/** Entry n is the probability that pull n is the first hit. Entry 0 is 0. */
function hits(chances: readonly Fraction[]): Fraction[] {
  let missed = ONE;
  const first = chances.map((chance) => {
    const hit = multiply(missed, chance);
    missed = subtract(missed, hit);
    return hit;
  });
  return [ZERO, ...first];
}

function convolved(a: readonly Fraction[], b: readonly Fraction[]): Fraction[] {
  const sums = Array<Fraction>(a.length + b.length - 1).fill(ZERO);
  for (const [i, p] of a.entries()) {
    if (p.numerator === 0n) continue;
    for (const [j, q] of b.entries()) if (q.numerator > 0n) sums[i + j] = add(sums[i + j], multiply(p, q));
  }
  return sums;
}

function known(chances: readonly Fraction[]): KnownDistribution {
  return new KnownDistribution([...chances.entries()].filter(([, p]) => p.numerator > 0n));
}

function readChance(name: string, input: ProbabilityInput): Fraction {
  const chance = readProbability(name, input);
  if (compare(chance, ONE) <= 0) return chance;
  return fail(
    error("argument.range", { problem: `the chance "${name}" is too large`, got: input, expected: "at most 1" }),
  );
}

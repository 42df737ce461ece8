import { add, type Fraction, fraction, multiply, ONE, ZERO } from "../../fractions.js";

/**
 * The rule of a pity system. At least one of `soft` and `hard` is needed. `pityOdds` of `rollmill/instruments` computes
 * its odds. A chance is a fraction, a text such as "3/500", or a number, read as its shortest decimal form.
 */
export interface PityRule<Chance = Fraction | string | number> {
  /** The chance of a hit without pity. */
  readonly base: Chance;
  /** From pull `from` on, counted from the last hit, each pull has a chance greater by `add` than the pull before. */
  readonly soft?: { readonly from: number; readonly add: Chance } | undefined;
  /** The number of the pull that always hits, counted from the last hit: 1 … 10,000. */
  readonly hard?: number | undefined;
  /** The chance that a hit is featured. After a hit that is not featured, the next hit always is. */
  readonly featured?: Chance | undefined;
}

/** The progress of a player under a pity rule. */
export interface PityState {
  /** Number of pulls since the last hit. Default 0. */
  readonly since?: number | undefined;
  /** Whether the next hit is the featured result for sure. Default false. */
  readonly guaranteed?: boolean | undefined;
}

/** Maximum number of pulls until a hit is sure. */
export const MAX_PULLS = 10_000;

/**
 * Returns the chance of a hit at each pull after the last hit. The last chance is 1. Undefined if no pull within
 * 10,000 hits for sure.
 */
export function hitChances({ base, soft, hard }: PityRule<Fraction>): readonly Fraction[] | undefined {
  const chances: Fraction[] = [];
  for (let pull = 1; pull <= MAX_PULLS; pull++) {
    const times = BigInt(Math.max(0, pull - (soft?.from ?? pull + 1) + 1));
    const chance = add(base, multiply(soft?.add ?? ZERO, fraction(times, 1n)));
    const isSure = pull === hard || chance.numerator >= chance.denominator;
    chances.push(isSure ? ONE : chance);
    if (isSure) return chances;
  }
  return undefined;
}

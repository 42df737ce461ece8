import { BONUS_LEVELS } from "../../kernel/layout.js";
import type { DepthRange, RandomValue } from "../types.js";

export const MAX_M_BONUS = 255;
/** The highest level that m_bonus distinguishes. Higher levels give the same odds. */
export const MAX_M_BONUS_LEVEL = BONUS_LEVELS - 1;
/** The sum of the weights of m_bonus. As it is 2^31, the upper 31 bits of a random word pick a value exactly. */
export const M_BONUS_TOTAL = 2 ** 31;

// powers of two, so that a whole number of random bits decides whether a quotient is rounded up
const LEVEL_SCALE = 128;
const SPREAD_DIVISOR = 4;
/** {@link halfNormalTable} covers 4 standard deviations, and has 64 cells for each standard deviation. */
const [DEVIATIONS, CELLS_PER_DEVIATION] = [4, 64];
const CELLS = DEVIATIONS * CELLS_PER_DEVIATION;
const TABLE_TOTAL = 2 ** 20;
/** {@link integral} computes with 128 fractional bits, and adds 80 terms of the series. */
const [FRACTION_BITS, TERMS] = [128n, 80];

let table: Uint32Array | undefined;
const offsetLaws = new Map<number, Uint32Array>();

/**
 * Returns the exact odds of m_bonus(`max`, `level`), which docs/determinism.md defines. Entry v, 0 … `max`, is the
 * number of the 2^31 cases with the bonus v. The odds at level L, 1 … 127, are the odds at level 128 − L in reverse
 * order. For the same random word, a higher level never returns a smaller bonus. Cost: O(`max`). The first call also
 * builds the table, with about 20 000 BigInt operations.
 * @param max - The largest bonus, 0 … 255.
 */
export function mBonusOdds(max: number, level: number): Uint32Array {
  const weights = new Uint32Array(max + 1);
  const clamp = (value: number) => Math.min(Math.max(value, 0), max);
  for (const mean of roundings(max * Math.min(level, MAX_M_BONUS_LEVEL), LEVEL_SCALE)) {
    for (const spread of roundings(max, SPREAD_DIVISOR)) {
      offsetLaw(spread.value).forEach((cases, offset) => {
        const weight = cases * mean.cases * spread.cases;
        weights[clamp(mean.value - offset)] += weight;
        weights[clamp(mean.value + offset)] += weight;
      });
    }
  }
  return weights;
}

/**
 * Returns the cumulative table of a half-normal distribution: entry k, 0 … 255, counts the cases that deviate by less
 * than (k + 1)/64 standard deviations. The integrals are divided by the integral up to 4. This distributes the cases
 * beyond 4 (one in 15 787) in proportion, without π or a square root. All calls return one array: do not change it.
 */
export function halfNormalTable(): Uint32Array {
  if (table === undefined) {
    const whole = integral(CELLS);
    table = Uint32Array.from({ length: CELLS }, (_, cell) =>
      Number((2n * BigInt(TABLE_TOTAL) * integral(cell + 1) + whole) / (2n * whole)),
    );
  }
  return table;
}

/**
 * Returns ∫ e^(−t²/2) dt from 0 to z = k/64, k ≤ 256, in units of 2^-128. Sums the power series Σ (−1)^n t_n / (2n +
 * 1), where t_0 = z and t_n = t_(n−1) · z² / (2n), in BigInt.
 * Truncation: z²/2 ≤ 8, hence t_n ≤ 4·8^n/n!. From n = 8 on, the terms fall and alternate in sign, so the omitted terms
 * sum to less than the first of them: 4·8^80/80! < 2^-152.
 * Rounding: each step rounds t_n down by less than one unit, and later steps multiply this error by at most 8^7/7! <
 * 2^9. With 80 terms of at most 80 such errors, the integral is off by less than 80 · 80 · 2^9 < 2^23 units, or 2^-104.
 * A table entry is 2^20 times a quotient of two integrals, and the divisor is greater than 1, so the entry is off by
 * less than 2^-82. No entry is that close to a half-integer: all are correctly rounded.
 */
function integral(k: number): bigint {
  const numerator = BigInt(k) * BigInt(k);
  const denominator = BigInt(CELLS_PER_DEVIATION) ** 2n;
  let term = (BigInt(k) << FRACTION_BITS) / BigInt(CELLS_PER_DEVIATION);
  let sum = term;
  for (let n = 1; n < TERMS; n++) {
    term = (term * numerator) / (denominator * BigInt(2 * n));
    const part = term / BigInt(2 * n + 1);
    sum += n % 2 === 0 ? part : -part;
  }
  return sum;
}

/** Returns how many of 2^21 cases deviate by 0, 1, 2 … from the mean, without the sign. */
function offsetLaw(spread: number): Uint32Array {
  const known = offsetLaws.get(spread);
  if (known !== undefined) return known;
  const cumulative = halfNormalTable();
  const law = new Uint32Array(DEVIATIONS * spread + 1);
  for (let half = 0; half < 2 * CELLS; half++) {
    const cell = half >> 1;
    // never a tie: 2 · half + 1 is odd, so a tie needs a spread that is divisible by 128, but the spread is at most 64
    const offset = Math.floor((spread * (2 * half + 1) + 2 * CELLS_PER_DEVIATION) / (4 * CELLS_PER_DEVIATION));
    law[offset] += cumulative[cell] - (cell === 0 ? 0 : cumulative[cell - 1]);
  }
  offsetLaws.set(spread, law);
  return law;
}

/** Rounds `numerator` / `divisor` down and up. Each result has its number of cases out of `divisor`. */
function roundings(numerator: number, divisor: number): { readonly value: number; readonly cases: number }[] {
  const [value, remainder] = [Math.floor(numerator / divisor), numerator % divisor];
  return [
    { value, cases: divisor - remainder },
    { value: value + 1, cases: remainder },
  ];
}

export function rangeOf({ base, dice: count, sides, bonus, negated }: RandomValue): DepthRange {
  const [least, most] = [base + count, base + count * sides + bonus];
  // 0 − x instead of −x, because −0 and 0 differ in deep comparisons
  return negated ? { least: 0 - most, most: 0 - least } : { least, most };
}

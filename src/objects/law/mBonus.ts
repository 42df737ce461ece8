import { error, fail } from "../../errors/index.js";
import { BONUS_LEVELS } from "../../kernel/layout.js";

export const MAX_M_BONUS = 255;
/** The highest level that m_bonus distinguishes. Higher levels give the same odds. */
export const MAX_M_BONUS_LEVEL = BONUS_LEVELS - 1;
/** The sum of the weights of m_bonus. So the upper 31 bits of a random word can pick a value exactly. */
export const M_BONUS_TOTAL = 2 ** 31;

// powers of two, so that a whole number of random bits decides whether a quotient is rounded up
const LEVEL_SCALE = 128;
const SPREAD_DIVISOR = 4;
/** The table covers 4 standard deviations, and has 64 cells for each standard deviation. */
const [DEVIATIONS, CELLS_PER_DEVIATION] = [4, 64];
const CELLS = DEVIATIONS * CELLS_PER_DEVIATION;
/** The last entry of the table. The odds of a cell are multiples of 2^-20. */
const TABLE_TOTAL = 2 ** 20;
/** {@link integral} computes with 128 fractional bits, and adds 80 terms of the series. */
const [FRACTION_BITS, TERMS] = [128n, 80];

let table: Uint32Array | undefined;
const offsetLaws = new Map<number, Uint32Array>();

/**
 * Returns the exact odds of m_bonus(`max`, `level`). Entry v, 0 … `max`, is the number of the 2^31 cases with the bonus
 * v. The bonus for a word w is the least v for which the entries 0 … v sum to more than ⌊w / 2⌋.
 *
 * The bonus is computed in integers:
 *
 * 1. `level` above 127 counts as 127.
 * 2. The mean is `max`·`level`/128. With the remainder r, it is rounded up in r of 128 cases, else down.
 * 3. The spread is `max`/4. With the remainder r, it is rounded up in r of 4 cases, else down.
 * 4. The deviation from the mean:
 *    - The {@link halfNormalTable} picks cell k of 256 cells (2^20 cases). A cell is 1/64 of a standard deviation wide.
 *    - One bit picks a half of the cell (2 cases): h = 2k or 2k + 1. Its middle is at (2h + 1)/256 standard deviations.
 *    - The deviation is (2h + 1)/256 · spread, rounded to the nearest integer: ⌊(spread·(2h + 1) + 128)/256⌋. No tie
 *      can occur: 2h + 1 is odd, so a tie needs a spread that is divisible by 128, but the spread is at most 64.
 *    - One bit picks the sign of the deviation (2 cases).
 * 5. The result is mean plus deviation, clamped to 0 … `max`.
 *
 * These are 2^7 · 2^2 · 2^20 · 2 · 2 = 2^31 equally likely cases. The odds at level L, 1 … 127, are the odds at level
 * 128 − L in reverse order. For the same word, a higher level never gives a smaller bonus.
 *
 * Cost: O(`max`). The first call also builds the table, with about 20 000 BigInt operations.
 *
 * @param max - The largest bonus, 0 … 255.
 * @param level - A depth, 0 or more.
 * @throws RollmillError `argument.range` if `max` or `level` is out of range or not an integer.
 */
export function mBonusOdds(max: number, level: number): Uint32Array {
  checkInteger("max", max, MAX_M_BONUS);
  checkInteger("level", level, Number.MAX_SAFE_INTEGER);
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
 * Returns the cumulative table of a half-normal distribution with 2^20 cases, which ends at four standard deviations.
 * Entry k, 0 … 255, counts the cases that deviate by less than (k + 1)/64 standard deviations.
 *
 * Let S(z) be the integral of e^(−t²/2) from 0 to z. Entry k is 2^20 · S((k + 1)/64) / S(4), rounded to the nearest
 * integer. The division by S(4) distributes the cases beyond 4 (one in 15 787) in proportion. It also makes π and a
 * square root unnecessary.
 *
 * All calls return the same array. Do not write to it.
 */
export function halfNormalTable(): Uint32Array {
  table ??= buildTable();
  return table;
}

function buildTable(): Uint32Array {
  const whole = integral(CELLS);
  return Uint32Array.from({ length: CELLS }, (_, cell) =>
    Number((2n * BigInt(TABLE_TOTAL) * integral(cell + 1) + whole) / (2n * whole)),
  );
}

/**
 * Returns ∫ e^(−t²/2) dt from 0 to z = k/64, k ≤ 256, in units of 2^-128. Sums the power series Σ (−1)^n t_n / (2n +
 * 1), where t_0 = z and t_n = t_(n−1) · z² / (2n), in BigInt.
 *
 * Truncation: z²/2 ≤ 8, hence t_n ≤ 4·8^n/n!. Starting at n = 8, the terms fall and alternate in sign. The sum of the
 * omitted terms is therefore smaller than the first of them: 4·8^80/80! < 2^-152.
 *
 * Rounding: every step rounds t_n down by less than one unit. Later steps multiply this error by at most 8^7/7! < 2^9.
 * Each of the 80 terms has at most 80 such errors, so all errors together are less than 80 · 80 · 2^9 < 2^23 units. The
 * error of the integral is therefore less than 2^-104. A table entry is 2^20 times a quotient of two such integrals.
 * The divisor, the integral up to 4, is greater than 1. So the error of the entry is less than 2^-82. No entry is that
 * close to a half-integer, so every entry is correctly rounded.
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

function checkInteger(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 0 && value <= most) return;
  const expected = `an integer from 0 to ${most}`;
  fail(error("argument.range", { problem: `invalid ${JSON.stringify(name)} for m_bonus`, got: value, expected }));
}

import { error, fail } from "../../errors/index.js";
import { BONUS_LEVELS } from "../../kernel/index.js";

/** The largest bonus that m_bonus takes: an edit file's `M255`. */
export const MAX_M_BONUS = 255;
/** The highest level of the law; deeper levels count as this one. */
export const MAX_M_BONUS_LEVEL = BONUS_LEVELS - 1;
/** The sum of the weights of every m_bonus: 2^31, so that a word's upper 31 bits pick a value exactly. */
export const M_BONUS_TOTAL = 2 ** 31;

/** Divides the mean: a power of two, so that rounding it takes whole bits. */
const LEVEL_SCALE = 128;
/** Divides the largest bonus: the quotient is the spread. */
const SPREAD_DIVISOR = 4;
/** Standard deviations that the table reaches, and its cells for each of them. */
const [DEVIATIONS, CELLS_PER_DEVIATION] = [4, 64];
const CELLS = DEVIATIONS * CELLS_PER_DEVIATION;
/** The table's last entry: the odds of a cell are multiples of 2^-20. */
const TABLE_TOTAL = 2 ** 20;
/** Fractional bits of the series, and its terms: see {@link integral}. */
const [FRACTION_BITS, TERMS] = [128n, 80];

let table: Uint32Array | undefined;
const offsetLaws = new Map<number, Uint32Array>();

/**
 * The odds of m_bonus(`max`, `level`), exactly: entry v, 0 … `max`, is how many of {@link M_BONUS_TOTAL} words' upper
 * 31 bits give the bonus v. The value of a word w is the least v whose weights up to and including its own sum to more
 * than ⌊w / 2⌋.
 *
 * The law, each step in integers:
 *
 * 1. `level` above 127 counts as 127.
 * 2. The mean is `max`·`level`/128. With the remainder r it is rounded up in r of 128 cases, else down.
 * 3. The spread is `max`/4, rounded in the same way: with the remainder r, up in r of four cases.
 * 4. The deviation is one of 256 cells, cell k by the {@link halfNormalTable} (2^20 cases), the lower or upper half of
 *    that cell (2 cases): with h = 2k or 2k + 1 it is (2h + 1)/256 standard deviations, the middle of that half. Times
 *    the spread and to the nearest integer (⌊(spread·(2h + 1) + 128)/256⌋; no tie can come up, for spread ≤ 64), then
 *    up or down (2 cases).
 * 5. The result is mean plus deviation, clamped to 0 … `max`.
 *
 * 2^7 · 2^2 · 2^20 · 2 · 2 = 2^31 cases, all equally likely. Without the clamping, the mean is therefore exactly
 * `max`·`level`/128. The odds of a level L, 1 … 127, are those of 128 − L in reverse; a higher level never gives less.
 *
 * Cost: O(`max`), and once for each spread 512 steps, once for the table about 20 000 operations on BigInts.
 *
 * @param max - The largest bonus, 0 … 255.
 * @param level - A depth, 0 or more.
 * @returns `max` + 1 weights that sum to 2^31; a new array.
 * @throws RollmillError `argument.range` if `max` or `level` is not such an integer.
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
 * The cumulative table of a half normal law: entry k, 0 … 255, is how many of 2^20 cases deviate by less than
 * (k + 1)/64 standard deviations. The law ends at four of them, and the last entry is 2^20.
 *
 * Entry k is 2^20 · S((k + 1)/64) / S(4), rounded to the nearest integer, where S(z) is the integral of e^(−t²/2) from
 * 0 to z; {@link integral} computes it. The cases beyond four deviations, one in 15 787, are thereby shared out in
 * proportion, and neither π nor a root is needed.
 *
 * Cost: built at the first call, then cached. Do not write to it.
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
 * ∫ e^(−t²/2) dt from 0 to z = k/64, k ≤ 256, as an integer of 2^-128, by the power series Σ (−1)^n t_n / (2n + 1),
 * where t_0 = z and t_n = t_(n−1) · z² / (2n), in BigInt.
 *
 * Truncation: z²/2 ≤ 8, hence t_n ≤ 4·8^n/n!. From n = 8 on the terms fall and alternate, so that what is left out is
 * smaller than its first term: 4·8^80/80! < 2^-152. Rounding: every step rounds t_n down by less than one unit of
 * 2^-128, which later steps enlarge by at most 8^7/7! < 2^9; 80 terms of 80 such errors stay below 2^23 units. The
 * whole is within 2^-104; a table entry, 2^20 times a quotient of two such integrals (S(4) > 1), within 2^-82. No entry
 * lies that near to a half, so each is the correctly rounded one.
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

/** How many of 2^21 cases deviate by 0, 1, 2 … in either direction, at a spread. */
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

/** Rounds `numerator` / `divisor` at random, with the quotient as mean: both results, and their cases of `divisor`. */
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
  fail(error("argument.range", { problem: `m_bonus takes no such ${name}`, got: value, expected }));
}

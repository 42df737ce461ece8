import { error, type Issue } from "./errors/index.js";
import { type Fraction, fraction } from "./fractions.js";

/** Largest total of weights in the kernel, 2³² − 1. */
export const MAX_TOTAL = 0xffff_ffff;

/** Weights as exact integers: `values[i] = integers[i] / 10^decimals`. */
interface ScaledWeights {
  /** One integer for each weight, 0 … `maxTotal`, in the order of the weights. */
  readonly integers: readonly number[];
  /** The sum of the integers, 0 … `maxTotal`. It is 0 for an empty list and if every weight is 0. */
  readonly total: number;
  /** Exponent of the smallest power of ten that makes every value an integer, 0 … 324. */
  readonly decimals: number;
}

/** Options of {@link scaleToIntegers}. */
interface ScaleOptions {
  /** Largest valid total, an integer ≤ 2⁵³ − 1. Default 2³² − 1. */
  readonly maxTotal?: number;
  /** Path of the list in messages, such as `weights`; or a function from an index to the path of that entry. */
  readonly path?: string | ((index: number) => string);
  /** The file that the list came from, for messages. */
  readonly file?: string | undefined;
}

/** Maximum number of invalid entries that are reported. */
const MAX_REPORTED = 20;

/**
 * Scales a list of weights to integers, exactly. A number stands for its shortest decimal form: 1.2 is 12/10, not the
 * double nearest to it. All weights are multiplied by the smallest power of ten that makes all of them integers. Common
 * factors remain.
 *
 * Cost: O(n), independent of the exponents.
 *
 * Issues: `weights.invalid` (not a number, NaN, infinite or negative), `weights.overflow` (the weights are integers and
 * their total exceeds `maxTotal`), `weights.decimals` (the total exceeds `maxTotal` after scaling). An empty list and a
 * list of zeros are valid here; their `total` is 0.
 *
 * @returns `scaled` if there are no issues.
 */
export function scaleToIntegers(
  values: readonly unknown[],
  options: ScaleOptions = {},
): { scaled?: ScaledWeights; issues: readonly Issue[] } {
  const { maxTotal = MAX_TOTAL } = options;
  const issues: Issue[] = [];
  const parts: Decimal[] = [];
  for (let i = 0; i < values.length && issues.length < MAX_REPORTED; i++) {
    const value = values[i];
    if (typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY) parts.push(decimalOf(value));
    else issues.push(invalid(value, whereEntry(options, i)));
  }
  if (issues.length > 0) return { issues };

  const decimals = parts.reduce((most, part) => Math.max(most, -part.exponent), 0);
  const integers = parts.map((part) => scaled(part, decimals));
  const total = integers.reduce((sum, integer) => sum + integer, 0);
  if (total > maxTotal) return { issues: [tooLarge(options, decimals, maxTotal)] };
  return { scaled: { integers, total, decimals }, issues };
}

/** Returns the shortest decimal form of `value` as an exact fraction. `value` must be finite and ≥ 0. */
export function decimalFraction(value: number): Fraction {
  const { digits, exponent } = decimalOf(value);
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? fraction(BigInt(digits), power) : fraction(BigInt(digits) * power, 1n);
}

/** The number `digits · 10^exponent`, with at most 17 digits and no trailing zeros. 0 is ("0", 0). */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

// String(value) is the shortest decimal that reads back as value (ECMA-262, Number::toString), and −0 is "0".
function decimalOf(value: number): Decimal {
  const [mantissa, exponent = "0"] = String(value).split("e");
  const [whole, tail = ""] = mantissa.split(".");
  const digits = (whole + tail).replace(/^0+/, "");
  const significant = digits.replace(/0+$/, "");
  if (significant === "") return { digits: "0", exponent: 0 };
  return { digits: significant, exponent: Number(exponent) - tail.length + digits.length - significant.length };
}

// Returns digits · 10^(exponent + decimals), by parsing it as a decimal text. Parsing is exact up to 2⁵³. Above 2⁵³ the
// value is rounded, perhaps to Infinity, but a value over the limit stays over the limit. No power of ten is computed,
// so extreme weights such as 5e-324 cost nothing extra (the flaw that Apache Commons RNG reported as RNG-196).
function scaled({ digits, exponent }: Decimal, decimals: number): number {
  return digits === "0" ? 0 : Number(`${digits}e${exponent + decimals}`);
}

function whereEntry({ path = "weights", file }: ScaleOptions, index: number): { path: string; file?: string } {
  const entry = typeof path === "function" ? path(index) : `${path}[${index}]`;
  return file === undefined ? { path: entry } : { path: entry, file };
}

function invalid(got: unknown, where: { path: string; file?: string }): Issue {
  return error("weights.invalid", {
    problem: "invalid weight",
    got,
    expected: "a finite number that is 0 or more",
    remedy: "Write 0 for an entry that must never be picked",
    where,
  });
}

function tooLarge(options: ScaleOptions, decimals: number, maxTotal: number): Issue {
  const { path = "weights", file } = options;
  const where = { path: typeof path === "function" ? parentOf(path(0)) : path, file };
  const expected = `a total of at most ${maxTotal}`;
  if (decimals === 0) {
    const remedy = "Divide all weights by a common factor";
    return error("weights.overflow", { problem: "the total of the weights is too large", expected, remedy, where });
  }
  return error("weights.decimals", {
    problem: `the weights have up to ${decimals} decimals, and their total in units of 10^-${decimals} is too large`,
    expected,
    remedy: "Round the weights to fewer decimals, or replace them by integers in the same proportions",
    where,
  });
}

function parentOf(path: string): string {
  return path.replace(/(\.[^.[]*|\[[^\]]*\])$/, "");
}

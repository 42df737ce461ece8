import { error, type Issue } from "./errors/index.js";
import { type Fraction, fraction } from "./fractions.js";
import { type Field, type Shape, shape } from "./spec/index.js";

export const MAX_TOTAL = 0xffff_ffff;

/** A list of weights, scaled to integers. If no weight has the form n/d, weight i equals integers[i] / 10^decimals. */
interface ScaledWeights {
  readonly integers: readonly number[];
  /** The sum of the integers: 0 for an empty list, and for a list of zeros. */
  readonly total: number;
  /** The exponent of the smallest power of ten that makes every weight an integer; 0 if a weight has the form n/d. */
  readonly decimals: number;
}

/** A weight as a fraction: `{ n: 1, d: 3 }` or "1/3", with the integers n ≥ 0 and d ≥ 1, both at most 2^53 − 1. */
export type RatioInput = { readonly n: number; readonly d: number } | string;

/** The shape of a fraction. Returns the field unread, because {@link scaleToIntegers} reads the fraction later. */
export const RATIO: Shape<RatioInput, Field> = shape((_, at) => at, {
  oneOf: [
    { type: "string", pattern: "^\\d+/0*[1-9]\\d*$" },
    {
      type: "object",
      required: ["n", "d"],
      additionalProperties: false,
      properties: {
        n: { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
        d: { type: "integer", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
      },
    },
  ],
});

/** A weight: a fraction, or a number ≥ 0, which means its shortest decimal form: 1.2 is 12/10. */
export type WeightInput = number | RatioInput;

interface Scaling {
  readonly scaled?: ScaledWeights;
  readonly issues: readonly Issue[];
}

interface ScaleOptions {
  /** Whether weights may be fractions ({@link RatioInput}) too. */
  readonly ratios?: true;
  /** Maximum sum of the integers, at most 2⁵³ − 1. Default 2³² − 1. */
  readonly maxTotal?: number;
  /** Path of the list, or a function that returns the path of entry `index`. */
  readonly path?: string | ((index: number) => string);
  /** Path of the whole list. Default: {@link path} or, if that is a function, `path(0)` without its last part. */
  readonly whole?: string | undefined;
  readonly file?: string | undefined;
}

const MAX_REPORTED = 20;

/**
 * Scales a list of weights to integers, exactly. A number means its shortest decimal form: 1.2 is 12/10. Multiplies by
 * the smallest power of ten that makes all weights integers. If some weights are fractions, multiplies by the smallest
 * integer that does so. Does not remove common factors of the results. Cost: O(n), independent of the exponents.
 *
 * Issues: `weights.invalid` for an entry; `weights.overflow` if the weights are integers and their total exceeds
 * `maxTotal`; `weights.decimals` if the total is too large after scaling.
 */
export function scaleToIntegers(values: readonly unknown[], options: ScaleOptions = {}): Scaling {
  if (areIntegers(values)) return checkTotal(values, 0, options);
  const issues: Issue[] = [];
  const parts: Decimal[] = [];
  const ratios = new Map<number, Fraction>();
  for (let i = 0; i < values.length && issues.length < MAX_REPORTED; i++) {
    const value = values[i];
    const ratio = options.ratios === true ? ratioOf(value) : undefined;
    if (isWeight(value)) parts.push(decimalOf(String(value)));
    else if (ratio !== undefined) ratios.set(parts.push(NO_DECIMAL) - 1, ratio);
    else issues.push(invalid(value, options, i));
  }
  if (issues.length > 0) return { issues };
  if (ratios.size > 0)
    return scaleRatios(
      parts.map((part, i) => ratios.get(i) ?? fractionOf(part)),
      options,
    );

  const decimals = parts.reduce((most, part) => Math.max(most, -part.exponent), 0);
  return checkTotal(
    parts.map((part) => scaled(part, decimals)),
    decimals,
    options,
  );
}

/** Whether all weights are integers ≥ 0, as in most lists. Such a list needs no scaling. */
function areIntegers(values: readonly unknown[]): values is readonly number[] {
  // a loop, because `every` skips the gaps of a sparse array. Returns false for −0, so that scaling replaces it by 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (!Number.isSafeInteger(value) || Number(value) < 0 || Object.is(value, -0)) return false;
  }
  return true;
}

function checkTotal(integers: readonly number[], decimals: number, options: ScaleOptions): Scaling {
  const { maxTotal = MAX_TOTAL } = options;
  const total = integers.reduce((sum, integer) => sum + integer, 0);
  if (total <= maxTotal) return { scaled: { integers, total, decimals }, issues: [] };
  const problem = `the weights have ${decimals} decimals, and their total in units of 10^-${decimals} is too large`;
  return { issues: [tooLarge(options, decimals === 0 ? undefined : problem, maxTotal)] };
}

/** Multiplies fractions by the least common multiple of their denominators. */
function scaleRatios(ratios: readonly Fraction[], options: ScaleOptions): Scaling {
  const { maxTotal = MAX_TOTAL } = options;
  const most = ratios.reduce((a, b) => (a.numerator * b.denominator < b.numerator * a.denominator ? b : a));
  let multiplier = 1n;
  for (const { numerator, denominator } of ratios) {
    if (numerator === 0n) continue;
    multiplier *= fraction(denominator, multiplier).numerator;
    // the multiplier never shrinks, so stopping here limits the cost
    const isTooLarge = multiplier * most.numerator > BigInt(maxTotal) * most.denominator;
    if (isTooLarge) return { issues: [tooLarge(options, "the weights have too large a common denominator", maxTotal)] };
  }
  const integers = ratios.map(({ numerator, denominator }) => Number((numerator * multiplier) / denominator));
  const total = integers.reduce((sum, integer) => sum + integer, 0);
  if (total <= maxTotal) return { scaled: { integers, total, decimals: 0 }, issues: [] };
  const problem = `the total of the weights in units of 1/${multiplier} is too large`;
  return { issues: [tooLarge(options, problem, maxTotal)] };
}

export function weightFraction(value: unknown): Fraction | undefined {
  return isWeight(value) ? decimalFraction(value) : ratioOf(value);
}

function isWeight(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY;
}

export function ratioOf(value: unknown): Fraction | undefined {
  try {
    const [n, d] = partsOf(value);
    const isRatio = Number.isSafeInteger(n) && Number.isSafeInteger(d) && n >= 0 && d > 0;
    return isRatio ? fraction(BigInt(n), BigInt(d)) : undefined;
  } catch {
    return undefined;
  }
}

const NO_PARTS = [Number.NaN, Number.NaN];

function partsOf(value: unknown): readonly number[] {
  if (typeof value === "string") return /^(\d+)\/(\d+)$/.exec(value)?.slice(1).map(Number) ?? NO_PARTS;
  if (typeof value !== "object" || value === null || Object.keys(value).length !== 2) return NO_PARTS;
  const { n, d } = value as { readonly n?: unknown; readonly d?: unknown };
  return typeof n === "number" && typeof d === "number" ? [n, d] : NO_PARTS;
}

/** Returns the shortest decimal form of a number as a fraction. The number must be finite and ≥ 0. */
export function decimalFraction(value: number): Fraction {
  return fractionOf(decimalOf(String(value)));
}

function fractionOf({ digits, exponent }: Decimal): Fraction {
  const power = 10n ** BigInt(Math.abs(exponent));
  return exponent < 0 ? fraction(BigInt(digits), power) : fraction(BigInt(digits) * power, 1n);
}

/** The number `digits · 10^exponent`, without zeros at both ends of the digits. Zero has the digits "0". */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

const NO_DECIMAL: Decimal = { digits: "0", exponent: 0 };

/**
 * Reads a decimal without a sign, such as "1.50" or "1e-7". `String(value)` is the shortest decimal that JavaScript
 * reads as `value` (ECMA-262, Number::toString). `String(−0)` is "0".
 */
export function decimalOf(text: string): Decimal {
  const [mantissa, exponent = "0"] = text.split("e");
  const [whole, tail = ""] = mantissa.split(".");
  const digits = (whole + tail).replace(/^0+/, "");
  const significant = digits.match(/^\d*[1-9]/)?.[0] ?? "";
  if (significant === "") return NO_DECIMAL;
  return { digits: significant, exponent: Number(exponent) - tail.length + digits.length - significant.length };
}

// Returns digits · 10^(exponent + decimals). The result is exact up to 2⁵³. A larger result is rounded, but exceeds the
// maximum total anyway. No power of ten is computed, so extreme weights such as 5e-324 cost nothing extra. (Apache
// Commons RNG is slow for such weights: see its issue RNG-196.)
function scaled({ digits, exponent }: Decimal, decimals: number): number {
  return digits === "0" ? 0 : Number(`${digits}e${exponent + decimals}`);
}

function whereEntry({ path = "weights", file }: ScaleOptions, index: number): { path: string; file?: string } {
  const entry = typeof path === "function" ? path(index) : `${path}[${index}]`;
  return file === undefined ? { path: entry } : { path: entry, file };
}

function invalid(got: unknown, options: ScaleOptions, index: number): Issue {
  const number = "a finite number that is 0 or more";
  return error("weights.invalid", {
    problem: "invalid weight",
    got,
    expected:
      options.ratios === true ? `${number}, or a fraction such as "1/3" or { n: 1, d: 3 }, with d above 0` : number,
    remedy: weightRemedy(got) ?? "Write 0 for an entry that must never be picked",
    where: whereEntry(options, index),
  });
}

/** Returns a remedy for a weight such as "1,5" or "70%"; undefined for other values and for long texts. */
export function weightRemedy(got: unknown): string | undefined {
  if (typeof got !== "string" || got.length > 40) return undefined;
  const [, number, sign] = /^(\d+(?:[.,]\d+)?)(%?)$/.exec(got) ?? [];
  if (number === undefined || (sign === "" && !number.includes(","))) return undefined;
  return `Write ${number.replace(",", ".")}${sign === "%" ? ": weights are relative, so they need no percent sign" : ""}`;
}

/** Returns the issue of a total that is too large. `problem` is undefined if the weights were integers already. */
function tooLarge(options: ScaleOptions, problem: string | undefined, maxTotal: number): Issue {
  const { path = "weights", whole, file } = options;
  const where = {
    path: whole ?? (typeof path === "function" ? path(0).replace(/(\.[^.[]*|\[[^[\]]*\])$/, "") : path),
    file,
  };
  const expected = `a total of at most ${maxTotal}`;
  if (problem === undefined) {
    const remedy = "Divide all weights by a common factor";
    return error("weights.overflow", { problem: "the total of the weights is too large", expected, remedy, where });
  }
  const remedy =
    "Round the weights to fewer digits, or pass the integer weights that apportion(weights, total) returns";
  return error("weights.decimals", { problem, expected, remedy, where });
}

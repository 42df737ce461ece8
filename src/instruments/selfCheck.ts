import type { Counts, LongCall } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { toNumber } from "../fractions.js";
import { ObjectMaker } from "../objects/objectMaker.js";
import { Pool } from "../pools/pool.js";
import { checkInteger, readOptions } from "../spec/index.js";
import { Drops } from "../tables/drops/drops.js";
import { partsOf } from "./compare.js";
import { type ExclusiveOdds, nameOf } from "./condition.js";
import type { Source, SourceOptions } from "./law.js";

/** Options of {@link selfCheck}. */
export interface SelfCheckOptions extends LongCall {
  /** Number of results, 1,000 … 2^42 − 1. Default 1,000,000. */
  readonly n?: number | undefined;
  /** Index of the first result. Default 0. */
  readonly from?: number | undefined;
  /** The options of the noun's odds. */
  readonly with?: SourceOptions | undefined;
}

/** Pearson's test of the counts of one part against its exact odds. */
export interface SelfCheck {
  /** The part of an item. Undefined for nouns without parts. */
  readonly part: string | undefined;
  readonly chiSquare: number;
  /** Degrees of freedom: the number of results that are compared, less one. Rare results are compared together. */
  readonly degrees: number;
  /** The probability of a χ² as large as this or larger, if the odds are right. Uniform from 0 to 1 over many seeds. */
  readonly p: number;
}

/** Results that are expected less often than this are counted together. */
const LEAST_EXPECTED = 10;

/**
 * Makes n results, and compares how often each occurred with the exact odds. Changes no state.
 *
 * @throws RollmillError `argument.option` for a finite pool, drops or a maker of objects; the errors of the noun's
 * `count` and `odds`.
 */
export function selfCheck(source: Source, given: SelfCheckOptions = {}): readonly SelfCheck[] {
  const { noun, n, parts } = selfCheckParts(source, given);
  return parts.map(({ call, check }) => check(noun.count(n, call)));
}

const OPTIONS = ["n", "from", "with", "signal", "onProgress"];

/** The noun of a self-check, and for each part the options with which it counts, and the test of the counts. */
export function selfCheckParts(source: Source, given: SelfCheckOptions) {
  const { n = 1_000_000, from = 0, with: options = {}, ...watched } = readOptions("selfCheck", given, OPTIONS);
  checkInteger("n", n, 1000, 2 ** 42 - 1);
  const noun = countedNoun(source);
  const call = { ...watched, from };
  const parts = Array.from(partsOf(source, options), ([part, odds]) => ({
    // only a recipe has parts
    call: part === undefined ? call : { ...options, ...call, of: part },
    check: (counts: Found): SelfCheck => ({ part, ...pearson(n, odds, counts) }),
  }));
  return { noun, n, parts };
}

type Found = Pick<Counts<unknown>, "none" | "counts">;

function countedNoun(source: Source): { count(n: number, call: LongCall): Found } {
  if (source instanceof Pool && source.kind === "finite") return refuse("a finite pool");
  if (source instanceof Drops) return refuse("drops");
  if (source instanceof ObjectMaker) return refuse("a maker of objects");
  return source;
}

function refuse(noun: string): never {
  const problem = `the results of ${noun} are not counted one by one`;
  return fail(error("argument.option", { problem, remedy: "Check its lists, tables or recipes" }));
}

function pearson(n: number, { odds, none }: ExclusiveOdds, found: Found) {
  const observed = new Map<unknown, number>([[null, found.none]]);
  for (const [result, count] of found.counts) observed.set(nameOf(result), count);
  const cells: { expected: number; count: number }[] = [];
  const rare = { expected: 0, count: 0 };
  for (const { result, probability } of [...odds, { result: null, probability: none }]) {
    const cell = { expected: n * toNumber(probability), count: observed.get(nameOf(result)) ?? 0 };
    if (cell.expected >= LEAST_EXPECTED) cells.push(cell);
    else {
      rare.expected += cell.expected;
      rare.count += cell.count;
    }
  }
  // rare results that are still too few together join the likeliest result
  if (rare.expected >= LEAST_EXPECTED || cells.length === 0) cells.push(rare);
  else {
    const largest = cells.reduce((most, cell) => (cell.expected > most.expected ? cell : most));
    largest.expected += rare.expected;
    largest.count += rare.count;
  }
  const chiSquare = cells.reduce((sum, { expected, count }) => sum + (count - expected) ** 2 / expected, 0);
  const degrees = cells.length - 1;
  return { chiSquare, degrees, p: degrees === 0 ? 1 : upperGamma(degrees / 2, chiSquare / 2) };
}

/**
 * The regularised upper incomplete gamma function Q(a, x): by its series below a + 1, by its continued fraction above.
 * Source: Abramowitz and Stegun, 6.5.29 and 6.5.31; the fraction is evaluated with Lentz's method.
 */
function upperGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  const scale = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let [term, sum] = [1 / a, 1 / a];
    for (let n = 1; term > sum * 1e-16; n++) {
      term *= x / (a + n);
      sum += term;
    }
    return 1 - scale * sum;
  }
  let b = x + 1 - a;
  let [c, d] = [1e300, 1 / b];
  let product = d;
  for (let n = 1; n < 10_000; n++) {
    const step = -n * (n - a);
    b += 2;
    d = 1 / (step * d + b);
    c = b + step / c;
    product *= c * d;
    if (Math.abs(c * d - 1) < 1e-16) break;
  }
  return scale * product;
}

/** The logarithm of Γ(x): Stirling's series for Γ(x + 10), less the logarithms of x … x + 9. */
function logGamma(x: number): number {
  let shift = 0;
  for (let y = x; y < x + 10; y++) shift += Math.log(y);
  const y = x + 10;
  return (
    (y - 0.5) * Math.log(y) -
    y +
    0.5 * Math.log(2 * Math.PI) +
    1 / (12 * y) -
    1 / (360 * y ** 3) +
    1 / (1260 * y ** 5) -
    shift
  );
}

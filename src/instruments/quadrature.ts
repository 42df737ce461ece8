import type { Work } from "../calls/index.js";
import { fraction } from "../fractions.js";
import { FixedPoint } from "./complex.js";
import type { Wanted } from "./contour.js";
import { Interval } from "./interval.js";

/** Steps of work for one power of e. */
const STEPS_PER_POWER = 250;

/** Results with the same probability. */
interface Group {
  readonly weight: bigint;
  readonly chance: number;
  readonly members: number;
}

/**
 * Encloses the means of T and T², where T is the time at which a Poisson process of rate 1 completes a set: ∫ P(T > t)
 * dt and ∫ 2t · P(T > t) dt. Uses Clenshaw–Curtis quadrature on panels, each as wide as all panels before it together.
 *
 * Cost: O(log(largest chance / smallest chance)) panels of about bits / 2 points, each O(results) powers of e.
 */
export function encloseMoments({ weights, whole, copies }: Wanted, bits: number, work?: Work) {
  const groups = groupsOf(weights, whole);
  const most = Math.max(...groups.map(({ chance }) => chance));
  // the first panel ends where even the likeliest result is still unlikely; all ends are powers of two, so exact
  let end = 2 ** Math.floor(Math.log2(0.25 / most));
  const numbers = new FixedPoint(bits + 96);
  let [mean, square, flaw, squareFlaw] = [0, 0, 0, 0].map(BigInt);
  const unit = 2 ** -bits;
  for (let begin = 0; ; [begin, end] = [end, 2 * end]) {
    const half = (end - begin) / 2;
    const size = boundOf(groups, copies, begin, end);
    // as many points as the second integral needs, whose error is larger
    const points = 2 * Math.ceil((bits + size + Math.log2(half * 5 * (4 * end + 1))) / 4 + 2);
    const [centre, radius] = [toFixed((begin + end) / 2, numbers), toFixed(half, numbers)];
    for (const { cosine, weight } of rule(points, numbers)) {
      work?.spend(STEPS_PER_POWER * groups.length);
      const time = centre + ((radius * cosine) >> numbers.bits);
      const part = (weight * (numbers.one - completed(groups, { time, whole, copies, numbers }))) >> numbers.bits;
      mean += (part * radius) >> numbers.bits;
      square += 2n * ((((part * time) >> numbers.bits) * radius) >> numbers.bits);
    }
    const rounding = BigInt(points * weights.length * copies) * (toFixed(end, numbers) >> (numbers.bits - 16n));
    flaw += rounding + 1n;
    squareFlaw += rounding * BigInt(Math.ceil(2 * end)) + 1n;
    const rest = tailOf(groups, copies, end);
    if (rest > unit) continue;
    flaw += toFixed(2 * unit, numbers) * BigInt(2 + Math.ceil(Math.log2(end * most) + 4));
    squareFlaw += toFixed(2 * unit, numbers) * BigInt(2 + Math.ceil(Math.log2(end * most) + 4));
    break;
  }
  const enclosed = (value: bigint, by: bigint) =>
    Interval.between({ least: fraction(value - by, numbers.one), most: fraction(value + by, numbers.one) }, bits);
  return { mean: enclosed(mean, flaw), square: enclosed(square, squareFlaw) };
}

function groupsOf(weights: readonly bigint[], whole: bigint): readonly Group[] {
  const members = new Map<bigint, number>();
  for (const weight of weights) members.set(weight, (members.get(weight) ?? 0) + 1);
  return Array.from(members, ([weight, number]) => ({
    weight,
    chance: Number(weight) / Number(whole),
    members: number,
  }));
}

/** Converts a double above 0 to fixed point. Bits beyond `bits` behind the point are cut off. */
function toFixed(value: number, { bits }: FixedPoint): bigint {
  const exponent = Math.floor(Math.log2(value)) - 52;
  const digits = BigInt(value / 2 ** exponent);
  const shift = Number(bits) + exponent;
  return shift >= 0 ? digits << BigInt(shift) : digits >> BigInt(-shift);
}

/** The probability that the set is complete at a time. */
function completed(
  groups: readonly Group[],
  {
    time,
    whole,
    copies,
    numbers,
  }: { readonly time: bigint; readonly whole: bigint; readonly copies: number; readonly numbers: FixedPoint },
): bigint {
  const { one, bits } = numbers;
  let product = one;
  for (const { weight, members } of groups) {
    const mean = (time * weight) / whole;
    let term = numbers.exp({ re: -mean, im: 0n }).re;
    let enough = one - term;
    for (let m = 1; m < copies; m++) {
      term = ((term * mean) >> bits) / BigInt(m);
      enough -= term;
    }
    for (let i = 0; i < members; i++) product = (product * enough) >> bits;
  }
  return product;
}

/**
 * Bounds |1 − the probability that the set is complete| in an ellipse around a panel. Returns the bound's logarithm to
 * base 2. A factor of the probability, 1 − e^(−z) · Σ zʲ / j!, has an absolute value of at most
 * 1 + e^(−Re z) · Σ |z|ʲ / j!, and of at most |z|^copies / copies! · e^max(0, −Re z).
 */
function boundOf(groups: readonly Group[], copies: number, begin: number, end: number): number {
  const half = (end - begin) / 2;
  // the axes of the ellipse with the parameter 4
  const [wide, high] = [half * 2.125, half * 1.875];
  const [left, right] = [(begin + end) / 2 - wide, (begin + end) / 2 + wide];
  let log = 0;
  for (const { chance, members } of groups) {
    const size = chance * Math.hypot(Math.max(right, -left), high);
    let [sum, term] = [0, 1];
    for (let j = 1; j <= copies; j++, term *= size / (j - 1)) sum += term;
    const decay = Math.exp(-chance * left);
    log += members * Math.log2(Math.min(1 + decay * sum, term * Math.max(1, decay)) * (1 + 1e-9));
  }
  return Math.log2(1 + 2 ** Math.min(log, 1000)) + 1;
}

/** A bound of ∫ (1 + 2t) · P(T > t) dt from `end` to infinity. */
function tailOf(groups: readonly Group[], copies: number, end: number): number {
  let tail = 0;
  for (const { chance, members } of groups) {
    const x = chance * end;
    let [sum, term] = [0, 1];
    for (let j = 1; j <= copies + 1; j++, term *= x / (j - 1)) sum += term;
    tail += members * (copies / chance + (2 * copies * copies) / chance ** 2) * Math.exp(-x) * sum;
  }
  return tail * 1.01;
}

/**
 * The nodes and weights of Clenshaw–Curtis quadrature on −1 … 1, with n + 1 points, for even n.
 *
 * The error for a function that is analytic and at most B in the ellipse with the parameter ρ is at most
 * (64 / 15) · B · ρ^(−n) / (1 − ρ^(−2)). Source: Trefethen, Is Gauss quadrature better than Clenshaw–Curtis?, theorem
 * 5.1.
 */
function rule(n: number, numbers: FixedPoint) {
  const cosines = Array.from({ length: 2 * n }, (_, j) => {
    return numbers.exp({ re: 0n, im: (numbers.pi * BigInt(j)) / BigInt(n) }).re;
  });
  return Array.from({ length: n + 1 }, (_, j) => {
    let sum = numbers.one;
    for (let k = 1; k <= n / 2; k++) {
      const term = cosines[(2 * k * j) % (2 * n)] / BigInt(4 * k * k - 1);
      sum -= 2 * k === n ? term : 2n * term;
    }
    const isEnd = j === 0 || j === n;
    return { cosine: cosines[j], weight: (isEnd ? sum : 2n * sum) / BigInt(n) };
  });
}

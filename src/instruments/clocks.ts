import type { Work } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../fractions.js";
import { type Complex, FixedPoint } from "./complex.js";
import type { NewWork } from "./distribution.js";
import { type Bounds, Interval } from "./interval.js";

/** Copies of one mass in a stock. */
export interface Held {
  /** An integer ≥ 1. */
  readonly mass: bigint;
  readonly copies: number;
}

/** A goal of draws without replacement. */
export interface Goal {
  /** The copies that count. */
  readonly held: readonly Held[];
  /** The least number of copies that meet the goal. */
  readonly rings: number;
  /** The error of a density, in units of 2^−bits, is at most this times 2^13. */
  readonly flaw: bigint;
  /** The logarithm of a bound of the probability that the goal is met by a time: a product of min(1, a · tᵇ), b ≥ 1. */
  logChance(time: number): number;
  densityAt(moment: Moment, work: Work): Density;
}

/**
 * The density of the time at which the goal is met, times t. A generating function: the coefficient of zˡ belongs to
 * the case that l of the copies that count have then rung.
 */
interface Density {
  at(z: Complex): Complex;
  jet(ring: Ring<Jet>): Jet;
  /** The logarithm of a bound of the factor by which the value at e^(iθ) is smaller than Σ w · e^−w over all copies. */
  logBound(angle: number): number;
}

/** Steps of work for one product of complex numbers. */
const STEPS_PER_PRODUCT = 10;
/** Enough for a step that finds a quantile within some percent. */
const ESTIMATE_ORDER = 256;
/** Maximum number of points of a quadrature. So many take some 400 MB. */
const MAX_NODES = 2 ** 20;
/** With so many bits, the earliest times are above the least double. */
const MAX_PRECISION = 768;
/** The step of the quadrature has this many bits after the binary point. */
const STEP_BITS = 40;

/**
 * The draws of a whole stock until a goal is met, for stocks of any size.
 *
 * Each copy has a clock that rings at a random time with its mass as rate. The order of the rings is the order of the
 * draws. At the time t, a copy has rung with the probability p = 1 − q, q = e^−w, w = mass · t, and the copies are
 * independent. So the probability that n draws meet the goal is the integral, over s = ln t, of G(s): t times the
 * density of the time at which the goal is met, while at most n copies have rung. This is the sum of the coefficients
 * up to zⁿ of a product: {@link Density} times (q + pz) for each other copy.
 *
 * **Step.** G is a sum of products of at most n − 1 factors p, one factor w, and factors q. Let t = r · e^(iφ), and
 * r′ = r · cos φ. Then |q(t)| = q(r′), |w(t)| = w(r′) / cos φ, and |p(t)| is at most
 * |w| / Re w · (1 − e^(−Re w)) = p(r′) / cos φ. So |G(t)| ≤ G(r′) / cosⁿ φ, and the integral of |G| over the line
 * Im s = φ is at most 1 / cosⁿ φ. So the trapezoidal rule with the step h has an error of at most
 * 2 / cosⁿ φ / (e^(2πφ / h) − 1). Source: Trefethen and Weideman, The exponentially convergent trapezoidal rule,
 * theorem 5.1.
 *
 * **Ends.** Let N be the number of copies that count. G ≤ Σ w · e^−w · P(at most n − 1 others have rung), with the sum
 * over these copies. By the same rule, the sum of h · w · e^−w over all points is at most 2. So the terms that are left
 * out because they have the probability ε at their time have at most the sum 2Nε. This holds for the last points, and
 * for numbers of rings outside of a window ({@link windowOf}). Before the first point, G ≤ rings · P(the goal is met),
 * because w · q ≤ p; and the bound of {@link Goal.logChance} falls at least as e^s.
 *
 * **Coefficients** are means over M evenly spaced points z of the unit circle. Each is the sum of the coefficients for
 * l, l ± M, …, of which all but one are outside of the window.
 */
export class Clocks {
  readonly #goal: Goal;
  readonly #others: readonly Held[];
  readonly #newWork: NewWork;
  readonly #grids = new Map<string, Grid>();

  constructor(goal: Goal, others: readonly Held[], newWork: NewWork) {
    this.#goal = goal;
    this.#others = others;
    this.#newWork = newWork;
  }

  /**
   * Encloses the probability that n draws meet the goal, for n below the number of copies. The error is at most
   * 2^−bits. If the probability is small, more bits are used, so that its relative error is about as small.
   */
  upTo(n: number, bits: number): Bounds {
    const rare = Math.floor(-this.#goal.logChance(this.#timeOf(n)) / Math.LN2);
    return this.#gridFor(n, bits + rare).upTo(n, this.#newWork());
  }

  /** The time at which the mean number of rings is n. */
  #timeOf(n: number): number {
    const all = [...this.#goal.held, ...this.#others];
    let [early, late] = [-800, 800];
    while (late - early > 0.001) {
      const middle = (early + late) / 2;
      if (meanOf(all, Math.exp(middle)) < n) early = middle;
      else late = middle;
    }
    return Math.exp(late);
  }

  /** Returns a number of draws that meet the goal with a probability near p. */
  estimate(p: number): number {
    return this.#gridFor(ESTIMATE_ORDER, 16).estimate(p, this.#newWork());
  }

  /**
   * Encloses the means of T and T², where T is the number of draws that meet the goal, with an error of at most 2^−bits
   * of the mean, plus 2^−bits.
   *
   * The derivatives of the generating function by z, at z = 1, have the means of T and T · (T − 1) as their integrals.
   * Each derivative adds a factor p. The terms left out grow by at most the square of the number of copies.
   */
  moments(bits: number): { readonly mean: Interval; readonly square: Interval } {
    const total = copiesOf(this.#goal.held) + copiesOf(this.#others);
    const grid = this.#gridFor(this.#goal.rings + 2, bits, 2 * Math.ceil(Math.log2(total + 1)) + 1);
    const [, first, pairs] = grid.moments(this.#newWork());
    return { mean: first, square: first.plus(pairs.plus(pairs)) };
  }

  #gridFor(n: number, bits: number, guard = 0): Grid {
    const order = 2 ** Math.ceil(Math.log2(n));
    const key = `${order} ${bits} ${guard}`;
    const grid = this.#grids.get(key) ?? new Grid(this.#goal, this.#others, { order, bits, guard });
    this.#grids.set(key, grid);
    return grid;
  }
}

/** The points of a quadrature. They serve all numbers of draws up to `order`. */
class Grid {
  readonly #goal: Goal;
  readonly #others: readonly Held[];
  readonly #all: readonly Held[];
  readonly #bits: number;
  /** Cases less likely than e^−nats are left out. */
  readonly #nats: number;
  /** The power of the number of draws whose mean is computed. */
  readonly #power: number;
  /** The step, in units of 2^−STEP_BITS. */
  readonly #step: bigint;
  readonly #numbers: FixedPoint;
  readonly #turns: Turns;
  readonly #clock: { readonly numbers: FixedPoint; readonly scale: number; readonly shift: bigint };
  readonly #nodes = new Map<number, Node>();
  readonly #first: number;

  constructor(goal: Goal, others: readonly Held[], { order, bits, guard }: GridOptions) {
    if (bits > MAX_PRECISION) {
      const problem = "the probability is too small, or too near to 0 or 1, to be enclosed";
      fail(error("odds.work", { problem, got: bits, expected: `at most ${MAX_PRECISION} bits of precision` }));
    }
    this.#goal = goal;
    this.#others = others;
    this.#all = [...goal.held, ...others];
    this.#bits = bits;
    this.#power = guard > 0 ? 2 : 0;
    this.#nats = (bits + guard + 6) * Math.LN2 + Math.log(copiesOf(goal.held));
    this.#step = BigInt(Math.floor(stepOf(order, (bits + 5) * Math.LN2) * 2 ** STEP_BITS));
    // the longest window has all copies, or some 1/4 of them as the variance
    const total = copiesOf(this.#all);
    const { points } = windowOf({ mean: total / 2, variance: total / 4 }, total, this.#nats);
    const flaw = BigInt(points) * (BigInt(2 * total + points) * BigInt(goal.rings) + goal.flaw);
    // the sum over all points adds the error of a value at most 8 · bits / h times
    this.#numbers = new FixedPoint(bits + guard + 32 + bitsOf(flaw * BigInt(bits)));
    this.#turns = new Turns(this.#numbers);
    // at the last time, e^−nats copies have not rung; all times are 2^scale · e^s for s ≤ 0
    const [slowest, fastest] = extremes(this.#all.map(({ mass }) => Number(mass)));
    const scale = Math.ceil(Math.log2((this.#nats + Math.log(total) + 1) / slowest));
    const shift = Math.ceil(Math.log2(fastest)) + 9;
    const fine = Math.max(Number(this.#numbers.bits), STEP_BITS) + scale + shift;
    this.#clock = { numbers: new FixedPoint(fine), scale, shift: BigInt(fine - Number(this.#numbers.bits) - scale) };
    this.#first = this.#firstNode();
  }

  upTo(n: number, work: Work): Bounds {
    let sum = 0n;
    for (let i = this.#first; i <= 0; i++) {
      const node = this.#nodeAt(i, work);
      // each bound holds for all later points, too
      if (node.window.first > n || node.unrung < Math.exp(-this.#nats)) break;
      sum += n >= node.window.first + node.window.points - 1 ? node.whole(work) : node.upTo(n, work);
    }
    const { one, bits } = this.#numbers;
    const value = (sum * this.#step) >> BigInt(STEP_BITS);
    const flaw = 1n << (bits - BigInt(this.#bits));
    const least = value < flaw ? 0n : value - flaw;
    const most = value + flaw > one ? one : value + flaw;
    return { least: dyadic(least, one), most: dyadic(most, one) };
  }

  /** The mean number of rings at the time at which the goal is met with the probability p. */
  estimate(p: number, work: Work): number {
    const { one } = this.#numbers;
    let [i, sum] = [this.#first, 0];
    for (; i < 0 && sum < p; i++) {
      sum += (Number(this.#nodeAt(i, work).whole(work)) / Number(one)) * (Number(this.#step) / 2 ** STEP_BITS);
    }
    return Math.round(meanOf(this.#all, this.#timeAt(i)));
  }

  /** The means of 1, of the number T of draws, and of T · (T − 1) / 2. */
  moments(work: Work): Jet {
    const precision = this.#bits + 64;
    const ring = jetRing(precision);
    let sum = ring.zero;
    for (let i = this.#first; i <= 0; i++) {
      const node = this.#nodeAt(i, work);
      if (node.open < Math.exp(-this.#nats)) break;
      sum = ring.plus(sum, node.jet(ring, work));
    }
    const unit = fraction(1n, 1n << BigInt(this.#bits));
    const enclosed = (value: Interval) => {
      const { least, most } = value.scaled(this.#step, 1n << BigInt(STEP_BITS)).bounds;
      const flaw = multiply(unit, add(most, ONE));
      const below = subtract(least, flaw);
      return Interval.between({ least: below.numerator < 0n ? ZERO : below, most: add(most, flaw) }, precision);
    };
    return [enclosed(sum[0]), enclosed(sum[1]), enclosed(sum[2])];
  }

  #nodeAt(i: number, work: Work): Node {
    const known = this.#nodes.get(i);
    if (known !== undefined) return known;
    work.spend(STEPS_PER_EXP + 2 * this.#all.length);
    const node = new Node(this.#goal, this.#others, this.#momentAt(i));
    this.#nodes.set(i, node);
    return node;
  }

  #timeAt(i: number): number {
    return 2 ** this.#clock.scale * Math.exp((i * Number(this.#step)) / 2 ** STEP_BITS);
  }

  #momentAt(i: number): Moment {
    const { numbers, shift } = this.#clock;
    const time = numbers.exp({ re: (BigInt(i) * this.#step) << (numbers.bits - BigInt(STEP_BITS)), im: 0n }).re;
    return new Moment(this.#turns, { time: this.#timeAt(i), fixed: time, shift, nats: this.#nats });
  }

  /** The last point before which all points can be left out. */
  #firstNode(): number {
    const isTooEarly = (i: number) => {
      const time = this.#timeAt(i);
      // the mean of the square of a number is at most (mean + 1)² if it is a sum of independent rings
      const draws = copiesOf(this.#goal.held) + meanOf(this.#others, time) + 1;
      const log = this.#goal.logChance(time) + this.#power * Math.log(draws);
      return log + Math.log(2 * this.#goal.rings) < -(this.#bits + 5) * Math.LN2;
    };
    let [early, late] = [-1, 0];
    while (!isTooEarly(early)) [early, late] = [2 * early, early];
    if (early < -MAX_NODES) {
      const problem = "the pool is too large for odds of so many draws";
      fail(error("odds.work", { problem, got: -early, expected: `at most ${MAX_NODES} points of a quadrature` }));
    }
    while (late - early > 1) {
      const middle = Math.floor((early + late) / 2);
      if (isTooEarly(middle)) early = middle;
      else late = middle;
    }
    return early;
  }
}

interface GridOptions {
  readonly order: number;
  readonly bits: number;
  /** 0 for probabilities; for means, the bits by which the terms left out can grow. */
  readonly guard: number;
}

/** The step h for which the relative error of the trapezoidal rule is at most e^−nats. */
function stepOf(n: number, nats: number): number {
  const angle = Math.min(1.2, Math.sqrt((2 * nats) / n));
  return Math.min(1, (2 * Math.PI * angle) / (nats - n * Math.log(Math.cos(angle)) + 1));
}

/** A time at which the clocks are examined. Its numbers are in units of 2^−bits. */
class Moment {
  readonly numbers: FixedPoint;
  readonly turns: Turns;
  /** A double. */
  readonly time: number;
  readonly nats: number;
  readonly #fixed: bigint;
  readonly #shift: bigint;

  constructor(
    turns: Turns,
    given: { readonly time: number; readonly fixed: bigint; readonly shift: bigint; readonly nats: number },
  ) {
    this.numbers = turns.numbers;
    this.turns = turns;
    this.time = given.time;
    this.nats = given.nats;
    this.#fixed = given.fixed;
    this.#shift = given.shift;
  }

  /** A bound of the probability that some copy has not rung. */
  unrungOf(held: readonly Held[]): number {
    return held.reduce((sum, { mass, copies }) => sum + copies * Math.exp(-Number(mass) * this.time), 0) * 1.001;
  }

  /**
   * The numbers w, q and p of a copy, with an error of at most 2^9 units. w is at most `bits`, unless q is 0: so w · q
   * has an error of at most bits · 2^10 units.
   */
  clockOf({ mass }: Held): { readonly w: bigint; readonly q: bigint; readonly p: bigint } {
    const { numbers } = this;
    const w = (mass * this.#fixed) >> this.#shift;
    // e^−bits is less than a unit
    const isOver = w >> numbers.bits >= numbers.bits;
    const q = isOver ? 0n : numbers.exp({ re: -w, im: 0n }).re;
    return { w, q, p: numbers.one - q };
  }

  /** The mean and the variance of the number of rings, in doubles. */
  countOf(held: readonly Held[]): Count {
    const variance = held.reduce((sum, { mass, copies }) => {
      const w = Number(mass) * this.time;
      return sum - copies * Math.expm1(-w) * Math.exp(-w);
    }, 0);
    return { mean: meanOf(held, this.time), variance };
  }
}

function meanOf(held: readonly Held[], time: number): number {
  return held.reduce((sum, { mass, copies }) => sum - copies * Math.expm1(-Number(mass) * time), 0);
}

interface Count {
  readonly mean: number;
  readonly variance: number;
}

interface Window {
  readonly first: number;
  /** An odd number. */
  readonly points: number;
}

/**
 * A range of numbers of rings. The number is outside with a probability of at most 2 · e^−nats, also with one copy more
 * or less. Bernstein's inequality: P(|X − mean| ≥ x) ≤ 2 · e^(−x² / (2 · (variance + x / 3))).
 */
function windowOf({ mean, variance }: Count, most: number, nats: number): Window {
  const half = Math.ceil(nats / 3 + Math.sqrt(nats ** 2 / 9 + 2 * (variance + 0.25) * nats)) + 3;
  return 2 * half > most
    ? { first: 0, points: most + 1 + (most % 2) }
    : { first: Math.round(mean) - half, points: 2 * half + 1 };
}

/** The logarithm of a bound of the product of all |q + p · e^(iθ)|. Each is at most e^(−p · q · (1 − cos θ)). */
function logDecay(variance: number, angle: number): number {
  return -variance * (1 - Math.cos(angle)) * (1 - 1e-9);
}

/** A point of the quadrature. */
class Node {
  readonly window: Window;
  /** Bounds of the probability that some copy has not rung, and some copy that counts. */
  readonly unrung: number;
  readonly open: number;
  readonly #goal: Goal;
  readonly #others: readonly Held[];
  readonly #moment: Moment;
  #density: Density | undefined;
  #whole: bigint | undefined;
  #terms: readonly Complex[] | undefined;

  constructor(goal: Goal, others: readonly Held[], moment: Moment) {
    this.#goal = goal;
    this.#others = others;
    this.#moment = moment;
    const all = [...goal.held, ...others];
    this.unrung = moment.unrungOf(all);
    this.open = moment.unrungOf(goal.held);
    this.window = windowOf(moment.countOf(all), copiesOf(all), moment.nats);
  }

  /** The generating function around z = 1. */
  jet(ring: Ring<Jet>, work: Work): Jet {
    const { numbers } = this.#moment;
    work.spend(STEPS_PER_EXP * this.#others.length);
    let [mean, squares] = [0n, 0n];
    for (const held of this.#others) {
      const { p } = this.#moment.clockOf(held);
      mean += BigInt(held.copies) * p;
      squares += BigInt(held.copies) * ((p * p) >> numbers.bits);
    }
    const pairs = (((mean * mean) >> numbers.bits) - squares) / 2n;
    const slack = (BigInt(copiesOf(this.#others) + 1) ** 2n) << 11n;
    const others: Jet = [ring.one[0], intervalOf(mean, numbers, slack), intervalOf(pairs, numbers, slack)];
    return ring.times(others, this.#densityOf(work).jet(ring));
  }

  /** The sum of all coefficients. */
  whole(work: Work): bigint {
    const { one } = this.#moment.numbers;
    this.#whole ??= this.#densityOf(work).at({ re: one, im: 0n }).re;
    return this.#whole;
  }

  /** The sum of the coefficients up to n, for any n of the window except its last. */
  upTo(n: number, work: Work): bigint {
    const { numbers } = this.#moment;
    const { first, points } = this.window;
    const length = n - first + 1;
    this.#terms ??= this.#computeTerms(work);
    // the sum of z^−l from l = first to n, for z = e^(iθ), is (z^−first − z^−(n + 1)) / (1 − 1 / z)
    let sum = (this.whole(work) * BigInt(length)) / 2n;
    for (const [i, term] of this.#terms.entries()) {
      const back = this.#moment.turns.at(-length * (i + 1), points);
      sum += term.re - numbers.times(term, back).re;
    }
    return (2n * sum) / BigInt(points);
  }

  /** Entry m − 1 is the value at z = e^(2πim / points), times z^−first / (1 − 1 / z). −m has the conjugate. */
  #computeTerms(work: Work): readonly Complex[] {
    const { numbers, nats, turns } = this.#moment;
    const { first, points } = this.window;
    const density = this.#densityOf(work);
    const { variance } = this.#moment.countOf(this.#others);
    const clocks = this.#others.map((held) => this.#moment.clockOf(held));
    work.spend(STEPS_PER_EXP * clocks.length);
    const terms: Complex[] = [];
    for (let m = 1; 2 * m < points; m++) {
      const angle = (2 * Math.PI * m) / points;
      if (density.logBound(angle) + logDecay(variance, angle) < -nats - Math.log(points)) break;
      work.spend(STEPS_PER_PRODUCT * 4 * (clocks.length + 20));
      const z = turns.at(m, points);
      const bases = clocks.map(({ q, p }) => along(numbers, q, p, z));
      const product = productOf(bases, this.#others, complexRing(numbers));
      const value = numbers.times(numbers.times(product, density.at(z)), turns.at(-first * m, points));
      // 1 / (1 − e^(−iθ)) = 1/2 − i/2 · cot(θ/2)
      const { re, im } = turns.at(m, 2 * points);
      terms.push(numbers.times(value, { re: numbers.one / 2n, im: -(re << numbers.bits) / (2n * im) }));
    }
    return terms;
  }

  #densityOf(work: Work): Density {
    this.#density ??= this.#goal.densityAt(this.#moment, work);
    return this.#density;
  }
}

const STEPS_PER_EXP = 200;

/** Powers e^(2πi · part / whole), with an error of at most 2^9 units. */
class Turns {
  readonly numbers: FixedPoint;
  readonly #known = new Map<string, Complex>();

  constructor(numbers: FixedPoint) {
    this.numbers = numbers;
  }

  at(part: number, whole: number): Complex {
    const rest = ((part % whole) + whole) % whole;
    const key = `${rest}/${whole}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const power = this.numbers.exp({ re: 0n, im: (2n * this.numbers.pi * BigInt(rest)) / BigInt(whole) });
    // all moments of a small stock have the same window, so the same powers
    if (whole < MAX_KNOWN) this.#known.set(key, power);
    return power;
  }
}

const MAX_KNOWN = 256;

/** q + pz. */
function along({ bits }: FixedPoint, q: bigint, p: bigint, { re, im }: Complex): Complex {
  return { re: q + ((p * re) >> bits), im: (p * im) >> bits };
}

interface Ring<T> {
  readonly zero: T;
  readonly one: T;
  readonly plus: (a: T, b: T) => T;
  readonly times: (a: T, b: T) => T;
}

function complexRing(numbers: FixedPoint): Ring<Complex> {
  return {
    zero: { re: 0n, im: 0n },
    one: { re: numbers.one, im: 0n },
    plus: (a, b) => ({ re: a.re + b.re, im: a.im + b.im }),
    times: (a, b) => numbers.times(a, b),
  };
}

/** A power series in z − 1, up to the square. All coefficients are at least 0. */
type Jet = readonly [Interval, Interval, Interval];

function jetRing(bits: number): Ring<Jet> {
  const [zero, one] = [ZERO, ONE].map((value) => Interval.of(value, bits));
  return {
    zero: [zero, zero, zero],
    one: [one, zero, zero],
    plus: (a, b) => [a[0].plus(b[0]), a[1].plus(b[1]), a[2].plus(b[2])],
    times: (a, b) => [
      a[0].times(b[0]),
      a[0].times(b[1]).plus(a[1].times(b[0])),
      a[0].times(b[2]).plus(a[1].times(b[1])).plus(a[2].times(b[0])),
    ],
  };
}

/** (1 + p · (z − 1))^copies */
function jetOfRings(moment: Moment, held: Held, { one }: Ring<Jet>): Jet {
  const p = intervalOf(moment.clockOf(held).p, moment.numbers, 2n ** 9n);
  return [one[0], times(p, held.copies), times(p.times(p), (held.copies * (held.copies - 1)) / 2)];
}

/** value · z^power */
function jetOfPower(value: Interval, power: number): Jet {
  return [value, times(value, power), times(value, (power * (power - 1)) / 2)];
}

function less(a: Jet, b: Jet): Jet {
  return [a[0].minus(b[0]), a[1].minus(b[1]), a[2].minus(b[2])];
}

function times(value: Interval, factor: number): Interval {
  return factor === 0 ? value.minus(value.plus(value)) : value.scaled(BigInt(factor), 1n);
}

/** The numbers x and y of x + εy, with ε² = 0. */
interface Dual<T> {
  readonly value: T;
  readonly slope: T;
}

/** In a product of x + εy, ε has the sum over all factors of y times all other x. */
function dualRing<T>({ zero, one, plus, times }: Ring<T>): Ring<Dual<T>> {
  return {
    zero: { value: zero, slope: zero },
    one: { value: one, slope: zero },
    plus: (a, b) => ({ value: plus(a.value, b.value), slope: plus(a.slope, b.slope) }),
    times: (a, b) => ({
      value: times(a.value, b.value),
      slope: plus(times(a.slope, b.value), times(a.value, b.slope)),
    }),
  };
}

const DIGIT_BITS = 5;

/**
 * Returns the product of all bases, each to the power of its number of copies. Source: Pippenger's algorithm with one
 * level of buckets, one bucket for each digit of an exponent.
 *
 * If a base has an absolute value of at most 1 and an error of at most 2^11 units, a product of n of them has an error
 * of at most n · 2^12 units: the product of two products has the sum of their errors, and at most three units.
 */
function productOf<T>(
  bases: readonly T[],
  held: readonly { readonly copies: number }[],
  { one, times }: Pick<Ring<T>, "one" | "times">,
): T {
  const most = held.reduce((max, { copies }) => Math.max(max, copies), 0);
  const radix = 2 ** DIGIT_BITS;
  let product = one;
  for (
    let place = radix ** Math.floor(Math.log(Math.max(1, most)) / Math.log(radix) + 1e-9);
    place >= 1;
    place /= radix
  ) {
    for (let i = 0; i < DIGIT_BITS && product !== one; i++) product = times(product, product);
    const buckets = Array<T | undefined>(radix).fill(undefined);
    for (const [i, base] of bases.entries()) {
      const digit = Math.floor(held[i].copies / place) % radix;
      const before = buckets[digit];
      if (digit > 0) buckets[digit] = before === undefined ? base : times(before, base);
    }
    let upwards: T | undefined;
    for (let digit = radix - 1; digit > 0; digit--) {
      const own = buckets[digit];
      if (own !== undefined) upwards = upwards === undefined ? own : times(upwards, own);
      if (upwards !== undefined) product = product === one ? upwards : times(product, upwards);
    }
  }
  return product;
}

/** @param exponent - At least 1. */
function powerOf<T>(base: T, exponent: number, { times }: Pick<Ring<T>, "times">): T {
  if (exponent === 1) return base;
  const half = powerOf(base, Math.floor(exponent / 2), { times });
  const square = times(half, half);
  return exponent % 2 === 1 ? times(square, base) : square;
}

/** A record of which some copies are wanted. */
interface Needed extends Held {
  /** 1 … copies. */
  readonly needed: number;
}

/** The goal to draw each of some records, as often as it is needed. */
export class SetGoal implements Goal {
  readonly held: readonly Needed[];
  readonly rings: number;
  readonly flaw: bigint;

  constructor(held: readonly Needed[]) {
    this.held = held;
    this.rings = held.reduce((sum, { needed }) => sum + needed, 0);
    const most = held.reduce((max, { needed }) => Math.max(max, needed), 0);
    this.flaw = BigInt(most + 1) * BigInt(copiesOf(held)) ** 2n;
  }

  logChance(time: number): number {
    return this.held.reduce(
      (log, { mass, copies, needed }) => log + logEnough(Number(mass) * copies * time, needed),
      0,
    );
  }

  densityAt(moment: Moment, work: Work): Density {
    const { numbers } = moment;
    const ring = complexRing(numbers);
    const records = this.held.map((record) => ({ record, ...shareOf(moment, record, work) }));
    const logs = records.map(({ record, few }) => {
      const fewer = few.reduce((sum, value) => sum + Number(value) / Number(numbers.one), 0) * (1 + 1e-9) + 1e-15;
      return { fewer, variance: moment.countOf([record]).variance };
    });
    const factorOf = ({ record, clock, few, last }: (typeof records)[number], z: Complex): Dual<Complex> => {
      let { re, im } = powerOf(along(numbers, clock.q, clock.p, z), record.copies, ring);
      let power = ring.one;
      for (const value of few) {
        re -= (value * power.re) >> numbers.bits;
        im -= (value * power.im) >> numbers.bits;
        power = numbers.times(power, z);
      }
      return {
        value: { re, im },
        slope: { re: (last * power.re) >> numbers.bits, im: (last * power.im) >> numbers.bits },
      };
    };
    return {
      at(z) {
        work.spend(STEPS_PER_PRODUCT * 20 * records.length);
        const { one, times } = dualRing(ring);
        return records.reduce((product, record) => times(product, factorOf(record, z)), one).slope;
      },
      jet: (jets) => {
        const { one, times } = dualRing(jets);
        const slack = this.flaw << 13n;
        const factors = records.map(({ record, few, last }) => {
          const powers = few.map((value, r) => jetOfPower(intervalOf(value, numbers, slack), r));
          const all = jetOfRings(moment, record, jets);
          const value = powers.reduce((rest, power) => less(rest, power), all);
          return { value, slope: jetOfPower(intervalOf(last, numbers, slack), record.needed) };
        });
        return factors.reduce((product, factor) => times(product, factor), one).slope;
      },
      logBound(angle) {
        const own = logs.map(({ fewer, variance }) =>
          Math.min(0, Math.log(Math.exp(logDecay(variance, angle)) + fewer)),
        );
        return own.reduce((sum, log) => sum + log, 0) - Math.min(...own);
      },
    };
  }
}

/** The goal to draw some copies of any of several records. */
export class UnionGoal implements Goal {
  readonly held: readonly Held[];
  readonly rings: number;
  readonly flaw: bigint;

  constructor(held: readonly Held[], needed: number) {
    this.held = held;
    this.rings = needed;
    this.flaw = BigInt(copiesOf(held)) ** 2n;
  }

  logChance(time: number): number {
    return logEnough(this.held.reduce((sum, { mass, copies }) => sum + Number(mass) * copies, 0) * time, this.rings);
  }

  densityAt(moment: Moment, work: Work): Density {
    const { numbers } = moment;
    const value = densityOfRing(moment, this.held, this.rings, work);
    return {
      at: (z) => {
        const power = powerOf(z, this.rings, complexRing(numbers));
        return { re: (value * power.re) >> numbers.bits, im: (value * power.im) >> numbers.bits };
      },
      jet: () => jetOfPower(intervalOf(value, numbers, this.flaw << 13n), this.rings),
      logBound: () => 0,
    };
  }
}

/** The logarithm of a bound of the probability of k rings if the mean is at most x: the mean number of k-tuples. */
function logEnough(x: number, k: number): number {
  let log = 0;
  for (let i = 1; i <= k; i++) log += Math.log(x / i);
  return Math.min(0, log + 1e-9 * k);
}

/** t times the density of the k-th ring: the sum, over all copies, of w · q · P(k − 1 others have rung). */
function densityOfRing(moment: Moment, held: readonly Held[], k: number, work: Work): bigint {
  const { numbers, nats } = moment;
  const count = moment.countOf(held);
  const { first, points } = windowOf(count, copiesOf(held), nats);
  if (k - 1 < first || k - 1 >= first + points) return 0n;
  const clocks = held.map((record) => moment.clockOf(record));
  work.spend(STEPS_PER_EXP * clocks.length);
  let sum = 0n;
  for (let m = 0; 2 * m < points; m++) {
    // one copy has a variance of at most 1/4, so without it the bound is larger by at most e^(1/2)
    if (logDecay(count.variance, (2 * Math.PI * m) / points) + 0.5 < -nats - Math.log(points)) break;
    work.spend(STEPS_PER_PRODUCT * 12 * (clocks.length + 20));
    const z = moment.turns.at(m, points);
    const bases = clocks.map(({ w, q, p }) => ({
      value: along(numbers, q, p, z),
      slope: { re: (w * q) >> numbers.bits, im: 0n },
    }));
    const { slope } = productOf(bases, held, dualRing(complexRing(numbers)));
    const { re } = numbers.times(slope, moment.turns.at(-(k - 1) * m, points));
    sum += m === 0 ? re : 2n * re;
  }
  return sum / BigInt(points);
}

/**
 * What a record adds to the density of a set: P(r rings) for r < needed, and t times the density of the needed ring.
 */
function shareOf(moment: Moment, record: Needed, work: Work) {
  const { numbers } = moment;
  const { copies, needed } = record;
  work.spend(STEPS_PER_EXP * (needed + 1));
  const clock = moment.clockOf(record);
  const [p, q] = [clock.p, clock.q].map((value) => intervalOf(value, numbers, 2n ** 9n));
  const chance = (rings: number, of: number) => {
    const all = Interval.of({ numerator: waysOf(of, rings), denominator: 1n }, Number(numbers.bits));
    const { numerator, denominator } = all.times(p.power(rings)).times(q.power(of - rings)).bounds.least;
    return (numerator << numbers.bits) / denominator;
  };
  const few = Array.from({ length: needed }, (_, rings) => chance(rings, copies));
  const ring = (clock.w * clock.q) >> numbers.bits;
  const last = (BigInt(copies) * ring * chance(needed - 1, copies - 1)) >> numbers.bits;
  return { clock, few, last };
}

function intervalOf(value: bigint, { one, bits }: FixedPoint, slack: bigint): Interval {
  const least = value > slack ? value - slack : 0n;
  return Interval.between({ least: dyadic(least, one), most: dyadic(value + slack, one) }, Number(bits));
}

function waysOf(n: number, k: number): bigint {
  let ways = 1n;
  for (let i = 0; i < Math.min(k, n - k); i++) ways = (ways * BigInt(n - i)) / BigInt(i + 1);
  return ways;
}

function dyadic(numerator: bigint, one: bigint): Fraction {
  return { numerator, denominator: one };
}

export function copiesOf(held: readonly { readonly copies: number }[]): number {
  return held.reduce((sum, { copies }) => sum + copies, 0);
}

function extremes(values: readonly number[]): readonly [least: number, most: number] {
  return values.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [Infinity, 0]);
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}

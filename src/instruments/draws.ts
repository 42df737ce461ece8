import type { Work } from "../calls/index.js";
import {
  type Fraction,
  fraction,
  greatestCommonDivisor,
  leastCommonMultiple,
  ONE,
  subtract,
  toNumber,
  ZERO,
} from "../fractions.js";
import { Clocks, copiesOf, type Goal, type Held, SetGoal, UnionGoal } from "./clocks.js";
import {
  type Certified,
  Distribution,
  difference,
  KnownDistribution,
  type Law,
  type NewWork,
  type Part,
  refined,
  SURE,
  whole,
} from "./distribution.js";
import { type Bounds, Interval } from "./interval.js";

/** A record of a finite pool: its copies have the same mass. */
interface Stocked {
  /** An integer ≥ 1. */
  readonly mass: bigint;
  /** Number of copies that are now in the stock. */
  readonly left: number;
  /** Number of copies after a refresh. */
  readonly initial: number;
}

interface Copies extends Stocked {
  readonly isWanted: boolean;
}

/** Returns the number of draws until each record was drawn as often as it is needed, within bounds. */
export function setDraws(records: readonly (Stocked & { readonly needed: number })[], newWork: NewWork): Distribution {
  let before = 0;
  let held = records.map(({ left, ...rest }) => ({ ...rest, copies: left }));
  // a pass that does not complete the set draws every copy
  while (held.some(({ needed, copies }) => needed > copies)) {
    before += copiesOf(held);
    held = held.map(({ needed, copies, initial, ...rest }) => {
      return { ...rest, initial, needed: Math.max(0, needed - copies), copies: initial };
    });
  }
  const [wanted, others] = [true, false].map((isWanted) => held.filter(({ needed }) => needed > 0 === isWanted));
  const goal = new SetGoal(wanted);
  // in the worst case, only copies of one record remain
  const spare = wanted.reduce((least, { needed, copies }) => Math.min(least, copies - needed), Infinity);
  const [least, most] = [before + goal.rings, before + copiesOf(held) - spare];
  const rest = others.filter(({ copies }) => copies > 0);
  return waitOf({ clocks: new Clocks(goal, rest, newWork), least, most, before });
}

/** Draws from a finite pool, from its present stock on. An exhausted pool is refreshed. */
export class Draws implements Law {
  readonly #present: Pass;
  readonly #fresh: Pass;

  constructor(records: readonly Copies[], newWork: NewWork) {
    this.#present = new Pass(
      records.map(({ left, ...rest }) => ({ ...rest, copies: left })),
      newWork,
    );
    this.#fresh = new Pass(
      records.map(({ initial, ...rest }) => ({ ...rest, copies: initial })),
      newWork,
    );
  }

  wait(times: number): Distribution {
    const { wanted, all } = this.#present;
    if (times <= wanted) return this.#present.wait(times);
    const more = times - wanted;
    const passes = Math.ceil(more / this.#fresh.wanted) - 1;
    const before = all + passes * this.#fresh.all;
    return this.#fresh.wait(more - passes * this.#fresh.wanted, before);
  }

  count(attempts: number): Distribution {
    const { wanted, all } = this.#present;
    if (attempts <= all) return this.#present.count(attempts);
    const passes = Math.floor((attempts - all) / this.#fresh.all);
    return this.#fresh.count(attempts - all - passes * this.#fresh.all, wanted + passes * this.#fresh.wanted);
  }
}

/** A polynomial in u, from the constant term on. */
type Polynomial = readonly bigint[];

interface Kept extends Held {
  readonly isWanted: boolean;
}

/**
 * The draws of a whole stock. Give each copy a clock that rings at a random time with its mass as rate: the order of
 * the rings is the order of the draws. At time t, a copy has not rung with the probability u^mass, where u = e^−t, and
 * the copies are independent. So the probability of k rings is a polynomial in u. The k-th wanted copy is among the
 * first n draws if it rings before the (n − k + 1)-th other copy: an integral over u, from 0 to 1.
 */
class Pass {
  /** Number of wanted copies, and of all copies. */
  readonly wanted: number;
  readonly all: number;
  readonly #wanted: readonly Held[];
  readonly #others: readonly Held[];
  readonly #newWork: NewWork;
  readonly #clocks = new Map<number, Clocks>();
  #rings: { readonly wanted: readonly Polynomial[]; readonly others: readonly Polynomial[] } | undefined;

  constructor(kept: readonly Kept[], newWork: NewWork) {
    this.#newWork = newWork;
    const held = kept.filter(({ copies }) => copies > 0);
    const divisor = held.reduce((common, { mass }) => greatestCommonDivisor(common, mass), 0n);
    const scaled = held.map((record) => ({ ...record, mass: record.mass / divisor }));
    this.#wanted = scaled.filter(({ isWanted }) => isWanted);
    this.#others = scaled.filter(({ isWanted }) => !isWanted);
    this.wanted = copiesOf(this.#wanted);
    this.all = copiesOf(scaled);
  }

  wait(times: number, before = 0): Distribution {
    const last = this.all - this.wanted + times;
    if (!this.#isShort(last)) {
      return waitOf({ clocks: this.#clocksOf(times), least: before + times, most: before + last, before });
    }
    const work = this.#newWork();
    const upTo = Array.from({ length: last + 1 }, (_, n) => this.#atLeast(times, n, work));
    const odds = upTo.map((sum, n) => [before + n, n === 0 ? sum : subtract(sum, upTo[n - 1])] as const);
    return new KnownDistribution(odds.filter(([, probability]) => probability.numerator > 0n));
  }

  count(attempts: number, before = 0): Distribution {
    const most = Math.min(attempts, this.wanted);
    if (!this.#isShort(most)) {
      const least = Math.max(0, attempts - (this.all - this.wanted));
      return new DrawCount({ attempts, least, most, before, clocksOf: (k) => this.#clocksOf(k) });
    }
    const work = this.#newWork();
    const from = Array.from({ length: most + 2 }, (_, k) => this.#atLeast(k, attempts, work));
    const odds = from.slice(0, -1).map((sum, k) => [before + k, subtract(sum, from[k + 1])] as const);
    return new KnownDistribution(odds.filter(([, probability]) => probability.numerator > 0n));
  }

  /** Whether so many exact fractions take few steps. */
  #isShort(fractions: number): boolean {
    const [wanted, others] = [this.#wanted, this.#others].map((held) => 1 + degreeOf(held));
    const products = fractions * wanted * others + this.wanted ** 2 * wanted + (this.all - this.wanted) ** 2 * others;
    return products <= MAX_PRODUCTS;
  }

  #clocksOf(times: number): Clocks {
    const known = this.#clocks.get(times);
    if (known !== undefined) return known;
    const clocks = new Clocks(goalOf(this.#wanted, times), this.#others, this.#newWork);
    this.#clocks.set(times, clocks);
    return clocks;
  }

  /** The probability of at least k wanted copies among the first n draws. */
  #atLeast(k: number, n: number, work: Work): Fraction {
    const others = this.all - this.wanted;
    if (k === 0) return ONE;
    if (k > Math.min(n, this.wanted)) return ZERO;
    if (n - k >= others) return ONE;
    this.#rings ??= { wanted: ringsOf(this.#wanted, work), others: ringsOf(this.#others, work) };
    // when the k-th wanted copy rings, at most n − k others have rung
    const rung = sumOf(this.#rings.wanted.slice(k));
    const few = sumOf(this.#rings.others.slice(0, n - k + 1));
    return integral(derivative(rung), few, work);
  }
}

/** Returns the goal of the clocks. The first ring of several records is that of one clock with the sum of masses. */
function goalOf(wanted: readonly Held[], times: number): Goal {
  if (times === 1) {
    const mass = wanted.reduce((sum, { mass: own, copies }) => sum + own * BigInt(copies), 0n);
    return new SetGoal([{ mass, copies: 1, needed: 1 }]);
  }
  const isSet = wanted.length === 1 && times <= MAX_NEEDED;
  return isSet ? new SetGoal([{ ...wanted[0], needed: times }]) : new UnionGoal(wanted, times);
}

interface GivenWait {
  readonly clocks: Clocks;
  readonly least: number;
  readonly most: number;
  /** Number of draws before those of the clocks; for a count, of wanted copies. */
  readonly before: number;
}

function waitOf(given: GivenWait): Distribution {
  return given.least === given.most ? new KnownDistribution([[given.least, ONE]]) : new DrawWait(given);
}

/** How many draws it takes until a goal is met, within bounds. */
class DrawWait extends Distribution {
  readonly least: number;
  readonly most: number;
  readonly #given: Pick<GivenWait, "clocks" | "before">;

  constructor(given: GivenWait) {
    super();
    this.least = given.least;
    this.most = given.most;
    this.#given = given;
  }

  get mean(): Certified {
    const { clocks, before } = this.#given;
    return refined((bits) => clocks.moments(bits).mean.plus(Interval.of(whole(before))).bounds);
  }

  get variance(): Certified {
    return refined((bits) => {
      const { mean, square } = this.#given.clocks.moments(bits);
      return square.minus(mean.times(mean)).bounds;
    });
  }

  /** @internal */
  override estimate(p: Fraction): number {
    return this.#given.before + this.#given.clocks.estimate(toNumber(p));
  }

  /** @internal */
  override exact(): undefined {
    return undefined;
  }

  /** @internal */
  override enclose(part: Part, n: number, bits: number): Bounds {
    if (part === "upTo") return this.#upTo(n, shortOf(bits));
    const less = this.#upTo(n - 1, part === "from" ? shortOf(bits) : bits);
    return part === "from" ? difference(SURE, less) : difference(this.#upTo(n, bits), less);
  }

  #upTo(n: number, bits: number): Bounds {
    if (n < this.least) return NEVER;
    return n >= this.most ? SURE : this.#given.clocks.upTo(n - this.#given.before, bits);
  }
}

interface GivenCount extends Omit<GivenWait, "clocks"> {
  readonly attempts: number;
  readonly clocksOf: (k: number) => Clocks;
}

/** How many wanted copies are among some draws, within bounds. */
class DrawCount extends Distribution {
  readonly least: number;
  readonly most: number;
  readonly #given: GivenCount;

  constructor(given: GivenCount) {
    super();
    this.#given = given;
    this.least = given.before + given.least;
    this.most = given.before + given.most;
  }

  get mean(): never {
    throw new Error("only the probabilities of a count are computed");
  }

  get variance(): never {
    return this.mean;
  }

  /** @internal */
  override exact(): undefined {
    return undefined;
  }

  /** @internal */
  override enclose(part: Part, n: number, bits: number): Bounds {
    if (part === "from") return this.#from(n, shortOf(bits));
    const more = this.#from(n + 1, part === "upTo" ? shortOf(bits) : bits);
    return part === "upTo" ? difference(SURE, more) : difference(this.#from(n, bits), more);
  }

  #from(n: number, bits: number): Bounds {
    if (n > this.most) return NEVER;
    const { attempts, before, clocksOf } = this.#given;
    return n <= this.least ? SURE : clocksOf(n - before).upTo(attempts, bits);
  }
}

/** Fewer bits, which are enough for a probability that is not the small difference of two others. */
function shortOf(bits: number): number {
  return Math.ceil(0.75 * bits);
}

const NEVER: Bounds = { least: ZERO, most: ZERO };

function degreeOf(held: readonly Held[]): number {
  return held.reduce((sum, { mass, copies }) => sum + Number(mass) * copies, 0);
}

/** Maximum number of products of coefficients for exact fractions. So many take about a second and 100 MB. */
const MAX_PRODUCTS = 10_000_000;
/** Up to so many copies of a record, their probabilities are computed one by one. */
const MAX_NEEDED = 100;
/** Steps of work for a product of two coefficients. */
const STEPS_PER_TERM = 20;

/** Entry k is the probability that exactly k copies have rung, as a polynomial in u. */
function ringsOf(held: readonly Held[], work: Work): readonly Polynomial[] {
  let rings: bigint[][] = [[1n]];
  for (const { mass, copies: times } of held) {
    for (let i = 0; i < times; i++) {
      work.spend(STEPS_PER_TERM * rings.length * rings[0].length);
      rings = withCopy(rings, Number(mass));
    }
  }
  return rings;
}

/** Adds a copy. It has not rung with the probability u^mass. */
function withCopy(rings: readonly (readonly bigint[])[], mass: number): bigint[][] {
  const length = rings[0].length + mass;
  const next = Array.from({ length: rings.length + 1 }, () => Array<bigint>(length).fill(0n));
  for (const [k, polynomial] of rings.entries()) {
    for (const [power, value] of polynomial.entries()) {
      if (value === 0n) continue;
      next[k][power + mass] += value;
      next[k + 1][power] += value;
      next[k + 1][power + mass] -= value;
    }
  }
  return next;
}

function sumOf(polynomials: readonly Polynomial[]): Polynomial {
  return polynomials[0].map((_, power) => polynomials.reduce((sum, polynomial) => sum + polynomial[power], 0n));
}

function derivative(polynomial: Polynomial): Polynomial {
  return polynomial.slice(1).map((value, power) => value * BigInt(power + 1));
}

/** Returns −∫ a · b du from 0 to 1. The sign is −, because u falls while time passes. */
function integral(a: Polynomial, b: Polynomial, work: Work): Fraction {
  const products = Array<bigint>(a.length + b.length - 1).fill(0n);
  for (const [i, x] of a.entries()) {
    if (x === 0n) continue;
    work.spend(STEPS_PER_TERM * b.length);
    for (const [j, y] of b.entries()) products[i + j] -= x * y;
  }
  const terms = products.flatMap((value, power) => (value === 0n ? [] : [{ value, by: BigInt(power + 1) }]));
  const common = terms.reduce((multiple, { by }) => leastCommonMultiple(multiple, by), 1n);
  return fraction(
    terms.reduce((sum, { value, by }) => sum + value * (common / by), 0n),
    common,
  );
}

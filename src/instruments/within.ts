import { error, fail } from "../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, ZERO } from "../fractions.js";
import { Trials } from "./binomial.js";
import { CollectDistribution } from "./collect.js";
import {
  boundsOf,
  type Certified,
  compare,
  Distribution,
  difference,
  KnownDistribution,
  type Law,
  type NewWork,
  type Part,
  type ProbabilityInput,
} from "./distribution.js";
import type { Bounds } from "./interval.js";

interface Ends {
  /** The distributions for the least and the greatest probability. Undefined for a wait that may never end. */
  readonly ends: readonly (Distribution | undefined)[];
  /** Returns the distribution in between for which the value n is the most probable. */
  readonly peak?: (n: number) => Distribution | undefined;
}

/**
 * A distribution that depends on probabilities of which only bounds are known. A greater probability makes each wait
 * shorter and each count greater, so the two ends enclose `upTo`, `from`, the moments and the quantiles.
 */
class WithinDistribution extends Distribution {
  readonly least: number;
  readonly most: number | undefined;
  readonly #ends: readonly Distribution[];
  readonly #mayNeverEnd: boolean;
  readonly #peak: Ends["peak"];

  constructor({ ends, peak }: Ends) {
    super();
    this.#ends = ends.filter((end) => end !== undefined);
    this.#mayNeverEnd = this.#ends.length < ends.length;
    this.#peak = peak;
    this.least = Math.min(...this.#ends.map(({ least }) => least));
    const most = Math.max(...this.#ends.map((end) => end.most ?? Infinity));
    this.most = this.#mayNeverEnd || most === Infinity ? undefined : most;
  }

  get mean(): Certified {
    return hull(this.#sure("mean").map(({ mean }) => mean));
  }

  get variance(): Certified {
    const squares = this.#sure("variance").map((end) => {
      const [variance, mean] = [boundsOf(end.variance), boundsOf(end.mean)];
      return { least: addSquare(variance.least, mean.least), most: addSquare(variance.most, mean.most) };
    });
    const [square, mean] = [boundsOf(hull(squares)), boundsOf(this.mean)];
    return difference(square, { least: multiply(mean.least, mean.least), most: multiply(mean.most, mean.most) });
  }

  override quantile(p: ProbabilityInput): number {
    return this.quantileBounds(p).most;
  }

  override quantileBounds(p: ProbabilityInput) {
    const quantiles = this.#sure("quantile").map((end) => end.quantile(p));
    return { least: Math.min(...quantiles), most: Math.max(...quantiles) };
  }

  /** @internal */
  protected override part(part: Part, n: number): Certified {
    if (part === "at" && this.#peak === undefined)
      return difference(boundsOf(this.upTo(n)), boundsOf(this.upTo(n - 1)));
    const peak = part === "at" ? this.#peak?.(n) : undefined;
    const values = [...this.#ends, ...(peak === undefined ? [] : [peak])].map((end) => end[part](n));
    return hull(this.#mayNeverEnd ? [...values, part === "from" ? ONE : ZERO] : values);
  }

  /** @internal */
  override exact(): undefined {
    return undefined;
  }

  /** @internal */
  override enclose(part: Part, n: number): Bounds {
    return boundsOf(this.part(part, n));
  }

  #sure(number: string): readonly Distribution[] {
    if (!this.#mayNeverEnd) return this.#ends;
    const problem = `the ${number} has no upper bound, because the probability of the result may be 0`;
    return fail(error("odds.work", { problem, remedy: 'Raise the option "states", or ask for `upTo`' }));
  }
}

function addSquare(a: Fraction, b: Fraction): Fraction {
  return add(a, multiply(b, b));
}

/** Returns the bounds of a number that is in one of some intervals or between them. */
function hull(values: readonly Certified[]): Certified {
  const [first, ...others] = values.map(boundsOf);
  const { least, most } = others.reduce(
    (known, next) => ({
      least: compare(next.least, known.least) < 0 ? next.least : known.least,
      most: compare(next.most, known.most) > 0 ? next.most : known.most,
    }),
    first,
  );
  return compare(least, most) === 0 ? least : { least, most };
}

/** Independent attempts that succeed with the same probability, of which only bounds are known. */
class TrialsWithin implements Law {
  readonly #bounds: Bounds;
  readonly #newWork: NewWork | undefined;

  /** @param bounds - 0 ≤ `least` ≤ `most` ≤ 1, and `most` > 0. */
  constructor(bounds: Bounds, newWork?: NewWork) {
    this.#bounds = bounds;
    this.#newWork = newWork;
  }

  wait(times: number): Distribution {
    const of = (p: Fraction) => this.#trials(p)?.wait(times);
    // p^k (1 − p)^(n − k) rises up to p = k / n, and falls from there on
    return new WithinDistribution({ ends: this.#ends.map(of), peak: (n) => of(ratio(times, n)) });
  }

  count(attempts: number): Distribution {
    const of = (p: Fraction) => this.#trials(p)?.count(attempts) ?? new KnownDistribution([[0, ONE]]);
    return new WithinDistribution({ ends: this.#ends.map(of), peak: (k) => of(ratio(k, attempts)) });
  }

  get #ends(): readonly Fraction[] {
    return [this.#bounds.least, this.#bounds.most];
  }

  /** Returns the trials for the possible probability next to p. Undefined for 0. */
  #trials(p: Fraction): Trials | undefined {
    const { least, most } = this.#bounds;
    const possible = compare(p, least) < 0 ? least : compare(p, most) > 0 ? most : p;
    return possible.numerator === 0n ? undefined : new Trials(possible, this.#newWork);
  }
}

/** @param p - Above 0, or bounds whose upper end is. */
export function trialsOf(p: Certified, newWork?: NewWork): Law {
  return "least" in p ? new TrialsWithin(p, newWork) : new Trials(p, newWork);
}

/**
 * Returns the distribution of the number of attempts until each of some results has come. They exclude each other.
 *
 * Bounds of the probabilities give bounds of the distribution: if wanted results become more probable and only others
 * less, no attempt loses a wanted result.
 */
export function collectWithin(chances: readonly Certified[], copies: number, newWork: NewWork): Distribution {
  const least = chances.map((p) => boundsOf(p).least);
  const most = chances.map((p) => boundsOf(p).most);
  if (compare(most.reduce(add), ONE) > 0) {
    const problem = "the bounds of the odds are too wide: together, the results could be more probable than 1";
    fail(error("odds.work", { problem, remedy: 'Raise the option "states"' }));
  }
  const end = (ends: readonly Fraction[]) => new CollectDistribution(ends, copies, newWork);
  if (chances.every((p) => "numerator" in p)) return end(least);
  const mayNeverEnd = least.some(({ numerator }) => numerator === 0n);
  return new WithinDistribution({ ends: [mayNeverEnd ? undefined : end(least), end(most)] });
}

function ratio(a: number, b: number): Fraction {
  return fraction(BigInt(a), BigInt(b));
}

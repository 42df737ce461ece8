import { error, fail } from "../errors/index.js";
import { add, type Fraction, multiply, subtract, ZERO } from "../fractions.js";
import { type Certified, Distribution, KnownDistribution, notNegative, type Part } from "./distribution.js";
import type { Bounds } from "./interval.js";

/** The wait for the first of some results. */
interface SignedWait {
  /** Whether the number of results is odd. */
  readonly isOdd: boolean;
  readonly wait: Distribution;
}

/**
 * How many attempts it takes until each of some results has come, if one attempt can have several of them. Inclusion
 * and exclusion: adds the waits for the first result of each subset with an odd number of results, and subtracts those
 * for each subset with an even number. This holds for each probability, and for the moments.
 */
export class UnionCollect extends Distribution {
  readonly least: number;
  readonly most: number | undefined;
  readonly #waits: readonly SignedWait[];

  /** @param singles - The waits for single results. */
  constructor(waits: readonly SignedWait[], singles: readonly Distribution[]) {
    super();
    this.#waits = waits;
    this.least = Math.max(...singles.map(({ least }) => least));
    const longest = Math.max(...singles.map(({ most }) => most ?? Infinity));
    this.most = longest === Infinity ? undefined : longest;
  }

  /** Whether every probability is known exactly. */
  get isExact(): boolean {
    return this.#waits.every(({ wait }) => wait instanceof KnownDistribution);
  }

  get mean(): Certified {
    return this.#sum((wait) => known(wait.mean));
  }

  get variance(): Certified {
    const squares = this.#sum((wait) => add(known(wait.variance), square(known(wait.mean))));
    return subtract(squares, square(known(this.mean)));
  }

  /** @internal */
  override exact(part: Part, n: number): Fraction | undefined {
    const values = this.#waits.map(({ wait }) => exactPart(wait, part, n));
    return values.includes(undefined) ? undefined : this.#sum((wait) => exactPart(wait, part, n) ?? ZERO);
  }

  /** @internal */
  override enclose(part: Part, n: number, bits: number): Bounds {
    let [least, most] = [ZERO, ZERO];
    for (const { isOdd, wait } of this.#waits) {
      const exact = exactPart(wait, part, n);
      const own = exact === undefined ? wait.enclose(part, n, bits) : { least: exact, most: exact };
      least = isOdd ? add(least, own.least) : subtract(least, own.most);
      most = isOdd ? add(most, own.most) : subtract(most, own.least);
    }
    return { least: notNegative(least), most };
  }

  #sum(number: (wait: Distribution) => Fraction): Fraction {
    return this.#waits.reduce(
      (sum, { isOdd, wait }) => (isOdd ? add(sum, number(wait)) : subtract(sum, number(wait))),
      ZERO,
    );
  }
}

function exactPart(wait: Distribution, part: Part, n: number): Fraction | undefined {
  const isInside = n >= wait.least && n <= (wait.most ?? n);
  if (isInside) return wait.exact(part, n);
  const value = wait[part](n);
  return "numerator" in value ? value : undefined;
}

function known(value: Certified): Fraction {
  if ("numerator" in value) return value;
  return fail(error("odds.work", { problem: "the mean has too many digits", remedy: "Ask for fewer results" }));
}

function square(value: Fraction): Fraction {
  return multiply(value, value);
}

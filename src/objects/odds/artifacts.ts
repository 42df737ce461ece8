import { type FactorBase, type Product, type Ratio, UNIT } from "../../factors.js";
import { CONSTANTS, type ObjectConstants } from "../law/constants.js";
import type { ArtifactSpec } from "../types.js";

/** If the probabilities of all lines add up to more than this, {@link artifactChoice} returns only lower bounds. */
const MAX_SUMS = 2 ** 14;

type Line = { readonly artifact: ArtifactSpec; readonly probability: number; readonly oneIn: number };

/**
 * Returns the exact chance of each artifact in one try. Each `A` line passes or fails independently of the other lines.
 * Then one of the lines that passed is chosen. The chance of a line is its probability, divided by the sum of the
 * probabilities of all lines that passed. So all chances follow from the distribution of this sum.
 * If the sum of all probabilities is too large, the chances are lower bounds: the bound of a line assumes that
 * all other lines passed. `unknown` is the chance of any artifact, minus the sum of these bounds.
 * Cost: O(lines × the sum of their probabilities).
 */
export function artifactChoice(
  artifacts: readonly ArtifactSpec[],
  level: number,
  base: FactorBase,
  constants = CONSTANTS,
) {
  const lines = artifacts.flatMap((artifact) => linesOf(artifact, level, constants));
  const sum = lines.reduce((total, { probability }) => total + probability, 0);
  if (sum <= MAX_SUMS) return { chances: exactChoice(lines, sum, base), unknown: { numerator: 0n, divisor: UNIT } };
  const chances = new Map<ArtifactSpec, Ratio>();
  for (const { artifact, probability, oneIn } of lines) {
    const divisor = base.multiply(base.productOf(oneIn), base.productOf(sum));
    const part = { numerator: BigInt(probability), divisor };
    const known = chances.get(artifact);
    chances.set(artifact, known === undefined ? part : base.add(known, part));
  }
  const known = [...chances.values()].map((chance) => ({ ...chance, numerator: -chance.numerator }));
  return { chances, unknown: known.reduce((rest, one) => base.add(rest, one), anyPasses(lines, base)) };
}

function linesOf(artifact: ArtifactSpec, level: number, { artifacts }: ObjectConstants): readonly Line[] {
  return artifact.allocations.flatMap(({ probability, least, most }): Line[] => {
    if (probability === 0 || most < level) return [];
    return [{ artifact, probability, oneIn: least <= level ? 1 : artifacts.outOfDepth * (least - level) }];
  });
}

function anyPasses(lines: readonly Line[], base: FactorBase): Ratio {
  let [none, all] = [1n, 1n];
  let divisor: Product = UNIT;
  for (const { oneIn } of lines) {
    none *= BigInt(oneIn - 1);
    all *= BigInt(oneIn);
    divisor = base.multiply(divisor, base.productOf(oneIn));
  }
  return { numerator: all - none, divisor };
}

function exactChoice(lines: readonly Line[], sum: number, base: FactorBase): ReadonlyMap<ArtifactSpec, Ratio> {
  const certain = lines.filter(({ oneIn }) => oneIn === 1).reduce((total, { probability }) => total + probability, 0);
  const cases = sumCases(lines, sum - certain);
  const inverses = new Inverses(certain, sum, base);
  const divisor = lines.reduce((product, { oneIn }) => base.multiply(product, base.productOf(oneIn)), inverses.divisor);
  const shares = new Map<string, bigint>();
  const chances = new Map<ArtifactSpec, Ratio>();
  for (const line of lines) {
    const key = `${line.probability} ${line.oneIn}`;
    const share = shares.get(key) ?? shareOf(line, cases, inverses);
    shares.set(key, share);
    chances.set(line.artifact, { numerator: (chances.get(line.artifact)?.numerator ?? 0n) + share, divisor });
  }
  return chances;
}

/** Fractions in a block. {@link Inverses} sums each block over its own small denominator, then converts the sum. */
const BLOCK = 16;

/** Adds up multiples of the fractions 1 / first … 1 / last, as numerators over the common denominator `divisor`. */
class Inverses {
  readonly divisor: Product;
  readonly first: number;
  /** A numerator is over the block's own denominator. Multiplied by `factor`, it is a numerator over `divisor`. */
  readonly #blocks: { readonly numerators: readonly bigint[]; readonly factor: bigint }[] = [];

  /** If `first` is 0, the list of fractions begins with 0 in place of 1 / 0. */
  constructor(first: number, last: number, base: FactorBase) {
    this.first = first;
    const common = (numbers: readonly number[]) =>
      numbers.reduce((product, number) => base.commonMultiple(product, base.productOf(Math.max(1, number))), UNIT);
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => first + i);
    this.divisor = common(numbers);
    for (let i = 0; i < numbers.length; i += BLOCK) {
      const block = numbers.slice(i, i + BLOCK);
      const own = common(block);
      const multiple = base.quotient(own, UNIT);
      this.#blocks.push({
        numerators: block.map((number) => (number === 0 ? 0n : multiple / BigInt(number))),
        factor: base.quotient(this.divisor, own),
      });
    }
  }

  /** Returns Σ values[i] / (from + i), as a numerator over `divisor`. */
  sumOf(values: readonly bigint[], from: number): bigint {
    let sum = 0n;
    for (let at = 0; at < values.length; ) {
      const place = from - this.first + at;
      const { numerators, factor } = this.#blocks[Math.floor(place / BLOCK)];
      let part = 0n;
      for (let i = place % BLOCK; i < numerators.length && at < values.length; i++, at++)
        part += values[at] * numerators[i];
      sum += part * factor;
    }
    return sum;
  }
}

/** Entry s, a coefficient of Π (oneIn − 1 + x^probability), is the number of cases whose passing lines add up to s. */
function sumCases(lines: readonly Line[], most: number): bigint[] {
  const cases = new Array<bigint>(most + 1).fill(0n);
  cases[0] = 1n;
  let end = 0;
  for (const { probability, oneIn } of lines) {
    if (oneIn === 1) continue;
    end += probability;
    for (let sum = end; sum >= 0; sum--) {
      const passed = sum < probability ? 0n : cases[sum - probability];
      cases[sum] = cases[sum] * BigInt(oneIn - 1) + passed;
    }
  }
  return cases;
}

/** Adds up the line's probability / (sum of all passing probabilities) over all cases in which the line passes. */
function shareOf({ probability, oneIn }: Line, cases: readonly bigint[], inverses: Inverses): bigint {
  if (oneIn === 1) return inverses.sumOf(cases, inverses.first) * BigInt(probability);
  // divides the polynomial of `sumCases` by this line's factor, which leaves the cases of all other lines
  const others: bigint[] = [];
  for (let rest = 0; rest + probability < cases.length; rest++) {
    const passed = rest < probability ? 0n : others[rest - probability];
    others.push((cases[rest] - passed) / BigInt(oneIn - 1));
  }
  return inverses.sumOf(others, inverses.first + probability) * BigInt(probability);
}

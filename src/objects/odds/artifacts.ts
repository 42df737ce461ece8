import { type FactorBase, type Product, type Ratio, UNIT } from "../../factors.js";
import { GOOD_ONE_IN, GREAT_ONE_IN, NORMAL_ONE_IN } from "../../kernel/layout.js";
import type { ArtifactSpec, Quality } from "../types.js";

/** An object tries to become an artifact in one of this many cases. */
export const TRIES_ONE_IN: Readonly<Record<Quality, number>> = {
  normal: NORMAL_ONE_IN,
  good: GOOD_ONE_IN,
  great: GREAT_ONE_IN,
};

/** Maximum number of sums of probabilities of lines for which the shares of the artifacts are computed exactly. */
const MOST_SUMS = 2 ** 14;

/** An `A` line of an artifact that can pass. */
interface Line {
  readonly artifact: ArtifactSpec;
  readonly probability: number;
  /** The line passes in one of this many cases. */
  readonly oneIn: number;
}

/**
 * Returns the exact chance of each artifact for one try among these artifacts. Each `A` line passes or fails by itself;
 * one of the lines that passed is chosen, in proportion to their probabilities. The distribution of the sum of the
 * probabilities of the lines that passed gives the chances.
 *
 * If there are too many different sums, the chances are lower bounds: each line has at least its share of the sum of all
 * lines. The chances of the artifacts that are missing are in `unknown`.
 *
 * Cost: O(lines × the sum of their probabilities).
 */
export function artifactChoice(
  artifacts: readonly ArtifactSpec[],
  level: number,
  base: FactorBase,
): { readonly chances: ReadonlyMap<ArtifactSpec, Ratio>; readonly unknown: Ratio } {
  const lines = artifacts.flatMap((artifact) => linesOf(artifact, level));
  const sum = lines.reduce((total, { probability }) => total + probability, 0);
  if (sum <= MOST_SUMS) return { chances: exactChoice(lines, sum, base), unknown: { numerator: 0n, divisor: UNIT } };
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

function linesOf(artifact: ArtifactSpec, level: number): readonly Line[] {
  return artifact.allocations.flatMap(({ probability, least, most }): Line[] => {
    if (probability === 0 || most < level) return [];
    return [{ artifact, probability, oneIn: least <= level ? 1 : 2 * (least - level) }];
  });
}

/** The chance that at least one line passes: 1 − the product of the chances that a line fails. */
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
  let totals: Product = UNIT;
  for (let rest = 0; rest <= sum - certain; rest++) {
    if (certain + rest > 0) totals = base.commonMultiple(totals, base.productOf(certain + rest));
  }
  const multiple = base.quotient(totals, UNIT);
  const divisor = lines.reduce((product, { oneIn }) => base.multiply(product, base.productOf(oneIn)), totals);
  const shares = new Map<string, bigint>();
  const chances = new Map<ArtifactSpec, Ratio>();
  for (const line of lines) {
    const key = `${line.probability} ${line.oneIn}`;
    const share = shares.get(key) ?? shareOf(line, cases, { certain, multiple });
    shares.set(key, share);
    chances.set(line.artifact, { numerator: (chances.get(line.artifact)?.numerator ?? 0n) + share, divisor });
  }
  return chances;
}

/** The number of cases of each sum of the lines that pass by chance: the coefficients of Π (oneIn − 1 + x^probability). */
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

/** Σ of probability / (sum of all lines that passed) over the cases in which the line passed, times `multiple`. */
function shareOf(
  { probability, oneIn }: Line,
  cases: readonly bigint[],
  { certain, multiple }: { readonly certain: number; readonly multiple: bigint },
): bigint {
  let share = 0n;
  if (oneIn === 1) {
    for (const [rest, count] of cases.entries()) {
      if (count > 0n) share += (count * multiple) / BigInt(certain + rest);
    }
    return share * BigInt(probability);
  }
  // divides the polynomial by the factor of this line, which leaves the cases of the other lines
  const others: bigint[] = [];
  for (let rest = 0; rest + probability < cases.length; rest++) {
    const passed = rest < probability ? 0n : others[rest - probability];
    others.push((cases[rest] - passed) / BigInt(oneIn - 1));
    if (others[rest] > 0n) share += (others[rest] * multiple) / BigInt(certain + rest + probability);
  }
  return share * BigInt(probability);
}

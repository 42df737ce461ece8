import { type Fraction, toNumber } from "../index.js";

/** A chance as JSON outputs have it: the exact fraction, its integers as text, and the nearest double. */
export function withProbability(chance: Fraction): Fraction & { readonly probability: number } {
  const { numerator, denominator } = chance;
  return { numerator, denominator, probability: toNumber(chance) };
}

/** A chance as text outputs have it: the exact fraction, a tab, and six figures. */
export function chanceText(chance: Fraction): string {
  return `${chance.numerator}/${chance.denominator}\t${toNumber(chance).toPrecision(6)}`;
}

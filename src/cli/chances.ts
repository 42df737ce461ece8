import { type Fraction, toNumber } from "../index.js";

/** Returns a chance for JSON output: the exact fraction, and the double nearest to it. */
export function withProbability(chance: Fraction): Fraction & { readonly probability: number } {
  const { numerator, denominator } = chance;
  return { numerator, denominator, probability: toNumber(chance) };
}

/** Formats a chance for text output: the exact fraction, a tab, and the decimal with six significant digits. */
export function chanceText(chance: Fraction): string {
  return `${chance.numerator}/${chance.denominator}\t${toNumber(chance).toPrecision(6)}`;
}

import { type Fraction, toNumber } from "../../index.js";

export function withProbability(chance: Fraction): Fraction & { readonly probability: number } {
  const { numerator, denominator } = chance;
  return { numerator, denominator, probability: toNumber(chance) };
}

/** The exact fraction, a tab, and the decimal with six significant digits. */
export function chanceText(chance: Fraction): string {
  return `${chance.numerator}/${chance.denominator}\t${toNumber(chance).toPrecision(6)}`;
}

interface ResultOdds {
  readonly result: unknown;
  readonly probability: Fraction;
}

export function oddsData(odds: readonly ResultOdds[]) {
  return odds.map(({ result, probability }) => ({ result, ...withProbability(probability) }));
}

/** Returns one line for each result, and for each chance of `others` that is not 0. */
export function oddsText(odds: readonly ResultOdds[], others: Readonly<Record<string, Fraction>>): string {
  const rest = Object.entries(others).map(([result, probability]) => ({ result, probability }));
  const shown = [...odds, ...rest.filter(({ probability }) => probability.numerator > 0n)];
  return shown.map(({ result, probability }) => `${result}\t${chanceText(probability)}\n`).join("");
}

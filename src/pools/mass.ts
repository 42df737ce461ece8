import { ratioOf, weightFraction } from "../decimals.js";
import { add, toNumber, ZERO } from "../fractions.js";
import { MAX_U32, type Mass } from "./types.js";

/** Reads a mass. Converts a fraction to a text in lowest terms. Returns undefined for an invalid mass. */
export function massOf(mass: unknown): Mass | undefined {
  if (typeof mass === "number") return mass >= 0 && mass <= MAX_U32 ? mass : undefined;
  const ratio = ratioOf(mass);
  return ratio === undefined ? undefined : `${ratio.numerator}/${ratio.denominator}`;
}

export function approximate(mass: Mass): number {
  const ratio = typeof mass === "number" ? undefined : ratioOf(mass);
  return ratio === undefined ? Number(mass) : toNumber(ratio);
}

export function sumOf(a: Mass, b: Mass): Mass {
  if (Number.isInteger(a) && Number.isInteger(b)) return Number(a) + Number(b);
  const { numerator, denominator } = add(weightFraction(a) ?? ZERO, weightFraction(b) ?? ZERO);
  return `${numerator}/${denominator}`;
}

import type { Fraction } from "../../src/fractions.js";
import type { Bounds } from "../../src/instruments/interval.js";

/** The integers of a linear congruential generator, from 0 to `limit` − 1. */
export function integers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

/** Whether the bounds enclose the value. */
export function encloses({ least, most }: Bounds, value: Fraction): boolean {
  const over = (a: Fraction, b: Fraction) => a.numerator * b.denominator >= b.numerator * a.denominator;
  return over(value, least) && over(most, value);
}

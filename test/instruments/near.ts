import { expect } from "vitest";
import { toNumber } from "../../src/fractions.js";
import type { Certified } from "../../src/instruments/distribution.js";

/** The value of a certified number. Checks that bounds are close together. */
export function near(value: Certified): number {
  if ("numerator" in value) return toNumber(value);
  const [least, most] = [toNumber(value.least), toNumber(value.most)];
  expect(least).toBeLessThanOrEqual(most);
  expect(most - least).toBeLessThanOrEqual(most * 1.001e-12);
  return least;
}

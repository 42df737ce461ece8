import { describe, expect, test } from "vitest";
import { type Fraction, fraction, toNumber } from "../../src/fractions.js";
import { CountDistribution, WaitDistribution } from "../../src/instruments/binomial.js";
import type { Certified } from "../../src/instruments/distribution.js";

const p = (n: number, d: number): Fraction => fraction(BigInt(n), BigInt(d));

function near(value: Certified, digits = 12): number {
  if ("numerator" in value) return toNumber(value);
  const [least, most] = [toNumber(value.least), toNumber(value.most)];
  expect(most - least).toBeLessThanOrEqual(most * 10 ** -digits);
  return least;
}

describe("the oracles", () => {
  test("1/400: at least one in 50, 100, 1000; how many for 50, 90, 99 %", () => {
    const wait = new WaitDistribution(p(1, 400), 1);
    const chances = [50, 100, 1000].map((n) => near(wait.upTo(n)).toFixed(6));
    expect(chances).toEqual(["0.117641", "0.221443", "0.918172"]);
    expect(["0.5", 0.9, "99/100"].map((q) => wait.quantile(q === "0.5" ? 0.5 : q))).toEqual([277, 920, 1840]);
  });

  test("1/128, 2 in 500: fewer, equal, more", () => {
    const count = new CountDistribution({ n: 500, p: p(1, 128) });
    expect(near(count.upTo(1)).toFixed(7)).toBe("0.0978001");
    expect(near(count.at(2)).toFixed(7)).toBe("0.1532176");
    expect((1 - near(count.upTo(2))).toFixed(7)).toBe("0.7489822");
  });
});

test("bounds enclose the exact value", () => {
  const exact = new CountDistribution({ n: 900, p: p(3, 7) });
  for (const k of [0, 1, 200, 385, 386, 387, 500, 898, 899]) {
    const bounds = (
      exact as unknown as { encloseUpTo(n: number): { bounds: { least: Fraction; most: Fraction } } }
    ).encloseUpTo(k).bounds;
    const value = exact.upTo(k) as Fraction;
    const over = (a: Fraction, b: Fraction) => a.numerator * b.denominator - b.numerator * a.denominator;
    expect(over(value, bounds.least) >= 0n && over(bounds.most, value) >= 0n).toBe(true);
    near(bounds);
  }
});

test("a million attempts take bounds", () => {
  const count = new CountDistribution({ n: 1_000_000, p: p(1, 3) });
  expect(near(count.upTo(333_333))).toBeCloseTo(0.5, 2);
  const wait = new WaitDistribution(p(1, 1_000_000), 3);
  expect(wait.quantile(0.5)).toBeGreaterThan(2_600_000);
});

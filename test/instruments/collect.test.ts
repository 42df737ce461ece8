import { expect, test } from "vitest";
import { type Fraction, fraction } from "../../src/fractions.js";
import { CollectDistribution } from "../../src/instruments/collect.js";
import { contourUpTo } from "../../src/instruments/contour.js";
import { encloseMoments } from "../../src/instruments/quadrature.js";
import { near } from "./near.js";

const p = (n: number, d: number): Fraction => fraction(BigInt(n), BigInt(d));
const text = (value: unknown) => JSON.parse(JSON.stringify(value));

test("the oracles", () => {
  const die = new CollectDistribution(Array(6).fill(p(1, 6)), 1);
  expect(text(die.mean)).toBe("147/10");
  const three = new CollectDistribution([p(1, 2), p(1, 3), p(1, 6)], 1);
  expect(text(three.mean)).toBe("73/10");
  expect(text(three.upTo(10))).toBe("76625/93312");
  const rare = new CollectDistribution([p(1, 128), p(1, 128), p(1, 128), p(1, 512)], 1);
  expect(near(rare.mean).toFixed(7)).toBe("570.7487179");
  expect(near(rare.upTo(1000)).toFixed(10)).toBe("0.8574276730");
  expect(text(new CollectDistribution(Array(6).fill(p(1, 6)), 2).mean)).toBe("390968681/16200000");
});

test("the contour agrees with the exact values", () => {
  for (const copies of [1, 2, 3]) {
    const wanted = { weights: [4n, 4n, 4n, 1n], whole: 512n, copies };
    const exact = new CollectDistribution([p(4, 512), p(4, 512), p(4, 512), p(1, 512)], copies);
    for (const n of [12, 50, 1000, 5000]) {
      const bounds = contourUpTo(wanted, n, 160);
      const value = exact.upTo(n) as Fraction;
      expect(near(bounds)).toBeCloseTo(near(value), 12);
    }
  }
});

test("200 unequal results", () => {
  const weights = Array.from({ length: 200 }, (_, i) => 1 + ((i * 7919) % 1000));
  const whole = weights.reduce((a, b) => a + b) + 5000;
  const set = new CollectDistribution(
    weights.map((w) => p(w, whole)),
    1,
  );
  const start = performance.now();
  const value = near(set.upTo(100_000));
  console.log(value, performance.now() - start);
  console.log(set.quantile(0.5), performance.now() - start);
  console.log(near(set.mean), performance.now() - start);
});

test("the quadrature agrees with the exact moments", () => {
  for (const copies of [1, 2, 3]) {
    const wanted = { weights: [4n, 4n, 9n, 1n], whole: 512n, copies };
    const exact = new CollectDistribution([p(4, 512), p(4, 512), p(9, 512), p(1, 512)], copies);
    const { mean, square } = encloseMoments(wanted, 64);
    const variance = square.minus(mean.plus(mean.times(mean)));
    expect(near(mean.bounds) / near(exact.mean)).toBeCloseTo(1, 12);
    expect(near(variance.bounds) / near(exact.variance)).toBeCloseTo(1, 12);
  }
});

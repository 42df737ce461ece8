import { expect, test } from "vitest";
import { fraction } from "../../src/fractions.js";
import { Trials } from "../../src/instruments/binomial.js";
import { CollectDistribution } from "../../src/instruments/collect.js";
import { contourUpTo } from "../../src/instruments/contour.js";
import type { Distribution, Part } from "../../src/instruments/distribution.js";
import { encloseMoments } from "../../src/instruments/quadrature.js";
import { Sums } from "../../src/instruments/sums.js";
import { IS_SOAK } from "../soak.js";
import { encloses, integers } from "./random.js";

const PARTS: readonly Part[] = ["at", "upTo", "from"];

function check(distribution: Distribution, n: number, bits: number): void {
  for (const part of PARTS) {
    const value = distribution.exact(part, n);
    if (value === undefined) throw new Error("the case is too large to be exact");
    expect(encloses(distribution.enclose(part, n, bits), value), `${part} ${n} at ${bits} bits`).toBe(true);
  }
}

const inside = (distribution: Distribution, n: number) => {
  const { least, most = Infinity } = distribution;
  return Math.max(least + 1, Math.min(n, most - 1));
};

test("trials: 10,000 cases", () => {
  const random = integers(11);
  for (let i = 0; i < (IS_SOAK ? 10_000 : 500); i++) {
    const whole = 2 + random(400);
    const trials = new Trials(fraction(BigInt(1 + random(whole - 1)), BigInt(whole)));
    const n = 3 + random(60);
    const bits = 16 + random(80);
    check(trials.count(n), inside(trials.count(n), random(n)), bits);
    const wait = trials.wait(1 + random(4));
    check(wait, inside(wait, wait.least + random(60)), bits);
  }
});

test("sums: 10,000 cases", () => {
  const random = integers(12);
  for (let i = 0; i < (IS_SOAK ? 10_000 : 250); i++) {
    const weights = Array.from({ length: 2 + random(4) }, () => 1 + random(9));
    const whole = BigInt(weights.reduce((a, b) => a + b));
    const odds = weights.map((weight, result) => ({ result, probability: fraction(BigInt(weight), whole) }));
    const sums = new Sums({ odds, none: fraction(0n, 1n) });
    const count = sums.count(2 + random(20));
    check(count, inside(count, random(40)), 16 + random(80));
    const wait = sums.wait(2 + random(20));
    check(wait, inside(wait, wait.least + random(20)), 16 + random(80));
  }
});

test("sets: 10,000 cases of expansions, contours and quadratures", () => {
  const random = integers(13);
  for (let i = 0; i < (IS_SOAK ? 10_000 : 120); i++) {
    const weights = Array.from({ length: 1 + random(4) }, () => BigInt(1 + random(20)));
    const whole = weights.reduce((a, b) => a + b) + BigInt(random(50));
    const copies = 1 + random(3);
    const set = new CollectDistribution(
      weights.map((weight) => fraction(weight, whole)),
      copies,
    );
    const n = inside(set, set.least + random(200));
    const bits = 16 + random(60);
    check(set, n, bits);
    const upTo = set.upTo(n);
    if (!("numerator" in upTo)) throw new Error("the case is too large to be exact");
    expect(encloses(contourUpTo({ weights, whole, copies }, n, bits), upTo)).toBe(true);
    if (i % 10 > 0 || !("numerator" in set.mean)) continue;
    expect(encloses(encloseMoments({ weights, whole, copies }, bits).mean.bounds, set.mean)).toBe(true);
  }
});

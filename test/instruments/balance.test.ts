import { expect, test } from "vitest";
import { add, fraction, multiply, ONE, subtract, toNumber, ZERO } from "../../src/fractions.js";
import { createMill, parseLabels } from "../../src/index.js";
import { balance } from "../../src/instruments/balance.js";
import { chance } from "../../src/instruments/chance.js";
import { near } from "./near.js";
import { integers } from "./random.js";

const list = (input: unknown) => {
  const { spec } = parseLabels(input);
  if (spec === undefined) throw new Error("the list has errors");
  return spec;
};

test("an exact target, and a chance within 100 picks", () => {
  expect(balance(list({ crown: 5, gold: 95 }), { crown: "1/400" })).toMatchObject({ weights: [1, 399], total: 400 });
  const spec = list({ crown: 5, gold: 90, gem: 5 });
  const { weights, total } = balance(spec, { crown: { within: 100, chance: "95/100" } }, { total: 10_000 });
  const made = createMill({ seed: 1 }).weighted("made", { crown: weights[0], gold: weights[1], gem: weights[2] });
  expect(near(chance(made, "crown", { in: 100 }))).toBeGreaterThanOrEqual(0.95);
  const less = createMill({ seed: 1 }).weighted("less", { crown: weights[0] - 1, rest: total - weights[0] + 1 });
  expect(near(chance(less, "crown", { in: 100 }))).toBeLessThan(0.95);
  expect(weights[1] / weights[2]).toBeCloseTo(18, 0);
});

test("1,000 random lists: within the bound, and the others in proportion", () => {
  const random = integers(21);
  for (let i = 0; i < 1000; i++) {
    const weights = Array.from({ length: 3 + random(5) }, () => 1 + random(1000));
    const spec = list(Object.fromEntries(weights.map((weight, k) => [`r${k}`, weight])));
    const targets = { r0: `${1 + random(400)}/1000`, r1: `${1 + random(500)}/1013` };
    const total = 10_000 + random(1_000_000);
    const made = balance(spec, targets, { total });
    expect(made.total).toBeLessThanOrEqual(total);
    for (const { wanted, probability } of made.reached) {
      expect(Math.abs(toNumber(wanted) - toNumber(probability))).toBeLessThan(1 / total);
    }
    const left = subtract(
      ONE,
      made.reached.reduce((sum, { wanted }) => add(sum, wanted), ZERO),
    );
    const rest = weights.slice(2).reduce((a, b) => a + b);
    for (const [k, weight] of weights.entries()) {
      if (k < 2) continue;
      const share = toNumber(multiply(left, fraction(BigInt(weight), BigInt(rest))));
      expect(Math.abs(made.weights[k] / made.total - share)).toBeLessThan(2 / total);
    }
  }
});

test("what cannot be met", () => {
  const spec = list({ crown: 5, gold: 95 });
  expect(() => balance(spec, { crwn: 0.5 })).toThrow("crown");
  expect(() => balance(spec, { crown: 1 })).toThrow("below 1");
  expect(() => balance(spec, { crown: 0.6, gold: 0.6 })).toThrow("do not add up to 1");
  expect(() => balance(spec, { crown: "1/1000003" }, { total: 100 })).toThrow("total");
  expect(balance(spec, { crown: 0.25, gold: 0.75 }).weights).toEqual([1, 3]);
});

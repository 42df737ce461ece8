import { expect, test } from "vitest";
import { toNumber } from "../../src/fractions.js";
import { pityOdds } from "../../src/instruments/pityOdds.js";
import { near } from "./near.js";
import { integers } from "./random.js";

test("the oracles: 0.6 %, a sure hit at 90, and 6 % more a pull from 74 on", () => {
  const hard = pityOdds({ base: 0.006, hard: 90 });
  expect(near(hard.wait().mean).toFixed(7)).toBe("69.6998038");
  const soft = pityOdds({ base: 0.006, hard: 90, soft: { from: 74, add: 0.06 } });
  expect(near(soft.wait().mean).toFixed(7)).toBe("62.2973320");
  expect(toNumber(soft.rate).toFixed(10)).toBe("0.0160520518");
  expect(soft.wait({ since: 89 }).quantile(1)).toBe(1);
});

test("a featured result: against a simulation", () => {
  const odds = pityOdds({ base: 0.1, hard: 6, soft: { from: 4, add: 0.2 }, featured: 0.5 });
  const random = integers(31);
  let [pulls, waits, lost] = [0, 0, false];
  const n = 40_000;
  for (let i = 0; i < n; i++) {
    for (let since = 1; ; since++) {
      pulls++;
      if (random(1e6) / 1e6 >= toNumber(odds.chances[since - 1])) continue;
      const isFeatured = lost || random(2) === 0;
      lost = !isFeatured;
      if (isFeatured) break;
      since = 0;
    }
    waits++;
  }
  const mean = near(odds.waitFeatured().mean);
  const deviation = Math.sqrt(near(odds.waitFeatured().variance) / n);
  expect(Math.abs(pulls / waits - mean)).toBeLessThan(5 * deviation);
  expect(toNumber(odds.featuredRate ?? odds.rate)).toBeCloseTo(1 / mean, 12);
  expect(near(odds.waitFeatured({ guaranteed: true }).mean)).toBe(near(odds.wait().mean));
});

test("a rule without a sure hit", () => {
  expect(() => pityOdds({ base: 0.1 })).toThrow("hard");
  expect(() => pityOdds({ base: 1.5, hard: 3 })).toThrow("base");
});

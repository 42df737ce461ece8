import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { agrees, chiSquare, lawOf, trialsToTell } from "./chiSquare.js";

test("critical values are those of the tables (α = 10⁻⁶)", () => {
  // R 4: qchisq(1e-6, c(1, 4, 9, 36, 99), lower.tail = FALSE)
  const critical = [2, 5, 10, 37, 100].map((cells) => {
    const counts = new Array<number>(cells).fill(1000);
    return chiSquare(counts, lawOf(counts)).critical.toFixed(3);
  });
  expect(critical).toEqual(["23.928", "33.377", "44.811", "91.502", "180.792"]);
});

test("the statistic of a die, by hand", () => {
  // (−5)² + 5² and no more, over 100 each
  expect(chiSquare([95, 105, 100], lawOf([1, 1, 1]))).toMatchObject({ statistic: 0.5, df: 2 });
  expect(chiSquare([1, 0, 99], [0.01, 0.01, 0.98]).df).toBe(1);
  expect(agrees([0, 10_000, 1], [0.5, 0.5, 0])).toBe(false);
});

test("a cell that cannot be is not hit even once", () => {
  expect(agrees([500_000, 500_000, 0], [0.5, 0.5, 0])).toBe(true);
  expect(agrees([500_000, 500_000, 1], [0.5, 0.5, 0])).toBe(false);
});

test("a 1 % error on 10 of 162 takes 11.4 million draws to tell, and that many do", () => {
  const law = lawOf([10, 25, 100, 25, 2]);
  const wrong = lawOf([10.1, 25, 100, 25, 2]);
  // with one degree of freedom: 64 / ((0.01)² · p / (1 − p)) (1 − 2·10⁻⁴)
  const needed = trialsToTell([law[0], 1 - law[0]], [wrong[0], 1 - wrong[0]]);
  expect(needed / 1e6).toBeCloseTo(11.4, 0);
  const list = createMill({ seed: "power" }).weighted("wrong", [1010, 2500, 10_000, 2500, 200]);
  const counts = [...list.count(trialsToTell(law, wrong)).counts.values()];
  expect([agrees(counts, wrong), agrees(counts, law)]).toEqual([true, false]);
});

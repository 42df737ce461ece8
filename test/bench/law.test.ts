import { expect, test } from "vitest";
import { benchModule } from "./modules.js";

const { assertLaw, chiSquare } = await benchModule("law");

test("chi-square sums (observed − expected)² / expected over the cells", () => {
  expect(chiSquare([0.5, 0.25, 0.25], [60, 20, 20], 100)).toEqual({ statistic: 2 + 1 + 1, freedom: 2 });
});

test("cells that expect fewer than ten are pooled", () => {
  const law = [0.5, 0.38, 0.06, 0.06];
  expect(chiSquare(law, [50, 38, 12, 0], 100)).toEqual({ statistic: 0, freedom: 2 });
});

test("what cannot happen and did is infinitely unlikely", () => {
  expect(chiSquare([1, 0], [99, 1], 100).statistic).toBe(Number.POSITIVE_INFINITY);
  expect(() => assertLaw([1, 0], [99, 1], 100)).toThrow("chi-square Infinity");
});

test("counts within chance pass, and a bias of three percent does not", () => {
  expect(() => assertLaw([0.5, 0.5], [50_200, 49_800], 100_000)).not.toThrow();
  expect(() => assertLaw([0.5, 0.5], [51_500, 48_500], 100_000)).toThrow("do not follow the weights");
});

test("results that were lost are noticed", () => {
  expect(() => assertLaw([0.5, 0.5], [50, 49], 100)).toThrow("counted as 99 in 2 cells");
  expect(() => assertLaw([0.5, 0.5], [100], 100)).toThrow("100 in 1 cells, expected 2");
});

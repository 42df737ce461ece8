import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { agrees, lawOf, trialsToTell } from "../statistics/chiSquare.js";

const even = (n: number) => Array.from({ length: n }, () => 1);

/** Weights, and weights that are a little wrong: what the number of picks must be able to tell apart. */
const CASES: [string, number[], (weights: readonly number[]) => number[]][] = [
  ["8 entries, the first 1 % too heavy", [10, 25, 100, 25, 2, 0, 7, 90], (w) => w.with(0, w[0] * 1.01)],
  ["8 even entries, the last 0.5 % too light", even(8), (w) => w.with(7, 0.995)],
  ["64 entries 1 … 64, the first one too heavy", even(64).map((_, i) => i + 1), (w) => w.with(0, 2)],
  [
    "64 entries, half of them 0, every fourth 1 % off",
    even(64).map((_, i) => (i % 2) * (i + 3)),
    (w) => w.map((x, i) => (i % 4 === 1 ? x * 1.01 : x)),
  ],
  ["1,000 even entries, every second 0.5 % too heavy", even(1000), (w) => w.map((x, i) => (i % 2 ? x * 1.005 : x))],
  [
    "1,000 entries of 1 to 1,000, the lighter half 1 % too heavy",
    even(1000).map((_, i) => i + 1),
    (w) => w.map((x, i) => (i < 500 ? x * 1.01 : x)),
  ],
  [
    "3 entries of nearly 2^32 in all, one of them 0.3 % off",
    [2 ** 31, 2 ** 30, 2 ** 30 - 1],
    (w) => w.with(1, w[1] * 1.003),
  ],
];

describe("weighted picks have their odds (α = 10⁻⁶)", () => {
  test.each(CASES)("%s", (_, weights, spoil) => {
    const law = lawOf(weights);
    const wrong = lawOf(spoil(weights));
    const picks = trialsToTell(wrong, law);
    expect(picks).toBeLessThan(120_000_000);
    const { counts } = createMill({ seed: "statistics" }).weighted("picks", weights).count(picks);
    const found = [...counts.values()];
    expect([agrees(found, law), agrees(found, wrong)]).toEqual([true, false]);
  });

  test("2^16 entries, 40 picks each: every entry has its share", () => {
    const weights = even(2 ** 16).map((_, i) => 1 + (i % 5));
    const list = createMill({ seed: "statistics" }).weighted("long", weights);
    const counts = [...list.count(40 * 2 ** 16).counts.values()];
    expect(agrees(counts, lawOf(weights))).toBe(true);
    expect(agrees(counts, lawOf(weights.map((weight, i) => (i % 2 ? weight * 1.2 : weight))))).toBe(false);
  });
});

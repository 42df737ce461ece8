import { describe, expect, test } from "vitest";
import { add, type Fraction, fraction, ONE, toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { DIRECTIONS, PRESETS, type PresetName } from "../../src/walks/index.js";
import { endPointLaw, meanSquare, meanSquareClosedForm, probabilityAt } from "../oracle/walkLaw.js";

interface Row {
  readonly preset: PresetName;
  /** The closed form in n. */
  readonly form: (n: number) => number;
  readonly at10: Fraction;
  readonly at100: number;
  readonly at1000: number;
  readonly origin: Fraction;
  readonly sites: readonly [after6: number, after8: number];
}

// Exact values of E[R²] for n = 10 follow from the closed forms; the decimals of the table agree to all their digits.
const TABLE: readonly Row[] = [
  {
    preset: "rf50-lf50",
    form: (n) => 3 * n - 4 * (1 - 2 ** -n),
    at10: fraction(26n * 256n + 1n, 256n),
    at100: 296,
    at1000: 2996,
    origin: fraction(1n, 16n),
    sites: [37, 61],
  },
  {
    preset: "rb50-lb50",
    form: (n) => n / 3 + (4 / 9) * (1 - (-1 / 2) ** n),
    at10: fraction(967n, 256n),
    at100: 33 + 7 / 9,
    at1000: 333 + 7 / 9,
    origin: fraction(5n, 16n),
    sites: [13, 30],
  },
  {
    preset: "rb66-lb33",
    form: (n) => meanSquareClosedForm([0, 0, 2, 0, 1, 0], n),
    at10: fraction(65853n, 19683n),
    at100: 29.06122449,
    at1000: 286.204081633,
    origin: fraction(29n, 81n),
    sites: [13, 30],
  },
  {
    preset: "sf66-rf33",
    form: (n) => meanSquareClosedForm([2, 1, 0, 0, 0, 0], n),
    at10: fraction(707009n, 19683n),
    at100: 211.99998084,
    at1000: 2012,
    origin: fraction(1n, 243n),
    sites: [127, 217],
  },
  {
    preset: "five-ways",
    form: (n) => 1.5 * n - 0.625 * (1 - 5 ** -n),
    at10: fraction(14375000064n, 1000000000n),
    at100: 149.375,
    at1000: 1499.375,
    origin: fraction(18n, 625n),
    sites: [127, 217],
  },
  {
    preset: "uniform",
    form: (n) => n,
    at10: fraction(10n, 1n),
    at100: 100,
    at1000: 1000,
    origin: fraction(85n, 1944n),
    sites: [127, 217],
  },
];

describe.each(TABLE)("the end of a walk by $preset", ({ preset, form, at10, at100, at1000, origin, sites }) => {
  const tensor = PRESETS[preset];

  test("E[R²] by the rational programme is the closed form's", () => {
    for (const n of [1, 2, 5, 8]) expect(toNumber(meanSquare(endPointLaw(tensor, n)))).toBeCloseTo(form(n), 9);
    expect(meanSquare(endPointLaw(tensor, 10))).toEqual(at10);
  });

  test("E[R²] by the closed form for 10, 100 and 1000 steps", () => {
    const closed = [10, 100, 1000].map((n) => meanSquareClosedForm(tensor.relative, n));
    expect(closed[0]).toBeCloseTo(toNumber(at10), 9);
    expect(closed[1]).toBeCloseTo(at100, 7);
    expect(closed[2]).toBeCloseTo(at1000, 7);
    expect([10, 100, 1000].map(form).every((value, i) => Math.abs(value - closed[i]) < 1e-8)).toBe(true);
  });

  test("P(origin) after 6 steps, and the sites possible after 6 and 8", () => {
    const six = endPointLaw(tensor, 6);
    const eight = endPointLaw(tensor, 8);
    expect(probabilityAt(six, 0, 0)).toEqual(origin);
    expect([six.length, eight.length]).toEqual(sites);
    expect(eight.map((end) => end.probability).reduce(add)).toEqual(ONE);
  });

  test("each step of the law has the library's own odds", () => {
    const walk = createMill({ seed: "law" }).walk("land", { preset });
    for (const heading of DIRECTIONS) {
      const relative = new Map(
        DIRECTIONS.map((name, c) => [name, tensor.relative[(c - DIRECTIONS.indexOf(heading) + 6) % 6]]),
      );
      const total = [...relative.values()].reduce((a, b) => a + b, 0);
      const probabilities = [...relative.values()].map((w) => fraction(BigInt(w), BigInt(total)));
      expect(walk.odds({ heading }).odds.map(({ probability }) => probability)).toEqual(probabilities);
    }
  });
});

test("a pure turn comes back: right forward after 6 steps, right backward after 3, backward after 2", () => {
  const pure = (turn: number) => ({
    absolute: [1, 1, 1, 1, 1, 1],
    relative: [0, 0, 0, 0, 0, 0].fill(1, turn, turn + 1),
  });
  for (const [turn, cycle] of [
    [1, 6],
    [2, 3],
    [3, 2],
    [4, 3],
    [5, 6],
  ]) {
    for (let n = 1; n <= 12; n++) {
      const back = toNumber(probabilityAt(endPointLaw(pure(turn), n), 0, 0));
      expect([turn, n, back]).toEqual([turn, n, n % cycle === 0 ? 1 : 0]);
    }
  }
});

test("right forward and left forward alone leave one class of cells out of three unvisited", () => {
  for (let n = 0; n <= 8; n++) {
    const classes = endPointLaw(PRESETS["rf50-lf50"], n).map(({ row, col }) => (((col - row) % 3) + 3) % 3);
    // the first step from rest goes either way, and each way alternates between the origin's class and its own
    expect(new Set(classes)).toEqual(new Set(n % 2 === 0 ? [0] : [1, 2]));
  }
});

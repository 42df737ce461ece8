import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DirectionTensor } from "../../src/compat/index.js";
import { add, fraction, ONE, ZERO } from "../../src/fractions.js";
import { RESTING } from "../../src/walks/directions.js";
import { DIRECTIONS, type Heading } from "../../src/walks/index.js";
import { sixths } from "../walks/cases.js";

const headings: readonly Heading[] = [...DIRECTIONS, "resting"];
const zeros = new Array(6).fill(ZERO);

describe("the class module's parts", () => {
  const east = new DirectionTensor({ absolute: { E: 1 }, relative: { "2:00": 1 } });
  const biased = new DirectionTensor({ absolute: { NW: 1, NE: 2, E: 3 }, relative: { forward: 1, rightForward: 1 } });

  test("direction names the six unit displacements and calls everything else resting", () => {
    const from = (row: number, col: number) => DirectionTensor.direction([5, 5], [5 + row, 5 + col]);
    expect([from(-1, 0), from(-1, 1), from(0, 1), from(1, 0), from(1, -1), from(0, -1)]).toEqual([...DIRECTIONS]);
    expect([from(0, 0), from(1, 1), from(-1, -1), from(0, 2), from(40, 0)]).toEqual(new Array(5).fill("resting"));
  });

  test("direction wraps on a torus and nowhere else", () => {
    const torus = { kind: "torus", rows: 10, cols: 20 } as const;
    const bounded = { kind: "bounded", rows: 10, cols: 20 } as const;
    expect(DirectionTensor.direction([0, 0], [9, 0], torus)).toBe("NW");
    expect(DirectionTensor.direction([0, 19], [9, 0], torus)).toBe("NE");
    expect(DirectionTensor.direction([9, 0], [0, 19], torus)).toBe("SW");
    expect(DirectionTensor.direction([0, 0], [9, 0], bounded)).toBe("resting");
    expect(DirectionTensor.direction([3, 0], [3, 1], { kind: "torus", rows: 1, cols: 2 })).toBe("NE");
    expect(DirectionTensor.direction([0, 0], [0, 0], { kind: "torus", rows: 1, cols: 1 })).toBe("resting");
  });

  test("calculate leaves zeros if nothing is possible", () => {
    expect(east.calculate("E")).toEqual(zeros);
    expect(east.calculate("NE")).toEqual(sixths(0, 0, 1, 0, 0, 0));
    expect(east.calculate("resting")).toEqual(sixths(0, 0, 1, 0, 0, 0));
  });

  test("normalize divides by a total, or by the sum for 0, or returns the resting weights for a sum of 0", () => {
    expect(biased.normalize([1, 1, 0, 0, 0, 0], 4)).toEqual([fraction(1n, 4n), fraction(1n, 4n), ...zeros.slice(2)]);
    expect(biased.normalize([0.1, 0.3, 0, 0, 0, 0])).toEqual(sixths(1, 3, 0, 0, 0, 0));
    expect(biased.normalize([ONE, ZERO, ZERO, ZERO, ZERO, ONE], ZERO)).toEqual(sixths(1, 0, 0, 0, 0, 1));
    expect(biased.normalize(zeros)).toEqual(sixths(1, 2, 3, 0, 0, 0));
  });

  test("probabilities: combined over the open, else absolute over the open, else rest", () => {
    expect(biased.probabilities("NW")).toEqual(sixths(1, 2, 0, 0, 0, 0));
    expect(biased.probabilities("NW", ["NW"])).toEqual(sixths(0, 1, 0, 0, 0, 0));
    expect(biased.probabilities("NW", ["NW", "NE"])).toEqual(sixths(0, 0, 1, 0, 0, 0));
    expect(biased.probabilities("SE")).toEqual(sixths(1, 2, 3, 0, 0, 0));
    expect(biased.probabilities("SE", ["East"])).toEqual(sixths(1, 2, 0, 0, 0, 0));
    expect(biased.probabilities("NW", ["NW", "NE", "E"])).toEqual(zeros);
    expect(biased.probabilities("NW", [true, false, false, false, false, false])).toEqual(sixths(0, 1, 0, 0, 0, 0));
  });

  test("the study's own rotation for East: right forward is SE, left forward is NE", () => {
    const tensor = new DirectionTensor({ relative: { StraightForward: 1, RightForward: 2, LeftForward: 3 } });
    expect(tensor.calculate("East")).toEqual(sixths(0, 3, 1, 2, 0, 0));
  });

  test("unknown names and a seventh flag are refused", () => {
    expect(() => biased.probabilities("north" as "E")).toThrow(/argument\.range/);
    expect(() => biased.probabilities("E", ["toString" as "E"])).toThrow(/argument\.range/);
    expect(() => biased.probabilities("E", new Array<boolean>(7).fill(false))).toThrow(/argument\.range/);
    expect(() => biased.normalize([Number.NaN])).toThrow(/weights\.invalid/);
    expect(() => new DirectionTensor({ absolute: { E: 0 } })).toThrow(/weights\.empty/);
    expect(() => new DirectionTensor("rb50" as "uniform")).toThrow(/walk\.tensor/);
  });

  test("property: the fractions sum to 1 or 0, and a closed or zero direction has none", () => {
    const six = fc.array(fc.nat(9), { minLength: 6, maxLength: 6 });
    const flags = fc.array(fc.boolean(), { minLength: 6, maxLength: 6 });
    fc.assert(
      fc.property(six, six, flags, fc.nat(RESTING), (absolute, relative, closed, d) => {
        fc.pre(absolute.some((weight) => weight > 0));
        const byName = Object.fromEntries(DIRECTIONS.map((name, i) => [name, absolute[i]]));
        const clock = ["12:00", "2:00", "4:00", "6:00", "8:00", "10:00"];
        const turns = Object.fromEntries(clock.map((name, i) => [name, relative[i]]));
        const p = new DirectionTensor({ absolute: byName, relative: turns }).probabilities(headings[d], closed);
        const possible = absolute.some((weight, i) => weight > 0 && !closed[i]);
        expect(p.reduce(add)).toEqual(possible ? ONE : ZERO);
        for (let c = 0; c < 6; c++) if (closed[c] || absolute[c] === 0) expect(p[c]).toEqual(ZERO);
      }),
      { seed: 20262 },
    );
  });
});

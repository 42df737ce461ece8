import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { add, fraction, ONE, ZERO } from "../../src/fractions.js";
import {
  compileTensor,
  DIRECTIONS,
  DirectionTensor,
  type Heading,
  PRESET_NAMES,
  PRESETS,
  RESTING,
  type TensorSpec,
} from "../../src/walks/index.js";

const headings: readonly Heading[] = [...DIRECTIONS, "resting"];
const sixths = (...numerators: readonly number[]) => {
  const total = BigInt(numerators.reduce((a, b) => a + b, 0));
  return numerators.map((n) => fraction(BigInt(n), total));
};
const zeros = new Array(6).fill(ZERO);

describe("compileTensor", () => {
  const spec: TensorSpec = { absolute: [1, 2, 3, 4, 5, 6], relative: [10, 20, 30, 40, 50, 60] };

  test("combined[d][c] = absolute[c] · relative[(c − d) mod 6], clockwise from NW and from straight ahead", () => {
    const { tensor } = compileTensor(spec);
    for (let d = 0; d < 6; d++) {
      for (let c = 0; c < 6; c++) {
        expect(tensor?.combined[d * 6 + c]).toBe(spec.absolute[c] * spec.relative[(c - d + 6) % 6]);
      }
    }
    expect([...(tensor?.combined.subarray(36) ?? [])]).toEqual(spec.absolute);
    expect([...(tensor?.absolute ?? [])]).toEqual(spec.absolute);
  });

  test("the study's own rotation for East: right forward is SE, left forward is NE", () => {
    const tensor = new DirectionTensor({ relative: { StraightForward: 1, RightForward: 2, LeftForward: 3 } });
    expect(tensor.calculate("East")).toEqual(sixths(0, 3, 1, 2, 0, 0));
  });

  test("absolute and relative decimals are scaled each by their own power of ten", () => {
    const { tensor } = compileTensor({ absolute: [0.5, 1, 0, 0, 0, 0], relative: [0.25, 0, 0, 0, 0, 1] });
    expect([...(tensor?.absolute ?? [])]).toEqual([5, 10, 0, 0, 0, 0]);
    expect([...(tensor?.combined.subarray(0, 6) ?? [])]).toEqual([125, 0, 0, 0, 0, 0]);
    expect([...(tensor?.combined.subarray(6, 12) ?? [])]).toEqual([500, 250, 0, 0, 0, 0]);
  });

  test("a heading whose products are all zero keeps its zeros", () => {
    const { tensor } = compileTensor({ absolute: [0, 0, 1, 0, 0, 0], relative: [0, 1, 0, 0, 0, 0] });
    const sums = headings.map((_, d) => tensor?.combined.subarray(d * 6, d * 6 + 6).reduce((a, b) => a + b, 0));
    expect(sums).toEqual([0, 1, 0, 0, 0, 0, 1]);
  });

  test("a sum of 2^32 - 1 is taken and one more is refused", () => {
    const most = { absolute: [65535, 0, 0, 0, 0, 0], relative: [65537, 0, 0, 0, 0, 0] };
    expect(compileTensor(most).tensor?.combined[0]).toBe(0xffff_ffff);
    const over = { absolute: [65536, 0, 0, 0, 0, 0], relative: [65536, 0, 0, 0, 0, 0] };
    expect(compileTensor(over).issues.map((issue) => issue.code)).toEqual(["weights.overflow"]);
    const eastOnly = { absolute: [0, 0, 65536, 0, 0, 1], relative: [65536, 0, 0, 0, 0, 0] };
    expect(compileTensor(eastOnly).issues.map((issue) => issue.message)[0]).toMatch(/for heading E:/);
    const spread = { absolute: [1, 1, 0, 0, 0, 0], relative: [0xffff_ffff, 1, 0, 0, 0, 0] };
    expect(compileTensor(spread).issues.map((issue) => [issue.code, issue.where.path])).toEqual([
      ["weights.overflow", "tensor"],
    ]);
  });

  test("an all-zero absolute vector is refused, an all-zero relative one is not", () => {
    const none = [0, 0, 0, 0, 0, 0];
    const { issues } = compileTensor({ absolute: none, relative: none });
    expect(issues.map((issue) => [issue.code, issue.where.path])).toEqual([["weights.empty", "tensor.absolute"]]);
    expect(compileTensor({ absolute: [1, 0, 0, 0, 0, 0], relative: none }).issues).toEqual([]);
  });

  test("bad weights are named by direction and turn", () => {
    const { issues } = compileTensor({ absolute: [-1, 1, 1, 1, 1, 1], relative: [1, 1, Number.NaN, 1, 1, 1] });
    expect(issues.map((issue) => issue.where.path)).toEqual(["tensor.absolute.NW", "tensor.relative.rightBackward"]);
  });
});

describe("the class module's parts", () => {
  const east = new DirectionTensor({ absolute: { E: 1 }, relative: { "2:00": 1 } });
  const biased = new DirectionTensor({ absolute: { NW: 1, NE: 2, E: 3 }, relative: { forward: 1, rightForward: 1 } });

  test("direction names the six unit displacements and calls all else resting", () => {
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

  test("calculate leaves zeros where nothing is possible", () => {
    expect(east.calculate("E")).toEqual(zeros);
    expect(east.calculate("NE")).toEqual(sixths(0, 0, 1, 0, 0, 0));
    expect(east.calculate("resting")).toEqual(sixths(0, 0, 1, 0, 0, 0));
  });

  test("normalize divides by a total, sums for 0, and falls back to the resting weights where the sum is 0", () => {
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

  test("unknown names are refused with the known ones", () => {
    expect(() => biased.probabilities("north" as "E")).toThrow(/unknown heading: got "north".*argument\.range/s);
    expect(() => biased.probabilities("E", ["toString" as "E"])).toThrow(/unknown direction/);
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

describe("presets", () => {
  test("each of the study's patterns stands under its name; percent pairs are weights 2:1", () => {
    expect(PRESET_NAMES).toEqual(["rb50-lb50", "rb66-lb33", "sf66-rf33", "rf50-lf50", "five-ways", "uniform"]);
    const fromEast = Object.fromEntries(PRESET_NAMES.map((name) => [name, new DirectionTensor(name).calculate("E")]));
    expect(fromEast["rb50-lb50"]).toEqual(sixths(1, 0, 0, 0, 1, 0));
    expect(fromEast["rb66-lb33"]).toEqual(sixths(1, 0, 0, 0, 2, 0));
    expect(fromEast["sf66-rf33"]).toEqual(sixths(0, 0, 2, 1, 0, 0));
    expect(fromEast["rf50-lf50"]).toEqual(sixths(0, 1, 0, 1, 0, 0));
    expect(fromEast["five-ways"]).toEqual(sixths(1, 1, 1, 1, 1, 0));
    expect(fromEast.uniform).toEqual(sixths(1, 1, 1, 1, 1, 1));
  });

  test("no preset has a bias of its own among the six directions", () => {
    for (const name of PRESET_NAMES) expect(PRESETS[name].absolute).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

import { describe, expect, test } from "vitest";
import { DirectionTensor } from "../../src/compat/index.js";
import { add, type Fraction, fraction, ZERO } from "../../src/fractions.js";
import { compileTensor } from "../../src/walks/compile.js";
import { DIRECTIONS, PRESETS, type TensorSpec } from "../../src/walks/index.js";
import {
  TwinMap,
  type TwinState,
  type TwinWords,
  twinBelow,
  twinPath,
  twinRectStart,
  twinStep,
} from "../oracle/walkTwin.js";

const origin: TwinState = { row: 0, col: 0, heading: 6 };
const unbounded = { grid: { kind: "unbounded" } } as const;

/** A word source for tests: any mixing will do, here murmur3's finalizer (Appleby) of the address. */
const words: TwinWords = {
  word: (plane, index) => mixed(plane, index, 0),
  extra: (plane, index, i) => mixed(plane, index, i + 1),
};

function mixed(plane: number, index: number, i: number): number {
  let h = Math.imul(plane + 1, 0x9e3779b1) ^ Math.imul(index + 1, 0x85ebca77) ^ Math.imul(i + 1, 0xc2b2ae3d);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function* listed(...values: readonly number[]): Generator<bigint, never> {
  for (const value of values) yield BigInt(value);
  throw new Error("more words taken than given");
}

describe("below, by hand", () => {
  test("a word that settles the matter takes no extra word", () => {
    expect(twinBelow(3, listed(0))).toBe(0);
    expect(twinBelow(3, listed(0x55555554))).toBe(0);
    expect(twinBelow(3, listed(0x55555556))).toBe(1);
    expect(twinBelow(1, listed(0xffff_ffff))).toBe(0);
    expect(twinBelow(0xffff_ffff, listed(0))).toBe(0);
  });

  test("a word on the border takes Lemire's r from the extra words, refusing the biased ones", () => {
    // 0x55555555 · 3 = 2³² − 1: r = 0 stays below, r ≥ 1 carries; x = 0 is refused since 0 < 2³² mod 3
    expect(twinBelow(3, listed(0x55555555, 1))).toBe(0);
    expect(twinBelow(3, listed(0x55555555, 0, 0x55555556))).toBe(1);
    expect(twinBelow(3, listed(0x55555555, 0, 0, 0xffff_ffff))).toBe(1);
    expect(twinBelow(3, listed(0xffff_ffff, 0xffff_ffff))).toBe(2);
  });
});

describe("one step, enumerated over words that stand for equal shares", () => {
  // Sums that are powers of two: word k·2³²/T gives below(T) = k exactly and never takes an extra word.
  const spec: TensorSpec = { absolute: [4, 2, 1, 1, 4, 4], relative: [1, 1, 1, 1, 0, 0] };
  const byName = new DirectionTensor({
    absolute: { NW: 4, NE: 2, E: 1, SE: 1, SW: 4, W: 4 },
    relative: { forward: 1, rightForward: 1, rightBackward: 1, backward: 1 },
  });
  const share = 2 ** 32 / 16;

  // from NW the combined weights are 4 2 1 1 0 0
  test.each<[string, readonly number[]]>([
    ["nothing closed", []],
    ["NW closed: 2 1 1 left of 8", [0]],
    ["NE, E and SE closed: only NW left", [1, 2, 3]],
    ["all combined closed: the absolute weights 4 4 of SW and W", [0, 1, 2, 3]],
    ["all but W closed", [0, 1, 2, 3, 4]],
    ["everything closed", [0, 1, 2, 3, 4, 5]],
  ])("%s", (_, closed) => {
    const offsets = new Set(closed.map((c) => ["-1,0", "-1,1", "0,1", "1,0", "1,-1", "0,-1"][c]));
    const ground = { ...unbounded, closed: (row: number, col: number) => offsets.has(`${row},${col}`) };
    const law: Fraction[] = new Array(7).fill(ZERO);
    for (let first = 0; first < 16; first++) {
      for (let second = 0; second < 16; second++) {
        const { heading } = twinStep(
          compileTensor(spec),
          ground,
          { row: 0, col: 0, heading: 0 },
          listed(first * share, second * share),
        );
        law[heading] = add(law[heading], fraction(1n, 256n));
      }
    }
    const expected = byName.probabilities(
      "NW",
      closed.map((c) => DIRECTIONS[c]),
    );
    expect(law.slice(0, 6)).toEqual(expected);
    expect(law[6]).toEqual(closed.length === 6 ? fraction(1n, 1n) : ZERO);
  });

  test("the draw over the open directions takes the extra words that the proposal has left", () => {
    // sum 3 over NW, NE, E, with E closed; 0x55555555 needs r, and here takes x0 and x1 for it
    const plan = compileTensor({ absolute: [1, 1, 1, 0, 0, 0], relative: [1, 1, 1, 1, 1, 1] });
    const ground = { ...unbounded, closed: (row: number, col: number) => row === -1 && col === 1 };
    const state = twinStep(plan, ground, origin, listed(0x55555555, 0, 0x55555556, 0xffff_ffff));
    expect(state).toEqual({ row: 0, col: 1, heading: 2 });
  });

  test("a walker that could not move rests, and the next step is from rest", () => {
    const plan = compileTensor({ absolute: [0, 0, 1, 0, 0, 0], relative: [0, 0, 0, 1, 0, 0] });
    const wall = { grid: { kind: "bounded", rows: 1, cols: 1 } } as const;
    expect(twinStep(plan, wall, { row: 0, col: 0, heading: 2 }, listed(5))).toEqual(origin);
  });
});

describe("paths", () => {
  test("each of the study's pure turns closes its cycle, and moves go the way their names say", () => {
    const right = compileTensor({ absolute: [1, 1, 1, 1, 1, 1], relative: [0, 1, 0, 0, 0, 0] });
    const start = { w: 0, start: { row: 0, col: 0, heading: 5 }, steps: 6 };
    expect([...twinPath(right, unbounded, words, start)].map(({ row, col }) => [row, col])).toEqual([
      [0, 0],
      [-1, 0],
      [-2, 1],
      [-2, 2],
      [-1, 2],
      [0, 1],
      [0, 0],
    ]);
  });

  test("a torus wraps, a bounded grid does not let out, and closed cells are not entered", () => {
    const plan = compileTensor(PRESETS.uniform);
    const isBarred = (row: number, col: number) => (row + col) % 5 === 3;
    for (const kind of ["torus", "bounded"] as const) {
      const ground = { grid: { kind, rows: 7, cols: 9 }, closed: isBarred };
      let before: TwinState | undefined;
      for (const state of twinPath(plan, ground, words, { w: 3, start: origin, steps: 2000 })) {
        expect(state.row >= 0 && state.row < 7 && state.col >= 0 && state.col < 9).toBe(true);
        expect(isBarred(state.row, state.col)).toBe(false);
        if (before !== undefined) {
          const heading = DirectionTensor.direction([before.row, before.col], [state.row, state.col], ground.grid);
          expect(heading).toBe(state.heading === 6 ? "resting" : DIRECTIONS[state.heading]);
        }
        before = state;
      }
    }
  });

  test("one path by right and left forward turns leaves a class of cells unvisited: the holes", () => {
    for (let w = 0; w < 8; w++) {
      const path = [
        ...twinPath(compileTensor(PRESETS["rf50-lf50"]), unbounded, words, { w, start: origin, steps: 300 }),
      ];
      expect(new Set(path.map(({ row, col }) => (((col - row) % 3) + 3) % 3)).size).toBe(2);
    }
  });

  test("Σ visits = walkers · (steps + 1), rest steps included; a first visit is the least step over all walkers", () => {
    const ground = { grid: { kind: "bounded", rows: 3, cols: 2 } } as const;
    const plan = compileTensor({ absolute: [0, 0, 1, 0, 0, 0], relative: [1, 0, 0, 0, 0, 0] });
    const map = new TwinMap();
    for (let w = 0; w < 3; w++) {
      map.add(twinPath(plan, ground, words, { w, start: { row: 1, col: w % 2, heading: 6 }, steps: 4 }));
    }
    expect(map.list()).toEqual([
      { row: 1, col: 0, visits: 2, first: 0 },
      { row: 1, col: 1, visits: 13, first: 0 },
    ]);
  });

  test("drawn starts fall on every cell of the rectangle and nowhere else", () => {
    const rect = { row0: -2, col0: 5, rows: 3, cols: 2 };
    const starts = new Set(Array.from({ length: 200 }, (_, w) => twinRectStart(rect, words, w).join()));
    expect(starts).toEqual(new Set(["-2,5", "-2,6", "-1,5", "-1,6", "0,5", "0,6"]));
  });
});

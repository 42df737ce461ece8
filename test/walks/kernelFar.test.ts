import { describe, expect, test } from "vitest";
import { createMill, type GridSpec, type WalkInput } from "../../src/index.js";
import type { LayerBody } from "../../src/walks/index.js";
import { compareWithTwin } from "./cases.js";

const setup = { seed: "moria", name: "land" };
const compare = (input: WalkInput) => compareWithTwin(input, setup);
const FAR = 2 ** 31 - 1;

/** A layer that only ever goes one way, or one of two. */
const towards = (...directions: readonly string[]): LayerBody => ({
  tensor: { absolute: Object.fromEntries(directions.map((direction) => [direction, 1])) },
});

/** Cells about the corners, the edges and the last whole chunk of a grid. */
function startsOn({ rows, cols }: { rows: number; cols: number }): [number, number][] {
  const along = (side: number) =>
    [0, 5, (side >> 6) << 6, ((side >> 6) << 6) - 1, side - 1].map((at) => clamp(at, side));
  return along(rows).flatMap((row) => along(cols).map((col): [number, number] => [row, col]));
}

const clamp = (at: number, side: number) => Math.max(0, Math.min(side - 1, at));

// More than 2^26 cells make a grid tiled: its last tiles reach beyond the edge, or end on it, or are the first ones too.
const LARGE = [
  [100, 700_000],
  [700_000, 100],
  [128, 600_000],
  [1, 2 ** 27],
  [2 ** 27, 1],
  [2, 2 ** 27 + 5],
  [65, 2 ** 21],
  [FAR, FAR],
  [FAR, 3],
  [8193, 8193],
] as const;

describe.each(["torus", "bounded"] as const)("a %s of more than 2^26 cells", (kind) => {
  test.each(LARGE)("%s × %s: over its edges and its last tiles as the twin", (rows, cols) => {
    const grid = { kind, rows, cols };
    const start = startsOn(grid);
    compare({ grid, start, walkers: start.length, steps: 220, firstVisit: true });
    compare({ grid, start, walkers: start.length, steps: 220 });
    for (const way of [towards("SE", "E"), towards("NW", "W"), towards("NE", "E"), towards("SW")]) {
      compare({ grid, start, walkers: start.length, steps: 150, ...way });
    }
  });

  test("closed cells at its far corner", () => {
    const grid: GridSpec = { kind, rows: 100, cols: 700_000 };
    const cells = [97, 98, 99, 0].flatMap((row) => [699_997, 699_999, 0, 2].map((col) => [row, col] as const));
    const start = [
      [99, 699_998],
      [1, 1],
      [63, 699_967],
    ] as const;
    compare({ grid, start, walkers: 12, steps: 400, closed: { cells }, firstVisit: true });
  });
});

describe("a grid of exactly 2^26 cells is one tile, one more row is tiled, and both walk as the twin", () => {
  test.each([
    [2 ** 13, 2 ** 13],
    [2 ** 13 + 1, 2 ** 13],
  ])("%s × %s", (rows, cols) => {
    const grid: GridSpec = { kind: "torus", rows, cols };
    compare({
      grid,
      start: [
        [rows - 1, cols - 1],
        [0, 0],
      ],
      walkers: 4,
      steps: 100,
    });
  });
});

describe("near the ends of i32", () => {
  test("walkers that stay inside walk as the twin, in all four corners", () => {
    const corners = [
      [
        [FAR, FAR],
        ["NW", "W"],
      ],
      [
        [-FAR - 1, -FAR - 1],
        ["SE", "E"],
      ],
      [
        [FAR, -FAR - 1],
        ["NE", "E"],
      ],
      [
        [-FAR - 1, FAR],
        ["SW", "W"],
      ],
    ] as const;
    for (const [start, ways] of corners) compare({ ...towards(...ways), start: [start], steps: 300, firstVisit: true });
  });

  test("walkers that come to the edge of an unbounded grid turn back as the twin, in all four corners (audit 5)", () => {
    for (const row of [FAR, -FAR - 1]) {
      for (const col of [FAR, -FAR - 1]) compare({ start: [[row, col]], walkers: 4, steps: 300, firstVisit: true });
    }
  });

  test.each([
    ["NW", [-FAR - 1 + 70, 3]],
    ["SE", [FAR - 70, 3]],
    ["E", [3, FAR - 70]],
    ["W", [3, -FAR - 1 + 70]],
    ["NE", [3, FAR - 70]],
    ["SW", [3, -FAR - 1 + 70]],
  ] as const)("a walker that can only go %s rests at the edge (audit 5)", (way, start) => {
    const walk = createMill({ seed: setup.seed }).walk("land", {
      ...towards(way),
      walkers: 3,
      start: [[0, 0], [1, 1], start],
      steps: 75,
    });
    const run = walk.start().advance(70);
    const edge = { row: start[0] + 70 * rows(way), col: start[1] + 70 * cols(way) };
    expect([...run.positions()][2]).toMatchObject(edge);
    expect([...run.advance(5).positions()][2]).toMatchObject(edge);
    expect(run.map().visitsAt(edge.row, edge.col)).toBe(6);
    expect(walk.run().total.visits).toBe(3 * 76);
  });

  const rows = (way: string) => (way.startsWith("N") ? -1 : way.startsWith("S") ? 1 : 0);
  const cols = (way: string) => ({ NE: 1, E: 1, SW: -1, W: -1 })[way] ?? 0;

  test("a walker between closed cells and the edge rests", () => {
    const cells = [
      [FAR - 1, 0],
      [FAR - 1, 1],
      [FAR, 1],
      [FAR, -1],
    ] as const;
    const walk = createMill({ seed: setup.seed }).walk("land", { start: [[FAR, 0]], steps: 9, closed: { cells } });
    // SE and SW lead out
    expect(walk.run().total.visitsAt(FAR, 0)).toBe(10);
  });
});

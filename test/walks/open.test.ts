import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type GridSpec, LayerMap, type WalkInput } from "../../src/index.js";
import { type LayerInput, parseWalk } from "../../src/walks/index.js";
import { closedCells, OpenCells } from "../../src/walks/map/cellSet.js";
import { refusalOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { compareWithTwin } from "./cases.js";
import { mapOf } from "./mapOf.js";

const setup = { seed: "moria", name: "isle" };
const LAND = { name: "land", steps: 900, walkers: 3 } as const;
const GRIDS: readonly GridSpec[] = [
  { kind: "unbounded" },
  { kind: "bounded", rows: 130, cols: 70 },
  { kind: "torus", rows: 65, cols: 130 },
  { kind: "torus", rows: 2, cols: 9 },
];
const issuesOf = (layer: object, before: readonly object[] = [{ name: "land" }, { name: "sea" }]) =>
  parseWalk({ layers: [...before, { name: "rivers", ...layer }] }).issues.map(({ code, where }) => [code, where.path]);

describe.each(GRIDS.map((grid) => [JSON.stringify(grid), grid] as const))("open layers on %s", (_, grid) => {
  test("walkers stay on the cells of the layer, from a list, from the layer and from a rectangle", () => {
    for (const start of [[[0, 0]], { layer: "land" }, { rect: [0, 0, 1, 8] }] as const) {
      for (const firstVisit of [false, true]) {
        const roads = { name: "roads", steps: 700, walkers: 9, start, open: { layers: ["land"] }, firstVisit };
        const [land, { cells }] = compareWithTwin({ grid, layers: [LAND, roads] }, setup);
        const names = new Set(land.cells.map(({ row, col }) => `${row},${col}`));
        expect(cells.filter(({ row, col }) => !names.has(`${row},${col}`))).toEqual([]);
      }
    }
  });

  test("several layers are open together, and closed ones are closed again", () => {
    const lakes = { name: "lakes", steps: 5, walkers: 2, start: { rect: [0, 2, 1, 8] } } as const;
    const boats = { name: "boats", steps: 500, walkers: 20 } as const;
    for (const closed of [{}, { layers: ["lakes"] }, { cells: [[0, 1]] as const }]) {
      const layer = { ...boats, open: { layers: ["land", "lakes"] }, closed, start: { rect: [0, 0, 1, 8] } as const };
      compareWithTwin({ grid, layers: [LAND, lakes, layer] }, setup);
    }
  });

  test("a layer of one cell: its walkers rest", () => {
    const dot = { name: "dot" };
    const [, { cells }] = compareWithTwin(
      { grid, layers: [dot, { name: "caged", steps: 1500, walkers: 2, open: { layers: ["dot"] } }] },
      setup,
    );
    expect(cells).toEqual([{ row: 0, col: 0, visits: 3002 }]);
  });
});

describe("rectangles beside open layers", () => {
  test("open cells are numbered by row, then column, wherever the rectangle lies", () => {
    const map = mapOf(Array.from({ length: 400 }, (_, i) => [((i * 37) % 211) - 90, ((i * i * 7) % 199) - 80, 1]));
    for (const bounds of [
      [-100, -100, 120, 130],
      [3, 4, 20, 30],
      [-64, 63, 70, 63],
      [500, 500, 600, 600],
      [-(2 ** 31), -(2 ** 31), 2 ** 31 - 2, 2 ** 31 - 2],
    ] as const) {
      const [row0, col0, row1, col1] = bounds;
      const rectangle = { row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 };
      const open = new OpenCells(closedCells(Int32Array.of(map.bounds?.[0] ?? 0, 0), [], [map]), rectangle);
      const listed = [...map.columns()[0].values].map((row, i) => [row, map.columns()[1].values[i]] as const);
      const inside = listed.filter(
        ([row, col]) =>
          row >= row0 && row <= row1 && col >= col0 && col <= col1 && !(row === map.bounds?.[0] && col === 0),
      );
      expect(open.count).toBe(inside.length);
      expect(inside.map((_, rank) => open.cellAt(rank))).toEqual(inside);
    }
  });

  test("a rectangle of nearly 2^64 cells with 400 open ones starts on these", () => {
    const start = { rect: [-(2 ** 31), -(2 ** 31), 2 ** 31 - 2, 2 ** 31 - 2] } as const;
    const walk = createMill({ seed: "moria" }).walk("isle", {
      layers: [LAND, { name: "roads", start, walkers: 500, steps: 3, open: { layers: ["land"] } }],
    });
    const [land, roads] = walk.run().layers;
    for (let i = 0; i < 500; i++) {
      const [rows, cols] = roads.map.columns();
      expect(
        land.map.visitsAt(rows.values[i % rows.values.length], cols.values[i % rows.values.length]),
      ).toBeGreaterThan(0);
    }
  });
});

describe("hostile open fields", () => {
  test.each<[string, object, string, string]>([
    ["an unknown layer", { open: { layers: ["lnad"] } }, "walk.spec", "layers[2].open.layers[0]"],
    ["a later layer", { open: { layers: ["rivers"] } }, "walk.spec", "layers[2].open.layers[0]"],
    ["no layers", { open: { layers: [] } }, "walk.spec", "layers[2].open.layers"],
    ["layers missing", { open: {} }, "walk.spec", "layers[2].open"],
    ["cells", { open: { cells: [[0, 0]] } }, "walk.spec", "layers[2].open.cells"],
    ["a text", { open: "land" }, "walk.spec", "layers[2].open"],
    [
      "the same layers open and closed",
      { open: { layers: ["land", "sea"] }, closed: { layers: ["sea", "land"] } },
      "walk.closed-start",
      "layers[2].open",
    ],
  ])("%s", (_, layer, code, path) => {
    expect(issuesOf(layer)).toContainEqual([code, path]);
  });

  test("an open layer without visited cells has no start cell, nor has a start outside the open cells", () => {
    const start = [[500, 500]] as const;
    const layers = [{ name: "land" }, { name: "roads", start, open: { layers: ["land"] } }];
    const walk = createMill({ seed: 1 }).walk("isle", { layers });
    for (const land of [new LayerMap([]), mapOf([[500, 499, 1]])]) {
      expect(refusalOf(() => walk.start({ layer: "roads", earlier: { land } })).code).toBe("walk.closed-start");
    }
    expect(walk.runLayer({ layer: "roads", earlier: { land: mapOf([[500, 500, 1]]) } }).cells).toBe(1);
    expect(refusalOf(() => walk.runLayer({ layer: "roads" })).code).toBe("walk.mismatch");
  });
});

describe("headings by walker", () => {
  test("walker w takes entry w mod length", () => {
    const heading = ["E", "resting", "SW", "NW", "West"] as const;
    const straight = { tensor: { absolute: { E: 1, NW: 1, W: 1, SW: 1 }, relative: { forward: 1 } } };
    const [{ ends }] = compareWithTwin({ ...straight, heading, walkers: 13, steps: 40 }, setup);
    expect(ends.slice(5, 10).map((end) => end.heading)).toEqual([2, ends[6].heading, 4, 0, 5]);
    const walk = createMill({ seed: setup.seed }).walk(setup.name, { ...straight, heading, walkers: 13, steps: 40 });
    const part = walk.start({ walkers: { from: 7, to: 9 } });
    expect([...part.positions()].map((position) => position.heading)).toEqual(["SW", "NW"]);
  });

  test.each<[string, unknown, string]>([
    ["an empty list", [], "heading"],
    ["an unknown name in a list", ["E", "north"], "heading[1]"],
    ["a number", 3, "heading"],
  ])("%s is refused", (_, heading, path) => {
    expect(parseWalk({ heading }).issues.map(({ code, where }) => [code, where.path])).toEqual([["walk.spec", path]]);
  });
});

/** A land, and a layer that stays on it, starts on it or ends by it. */
const mapMaking: fc.Arbitrary<WalkInput> = fc
  .record({
    grid: fc.constantFrom(...GRIDS),
    steps: fc.nat(300),
    walkers: fc.integer({ min: 1, max: 6 }),
    open: fc.constantFrom(undefined, { layers: ["land"] }, { layers: ["land", "sea"] }),
    until: fc.constantFrom<LayerInput["until"]>(undefined, { on: "sea" }, { outside: "land" }, { on: "hills" }),
    firstVisit: fc.boolean(),
    heading: fc.constantFrom("E", ["NW", "resting"]) as fc.Arbitrary<NonNullable<LayerInput["heading"]>>,
  })
  .filter(
    ({ open, until }) =>
      !(open?.layers.length === 1 && until !== undefined && "outside" in until && until.outside === "land"),
  )
  .map(
    ({ grid, open, until, ...layer }): WalkInput => ({
      grid,
      layers: [
        { name: "land", steps: 400, walkers: 2 },
        { name: "sea", steps: 60, start: [[1, 4]] as const },
        { name: "hills", steps: 30, walkers: 2, start: { layer: "land" } },
        { name: "rivers", start: { layer: "land" }, ...layer, ...(open && { open }), ...(until && { until }) },
      ],
    }),
  );

test("property: open layers and ends of any kind agree with the twin, and parts add up", () => {
  let ended = 0;
  fc.assert(
    fc.property(mapMaking, (input) => {
      const twins = compareWithTwin(input, setup);
      ended += twins[3].ends.filter((end) => end.ended !== undefined).length;
    }),
    { seed: 1401, numRuns: IS_SOAK ? 120 : 40 },
  );
  expect(ended).toBeGreaterThan(IS_SOAK ? 50 : 30);
});

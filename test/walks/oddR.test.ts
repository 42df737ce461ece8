import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DirectionTensor } from "../../src/compat/index.js";
import { createMill, type GridSpec, LayerMap, mergeLayerMaps, type WalkInput } from "../../src/index.js";
import { axialToOddR, DIRECTIONS, oddRToAxial, parseWalk } from "../../src/walks/index.js";
import { refusalOf } from "../refusal.js";
import { cellsOf, compareWithTwin } from "./cases.js";
import { mapOf } from "./mapOf.js";

const setup = { seed: "moria", name: "land" };
const oddR = (kind: "bounded" | "torus", rows: number, cols: number): GridSpec => ({
  kind,
  rows,
  cols,
  coordinates: "odd-r",
});
const SIZES = [
  [1, 1],
  [1, 9],
  [2, 1],
  [2, 2],
  [4, 5],
  [7, 1],
  [64, 64],
  [66, 130],
  [65, 63],
  [128, 3],
] as const;
const GRIDS = SIZES.flatMap(([rows, cols]) => [
  oddR("bounded", rows, cols),
  ...(rows % 2 === 0 ? [oddR("torus", rows, cols)] : []),
]);
const MORE: GridSpec = { kind: "torus", rows: 8192, cols: 8194, coordinates: "odd-r" };

describe("odd-r coordinates", () => {
  test("convert to axial ones and back: col = q + ⌊row / 2⌋", () => {
    expect([axialToOddR([3, 5]), axialToOddR([-1, 0]), axialToOddR([-2, 0])]).toEqual([
      [3, 6],
      [-1, -1],
      [-2, -1],
    ]);
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 29), max: 2 ** 29 }),
        fc.integer({ min: -(2 ** 29), max: 2 ** 29 }),
        (row, q) => {
          expect(oddRToAxial(axialToOddR([row, q]))).toEqual([row, q]);
        },
      ),
    );
    expect(refusalOf(() => axialToOddR([0.5, 1])).code).toBe("argument.range");
    expect(refusalOf(() => oddRToAxial([1] as unknown as [number, number])).code).toMatch(/^argument\./);
  });

  test("the neighbours of even and odd rows, as Red Blob Games lists them", () => {
    const neighbours = (row: number, col: number) =>
      DIRECTIONS.map((direction) => {
        const walk = createMill({ seed: 1 }).walk("w", {
          grid: oddR("bounded", 9, 9),
          tensor: { absolute: { [direction]: 1 } },
          start: [[row, col]],
          steps: 1,
        });
        using run = walk.start().advance(1);
        const at = run.position(0);
        return [at.row - row, at.col - col];
      });
    // NW, NE, E, SE, SW, W
    expect(neighbours(4, 4)).toEqual([
      [-1, -1],
      [-1, 0],
      [0, 1],
      [1, 0],
      [1, -1],
      [0, -1],
    ]);
    expect(neighbours(3, 4)).toEqual([
      [-1, 0],
      [-1, 1],
      [0, 1],
      [1, 1],
      [1, 0],
      [0, -1],
    ]);
  });

  test("the study's GetDirection knows them", () => {
    for (const grid of [oddR("bounded", 6, 6), oddR("torus", 6, 6)]) {
      const walk = createMill({ seed: 4 }).walk("w", { grid, steps: 300, start: [[3, 3]] });
      using run = walk.start();
      for (let t = 0; t < 300; t++) {
        const before = run.position(0);
        const after = run.advance(1).position(0);
        const cell = ({ row, col }: typeof before) => [row, col] as const;
        expect(DirectionTensor.direction(cell(before), cell(after), grid)).toBe(after.heading);
      }
    }
  });
});

describe("kernel = twin on odd-r grids", () => {
  test.each(GRIDS.map((grid) => [JSON.stringify(grid), grid] as const))("%s", (_, grid) => {
    for (const firstVisit of [false, true]) {
      compareWithTwin({ grid, steps: 2500, walkers: 3, firstVisit, preset: "five-ways" }, setup);
      compareWithTwin({ grid, steps: 700, walkers: 5, firstVisit, heading: ["E", "SW"], start: WHOLE(grid) }, setup);
    }
  });

  test("a grid of many tiles, over the edges of tiles and of the torus", () => {
    const edges = [
      [0, 0],
      [8191, 8193],
      [63, 64],
      [64, 63],
      [4096, 0],
    ] as const;
    for (const grid of [MORE, { ...MORE, kind: "bounded" as const, rows: 8193 }]) {
      for (const firstVisit of [false, true]) {
        compareWithTwin({ grid, start: edges, walkers: 5, steps: 2000, firstVisit }, setup);
        for (const direction of DIRECTIONS) {
          const tensor = { absolute: { [direction]: 1 } };
          compareWithTwin({ grid, tensor, start: edges, walkers: 5, steps: 200, firstVisit }, setup);
        }
      }
    }
  });

  test("closed cells, open layers and ends", () => {
    for (const grid of [oddR("bounded", 65, 130), oddR("torus", 66, 70), MORE]) {
      const layers: WalkInput["layers"] = [
        { name: "land", steps: 900, walkers: 3, start: [[30, 30]] },
        { name: "sea", steps: 200, start: [[33, 40]], closed: { cells: [[30, 30]] } },
        { name: "rivers", steps: 500, walkers: 9, start: { layer: "land" }, until: { on: "sea" }, firstVisit: true },
        { name: "roads", steps: 500, walkers: 9, start: { rect: [20, 20, 40, 40] }, open: { layers: ["land"] } },
        {
          name: "falls",
          steps: 500,
          walkers: 9,
          start: { layer: "land" },
          until: { outside: "land" },
          firstVisit: true,
        },
        { name: "fields", steps: 90, walkers: 9, start: { rect: [20, 20, 40, 40] }, closed: { layers: ["land"] } },
      ];
      compareWithTwin({ grid, layers }, setup);
    }
  });
});

/** All cells of a grid as a start. */
function WHOLE(grid: GridSpec) {
  return grid.kind === "unbounded" ? [[0, 0] as const] : { rect: [0, 0, grid.rows - 1, grid.cols - 1] as const };
}

test("a walk in a rectangle is the walk of the axial grid with all other cells closed", () => {
  const [rows, cols] = [7, 11];
  const closed = { cells: [] as [number, number][] };
  for (let row = -1; row <= rows; row++) {
    for (let col = -1; col <= cols; col++) {
      if (row < 0 || col < 0 || row === rows || col === cols) closed.cells.push(oddRToAxial([row, col]));
    }
  }
  const layer = { walkers: 4, steps: 3000, preset: "five-ways" } as const;
  const run = (input: WalkInput) => cellsOf(createMill({ seed: 9 }).walk("w", input).run().total);
  const axial = run({ ...layer, start: [oddRToAxial([3, 5])], closed });
  const upright = run({ ...layer, start: [[3, 5]], grid: oddR("bounded", rows, cols) });
  const converted = upright.map(({ row, col, visits }) => {
    const [r, q] = oddRToAxial([row, col]);
    return { row: r, col: q, visits };
  });
  expect(converted).toEqual(axial);
});

describe("maps have the coordinates of their grid", () => {
  const map = createMill({ seed: 1 })
    .walk("w", { grid: oddR("torus", 4, 4), steps: 90 })
    .run();

  test("in maps, merged maps, messages, summaries and windows", () => {
    const { total } = map;
    expect([total.coordinates, total.bounds]).toEqual(["odd-r", [0, 0, 3, 3]]);
    expect(mergeLayerMaps([total, total, new LayerMap([])]).coordinates).toBe("odd-r");
    expect(LayerMap.from(structuredClone(total.toMessage())).coordinates).toBe("odd-r");
    expect(map.summary().coordinates).toBe("odd-r");
    expect([...total.window({ row0: 0, col0: 0, rows: 4, cols: 4 })].reduce((sum, visits) => sum + visits, 0)).toBe(91);
  });

  test("maps of other coordinates are refused", () => {
    expect(refusalOf(() => mergeLayerMaps([map.total, mapOf([[0, 0, 1]])])).code).toBe("walk.mismatch");
    const walk = createMill({ seed: 1 }).walk("w", {
      grid: oddR("bounded", 4, 4),
      layers: [{ name: "land" }, { name: "roads", start: { layer: "land" } }],
    });
    expect(refusalOf(() => walk.start({ layer: "roads", earlier: { land: mapOf([[0, 0, 1]]) } })).code).toBe(
      "walk.mismatch",
    );
    const coordinates = "even-q" as "odd-r";
    expect(refusalOf(() => new LayerMap([], { coordinates })).code).toBe("argument.range");
  });
});

describe("specs of odd-r grids", () => {
  const issuesOf = (grid: object) => parseWalk({ grid }).issues.map(({ code, where }) => [code, where.path]);

  test.each<[string, object, [string, string][]]>([
    [
      "a torus with an odd number of rows",
      { kind: "torus", rows: 5, cols: 4, coordinates: "odd-r" },
      [["walk.spec", "grid.rows"]],
    ],
    ["a bounded grid with an odd number of rows", { kind: "bounded", rows: 5, cols: 4, coordinates: "odd-r" }, []],
    ["an axial torus with an odd number of rows", { kind: "torus", rows: 5, cols: 4, coordinates: "axial" }, []],
    [
      "other coordinates",
      { kind: "torus", rows: 4, cols: 4, coordinates: "odd-q" },
      [["walk.spec", "grid.coordinates"]],
    ],
    ["an unbounded grid", { kind: "unbounded", coordinates: "odd-r" }, [["walk.spec", "grid.coordinates"]]],
  ])("%s", (_, grid, issues) => {
    expect(issuesOf(grid)).toEqual(issues);
  });

  test("cells outside the rectangle are refused", () => {
    const issues = parseWalk({ grid: oddR("bounded", 4, 4), start: [[3, 4]] }).issues;
    expect(issues.map(({ code }) => code)).toEqual(["walk.off-grid"]);
  });
});

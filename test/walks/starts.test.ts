import { describe, expect, test } from "vitest";
import { createMill, LayerMap, type WalkInput } from "../../src/index.js";
import { type CellSet, closedCells, OpenCells } from "../../src/walks/map/cellSet.js";
import { startCells } from "../../src/walks/starts.js";
import type { LayerPlan } from "../../src/walks/types.js";
import { refusalOf } from "../refusal.js";
import { agrees } from "../statistics/chiSquare.js";
import { compareWithTwin } from "./cases.js";
import { mapOf } from "./mapOf.js";

const setup = { seed: "moria", name: "land" };
const LAND = { name: "land", steps: 400, walkers: 3 } as const;
const UNBOUNDED = { kind: "unbounded" } as const;

/** Every cell of a rectangle that is not closed, found cell by cell. */
function openIn(
  closed: CellSet,
  [row0, col0, row1, col1]: readonly [number, number, number, number],
): [number, number][] {
  const cells: [number, number][] = [];
  for (let row = row0; row <= row1; row++) {
    for (let col = col0; col <= col1; col++) if (!closed.has(row, col)) cells.push([row, col]);
  }
  return cells;
}

describe("a layer whose start meets its closed cells: starts are drawn among the open cells", () => {
  test("a rectangle, against the twin: listed closed cells, the cells of an earlier layer, both", () => {
    const start = { rect: [-9, -9, 9, 9] } as const;
    const cells = openIn(closedCells(Int32Array.of(4, 4, -1, 3), []), [-8, -9, 9, 8]);
    compareWithTwin({ start, closed: { cells }, walkers: 60, steps: 5, firstVisit: true }, setup);
    for (const closed of [{ layers: ["land"] }, { layers: ["land"], cells }]) {
      compareWithTwin({ layers: [LAND, { name: "sea", walkers: 60, steps: 9, start, closed }] }, setup);
    }
  });

  test("an earlier layer whose cells are partly closed, against the twin", () => {
    const rock = { ...LAND, name: "rock" };
    const light = { name: "light", walkers: 80, steps: 9, start: { layer: "land" }, closed: { layers: ["rock"] } };
    for (const grid of [UNBOUNDED, { kind: "torus", rows: 130, cols: 70 }] as const) {
      compareWithTwin({ grid, layers: [LAND, rock, light] }, setup);
    }
  });

  test("a list whose entries are partly closed: the open entries in turn", () => {
    const start = [
      [0, 0],
      [900, 1],
      [0, 0],
      [900, 2],
    ] as const;
    const [, sea] = compareWithTwin(
      { layers: [LAND, { name: "sea", walkers: 5, start, closed: { layers: ["land"] } }] },
      setup,
    );
    expect(sea.ends.map(({ col }) => col)).toEqual([1, 2, 1, 2, 1]);
  });

  test.each(["moria", "angband", "a", "b", "c"])(
    "seed %s: a rectangle that the land covers in part never fails",
    (seed) => {
      const input: WalkInput = {
        layers: [LAND, { name: "sea", walkers: 300, start: { rect: [-5, -5, 5, 5] }, closed: { layers: ["land"] } }],
      };
      const { layers } = createMill({ seed }).walk("isle", input).run();
      for (const { chunkRow, chunkCol, visits } of layers[1].map.chunks()) {
        for (const [i, count] of visits.entries()) {
          if (count > 0) expect(layers[0].map.visitsAt(chunkRow * 64 + (i >> 6), chunkCol * 64 + (i & 63))).toBe(0);
        }
      }
    },
  );

  test("each open cell is equally likely, beside closed ones (chi-square at 1e-6)", () => {
    const closed = {
      cells: [
        [0, 0],
        [0, 1],
        [1, 1],
        [2, 3],
        [3, 0],
        [3, 1],
        [3, 2],
        [3, 3],
      ] as const,
    };
    const map = createMill({ seed: "statistics" })
      .walk("starts", { start: { rect: [0, 0, 3, 3] }, closed, walkers: 400_000 })
      .run().total;
    const open = openIn(closedCells(Int32Array.from(closed.cells.flat()), []), [0, 0, 3, 3]);
    expect(open).toHaveLength(8);
    const counts = open.map(([row, col]) => map.visitsAt(row, col));
    expect(
      agrees(
        counts,
        open.map(() => 1 / 8),
      ),
    ).toBe(true);
  });

  test("each open cell of an earlier layer is equally likely (chi-square at 1e-6)", () => {
    const land = mapOf(Array.from({ length: 20 }, (_, i) => [0, 60 + i, 7]));
    const walk = createMill({ seed: "statistics" }).walk("starts", {
      layers: [
        { name: "land" },
        {
          name: "roads",
          start: { layer: "land" },
          walkers: 400_000,
          closed: { cells: Array.from({ length: 13 }, (_, i) => [0, 62 + i] as const) },
        },
      ],
    });
    const map = walk.runLayer({ layer: "roads", earlier: { land } });
    const counts = [60, 61, 75, 76, 77, 78, 79].map((col) => map.visitsAt(0, col));
    expect(
      agrees(
        counts,
        counts.map(() => 1 / 7),
      ),
    ).toBe(true);
  });

  test("a walker whose drawn cell is open starts where it would start without closed cells", () => {
    const start = { rect: [0, 0, 3, 3] } as const;
    const startsOf = (closed: { cells: readonly (readonly [number, number])[] }) => [
      ...createMill({ seed: setup.seed }).walk("land", { start, closed, walkers: 200 }).start().positions(),
    ];
    const [free, closed] = [startsOf({ cells: [] }), startsOf({ cells: [[1, 1]] })];
    expect(free.filter(({ row, col }) => row === 1 && col === 1).length).toBeGreaterThan(0);
    for (const [i, { row, col }] of free.entries()) if (row !== 1 || col !== 1) expect(closed[i]).toEqual(free[i]);
  });
});

describe("a layer whose start meets its closed cells: if no cell is open, that is an error by the layer's name", () => {
  const sea = (start: object) => ({
    layers: [LAND, { name: "sea", steps: 10, ...start, closed: { layers: ["land"] } }],
  });

  test.each<[string, object]>([
    ["the origin, by default", {}],
    ["a list", { start: [[0, 0]] }],
    ["a rectangle", { start: { rect: [0, 0, 0, 0] } }],
  ])("%s", (_, start) => {
    const refusal = refusalOf(() =>
      createMill({ seed: setup.seed })
        .walk("isle", sea(start) as WalkInput)
        .run(),
    );
    expect(refusal.code).toBe("walk.closed-start");
    expect(refusal.message).toContain('"sea"');
  });

  test("an earlier layer that is closed or empty gives this error and no trap", () => {
    const walk = createMill({ seed: setup.seed }).walk("isle", {
      layers: [LAND, { name: "rock" }, { name: "roads", start: { layer: "land" }, closed: { layers: ["rock"] } }],
    });
    const [land, none] = [mapOf([[7, 7, 1]]), new LayerMap([])];
    for (const earlier of [
      { land, rock: land },
      { land: none, rock: land },
      { land: none, rock: none },
    ]) {
      for (const run of [
        () => walk.start({ layer: "roads", earlier }),
        () => walk.runLayer({ layer: "roads", earlier }),
      ]) {
        const refusal = refusalOf(run);
        expect(refusal.code).toBe("walk.closed-start");
        expect(refusal.message).toContain('"roads"');
      }
    }
  });

  test("a map from another grid is refused", () => {
    const walk = createMill({ seed: setup.seed }).walk("isle", {
      grid: { kind: "bounded", rows: 9, cols: 9 },
      layers: [{ name: "land" }, { name: "roads", start: { layer: "land" } }],
    });
    for (const cell of [
      [9, 0, 1],
      [0, 9, 1],
      [-1, 0, 1],
      [0, -1, 1],
    ] as const) {
      const refusal = refusalOf(() => walk.start({ layer: "roads", earlier: { land: mapOf([cell]) } }));
      expect(refusal.code).toBe("walk.mismatch");
    }
    expect(walk.runLayer({ layer: "roads", earlier: { land: mapOf([[8, 8, 1]]) } }).bounds).toEqual([8, 8, 8, 8]);
  });
});

describe("open cells of a rectangle", () => {
  test.each<[string, readonly [number, number, number, number]]>([
    ["inside a chunk", [3, 4, 20, 30]],
    ["over several chunks", [-70, -3, 5, 140]],
    ["one column", [-64, 63, 70, 63]],
    ["one row", [63, -130, 63, 130]],
  ])("%s: the numbers follow the rows, then the columns", (_, bounds) => {
    const [row0, col0, row1, col1] = bounds;
    const closed = closedCells(
      Int32Array.from({ length: 12000 }, (_, i) => ((i * i * 7919 + 31 * i) % 211) - 70),
      [
        mapOf([
          [5, 5, 1],
          [63, 64, 1],
          [63, 65, 1],
        ]),
      ],
    );
    const open = new OpenCells(closed, { row0, col0, rows: row1 - row0 + 1, cols: col1 - col0 + 1 });
    const listed = openIn(closed, bounds);
    expect(listed.length).toBeLessThan((row1 - row0 + 1) * (col1 - col0 + 1));
    expect(open.count).toBe(listed.length);
    expect(listed.map((_, rank) => open.cellAt(rank))).toEqual(listed);
  });

  test("a rectangle of 2^32 − 1 columns", () => {
    const closed = closedCells(Int32Array.of(0, -(2 ** 31), 0, 2 ** 31 - 2, 0, 5), []);
    const open = new OpenCells(closed, { row0: 0, col0: -(2 ** 31), rows: 1, cols: 2 ** 32 - 1 });
    expect(open.count).toBe(2 ** 32 - 4);
    expect([0, 2 ** 31 + 3, 2 ** 31 + 4, 2 ** 32 - 5].map((rank) => open.cellAt(rank))).toEqual([
      [0, 1 - 2 ** 31],
      [0, 4],
      [0, 6],
      [0, 2 ** 31 - 3],
    ]);
  });

  test("a rectangle of more than 2^32 open cells is drawn again, from the planes 2 and 3, 4 and 5, …", () => {
    const closed = closedCells(Int32Array.of(0, 0, 1, 1), []);
    const start = { kind: "rect", row0: 0, col0: 0, rows: 2 ** 20, cols: 2 ** 20 } as const;
    const planes: number[] = [];
    const values = [0, 0, 1, 1, 9, 8];
    const draw = (plane: number, _: number, bound: number) => {
      expect(bound).toBe(2 ** 20);
      planes.push(plane);
      return values[plane];
    };
    const plan = { name: "land", start } satisfies Pick<LayerPlan, "name" | "start">;
    expect(startCells(plan, { grid: UNBOUNDED, earlier: [], closed, draw, region: undefined })?.(3)).toEqual([9, 8]);
    expect(planes).toEqual([0, 1, 2, 3, 4, 5]);
  });
});

// As port.test.ts, for walks.
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createMill, mergeLayerMaps } from "../../src/index.js";
import {
  extra,
  type Id,
  mapBytes,
  startsKey,
  streamKey,
  type VisitedCell,
  walkEnds,
  walkRegion,
  word,
} from "./port.mjs";
import { SEEDS } from "./seeds.js";

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);
const digestOf = (cells: VisitedCell[]): string => createHash("sha256").update(mapBytes(cells)).digest("hex");

/** The summed visits of maps, by row, then column. */
function sumOf(maps: readonly VisitedCell[][]): VisitedCell[] {
  const cells = new Map<string, VisitedCell>();
  for (const { row, col, visits } of maps.flat()) {
    const before = cells.get(`${row},${col}`)?.visits ?? 0;
    cells.set(`${row},${col}`, { row, col, visits: before + visits });
  }
  return [...cells.values()].sort((a, b) => a.row - b.row || a.col - b.col);
}

describe("walks", () => {
  const DIRECTIONS = ["NW", "NE", "E", "SE", "SW", "W"] as const;
  const TURNS = ["12:00", "2:00", "4:00", "6:00", "8:00", "10:00"] as const;
  const named = <Name extends string>(names: readonly Name[], weights: number[]) =>
    Object.fromEntries(names.map((name, i) => [name, weights[i]])) as Record<Name, number>;

  interface Tensor {
    absolute: number[];
    relative: number[];
  }
  const tensorOf = ({ absolute, relative }: Tensor) => ({
    absolute: named(DIRECTIONS, absolute),
    relative: named(TURNS, relative),
  });

  const ONWARD: Tensor = { absolute: [1, 2, 3, 1, 1, 0.5], relative: [2, 1, 0, 0, 0, 1.5] };
  const EVEN: Tensor = { absolute: [1, 1, 1, 1, 1, 1], relative: [1, 1, 1, 1, 1, 1] };
  const DEAD_END: Tensor = { absolute: [0, 2, 1, 0, 0, 0], relative: [0, 0, 0, 1, 0, 0] };
  // Totals that need extra words at nearly every step, and at every other with many refused.
  const FULL: Tensor = {
    absolute: [715827883, 715827883, 715827883, 715827883, 715827883, 715827880],
    relative: EVEN.relative,
  };
  const REFUSED: Tensor = {
    absolute: [400000000, 400000000, 400000000, 400000000, 400000000, 147483649],
    relative: EVEN.relative,
  };
  const ONE_WAY: Tensor = { absolute: [0, 0, 1, 0, 0, 0], relative: [1, 0, 0, 1, 0, 0] };

  const needsFifthExtra = (seed: string, walker: number): boolean => {
    const m = 2n ** 31n + 1n;
    const low = (x: number) => (BigInt(x) * m) % 2n ** 32n;
    const start = startsKey(streamKey(seed, "land"));
    const settled = low(word(start, 0, walker)) + m - 1n < 2n ** 32n;
    return !settled && range(4).every((i) => low(extra(start, 0, walker, i)) < 2n ** 32n % m);
  };

  describe.each(SEEDS)("seed: %s", (_, seed) => {
    test("20 walkers, 800 steps: ends, headings and map", () => {
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(ONWARD), walkers: 20, steps: 800 });
      const ours = walkEnds(streamKey(seed, "land"), { ...ONWARD, walkers: 20, steps: 800 });

      const run = walk.start();
      run.advance(800);
      const theirs = range(20).map((w) => run.position(w));
      run.dispose();
      expect(theirs).toEqual(ours.ends.map((end) => ({ ...end, heading: DIRECTIONS[Number(end.heading)] })));
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test.each([
      ["a tensor that turns round only, so that headings give out", DEAD_END],
      ["weights of the greatest total", FULL],
      ["a total that refuses extra words", REFUSED],
    ])("unbounded, %s", (_what, tensor) => {
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(tensor), walkers: 9, steps: 200 });
      const ours = walkEnds(streamKey(seed, "land"), { ...tensor, walkers: 9, steps: 200 });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test.each([
      ["onward", ONWARD],
      ["greatest total", FULL],
      ["refused extra words", REFUSED],
      ["one way, then rest", ONE_WAY],
    ])("inside 5 × 4 cells: %s", (_what, tensor) => {
      const size = { walkers: 9, steps: 200 };
      const grid = { kind: "bounded", rows: 5, cols: 4 } as const;
      const walk = createMill({ seed }).walk("land", { grid, tensor: tensorOf(tensor), start: [[2, 1]], ...size });
      const closed = (row: number, col: number) => row < 0 || col < 0 || row >= 5 || col >= 4;
      const ours = walkEnds(streamKey(seed, "land"), { ...tensor, ...size, start: [[2, 1]], closed });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("between closed cells", () => {
      const cells: [number, number][] = [
        [0, 1],
        [1, 0],
        [-1, 1],
        [1, -1],
        [-1, 0],
        [0, -2],
      ];
      const size = { walkers: 9, steps: 200 };
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(ONWARD), closed: { cells }, ...size });
      const closed = (row: number, col: number) => cells.some((cell) => cell[0] === row && cell[1] === col);
      const ours = walkEnds(streamKey(seed, "land"), { ...ONWARD, ...size, closed });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("from a list of cells, shorter than the walkers, with a first heading", () => {
      const start: [number, number][] = [
        [3, -4],
        [0, 0],
        [-2, 9],
      ];
      const size = { walkers: 8, steps: 100, start };
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(ONWARD), heading: "SW", ...size });
      const ours = walkEnds(streamKey(seed, "land"), { ...ONWARD, ...size, headings: [4] });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("a heading for each walker in turn", () => {
      const size = { walkers: 8, steps: 100 };
      const heading = ["SW", "resting", "E"] as const;
      const walk = createMill({ seed }).walk("land", { tensor: tensorOf(ONWARD), heading, ...size });
      const ours = walkEnds(streamKey(seed, "land"), { ...ONWARD, ...size, headings: [4, "rest", 2] });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("roads that stay on rivers, and streams that end on them or outside of them", () => {
      const start = { row: -9, col: -9, rows: 19, cols: 19 };
      const size = { walkers: 40, steps: 60 };
      const onward = { tensor: tensorOf(ONWARD), ...size, start: { rect: [-9, -9, 9, 9] } } as const;
      const walk = createMill({ seed }).walk("land", {
        layers: [
          { name: "rivers", tensor: tensorOf(EVEN), walkers: 30, steps: 60 },
          { name: "roads", ...onward, open: { layers: ["rivers"] } },
          { name: "brooks", ...onward, until: { on: "rivers" } },
          { name: "falls", ...onward, until: { outside: "rivers" }, open: { layers: ["rivers", "brooks"] } },
        ],
      });
      const layer = (name: string, spec: object) =>
        walkEnds(streamKey(seed, `land/${name}`), { ...ONWARD, ...size, start, ...spec }).cells;
      const on = (cells: readonly { row: number; col: number }[]) => {
        const names = new Set(cells.map(({ row, col }) => `${row},${col}`));
        return (row: number, col: number) => names.has(`${row},${col}`);
      };
      const rivers = layer("rivers", { ...EVEN, walkers: 30, steps: 60, start: [[0, 0]] });
      const isRiver = on(rivers);
      const outside = (row: number, col: number) => !isRiver(row, col);
      const roads = layer("roads", { closed: outside });
      const brooks = layer("brooks", { ends: isRiver });
      const isBrook = on(brooks);
      const closed = (row: number, col: number) => !isRiver(row, col) && !isBrook(row, col);
      const falls = layer("falls", { closed, ends: outside });
      const digests = [rivers, roads, brooks, falls].map(digestOf);
      expect(walk.run().layers.map((result) => result.map.digest())).toEqual(digests);
    });

    test.each([false, true])("on a torus, odd-r: %s", (oddR) => {
      const size = { walkers: 8, steps: 300 };
      const [rows, cols] = [6, 5];
      const grid = { kind: "torus", rows, cols, coordinates: oddR ? "odd-r" : "axial" } as const;
      const closed = (row: number, col: number) => row === 3 && col === 2;
      const spec = { grid, tensor: tensorOf(ONWARD), closed: { cells: [[3, 2]] as const } };
      const walk = createMill({ seed }).walk("land", { ...spec, start: { rect: [0, 0, 5, 4] }, ...size });
      const start = { row: 0, col: 0, rows, cols };
      const torus = { rows, cols, oddR };
      const ours = walkEnds(streamKey(seed, "land"), { ...ONWARD, ...size, start, closed, torus });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("from a rectangle, both corners in it", () => {
      const size = { walkers: 40, steps: 20 };
      const walk = createMill({ seed }).walk("land", {
        tensor: tensorOf(ONWARD),
        start: { rect: [-3, 5, 6, 15] },
        ...size,
      });
      const start = { row: -3, col: 5, rows: 10, cols: 11 };
      const ours = walkEnds(streamKey(seed, "land"), { ...ONWARD, ...size, start });
      expect(walk.runLayer().digest()).toBe(digestOf(ours.cells));
    });

    test("from a rectangle whose sides are 2^31 + 1: each extra word shows", () => {
      const end = 2 ** 30;
      const walk = createMill({ seed }).walk("land", {
        tensor: tensorOf(EVEN),
        start: { rect: [-end, -end, end, end] },
        walkers: 200,
        steps: 0,
      });
      const start = { row: -end, col: -end, rows: 2 * end + 1, cols: 2 * end + 1 };
      const ours = walkEnds(streamKey(seed, "land"), { ...EVEN, walkers: 200, steps: 0, start });
      const run = walk.start();
      const theirs = range(200).map((w) => run.position(w));
      run.dispose();
      expect(theirs).toEqual(ours.ends.map((cell) => ({ ...cell, heading: "resting" })));
      expect(range(200).filter((w) => needsFifthExtra(seed, w)).length).toBeGreaterThan(0);
    });

    test("roads that start on the cells of rivers", () => {
      const walk = createMill({ seed }).walk("land", {
        layers: [
          { name: "rivers", tensor: tensorOf(ONWARD), walkers: 3, steps: 100 },
          { name: "roads", tensor: tensorOf(EVEN), walkers: 30, steps: 50, start: { layer: "rivers" } },
        ],
      });
      const rivers = walkEnds(streamKey(seed, "land/rivers"), { ...ONWARD, walkers: 3, steps: 100 }).cells;
      const roads = walkEnds(streamKey(seed, "land/roads"), {
        ...EVEN,
        walkers: 30,
        steps: 50,
        start: { visited: rivers },
      }).cells;
      const map = walk.run();
      expect(map.layers.map((layer) => layer.map.digest())).toEqual([digestOf(rivers), digestOf(roads)]);
    });

    test("from a rectangle and from rivers that rock closes in part", () => {
      const size = { walkers: 40, steps: 20 };
      const walk = createMill({ seed }).walk("land", {
        layers: [
          { name: "rivers", tensor: tensorOf(EVEN), walkers: 3, steps: 60 },
          { name: "rock", tensor: tensorOf(EVEN), walkers: 3, steps: 60 },
          { name: "roads", tensor: tensorOf(EVEN), ...size, start: { layer: "rivers" }, closed: { layers: ["rock"] } },
          {
            name: "fields",
            tensor: tensorOf(EVEN),
            ...size,
            start: { rect: [-4, -3, 4, 3] },
            closed: { layers: ["rock"] },
          },
        ],
      });
      const [rivers, rock] = ["rivers", "rock"].map(
        (name) => walkEnds(streamKey(seed, `land/${name}`), { ...EVEN, walkers: 3, steps: 60 }).cells,
      );
      const closed = (row: number, col: number) => rock.some((cell) => cell.row === row && cell.col === col);
      const [roads, fields] = (
        [
          ["roads", { visited: rivers }],
          ["fields", { row: -4, col: -3, rows: 9, cols: 7 }],
        ] as const
      ).map(([name, start]) => walkEnds(streamKey(seed, `land/${name}`), { ...EVEN, ...size, start, closed }).cells);
      const digests = [rivers, rock, roads, fields].map(digestOf);
      expect(walk.run().layers.map((layer) => layer.map.digest())).toEqual(digests);
    });

    test.each<[what: string, forks: Id[]]>([
      ["a text", ["cave 3"]],
      ["an integer, then a pair", [12, [-3, 4]]],
    ])("forks by %s: each layer and its starts, in a forked mill too", (_what, forks) => {
      for (const millForks of [[], ["save 1"]]) {
        const mill = millForks.reduce((child, id) => child.fork(id), createMill({ seed }));
        const walk = forks.reduce(
          (child, id) => child.fork(id),
          mill.walk("land", {
            layers: [
              { name: "rivers", tensor: tensorOf(ONWARD), walkers: 3, steps: 60, start: { rect: [-3, 5, 6, 15] } },
              { name: "roads", tensor: tensorOf(EVEN), walkers: 30, steps: 20, start: { layer: "rivers" } },
            ],
          }),
        );
        const [riverKey, roadKey] = ["land/rivers", "land/roads"].map((name) =>
          streamKey(seed, name, forks, millForks),
        );
        const start = { row: -3, col: 5, rows: 10, cols: 11 };
        const rivers = walkEnds(riverKey, { ...ONWARD, walkers: 3, steps: 60, start }).cells;
        const roads = walkEnds(roadKey, { ...EVEN, walkers: 30, steps: 20, start: { visited: rivers } }).cells;
        expect(walk.run().layers.map((layer) => layer.map.digest())).toEqual([digestOf(rivers), digestOf(roads)]);
      }
    });

    test("regions of scattered layers: starts anywhere, on hills, among rock, until the hills end", () => {
      const hillSize = { walkers: 3, steps: 40 };
      const riverSize = { walkers: 4, steps: 50 };
      const hills = { name: "hills", tensor: tensorOf(EVEN), scatter: { side: 64, walkers: 3 }, steps: 40 };
      const rivers = { tensor: tensorOf(ONWARD), scatter: { side: 128, walkers: 4 }, steps: 50, heading: ["E", "NW"] };
      const walk = createMill({ seed }).walk("land", {
        layers: [
          { name: "rock", tensor: tensorOf(EVEN), walkers: 9, steps: 500 },
          hills,
          { ...rivers, name: "rivers", start: { layer: "hills" }, closed: { layers: ["rock"] } },
          { ...rivers, name: "brooks", open: { layers: ["hills", "rock"] } },
          { ...rivers, name: "falls", start: { layer: "hills" }, until: { outside: "hills" } },
        ] as never,
      });
      const rock = walkEnds(streamKey(seed, "land/rock"), { ...EVEN, walkers: 9, steps: 500 }).cells;
      expect(walk.runLayer({ layer: "rock" }).digest()).toBe(digestOf(rock));
      const hillRegions = range(6).flatMap((i) => range(6).map((j): [number, number] => [i - 3, j - 3]));
      const regionOf = (place: [number, number]) =>
        walkRegion(streamKey(seed, "land/hills"), place, { ...EVEN, ...hillSize, side: 64 }).cells;
      const theirs = hillRegions.map((region) => walk.runLayer({ layer: "hills", region }));
      expect(theirs.map((map) => map.digest())).toEqual(hillRegions.map((region) => digestOf(regionOf(region))));
      const hillMap = mergeLayerMaps(theirs);
      const visited = sumOf(hillRegions.map(regionOf));
      expect(hillMap.digest()).toBe(digestOf(visited));
      const has = (cells: VisitedCell[]) => {
        const names = new Set(cells.map(({ row, col }) => `${row},${col}`));
        return (row: number, col: number) => names.has(`${row},${col}`);
      };
      const [onRock, onHills] = [has(rock), has(visited)];
      const fields = { ...ONWARD, ...riverSize, side: 128, headings: [2, 0] };
      const earlier = { rock: walk.runLayer({ layer: "rock" }), hills: hillMap };
      for (const region of [
        [0, 0],
        [-1, 0],
        [-1, -1],
      ] as [number, number][]) {
        const ours = {
          rivers: { ...fields, visited, closed: onRock },
          brooks: { ...fields, closed: (row: number, col: number) => !onHills(row, col) && !onRock(row, col) },
          falls: { ...fields, visited, ends: (row: number, col: number) => !onHills(row, col) },
        };
        for (const [layer, spec] of Object.entries(ours)) {
          const { cells } = walkRegion(streamKey(seed, `land/${layer}`), region, spec);
          expect(walk.runLayer({ layer, region, earlier }).digest(), layer).toBe(digestOf(cells));
        }
      }
    });
  });

  test("the scattered layer of the page", () => {
    const walk = createMill({ seed: "moria" }).walk("land", {
      layers: [
        { name: "hills", scatter: { side: 64, walkers: 3 }, steps: 100 },
        {
          name: "rivers",
          scatter: { side: 64, walkers: 2 },
          steps: 60,
          start: { layer: "hills" },
          until: { outside: "hills" },
        },
      ],
    });
    const region = [-1, 2] as const;
    using run = walk.start({ layer: "hills", region });
    expect([...run.positions()].map(({ row, col }) => [row, col])).toEqual([
      [-10, 144],
      [-20, 170],
      [-28, 163],
    ]);
    run.advance(100);
    expect([...run.positions()]).toEqual([
      { row: -17, col: 150, heading: "NE" },
      { row: -31, col: 171, heading: "NE" },
      { row: -29, col: 155, heading: "SE" },
    ]);
    expect(run.map().cells).toBe(162);
    const around = range(7).flatMap((i) => range(7).map((j): [number, number] => [i - 4, j - 1]));
    const hills = mergeLayerMaps(around.map((place) => walk.runLayer({ layer: "hills", region: place })));
    using rivers = walk.start({ layer: "rivers", region, earlier: { hills } });
    expect([...rivers.positions()].map(({ row, col }) => [row, col])).toEqual([
      [-23, 151],
      [-11, 145],
    ]);
    rivers.advance(60);
    expect([...rivers.positions()].map(({ row, col }) => [row, col])).toEqual([
      [-22, 151],
      [-8, 143],
    ]);
    expect(rivers.map().visits).toBe(16);
  });
});

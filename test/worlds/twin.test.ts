import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { ConditionInput, WorldInput } from "../../src/worlds/index.js";
import { addressOf } from "../oracle/terrainTwin.js";
import { forkTwin, seedKeyTwin, startsKeyTwin, streamKey, streamWords } from "../oracle/words.js";
import { cellsOf, twinWalk } from "../walks/cases.js";
import { cellsIn, distance, type Pair } from "./hexes.js";
import { LayersTwin } from "./layersTwin.js";
import { randomWorld } from "./randomWorld.js";
import { WorldTwin } from "./twin.js";
import { lowestTerms, PlaneWords } from "./words.js";

/** The twin itself, against cases that are worked out by hand, and against other models. */

const SETUP = { seed: "moria", name: "land" };
/** A straight path of four cells: (0, 0) … (0, 3). */
const PATH = {
  name: "path",
  steps: 3,
  firstVisit: true,
  tensor: { absolute: { E: 1 }, relative: { forward: 1 } },
} as const;
const AREA = { row: -8, col: -8, rows: 16, cols: 20 };

/** Cells of a window that have a terrain. */
function cellsWith(input: WorldInput, terrain: string): string[] {
  const window = new WorldTwin(input, SETUP).window(AREA);
  return [...cellsIn(AREA)].filter((_, k) => window.terrain[k] === terrain).map((cell) => cell.join());
}

function rules(when: ConditionInput): WorldInput {
  return { layers: [PATH], terrain: [{ terrain: "a", when }, { terrain: "b" }] };
}

describe("words", () => {
  test("are those of the oracle", () => {
    const key = streamKey("moria", "loot");
    const oracle = streamWords(key);
    const plane = new PlaneWords(key, 2);
    for (const index of [1020, 0, 1023, 1024, 5, 2 ** 31 + 700]) {
      const next = plane.at(index);
      const expected = [oracle.word(2, index), ...[0, 1, 2, 3, 4].map((i) => oracle.extra(2, index, i))];
      expect(expected.map(() => next())).toEqual(expected);
    }
  });
});

describe("hexes", () => {
  test("the distance in an odd-r grid is that of axial cells", () => {
    const oddR = { kind: "bounded", rows: 9, cols: 9, coordinates: "odd-r" } as const;
    // the neighbours of (1, 1) in odd-r coordinates: its own row, and columns 1 and 2 of the rows above and below
    const neighbours = [...cellsIn({ row: 0, col: 0, rows: 4, cols: 4 })].filter(
      (cell) => distance(oddR, [1, 1], cell) === 1,
    );
    expect(neighbours.map((cell) => cell.join())).toEqual(["0,1", "0,2", "1,0", "1,2", "2,1", "2,2"]);
  });
});

describe("layers", () => {
  test("a walker without steps visits its start, row and column from planes 0 and 1 of the region's starts", () => {
    const layers = [{ name: "hills", scatter: { side: 64, walkers: 3 } }];
    const region: Pair = [-1, 2];
    const starts = streamWords(startsKeyTwin(forkTwin(streamKey("moria", "land/hills"), region)));
    const expected = [0, 1, 2].map((q) => {
      // 64 divides 2^32: the first six bits decide
      return [-64 + (starts.word(0, q) >>> 26), 128 + (starts.word(1, q) >>> 26)].join();
    });
    const window = { row: -64, col: 128, rows: 64, cols: 64 };
    const { visits } = new WorldTwin({ layers }, SETUP).window(window);
    const seen = [...cellsIn(window)].flatMap((cell, k) => Array.from({ length: visits.hills[k] }, () => cell.join()));
    expect(seen.sort()).toEqual(expected.sort());
  });

  test("finite layers are those of the twin of walks and of the library", () => {
    let compared = 0;
    for (let number = 0; number < 60; number++) {
      const { input, seed, name } = randomWorld(number);
      const layers = input.layers.filter((layer) => layer.scatter === undefined);
      if (layers.length === 0) continue;
      const walk = { ...(input.grid && { grid: input.grid }), layers };
      const mill = seedKeyTwin(seed);
      const twin = new LayersTwin(input.grid ?? { kind: "unbounded" }, layers, { mill, name, forks: [] });
      const cells = () => layers.map((layer) => twin.known(layer.name, { row: 0, col: 0, rows: 1, cols: 1 }));
      let expected: ReturnType<typeof twinWalk>;
      try {
        expected = twinWalk(walk, { seed, name });
      } catch {
        // no open start
        expect(cells).toThrow();
        continue;
      }
      const { layers: results } = createMill({ seed }).walk(name, walk).run();
      for (const [i, found] of cells().entries()) {
        const list = found.list().map(([row, col]) => {
          const cell = { row, col, visits: found.visits(row, col) };
          return layers[i].firstVisit === true ? { ...cell, first: found.first(row, col) } : cell;
        });
        expect(list).toEqual(expected[i].cells);
        expect(list).toEqual(cellsOf(results[i].map));
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(20);
  });

  test("the visits of a scattered layer do not depend on the window that was made before", () => {
    const layers = [
      { name: "hills", steps: 30, scatter: { side: 64, walkers: 4 } },
      { name: "rivers", steps: 20, scatter: { side: 64, walkers: 2 }, start: { layer: "hills" } },
    ];
    const window = { row: -5, col: 40, rows: 30, cols: 30 };
    const fresh = new WorldTwin({ layers }, SETUP).window(window);
    const used = new WorldTwin({ layers }, SETUP);
    used.window({ row: 10, col: -40, rows: 90, cols: 100 });
    expect(used.window(window)).toEqual(fresh);
    expect(Math.max(...fresh.visits.rivers)).toBeGreaterThan(0);
  });
});

describe("terrain", () => {
  test.each([
    ["visits", { path: { visits: [1, null] } }, ["0,0", "0,1", "0,2", "0,3"]],
    ["a range of visits", { path: { visits: [2, 5] } }, []],
    ["first visits", { path: { firstVisit: [1, 2] } }, ["0,1", "0,2"]],
    ["a distance", { path: { visits: [0, 0], within: 1 } }, "-1,0 -1,1 -1,2 -1,3 -1,4 0,-1 0,4 1,-1 1,0 1,1 1,2 1,3"],
    [
      "all that must hold",
      { path: { visits: [1, null] }, not: { path: { firstVisit: [0, 0] } } },
      ["0,1", "0,2", "0,3"],
    ],
    [
      "any of several",
      { any: [{ path: { firstVisit: [0, 0] } }, { path: { firstVisit: [3, null] } }] },
      ["0,0", "0,3"],
    ],
    [
      "chances 0 and 1",
      { chance: 1, all: [{ path: { within: 0 } }], not: { chance: 0 } },
      ["0,0", "0,1", "0,2", "0,3"],
    ],
  ] as const)("%s", (_, when, cells) => {
    expect(cellsWith(rules(when), "a")).toEqual(typeof cells === "string" ? cells.split(" ") : cells);
  });

  test("a chance reads the address of the cell in a stream of its terrain and number", () => {
    const when = { any: [{ chance: "1/4" }, { chance: "1/8" }] };
    const terrainKey = forkTwin(forkTwin(streamKey("moria", "land"), "terrain"), "a");
    const [first, second] = [0n, 1n].map((c) => streamWords(forkTwin(terrainKey, c)));
    const expected = [...cellsIn(AREA)].filter(([row, col]) => {
      const address = addressOf(row, col);
      return first.word(...address) < 2 ** 30 || second.word(...address) < 2 ** 29;
    });
    expect(cellsWith(rules(when), "a")).toEqual(expected.map((cell) => cell.join()));
  });

  test("probabilities are read in lowest terms", () => {
    expect(["6/9", 0.05, "0.5", 1, 0].map((share) => lowestTerms(share))).toEqual([
      [2, 3],
      [1, 20],
      [1, 2],
      [1, 1],
      [0, 1],
    ]);
  });
});

describe("placements", () => {
  const standing = (density: string | number, distance: number): Pair[] => {
    const input = { layers: [PATH], terrain: [{ terrain: "a" }], placements: [{ name: "ore", density, distance }] };
    return new WorldTwin(input, SETUP)
      .window(AREA)
      .placements.map(({ row, col }) => [row, col] as const)
      .sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  };

  test("with density 1 and distance 0, there is one on each cell", () => {
    expect(standing(1, 0)).toHaveLength(AREA.rows * AREA.cols);
    expect(standing(0, 0)).toHaveLength(0);
  });

  test("candidates are the cells whose word is below the density", () => {
    const words = streamWords(forkTwin(forkTwin(streamKey("moria", "land"), "placements"), "ore"));
    const expected = [...cellsIn(AREA)].filter(([row, col]) => words.word(...addressOf(row, col)) < 2 ** 29);
    expect(standing("1/8", 0)).toEqual(expected);
  });

  test("a candidate with a smaller extra word within the distance displaces it", () => {
    const words = streamWords(forkTwin(forkTwin(streamKey("moria", "land"), "placements"), "ore"));
    const priority = ([row, col]: Pair) => words.extra(...addressOf(row, col), 0);
    const wide = { row: -11, col: -11, rows: 22, cols: 26 };
    const candidates = [...cellsIn(wide)];
    const expected = [...cellsIn(AREA)].filter((cell) =>
      candidates.every((other) => {
        const apart = distance({ kind: "unbounded" }, cell, other);
        return apart === 0 || apart > 3 || priority(other) > priority(cell);
      }),
    );
    expect(standing(1, 3)).toEqual(expected);
    expect(expected.length).toBeGreaterThan(3);
  });

  test("contents count by rank in the region, whatever the window", () => {
    const placements = [{ name: "chests", density: "1/300", content: { table: "loot" } }];
    const tables = {
      loot: {
        rows: [
          {
            columns: [
              { result: "sword", weight: 5 },
              { result: "axe", weight: 3 },
            ],
          },
        ],
      },
    };
    const twin = new WorldTwin({ layers: [PATH], terrain: [{ terrain: "a" }], placements, tables }, SETUP);
    const whole = twin.window({ row: 0, col: -256, rows: 256, cols: 256 }).placements;
    const rolls = createMill({ seed: "moria" })
      .table("land", tables.loot)
      .fork("contents")
      .fork("chests")
      .fork([0, -1]);
    expect(whole.map(({ content }) => content)).toEqual(whole.map((_, at) => rolls.roll({ at })));
    const part = { row: 100, col: -200, rows: 80, cols: 150 };
    const inside = whole.filter(({ row, col }) => row >= 100 && row < 180 && col >= -200 && col < -50);
    expect(twin.window(part).placements).toEqual(inside);
  });
});

describe("random worlds", () => {
  test("have every kind of part", () => {
    const text = Array.from({ length: 200 }, (_, number) => JSON.stringify(randomWorld(number))).join("\n");
    for (const part of [
      "scatter",
      "odd-r",
      '"on"',
      "outside",
      "open",
      "closed",
      '"cells"',
      "tensor",
      "preset",
      "rect",
    ]) {
      expect(text).toContain(part);
    }
    for (const part of ["firstVisit", "within", "chance", '"all"', '"any"', '"not"', "table", "recipe", "objects"]) {
      expect(text).toContain(part);
    }
  });

  test("are made by the twin", () => {
    let placements = 0;
    let visits = 0;
    for (let number = 0; number < 30; number++) {
      const { input, window, seed, name } = randomWorld(number);
      try {
        const made = new WorldTwin(input, { seed, name }).window(window);
        placements += made.placements.length;
        visits += Object.values(made.visits)
          .flat()
          .reduce((a, b) => a + b, 0);
      } catch (thrown) {
        expect(thrown).toMatchObject({ code: "walk.closed-start" });
      }
    }
    expect(placements).toBeGreaterThan(100);
    expect(visits).toBeGreaterThan(1000);
  });
});

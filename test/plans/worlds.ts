// Walks and worlds for plan files, and what the library makes of them, in the order of test/plans/probe.c.
import { createMill, type Mill } from "../../src/index.js";
import { LayerMap, Walk } from "../../src/walks/index.js";
import { cellsOfGrid, isInside } from "../../src/walks/rectangles.js";
import type { World } from "../../src/worlds/index.js";

/** The rectangles of a digest. A host leaves out those that are not in the grid. */
export const RECTANGLES = [
  { row0: -40, col0: -30, rows: 80, cols: 100 },
  { row0: 0, col0: 0, rows: 40, cols: 50 },
  { row0: 249, col0: -262, rows: 12, cols: 300 },
  { row0: -40, col0: -30, rows: 80, cols: 100 },
];

const LAND = { preset: "five-ways", walkers: 9, steps: 120, start: { rect: [2, 3, 30, 40] } } as const;

/** Its layers, fields, rules and kinds have everything that a plan file can contain. */
const ISLES = {
  grid: { coordinates: "odd-r" },
  layers: [
    {
      name: "sea",
      preset: "five-ways",
      heading: ["E", "NW"],
      steps: 150,
      firstVisit: true,
      scatter: { side: 128, walkers: 3 },
    },
    {
      name: "rivers",
      tensor: { absolute: { E: 2, SE: 4, SW: 3, W: 1, NE: 1 }, relative: { forward: 4, leftForward: 1 } },
      steps: 60,
      scatter: { side: 64, density: "1/300" },
      start: { field: "height", from: 30000 },
      until: { on: "sea" },
      slope: { field: "height", down: 1, level: 1, steepness: 64 },
    },
    { name: "ends", stuck: "rivers" },
    {
      name: "woods",
      preset: "uniform",
      steps: 40,
      scatter: { side: 64, walkers: 4 },
      closed: { layers: ["sea"], cells: [[3, 4]] },
      open: { layers: ["ends"], fields: [{ field: "height", to: 60000 }] },
    },
    {
      name: "paths",
      preset: "sf66-rf33",
      steps: 30,
      scatter: { side: 64, density: "1/50" },
      start: { layer: "woods" },
      until: { outside: "woods" },
    },
    {
      name: "camp",
      walkers: 5,
      steps: 50,
      closed: { cells: [[1, 1]] },
      start: [
        [0, 0],
        [10, 12],
      ],
    },
  ],
  fields: [
    { name: "height", kind: "noise", scale: 32, octaves: 2 },
    { name: "coast", kind: "distance", layer: "sea", most: 20 },
    { name: "trees", kind: "visits", layer: "woods", most: 9 },
    { name: "tide", kind: "firstVisit", layer: "sea", most: 99 },
    { name: "far", kind: "position", from: [3, -9], most: 90 },
    { name: "south", kind: "rows", from: 7, most: 60 },
    { name: "mix", kind: "sum", of: [{ field: "coast", factor: -2 }, { field: "height" }], plus: 9000, over: 2 },
    { name: "low", kind: "least", of: ["mix", "tide"] },
    { name: "high", kind: "most", of: ["low", "far", "south"] },
  ],
  terrain: [
    { terrain: "sea", color: "#2f6c9e", tags: ["water"], when: { sea: { visits: [2, null] } } },
    { terrain: "shore", when: { sea: { firstVisit: [0, 60] } } },
    { terrain: "river", when: { any: [{ rivers: { visits: [1, null] } }, { ends: { within: 2 } }] } },
    { terrain: "camp", when: { all: [{ camp: { within: 1 } }, { not: { chance: "1/3" } }] } },
    { terrain: "wood", when: { woods: { within: 1 }, chance: "2/3" } },
    { terrain: "hill", when: { any: [{ high: [50000, null] }, { height: [45000, 47000], trees: [0, 9999] }] } },
    { terrain: "plain", tags: ["land"] },
  ],
  placements: [
    { name: "town", on: ["plain", "wood"], density: "1/60", distance: 6, sizes: { large: 1, small: 4 }, facing: true },
    { name: "inn", on: ["land"], density: "1/9", distance: 2, near: { kind: "town", within: 4 }, alone: true },
    {
      name: "mine",
      density: "1/20",
      apart: { kind: "town", distance: 5 },
      where: { all: [{ height: [30000, null] }, { chance: "1/2" }] },
      facing: true,
    },
    { name: "shrine", density: 0, distance: 3, least: { count: 7, within: 12, of: [4, 9] } },
    {
      name: "guard",
      density: "1/30",
      at: [
        [2, 3],
        [7, -4],
      ],
      most: { count: 2, within: 9, of: [5, 5] },
      least: { count: 5, within: 4, of: [20, -10] },
    },
  ],
} as const;

/** A bounded grid, whose layers refer to the whole maps of earlier layers. */
const VALLEY = {
  grid: { kind: "bounded", rows: 60, cols: 70, coordinates: "odd-r" },
  layers: [
    {
      name: "land",
      ...LAND,
      firstVisit: true,
      closed: {
        cells: [
          [4, 4],
          [5, 5],
        ],
      },
    },
    {
      name: "river",
      walkers: 4,
      steps: 90,
      start: { layer: "land" },
      closed: { cells: [[9, 9]] },
      until: { outside: "land" },
    },
    { name: "trail", walkers: 3, steps: 70, start: { layer: "river" }, open: { layers: ["land", "river"] } },
    {
      name: "hunt",
      walkers: 6,
      steps: 80,
      closed: { layers: ["trail"] },
      start: { layer: "land" },
      until: { on: "river" },
    },
  ],
  terrain: [
    { terrain: "river", when: { river: { visits: [1, null] } } },
    { terrain: "trail", when: { trail: { within: 2 } } },
    { terrain: "land", when: { land: { firstVisit: [0, 100] } } },
    { terrain: "wild" },
  ],
  placements: [{ name: "deer", on: ["wild"], density: "1/20", distance: 4, where: { hunt: { within: 9 } } }],
} as const;

/** Axial coordinates, and no rules: kinds can stand everywhere. */
const PLAIN = {
  layers: [{ name: "herds", steps: 20, scatter: { side: 64, density: "1/500" } }],
  fields: [
    { name: "soil", kind: "noise", scale: 16 },
    {
      name: "crop",
      kind: "curve",
      of: "soil",
      points: [
        [9000, 0],
        [40000, 60000],
      ],
    },
  ],
  placements: [
    { name: "farm", density: "1/90", distance: 5, where: { any: [{ crop: [30000, null] }, { herds: { within: 3 } }] } },
  ],
} as const;

const DRIFT = [
  {
    name: "first",
    ...LAND,
    closed: {
      cells: [
        [9, 9],
        [20, 20],
      ],
    },
  },
  { name: "second", walkers: 20, steps: 45, heading: ["W"], start: { layer: "first" }, firstVisit: true },
  { name: "herd", walkers: 1, steps: 9, start: [[-3, -5]], until: { on: "first" } },
] as const;
const SCATTERED = [{ name: "a", preset: "rf50-lf50", steps: 33, scatter: { side: 64, walkers: 2 } }] as const;

export function openWorlds(mill: Mill) {
  const torus = { kind: "torus", rows: 44, cols: 53, coordinates: "odd-r" } as const;
  return [
    mill.walk("stroll", {
      grid: torus,
      preset: "five-ways",
      walkers: 30,
      steps: 300,
      firstVisit: true,
      start: [[3, 52]],
    }),
    mill.walk("drift", { layers: DRIFT }),
    mill.walk("herds", { layers: SCATTERED }),
    mill.world("isles", ISLES),
    mill.world("valley", VALLEY),
    mill.world("plain", PLAIN),
  ] as unknown as readonly (Walk | World)[];
}

/** Visits and first visits of every layer, then the terrain and the placements, of each rectangle in the grid. */
export function wordsOf(noun: Walk | World, seed: string): Uint32Array[] {
  const grid = noun instanceof Walk ? noun.plan.grid : noun.plan.spec.grid;
  const rectangles = RECTANGLES.filter((cells) => isInside(cells, cellsOfGrid(grid)));
  return rectangles.flatMap((cells) => (noun instanceof Walk ? walked(noun, cells, seed) : made(noun, cells)));
}

type Cells = (typeof RECTANGLES)[number];

function walked(walk: Walk, cells: Cells, seed: string): Uint32Array[] {
  if (walk.layers.some(({ side }) => side !== undefined)) {
    // a world with these layers has the same random words
    const world = createMill({ seed }).world(walk.name, { layers: SCATTERED });
    return walk.layers.map(({ name }) => world.window(cells, { visits: [name] }).visits(name));
  }
  return walk.run().layers.flatMap(({ map }, l) => {
    if (!(map instanceof LayerMap)) throw new Error("a layer without a map");
    const first = () => {
      const { row0, col0, rows, cols } = cells;
      const at = (i: number) => map.firstVisitAt(row0 + Math.floor(i / cols), col0 + (i % cols)) ?? 2 ** 32 - 1;
      return Uint32Array.from({ length: rows * cols }, (_, i) => at(i));
    };
    return [map.window(cells), ...(walk.layers[l].firstVisit ? [first()] : [])];
  });
}

function made(world: World, cells: Cells): Uint32Array[] {
  const { layers } = world.plan.walk;
  const window = world.window(cells, { visits: layers.map(({ name }) => name), contents: false });
  const visits = layers.flatMap(({ name, firstVisit }) => {
    return [window.visits(name), ...(firstVisit ? [window.firstVisits(name)] : [])];
  });
  const { rows, cols, kinds, terrains, sizes, facings, length } = window.placements;
  const columns = [rows, cols, kinds, terrains, sizes, facings];
  const placements = Uint32Array.from({ length: 6 * length }, (_, i) => columns[i % 6][Math.floor(i / 6)]);
  return [...visits, Uint32Array.from(window.terrain), placements];
}

import type { GridSpec, LayerInput } from "../../src/walks/index.js";
import type {
  ContentInput,
  PathInput,
  PlacementInput,
  StampInput,
  TerrainRuleInput,
  WorldInput,
} from "../../src/worlds/index.js";
import type { Grid, Pair, Rect } from "./hexes.js";
import { Dice } from "./randomWorld.js";

/** Random worlds with all parts at once: slopes, relations, paths, stamps, realms and contents. */

/** Where windows begin: beside borders of regions, and far from the origin. */
const CORNERS: readonly Pair[] = [
  [-20, 240],
  [500, -270],
  [-1, -1],
  [2 ** 29 + 1, -(2 ** 29)],
  [-(2 ** 31), 2 ** 30 - 40],
];
const AXIAL: GridSpec = { kind: "unbounded" };

/** Rows of a table with the given names. */
function loot(...names: readonly string[]) {
  return { rows: { chest: names.map((result, i) => ({ result, weight: 1 + i })) } };
}

export const LOOT = loot("gold", "gem", "tin");
export const TRADE = loot("salt", "furs");

export interface TogetherWorld {
  readonly input: WorldInput & {
    readonly grid: Grid;
    readonly terrain: readonly TerrainRuleInput[];
    readonly placements: readonly PlacementInput[];
    readonly paths: readonly PathInput[];
  };
  readonly window: Rect;
  readonly seed: string;
}

/** Returns world number `number`; always the same one. */
export function togetherWorld(number: number): TogetherWorld {
  const dice = new Dice(`together ${number}`);
  const kind = ["axial", "odd-r", "bounded"][number % 3];
  const coordinates = dice.of(["axial", "odd-r"] as const);
  const grid = {
    axial: AXIAL,
    "odd-r": { kind: "unbounded", coordinates: "odd-r" } as const,
    bounded: { kind: "bounded", rows: 90, cols: 300, coordinates } as const,
  }[kind] as Grid;
  const [row, col] = kind === "bounded" ? [dice.integer(0, 50), dice.of([0, 235, 260])] : dice.of(CORNERS);
  const window = { row, col, rows: dice.integer(20, 40), cols: dice.integer(20, 40) };
  const layers = kind === "bounded" ? finiteLayers() : scatteredLayers(dice, window);
  const has = (name: string) => layers.some((layer) => layer.name === name);
  return {
    seed: `seed ${number}`,
    window,
    input: {
      grid,
      layers,
      fields: [
        { name: "height", kind: "noise", scale: dice.of([8, 16, 32]), octaves: 2 },
        { name: "cone", kind: "position", from: [row, col], most: dice.of([40, 500]) },
        { name: "shore", kind: "distance", layer: "rivers", most: dice.of([3, 7]) },
        { name: "slopes", kind: "sum", of: [{ field: "height", factor: 2 }, { field: "cone" }], over: 3 },
      ],
      terrain: [
        { terrain: "sea", tags: ["wet"], when: { height: [0, 24_000] } },
        ...(has("ponds") ? [{ terrain: "pond", tags: ["wet"], when: { ponds: { within: 1 } } } as const] : []),
        { terrain: "river", tags: ["wet"], when: { rivers: { visits: [1, null] } } },
        { terrain: "wood", tags: ["dry"], when: { any: [{ hills: { within: 1 } }, { chance: "1/9" }] } },
        { terrain: "grass", tags: ["dry"] },
      ],
      placements: randomKinds(dice, window),
      paths: [
        {
          name: "road",
          between: dice.of([["town"], ["town", "village"], ["village", "well"]]),
          within: dice.integer(8, 24),
          graph: dice.of(["gabriel", "relative"] as const),
          cost: { wood: 3, sea: dice.of([null, 9]), grass: 2 },
          covers: { wet: { terrain: "bridge", tags: ["laid"] } },
          terrain: "road",
          tags: ["laid", "dry"],
        },
        ...(dice.holds(0.4)
          ? [{ name: "track", between: ["farm"], within: 9, cost: { laid: 1, "*": 4 }, terrain: "track" } as const]
          : []),
      ],
      stamps: { hamlet: randomStamp(dice), keep: randomStamp(dice) },
      realms: [
        { name: "realm", of: "keep", within: dice.of([5, 30]) },
        { name: "parish", of: "well", within: 12 },
        { name: "county", of: "town", within: 60 },
      ],
      tables: { loot: LOOT, trade: TRADE, towns: loot("Ham", "Bree") },
    },
  };
}

function scatteredLayers(dice: Dice, { row, col }: Rect): LayerInput[] {
  const slope = { field: dice.of(["height", "slopes"]), down: 8, level: dice.of([0, 2]), steepness: dice.of([0, 99]) };
  const source = { name: "rivers", steps: 30, scatter: { side: 64, density: "1/150" } } as const;
  return [
    { name: "hills", steps: 16, firstVisit: true, scatter: { side: 64, walkers: 5 } },
    {
      ...source,
      slope,
      ...dice.of([{ start: { field: "height", from: 34_000 } }, { closed: { fields: [{ field: "cone", to: 900 }] } }]),
      ...(dice.holds(0.5) && { until: { field: "height", to: 23_000 } }),
    },
    { name: "ponds", stuck: "rivers" },
    ...(dice.holds(0.5)
      ? [
          {
            name: "moss",
            steps: 5,
            scatter: { side: 64, density: "1/2" },
            start: { layer: "ponds" },
            closed: { fields: [{ field: "shore", from: 60_000 }] },
          } as const,
        ]
      : []),
    { name: "march", steps: 30, walkers: 3, start: [[row, col + 3]] },
  ];
}

function finiteLayers(): LayerInput[] {
  return ["hills", "rivers"].map((name, l) => {
    return { name, steps: 40, walkers: 40, start: { rect: [l, 0, 80, 290] }, ...(l === 0 && { firstVisit: true }) };
  });
}

function randomKinds(dice: Dice, { row, col, rows, cols }: Rect): PlacementInput[] {
  const middle = [row + (rows >> 1), col + (cols >> 1)] as const;
  const byTerrain: ContentInput = { table: "loot", on: { laid: { table: "trade" }, yard: { table: "trade" } } };
  const sizes = { hut: 6, house: 1 };
  return [
    {
      name: "town",
      on: ["dry"],
      density: "1/60",
      distance: 5,
      sizes: { town: 3, city: 1 },
      contents: { name: { table: "towns" }, stock: byTerrain },
      stamps: { hamlet: 1 },
      turns: true,
      ...(dice.holds(0.5) && { at: [middle] }),
      ...(dice.holds(0.5) && { least: { count: 3, within: 9, of: middle } }),
      ...(dice.holds(0.3) && { most: { count: 2, within: 9, of: middle } }),
    },
    {
      name: "village",
      density: "1/40",
      distance: 2,
      near: { kind: "town", within: 12 },
      where: dice.of([{ chance: "1/2" }, { cone: [0, 40_000] }]),
      alone: true,
      facing: true,
      stamps: { keep: 1, hamlet: 2 },
      content: byTerrain,
    },
    { name: "well", sizes, facing: true, content: byTerrain, at: [[row + 2, col + 2]] },
    {
      name: "farm",
      on: ["grass"],
      density: "1/70",
      apart: { kind: "town", distance: 3 },
      turns: dice.holds(0.5),
      stamps: { keep: 1 },
    },
    { name: "keep", facing: true, contents: { guard: { table: "loot" } } },
  ];
}

function randomStamp(dice: Dice): StampInput {
  const [rows, cols] = [dice.integer(1, 4), dice.integer(2, 4)];
  const map = Array.from({ length: rows }, (_, r) => {
    const signs = Array.from({ length: cols }, () => dice.of(["h", "y", "w", " ", "k"]));
    return r === 0 ? `y${signs.slice(1).join("")}` : signs.join("");
  });
  return {
    map,
    legend: {
      h: { terrain: "house", on: ["dry"] },
      y: "yard",
      w: { terrain: "yard", place: "well", on: ["grass", "laid"] },
      k: { place: "keep" },
    },
    ...(dice.holds(0.7) && { fits: ["dry", "bridge"] }),
  };
}

import type { GridSpec, LayerInput } from "../../src/walks/index.js";
import type { ConditionInput, PlacementInput } from "../../src/worlds/index.js";
import { distance, type Pair, type Rect } from "./hexes.js";
import { Dice, type RandomWorld } from "./randomWorld.js";

/** Random worlds whose kinds of placements have relations. Their layers and distances are small. */

const LAYERS: readonly LayerInput[] = [
  { name: "hills", steps: 20, scatter: { side: 64, walkers: 5 } },
  { name: "paths", steps: 12, scatter: { side: 64, density: "1/300" } },
];
const FINITE: readonly LayerInput[] = LAYERS.map(({ name, steps }, l) => {
  return { name, steps, walkers: 30, start: { rect: [0, 0, 0, 1 + l] } };
});
const KINDS = ["towns", "farms", "lairs", "Türme"];
const DENSITIES = [0, "1/200", "1/60", "1/20", 0.2, "2863311531/4294967295", 1];
/** How far from (0, 0) windows are. */
const SPREADS = [0, 0, 200, 5000, 2 ** 30];

/** Returns world number `number`; always the same one. */
export function randomRelations(number: number): RandomWorld {
  const dice = new Dice(`relations ${number}`);
  const spread = dice.of(SPREADS);
  const rows = dice.integer(1, 24);
  const cols = dice.integer(1, 28);
  const bounded = dice.holds(0.4);
  const [row, col] = bounded
    ? [dice.integer(0, 10), dice.integer(0, 10)]
    : [dice.integer(-spread - rows, spread), dice.integer(-spread - cols, spread)];
  const window = { row, col, rows, cols };
  const size = { rows: row + rows + dice.integer(0, 9), cols: col + cols + dice.integer(0, 9) };
  const coordinates = dice.of(["axial", "odd-r", "odd-r"] as const);
  const grid = bounded ? ({ kind: "bounded", ...size, coordinates } as const) : undefined;
  const kinds: PlacementInput[] = [];
  for (const name of KINDS.slice(0, dice.integer(1, 4))) {
    kinds.push(randomKind(dice, { name, kinds, window, grid: grid ?? { kind: "unbounded" } }));
  }
  return {
    seed: dice.of(["moria", "1"]),
    name: dice.of(["land", "länder"]),
    window,
    input: {
      ...(grid && { grid }),
      layers: bounded ? FINITE : LAYERS,
      fields: [{ name: "height", kind: "noise", scale: 32, octaves: 2 }],
      ...(dice.holds(0.85) && {
        terrain: [
          { terrain: "water", when: { height: [0, 27_000] } },
          { terrain: "hill", tags: ["dry"], when: { hills: { within: 1 }, chance: "2/3" } },
          { terrain: "plain", tags: ["dry"] },
        ],
      }),
      placements: kinds,
    },
  };
}

interface KindScope {
  readonly name: string;
  readonly kinds: readonly PlacementInput[];
  readonly window: Rect;
  readonly grid: GridSpec;
}

function randomKind(dice: Dice, scope: KindScope): PlacementInput {
  const { name, kinds } = scope;
  const earlier = () => dice.of(kinds).name;
  const steps = () => dice.of([0, 1, 2, 4, 7, 12]);
  const least = dice.of([0, 0, 1, 2, 4, 9]);
  const hasEarlier = kinds.length > 0;
  return {
    name,
    density: dice.of(DENSITIES),
    distance: least,
    ...(hasEarlier && dice.holds(0.55) && { near: { kind: earlier(), within: steps() } }),
    ...(hasEarlier && dice.holds(0.55) && { apart: { kind: earlier(), distance: steps() } }),
    ...(dice.holds(0.3) && { alone: dice.holds(0.8) }),
    ...(dice.holds(0.4) && { where: randomWhere(dice) }),
    ...(dice.holds(0.35) && { at: randomCells(dice, scope, least) }),
    ...(dice.holds(0.35) && { least: { count: dice.integer(1, 6), ...randomDisc(dice, scope) } }),
    ...(dice.holds(0.35) && { most: { count: dice.integer(0, 4), ...randomDisc(dice, scope) } }),
    ...(dice.holds(0.4) && { sizes: dice.of([{ hut: 1 }, { hamlet: 6, town: 1 }, { a: 3, b: 1_000_000, c: 7 }]) }),
    ...(dice.holds(0.4) && { facing: true }),
  };
}

function randomWhere(dice: Dice): ConditionInput {
  const chance = { chance: dice.of(["1/2", "9/10", 1]) };
  return dice.of<ConditionInput>([
    { height: [dice.integer(0, 40_000), null] },
    { paths: { within: dice.integer(0, 5) } },
    { any: [{ hills: { visits: [1, null] } }, chance] },
    { not: { height: [30_000, 34_000] }, all: [chance, { chance: 0.7 }] },
  ]);
}

/** Cells in the window or near it, farther apart than a distance. */
function randomCells(dice: Dice, scope: KindScope, least: number): Pair[] {
  const cells: Pair[] = [];
  for (let i = dice.integer(1, 4); i > 0; i--) {
    const cell = nearCell(dice, scope, 9);
    if (cells.every((other) => distance(scope.grid, cell, other) > least)) cells.push(cell);
  }
  return cells;
}

function randomDisc(dice: Dice, scope: KindScope) {
  return { within: dice.of([0, 1, 3, 6, 11]), ...(dice.holds(0.95) && { of: nearCell(dice, scope, 20) }) };
}

function nearCell(dice: Dice, { window, grid }: KindScope, margin: number): Pair {
  const row = window.row + dice.integer(-margin, window.rows + margin);
  const col = window.col + dice.integer(-margin, window.cols + margin);
  if (grid.kind === "unbounded") return [row, col];
  return [Math.min(grid.rows - 1, Math.max(0, row)), Math.min(grid.cols - 1, Math.max(0, col))];
}

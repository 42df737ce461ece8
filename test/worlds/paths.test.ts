import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { GridSpec } from "../../src/walks/index.js";
import type { CoverInput, PathInput, TerrainRuleInput, WorldInput, WorldPath } from "../../src/worlds/index.js";
import { IS_SOAK } from "../soak.js";
import { cellsIn, grow, type Pair, type Rect } from "./hexes.js";
import { pathsTwin, type TwinPath } from "./pathsTwin.js";
import { Dice } from "./randomWorld.js";

/** Paths of random worlds, compared with the twin. */
/** In CI, worlds that take little time, of which some have a closed path. */
const FIRST = IS_SOAK ? 0 : 20;
const WORLDS = IS_SOAK ? 500 : 16;
/** Where windows begin: beside borders of regions, and far from the origin. */
const CORNERS: readonly Pair[] = [
  [-20, 240],
  [500, -270],
  [-1, -1],
  [2 ** 30 + 1, -(2 ** 30)],
  [-(2 ** 31), 2 ** 31 - 40],
];

interface RandomPaths {
  readonly input: WorldInput & { readonly terrain: readonly TerrainRuleInput[] };
  readonly window: Rect;
  readonly grid: GridSpec;
}

function randomPaths(number: number): RandomPaths {
  const dice = new Dice(`paths ${number}`);
  const isBounded = dice.holds(0.3);
  const coordinates = dice.of(["axial", "odd-r"] as const);
  const grid: GridSpec = isBounded ? { kind: "bounded", rows: 70, cols: 290, coordinates } : { kind: "unbounded" };
  const [row, col] = isBounded ? [dice.integer(0, 50), dice.of([0, 230, 270])] : dice.of(CORNERS);
  const terrain = [
    { terrain: "sea", tags: ["wet"], when: { height: [0, dice.integer(18_000, 31_000)] as const } },
    { terrain: "river", tags: ["wet", "low"], when: { chance: "1/20" } },
    { terrain: "rock", when: { height: [dice.integer(33_000, 45_000), null] as const } },
    { terrain: "grass", tags: ["low"] },
  ];
  return {
    grid,
    window: clipped({ row, col, rows: dice.integer(1, 30), cols: dice.integer(1, 40) }, grid),
    input: {
      grid,
      layers: [{ name: "land" }],
      fields: [{ name: "height", kind: "noise", scale: dice.of([8, 16]), octaves: 2 }],
      terrain,
      placements: ["village", "mine"].map((name) => {
        const on = name === "mine" ? { on: ["rock", "low"] } : {};
        return { name, density: dice.of(["1/80", "1/150", "1/300"]), distance: dice.of([0, 2, 5]), ...on };
      }),
      paths: Array.from({ length: dice.of([1, 1, 1, 2, 3]) }, (_, p) => randomPath(dice, p)),
    },
  };
}

function randomPath(dice: Dice, p: number): PathInput {
  const names = ["wet", "rock", "low", "sea", "*", ...(p > 0 ? ["path 0"] : [])];
  const cost = Object.fromEntries(dice.some(names).map((name) => [name, dice.of([null, 1, 2, 2, 3, 7, 30])]));
  const cover = (): CoverInput => ({ terrain: dice.of(["bridge", "grass", `path ${p}`]) });
  return {
    name: `kind ${p}`,
    between: dice.some(["village", "mine"]),
    ...dice.of([
      { within: dice.integer(1, 22) },
      { within: dice.integer(8, 40), graph: "gabriel" },
      { within: dice.integer(8, 22), graph: "relative" },
      { within: dice.integer(1, 9), graph: "all" },
    ] as const),
    terrain: `path ${p}`,
    ...(dice.holds(0.7) && { cost }),
    ...(dice.holds(0.5) && {
      covers: Object.fromEntries(dice.some(["wet", "rock", "low"]).map((name) => [name, cover()])),
    }),
  };
}

const isInRect = ({ row, col, rows, cols }: Rect, [r, c]: Pair) =>
  r >= row && r < row + rows && c >= col && c < col + cols;

function isSeen(window: Rect, { from, to, cells }: WorldPath | TwinPath): boolean {
  return (cells.length > 0 ? cells : [from, to]).some((cell) => isInRect(window, cell));
}

const seen = { laid: 0, paths: 0, closed: 0 };

test.each(Array.from({ length: WORLDS }, (_, k) => FIRST + k))("world %d", (number) => {
  const { input, window, grid } = randomPaths(number);
  const { paths = [], ...base } = input;
  const open = (spec: WorldInput) => createMill({ seed: "moria" }).world("land", spec);
  using world = open(input);
  using bare = open(base);
  // for each kind, the cells that must be right before it
  const areas = new Map<PathInput, Rect>();
  let wide = window;
  for (const path of paths.toReversed()) {
    areas.set(path, wide);
    wide = grow(wide, 2 * path.within + 10);
  }
  wide = clipped(wide, grid);
  const { row: row0, col: col0, rows, cols } = wide;
  const before = bare.window({ row0, col0, rows, cols });
  const placed = new Map<string, Pair[]>();
  for (const { kind, row, col } of before.placements) placed.set(kind, [...(placed.get(kind) ?? []), [row, col]]);
  const terrainAt = (row: number, col: number) =>
    isInRect(wide, [row, col]) ? before.terrainAt(row, col)?.name : undefined;
  const isWanted = (path: PathInput, from: Pair, to: Pair) => {
    const area = grow(areas.get(path) as Rect, path.within + 6);
    return isInRect(area, from) || isInRect(area, to);
  };
  const twin = pathsTwin({ grid, rules: input.terrain, paths, placed, terrainAt, isWanted });
  const asked = { row0: window.row, col0: window.col, rows: window.rows, cols: window.cols };
  const made = world.window(asked);
  const differing = [...cellsIn(window)].filter(([r, c]) => made.terrainAt(r, c)?.name !== twin.terrainAt(r, c));
  expect(differing, `terrain of world ${number}`).toEqual([]);
  const theirs = twin.found.filter((path) => isSeen(window, path));
  expect(world.paths(asked), `paths of world ${number}`).toEqual(theirs);
  expect([...made.placements]).toEqual([...bare.placements(asked)]);
  seen.laid += [...cellsIn(window)].filter(([r, c]) => terrainAt(r, c) !== twin.terrainAt(r, c)).length;
  seen.paths += theirs.length;
  seen.closed += theirs.filter(({ reason }) => reason !== undefined).length;
});

/** The cells of a rectangle that are in the grid and have 32-bit coordinates. */
function clipped({ row, col, rows, cols }: Rect, grid: GridSpec): Rect {
  const limit = 2 ** 31;
  const [least, end, right] = grid.kind === "bounded" ? [0, grid.rows, grid.cols] : [-limit, limit, limit];
  const [top, left] = [Math.max(row, least), Math.max(col, least)];
  return { row: top, col: left, rows: Math.min(row + rows, end) - top, cols: Math.min(col + cols, right) - left };
}

test("the worlds have something to compare", () => {
  expect(seen.laid).toBeGreaterThan(WORLDS * 5);
  expect(seen.paths).toBeGreaterThan(WORLDS * 2);
  expect(seen.closed).toBeGreaterThan(0);
});

import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { explain } from "../../src/instruments/index.js";
import { axialToOddR, hexDistance, hexNeighbours, hexToPixel, oddRToAxial } from "../../src/walks/index.js";
import { type CellRectangle, checkWorld, loadWorld, type World } from "../../src/worlds/index.js";
import { integers } from "../instruments/random.js";
import { IS_SOAK } from "../soak.js";
import { areAlike } from "../statistics/chiSquare.js";

const examples = fileURLToPath(new URL("../../examples/", import.meta.url));
const read = (path: string) => (existsSync(path) ? readFileSync(path, "utf8") : undefined);

async function load(name: string) {
  const { spec, issues } = await loadWorld(`${examples}${name}.json`, read);
  expect(issues).toEqual([]);
  if (spec === undefined) throw new Error(name);
  expect(checkWorld(spec)).toEqual([]);
  return createMill({ seed: "moria" }).world(name, spec);
}

const highlands = await load("highlands");

type Cell = readonly [row: number, col: number];

/** The square of the issue with SOAK=1, otherwise a part of it that has all terrain. */
const SHOWN = IS_SOAK
  ? { row0: 0, col0: 1024, rows: 1024, cols: 1024 }
  : { row0: 20, col0: 1120, rows: 128, cols: 160 };

const grown = ({ row0, col0, rows, cols }: CellRectangle, by: number): CellRectangle => ({
  row0: row0 - by,
  col0: col0 - by,
  rows: rows + 2 * by,
  cols: cols + 2 * by,
});
const isIn = ({ row0, col0, rows, cols }: CellRectangle, [row, col]: Cell) =>
  row >= row0 && row < row0 + rows && col >= col0 && col < col0 + cols;
const ODD_R = { coordinates: "odd-r" } as const;
const nameOf = (a: Cell, b: Cell) => [a, b].sort((x, y) => x[0] - y[0] || x[1] - y[1]).join();

/** Each place of `kinds` in the window with the place whose centre is nearest, if that is at most `within` steps away. */
function neighbours(world: World, shown: CellRectangle, kinds: readonly string[], within: number): string[] {
  const placements = world.placements(grown(shown, within), { contents: false });
  const places = [...placements].filter(({ kind }) => kinds.includes(kind)).map(({ row, col }): Cell => [row, col]);
  const away = (a: Cell, b: Cell) => {
    const [from, to] = [a, b].map((cell) => hexToPixel(cell, { ...ODD_R, size: 1 }));
    return Math.hypot(to.x - from.x, to.y - from.y);
  };
  return places.flatMap((place) => {
    const near = places.filter((other) => other !== place && hexDistance(place, other, ODD_R) <= within);
    const nearest = near.sort((a, b) => away(place, a) - away(place, b))[0];
    return isIn(shown, place) && nearest !== undefined ? [nameOf(place, nearest)] : [];
  });
}

test("the highlands are golden", () => {
  expect(highlands.digest({ row0: 80, col0: 1230, rows: 64, cols: 64 })).toBe(
    "dc70ac521206933053d6e859e2e39f24e65224d98146c8890c12eb4e0f409db8",
  );
});

test("each place of the highlands has a road to its nearest neighbour, or water lies between", () => {
  const kinds = ["village", "castle"];
  const within = 72;
  const paths = highlands.paths(SHOWN);
  const joined = new Set(paths.map(({ from, to }) => nameOf(from, to)));
  const pairs = neighbours(highlands, SHOWN, kinds, within);
  expect(pairs.length).toBeGreaterThan(6);
  expect(pairs.filter((pair) => !joined.has(pair))).toEqual([]);
  // no road joins ruins, although some are the nearest neighbours of villages
  const others = neighbours(highlands, SHOWN, [...kinds, "ruin"], within);
  expect(others.filter((pair) => !joined.has(pair)).length).toBeGreaterThan(0);
  const wide = grown(SHOWN, 2 * within);
  const ends = new Set(
    [...highlands.placements(wide, { contents: false })]
      .filter(({ kind }) => kinds.includes(kind))
      .map(({ row, col }) => `${row},${col}`),
  );
  expect(paths.flatMap(({ from, to }) => [from, to]).filter((end) => !ends.has(end.join()))).toEqual([]);

  const map = highlands.window(wide);
  const isRoad = ([row, col]: Cell) => ["road", "bridge"].includes(map.terrainAt(row, col)?.name ?? "");
  const isWater = ([row, col]: Cell) => map.terrainAt(row, col)?.tags.includes("water") ?? true;
  let closed = 0;
  for (const { from, to, cells, reason } of paths) {
    expect(cells.length > 0).toBe(reason === undefined);
    expect(cells.slice(1, -1).filter((cell) => isIn(wide, cell) && !isRoad(cell))).toEqual([]);
    if (reason === undefined || !isIn(SHOWN, from) || !isIn(SHOWN, to)) continue;
    closed++;
    expect(canWalk(from, to, (cell) => !isWater(cell))).toBe(false);
  }
  if (IS_SOAK) expect(closed).toBeGreaterThan(0);
});

/** Whether open cells of the hexagon around two cells join them. */
function canWalk(from: Cell, to: Cell, isOpen: (cell: Cell) => boolean): boolean {
  const lines = (cell: Cell) => {
    const [row, q] = oddRToAxial(cell);
    return [row, q, row + q];
  };
  const [starts, ends] = [lines(from), lines(to)];
  const margin = 4 + Math.floor(hexDistance(from, to, ODD_R) / 4);
  const isInside = (cell: Cell) =>
    lines(cell).every((at, i) => {
      return at >= Math.min(starts[i], ends[i]) - margin && at <= Math.max(starts[i], ends[i]) + margin;
    });
  const reached = new Map([[from.join(), from]]);
  for (const cell of reached.values()) {
    for (const next of hexNeighbours(cell, ODD_R)) {
      if (next.join() === to.join()) return true;
      if (isInside(next) && isOpen(next)) reached.set(next.join(), next);
    }
  }
  return false;
}

test("nine of ten rivers of the highlands end in the sea or in a lake", () => {
  let [walkers, wet] = [0, 0];
  for (let k = 0; k < (IS_SOAK ? 16 : 1); k++) {
    const region = [k >> 2, 4 + (k & 3)] as const;
    using run = highlands.start({ layer: "rivers", region });
    run.advance(400);
    for (const { row, col } of run.positions()) {
      walkers++;
      const [, column] = axialToOddR([row, col]);
      wet += Number(highlands.at(row, column).terrain?.tags.includes("water"));
    }
  }
  expect(walkers).toBeGreaterThan(20);
  expect(wet / walkers).toBeGreaterThanOrEqual(0.9);
});

test("a cell of the highlands is explained as the window has it", () => {
  const below = integers(3);
  const map = highlands.window(SHOWN);
  for (let i = 0; i < (IS_SOAK ? 200 : 50); i++) {
    const [row, col] = [SHOWN.row0 + below(SHOWN.rows), SHOWN.col0 + below(SHOWN.cols)];
    const { result } = explain(highlands, { at: { row, col } });
    expect(result, `${row},${col}`).toMatchObject({ terrain: map.terrainAt(row, col)?.name });
  }
});

test.each(IS_SOAK ? ["archipelago", "highlands"] : ["archipelago"])(
  "windows of the %s 10,000 cells apart are different lands",
  async (name) => {
    using world = await load(name);
    const side = IS_SOAK ? 1024 : 128;
    const counts = [0, 10_000].map((row0) => {
      const { terrain } = world.window({ row0, col0: 0, rows: side, cols: side });
      return world.terrains.map((_, number) => terrain.filter((one) => one === number).length);
    });
    expect(areAlike(counts[0], counts[1])).toBe(false);
  },
);

describe("regions leave no trace", () => {
  const AREA = { row0: 2048, col0: 1024, rows: 2048, cols: 2048 };
  const cellOf = (at: number): Cell => [AREA.row0 + Math.floor(at / AREA.cols), AREA.col0 + (at % AREA.cols)];
  /** The lines that can be borders of regions; a cell has the number of its line, and its place in the line. */
  const LINES: Record<string, (cell: Cell) => Cell> = {
    rows: (cell) => cell,
    columns: ([row, col]) => [col, row],
    "axial columns": (cell) => [oddRToAxial(cell)[1], cell[0]],
  };

  /**
   * Compares the `reach` lines on each side of the borders of regions with as many lines in the middle of regions.
   * Returns Student's t of their relative difference over pieces of 256 cells.
   */
  function traceOf(values: ArrayLike<number>, lineOf: (cell: Cell) => Cell, reach: number): number {
    const pieces = new Map<string, Record<"border" | "middle", number[]>>();
    for (let at = 0; at < values.length; at++) {
      const [line, place] = lineOf(cellOf(at));
      const isBorder = ((line + reach) & 255) < 2 * reach;
      if (!isBorder && ((line + reach + 128) & 255) >= 2 * reach) continue;
      const name = `${(line + reach) >> 8},${place >> 8}`;
      const piece = pieces.get(name) ?? { border: [], middle: [] };
      pieces.set(name, piece);
      piece[isBorder ? "border" : "middle"].push(values[at]);
    }
    const meanOf = (all: readonly number[]) => all.reduce((sum, one) => sum + one, 0) / all.length;
    const means = [...pieces.values()].map(({ border, middle }) => [meanOf(border), meanOf(middle)]);
    const differences = means.filter(([a, b]) => a + b > 0).map(([a, b]) => (a - b) / (a + b));
    const mean = meanOf(differences);
    const variance = meanOf(differences.map((one) => (one - mean) ** 2));
    return Math.abs(mean) / Math.sqrt(variance / (differences.length - 1));
  }

  test.runIf(IS_SOAK)("in the visits and the terrain of the archipelago", async () => {
    using world = await load("archipelago");
    const map = world.window(AREA, { visits: ["groves"] });
    const visits = map.visits("groves");
    for (const [what, lineOf] of Object.entries(LINES)) {
      const next = what === "rows" ? AREA.cols : 1;
      const changes = map.terrain.map((one, at, all) => Number(at + next < all.length && all[at + next] !== one));
      for (const [values, reach] of [
        [visits, 8],
        [changes, 1],
      ] as const) {
        expect(traceOf(values, lineOf, reach), what).toBeLessThan(3.5);
        // twice as much at the borders would be found
        const crowded = values.map((one, at) => (((lineOf(cellOf(at))[0] + reach) & 255) < 2 * reach ? 2 * one : one));
        expect(traceOf(crowded, lineOf, reach), what).toBeGreaterThan(3.5);
      }
    }
  });
});

test("a ruin leads to a vault with rooms, corridors and loot", () => {
  const ruins = [...highlands.placements({ row0: 190, col0: 1370, rows: 40, cols: 40 })];
  const ruin = ruins.find(({ kind }) => kind === "ruin");
  if (ruin === undefined) throw new Error("no ruin");
  using vault = highlands.enter(ruin.row, ruin.col);
  const all = { row0: 0, col0: 0, rows: 60, cols: 90 };
  expect(vault.digest(all)).toBe("f73d5e5074bca7eeec16e234388a270e60badc4b40a996621b677de24fa8a6e4");
  const things = [...vault.placements(all)];
  expect(things.filter(({ kind }) => kind === "room").length).toBeGreaterThan(20);
  const window = vault.window(all);
  // each room has its stamp, and everything stands in a room
  expect(things.filter(({ row, col }) => window.terrainAt(row, col)?.name !== "floor")).toEqual([]);
  expect(things.some(({ kind, content }) => kind === "chest" && content !== undefined)).toBe(true);
  expect(vault.paths(all).some(({ cells }) => cells.length > 2)).toBe(true);
});

test("the archipelago: golden, and ships sail from harbour to harbour over water and beaches only", async () => {
  using world = await load("archipelago");
  const window = { row0: 0, col0: 0, rows: 256, cols: 384 };
  expect(world.digest({ row0: 0, col0: 0, rows: 64, cols: 64 })).toBe(
    "4db4c50150668d069d124de115e0f06a103f6b8b2c29e96196ae1aeb69945901",
  );
  const routes = world.paths(window);
  expect(routes.filter(({ cells }) => cells.length > 0).length).toBeGreaterThan(4);
  const map = world.window(window, { fields: ["height"] });
  const beaches = 36_200; // the height up to which the coast is a beach
  const sailed = routes
    .flatMap(({ cells }) => cells)
    .filter(([row, col]) => row >= 0 && row < 256 && col >= 0 && col < 384);
  expect(sailed.filter(([row, col]) => map.fieldAt("height", row, col) > beaches)).toEqual([]);
});

test.each(["endless", "coast", "marches", "continent-world"])("%s is upright and has no warnings", async (name) => {
  using _ = await load(name);
  const { grid } = JSON.parse(readFileSync(`${examples}${name}.json`, "utf8"));
  expect(grid).toEqual({ coordinates: "odd-r" });
});

import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { explain } from "../../src/instruments/index.js";
import type { JobInput } from "../../src/jobs/index.js";
import { startJob } from "../../src/jobs/index.js";
import type { CellRectangle } from "../../src/walks/rectangles.js";
import type { PlacementInput, World, WorldInput, WorldOptions, WorldWindow } from "../../src/worlds/index.js";
import { finished, newFolder, SMALL } from "../jobs/samples.js";
import { IS_SOAK } from "../soak.js";
import { expectSame, readWindow } from "./compare.js";
import { cellsIn, type Grid, gridBounds, grow, type Pair, type Rect } from "./hexes.js";
import { pathsTwin } from "./pathsTwin.js";
import { Dice } from "./randomWorld.js";
import { StampsTwin } from "./stampsTwin.js";
import { LOOT, type TogetherWorld, TRADE, togetherWorld } from "./togetherWorlds.js";
import { WorldTwin } from "./twin.js";

/** Worlds that use all parts at once: laws, and the twins one after the other. */

const WORLDS = Array.from({ length: IS_SOAK ? 200 : 3 }, (_, number) => number);

function open({ input, seed }: TogetherWorld, changes: Partial<WorldInput> = {}, options: WorldOptions = {}): World {
  return createMill({ seed }).world("land", { ...input, ...changes }, options);
}

/** The names of the terrains of a rectangle, in one text. */
function terrainsOf(window: WorldWindow, rect: Rect): string {
  return Array.from(cellsIn(rect), ([row, col]) => window.terrainAt(row, col)?.name).join();
}

function plain(value: object): object {
  return JSON.parse(JSON.stringify(value));
}

function rectangleOf({ row, col, rows, cols }: Rect): CellRectangle {
  return { row0: row, col0: col, rows, cols };
}

/** A window with all visits, fields and realms. */
function everything(world: World, rect: Rect): WorldWindow {
  const [visits, fields, realms] = [world.layers, world.fields, world.realms].map((l) => l.map(({ name }) => name));
  return world.window(rectangleOf(rect), { visits, fields, realms });
}

/** What a window has on a cell, in the form of `world.at`. */
function cellOf(world: World, window: WorldWindow, row: number, col: number) {
  const named = <T>(list: readonly { readonly name: string }[], read: (name: string) => T) =>
    Object.fromEntries(list.map(({ name }) => [name, read(name)]));
  return {
    terrain: window.terrainAt(row, col),
    visits: named(world.layers, (name) => window.visitsAt(name, row, col)),
    fields: named(world.fields, (name) => window.fieldAt(name, row, col)),
    placements: [...window.placements].filter((one) => one.row === row && one.col === col),
    realms: named(world.realms, (name) => window.realmAt(name, row, col)),
  };
}

/** Cells of a window: some of those with placements, and others. */
function someCells(dice: Dice, { row, col, rows, cols }: Rect, { placements }: WorldWindow, count: number): Pair[] {
  return Array.from({ length: count }, () => {
    const one =
      placements.length > 0 && dice.holds(0.5) ? placements.at(dice.integer(0, placements.length - 1)) : undefined;
    return one ? [one.row, one.col] : [row + dice.integer(0, rows - 1), col + dice.integer(0, cols - 1)];
  });
}

/** Cuts a rectangle in four. */
function parts({ row, col, rows, cols }: Rect, dice: Dice): Rect[] {
  const [r, c] = [dice.integer(1, rows - 1), dice.integer(1, cols - 1)];
  return [
    { row, col, rows: r, cols: c },
    { row, col: col + c, rows: r, cols: cols - c },
    { row: row + r, col, rows: rows - r, cols: c },
    { row: row + r, col: col + c, rows: rows - r, cols: cols - c },
  ];
}

const seen = { paths: 0, laid: 0, stamped: 0, realms: 0, visits: 0 };

describe.each(WORLDS)("world %d", (number) => {
  const given = togetherWorld(number);
  const { input, window, seed } = given;

  test("a window is put together from its parts, in a world with little memory; at() and region() agree", () => {
    const dice = new Dice(`parts ${number}`);
    using world = open(given);
    using other = open(given, {}, { maxMemory: 2 ** dice.integer(24, 27) });
    const whole = everything(world, window);
    for (const part of parts(window, dice).reverse()) {
      const made = everything(other, part);
      expect(terrainsOf(made, part)).toBe(terrainsOf(whole, part));
      for (const [row, col] of someCells(dice, part, made, 3)) {
        expect(cellOf(other, made, row, col)).toEqual(cellOf(world, whole, row, col));
      }
    }
    for (const [row, col] of someCells(dice, window, whole, IS_SOAK ? 20 : 6)) {
      const { base, ...cell } = other.at(row, col);
      expect(cell).toEqual(cellOf(world, whole, row, col));
      const { realms: _, ...told } = cell;
      const { result } = explain(world, { at: { row, col } });
      expect(result).toMatchObject(plain({ ...told, base, terrain: cell.terrain?.name }));
    }
    const [i, j] = [Math.floor(window.row / 256), Math.floor(window.col / 256)];
    const region = other.region(i, j);
    const rows = Math.min(window.rows, 256 * (i + 1) - window.row);
    const cols = Math.min(window.cols, 256 * (j + 1) - window.col);
    expect(terrainsOf(region, { ...window, rows, cols })).toBe(terrainsOf(whole, { ...window, rows, cols }));
    expect(other.digest(rectangleOf(window))).toBe(world.digest(rectangleOf(window)));
    for (const theme of number < 3 ? (["plain", "atlas", "parchment", "night"] as const) : []) {
      const light = theme === "plain" ? {} : { light: "height", depth: { field: "height" } };
      expect(world.picture(rectangleOf(window), { theme, ...light }).length).toBeGreaterThan(100);
    }
    seen.visits += whole.visits("rivers").filter((count) => count > 0).length;
    seen.realms += whole.realms("county").seats.length + whole.realms("parish").seats.length;
  });

  test("is that of the twins, one after the other", () => {
    // contents can name terrains that only stamps lay
    const kinds = input.placements.map(({ content: _, contents: __, ...kind }) => kind);
    const placements = kinds.map(({ stamps: _, turns: __, ...kind }) => kind);
    const { paths, stamps: _, realms: __, ...rest } = input;
    const base = { ...rest, placements };
    using bare = createMill({ seed }).world("land", base);
    const twin = new WorldTwin(base, { seed, name: "land" });
    const small = { ...window, rows: 5, cols: 5 };
    expectSame(readWindow(everything(bare, small), base), twin.window(small), `world ${number}`);
    using laid = createMill({ seed }).world("land", { ...base, paths });
    expectPaths(given, bare, laid);
    const stamped = new StampsTwin({ ...input, placements: kinds }, { seed, name: "land" }).window(
      rectangleOf(window),
      40,
    );
    using world = open(given);
    const made = world.window(rectangleOf(window));
    expect(terrainsOf(made, window)).toBe(
      Array.from(cellsIn(window), (cell) => stamped.terrain.get(cell.join())).join(),
    );
    expect([...made.placements].map(({ kind, row, col }) => `${kind} ${row},${col}`).sort()).toEqual(
      stamped.placements,
    );
    seen.stamped += stamped.laid;
    const before = bare.window(rectangleOf(window));
    seen.laid += [...made.terrain].filter((terrain, k) => terrain !== before.terrain[k]).length;
  });

  test("placements of stamps have their traits, ranks and contents", () => {
    using world = open(given);
    const [i, j] = [Math.floor(window.row / 256), Math.floor(window.col / 256)];
    const region = world.region(i, j);
    const wells = [...region.placements].filter(({ kind }) => kind === "well");
    if (wells.length === 0) return;
    const { content: _, ...well } = input.placements.find(({ name }) => name === "well") as PlacementInput;
    const byHand = wells.map(({ row, col }) => [row, col] as const).slice(0, 20);
    const { paths: __, stamps: ___, realms: ____, ...rest } = input;
    using plainWorld = createMill({ seed }).world("land", { ...rest, placements: [{ ...well, at: byHand }] });
    const theirs = plainWorld.region(i, j).placements;
    for (const [k, { row, col, size, facing, content }] of wells.slice(0, 20).entries()) {
      expect(theirs.at(k)).toMatchObject({ row, col, size, facing });
      // an earlier placement has the terrain on which it was placed, and this one the finished terrain
      const { base, terrain } = world.at(row, col);
      const known = [base, terrain].map((one) => {
        const table = one?.tags.includes("laid") || one?.name === "yard" ? TRADE : LOOT;
        return createMill({ seed }).table("land", table).fork("contents").fork("well").fork([i, j]).roll({ at: k });
      });
      expect(known).toContainEqual(content);
    }
  });
});

function expectPaths({ input, window }: TogetherWorld, bare: World, laid: World): void {
  const areas = new Map<string, Rect>();
  let wide = window;
  for (const { name, within } of input.paths.toReversed()) {
    areas.set(name, wide);
    wide = grow(wide, 2 * within + 10);
  }
  wide = clipped(wide, input.grid);
  const before = bare.window(rectangleOf(wide));
  const placed = new Map<string, Pair[]>();
  for (const { kind, row, col } of before.placements) placed.set(kind, [...(placed.get(kind) ?? []), [row, col]]);
  const isIn = ({ row, col, rows, cols }: Rect, [r, c]: Pair) =>
    r >= row && r < row + rows && c >= col && c < col + cols;
  const twin = pathsTwin({
    grid: input.grid as never,
    rules: input.terrain,
    paths: input.paths,
    placed,
    terrainAt: (r, c) => (isIn(wide, [r, c]) ? before.terrainAt(r, c)?.name : undefined),
    isWanted: ({ name, within }, from, to) => {
      const area = grow(areas.get(name) as Rect, within + 6);
      return isIn(area, from) || isIn(area, to);
    },
  });
  const made = laid.window(rectangleOf(window));
  expect([...cellsIn(window)].filter(([r, c]) => made.terrainAt(r, c)?.name !== twin.terrainAt(r, c))).toEqual([]);
  const theirs = twin.found.filter(({ from, to, cells }) =>
    (cells.length > 0 ? cells : [from, to]).some((cell) => isIn(window, cell)),
  );
  expect(laid.paths(rectangleOf(window))).toEqual(theirs);
  seen.paths += theirs.length;
}

/** The cells of a rectangle that are in the grid. */
function clipped({ row, col, rows, cols }: Rect, grid: Grid): Rect {
  const all = gridBounds(grid);
  const [top, left] = [Math.max(row, all.row), Math.max(col, all.col)];
  const [end, right] = [Math.min(row + rows, all.row + all.rows), Math.min(col + cols, all.col + all.cols)];
  return { row: top, col: left, rows: end - top, cols: right - left };
}

// job number 1 is in test/jobs/together.test.ts
test.each(WORLDS.slice(0, IS_SOAK ? 30 : 1))("the digest of world %d is that of a job", async (number) => {
  const { input, window, seed } = togetherWorld(number);
  const job: JobInput = { name: "land", world: { ...input, name: "land" } as never, extent: rectangleOf(window) };
  const result = await finished(startJob(newFolder(), job, { ...SMALL, seed }));
  using world = createMill({ seed }).world("land", input);
  expect(result.world).toBe(world.digest(rectangleOf(window)));
});

test("the worlds have something to compare", () => {
  for (const [what, count] of Object.entries(seen)) expect(count, what).toBeGreaterThan(WORLDS.length);
});

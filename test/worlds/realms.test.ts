import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { GridSpec } from "../../src/walks/index.js";
import type { World, WorldInput, WorldWindow } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { cellsIn, distance, grow, type Pair, type Rect } from "./hexes.js";
import { TwinRefusal } from "./layersTwin.js";
import { Dice, randomWorld } from "./randomWorld.js";
import { WorldTwin } from "./twin.js";

/** Realms, compared with their definition: the nearest of all placements, for each cell by itself. */

interface Seat {
  readonly row: number;
  readonly col: number;
}

/** The nearest seat of a cell, by distance, then row, then column; undefined if all are further away than `within`. */
function seatOf<Place extends Seat>(grid: GridSpec, cell: Pair, seats: readonly Place[], within: number) {
  const near = seats
    .map((seat) => ({ seat, order: [distance(grid, cell, [seat.row, seat.col]), seat.row, seat.col] }))
    .filter(({ order }) => order[0] <= within);
  near.sort((a, b) => a.order[0] - b.order[0] || a.order[1] - b.order[1] || a.order[2] - b.order[2]);
  return near[0]?.seat;
}

function rectOf({ row, col, rows, cols }: Rect) {
  return { row0: row, col0: col, rows, cols };
}

/** For each cell of a window, the placement of its seat. */
function realmsOf(window: WorldWindow, name: string) {
  const { seats, cells } = window.realms(name);
  const all = [...seats];
  return Array.from(cells, (seat) => all[seat]);
}

const LAYERS = [{ name: "land" }];
const PLANE: Rect = { row: -(2 ** 31), col: -(2 ** 31), rows: 2 ** 32, cols: 2 ** 32 };
const UNBOUNDED: GridSpec = { kind: "unbounded" };

/** Towns on about one of `each` cells. */
function towns(each: number, within: number, grid?: GridSpec): WorldInput {
  return {
    ...(grid && { grid }),
    layers: LAYERS,
    placements: [
      { name: "tree", density: "1/50", distance: 1 },
      { name: "town", density: `1/${each}`, distance: 2, content: { table: "names" } },
    ],
    realms: [{ name: "shire", of: "town", within }],
    tables: { names: "result,weight\nAld,1\nBree,1\nCorm,1\n" },
  };
}

function open(input: WorldInput, seed = "moria"): World {
  return createMill({ seed }).world("land", input);
}

/** Compares all realms of a window with the definition, from all placements around it. */
function expectRealms(world: World, rect: Rect, grid = UNBOUNDED): number {
  const window = world.window(rectOf(rect), { realms: world.realms.map(({ name }) => name) });
  let found = 0;
  for (const { name, of, within } of world.realms) {
    const bounds = grid.kind === "bounded" ? { row: 0, col: 0, rows: grid.rows, cols: grid.cols } : PLANE;
    const around = [...cellsIn(grow(rect, within))].filter(([row, col]) => {
      return row >= bounds.row && col >= bounds.col && row < bounds.row + bounds.rows && col < bounds.col + bounds.cols;
    });
    const [first, last] = [around[0], around[around.length - 1]];
    const area = { row0: first[0], col0: first[1], rows: last[0] - first[0] + 1, cols: last[1] - first[1] + 1 };
    const seats = [...world.placements(area)].filter(({ kind }) => kind === of);
    const wanted = Array.from(cellsIn(rect), (cell) => seatOf(grid, cell, seats, within));
    expect(realmsOf(window, name)).toEqual(wanted);
    const used = new Set(wanted.filter((seat) => seat !== undefined));
    expect(window.realms(name).seats).toHaveLength(used.size);
    found += used.size;
  }
  return found;
}

describe("realms", () => {
  test.each([
    ["across the borders of regions", { row: 250, col: -6, rows: 12, cols: 13 }, 40, 9],
    ["far from the origin", { row: -(2 ** 30) - 5, col: 2 ** 29 - 7, rows: 11, cols: 20 }, 60, 12],
    ["of a single cell", { row: 17, col: 3, rows: 1, cols: 1 }, 200, 40],
    ["with cells of no realm", { row: 0, col: 0, rows: 40, cols: 30 }, 300, 5],
    ["with seats outside the window only", { row: 500, col: 500, rows: 3, cols: 3 }, 3000, 100],
    ["at the last cells of the plane", { row: 2 ** 31 - 20, col: 2 ** 31 - 30, rows: 20, cols: 30 }, 60, 12],
    ["at the first cells of the plane", { row: -(2 ** 31), col: -(2 ** 31), rows: 20, cols: 30 }, 60, 12],
  ])("%s are the nearest seats", (_, rect, each, within) => {
    using world = open(towns(each, within));
    expectRealms(world, rect);
  });

  test.each(["odd-r", "axial"] as const)("in a bounded grid with %s coordinates", (coordinates) => {
    const grid = { kind: "bounded", rows: 300, cols: 270, coordinates } as const;
    using world = open(towns(90, 20, grid));
    for (const rect of [
      { row: 0, col: 0, rows: 30, cols: 30 },
      { row: 240, col: 239, rows: 60, cols: 31 },
    ]) {
      expect(expectRealms(world, rect, grid)).toBeGreaterThan(5);
    }
  });

  test("of random worlds are those of the twin's placements", () => {
    let [compared, found] = [0, 0];
    for (let number = 0; number < (IS_SOAK ? 500 : 20); number++) {
      const { input: whole, seed, name, window: given } = randomWorld(number);
      const dice = new Dice(`realms ${number}`);
      const [kind] = whole.placements ?? [];
      if (kind === undefined) continue;
      const rect = { ...given, rows: Math.min(given.rows, 20), cols: Math.min(given.cols, 20) };
      const { content: _, contents: __, ...bare } = kind;
      const realms = [{ name: "realm", of: kind.name, within: dice.of([1, 3, 9]) }];
      const input = { ...whole, placements: [bare], realms };
      const grid = input.grid ?? UNBOUNDED;
      using world = createMill({ seed }).world(name, input);
      try {
        const { placements } = new WorldTwin(input, { seed, name }).window(grow(rect, realms[0].within));
        const wanted = Array.from(cellsIn(rect), (cell) => seatOf(grid, cell, placements, realms[0].within));
        const made = realmsOf(world.window(rectOf(rect), { realms: ["realm"] }), "realm");
        expect(
          made.map((seat) => seat && [seat.row, seat.col]),
          `world ${number}`,
        ).toEqual(wanted.map((seat) => seat && [seat.row, seat.col]));
        compared++;
        found += wanted.filter((seat) => seat !== undefined).length;
      } catch (thrown) {
        if (!(thrown instanceof TwinRefusal)) throw thrown;
      }
    }
    expect(compared).toBeGreaterThan(8);
    expect(found).toBeGreaterThan(300);
  });

  test("a window = its parts, of every alignment, and at() agrees", () => {
    using world = open(towns(150, 30));
    const rect = { row: 240, col: 1000, rows: 60, cols: 50 };
    const window = world.window(rectOf(rect), { realms: ["shire"] });
    for (const [row, col, rows, cols] of [
      [240, 1000, 7, 50],
      [255, 1023, 2, 2],
      [270, 1010, 30, 40],
    ] as const) {
      const part = world.window(rectOf({ row, col, rows, cols }), { realms: ["shire"] });
      for (const cell of cellsIn({ row, col, rows, cols })) {
        expect(part.realmAt("shire", ...cell)).toEqual(window.realmAt("shire", ...cell));
      }
    }
    for (const cell of [
      [240, 1000],
      [299, 1049],
      [256, 1024],
    ] as const) {
      expect(world.at(cell[0], cell[1]).realms).toEqual({ shire: window.realmAt("shire", cell[0], cell[1]) });
    }
  });

  test("of a window with several parts join without a seam, at the greatest distance", () => {
    using world = open(towns(20_000, 256));
    const rect = { row: 1000, col: -30, rows: 50, cols: 60 };
    expect(expectRealms(world, rect)).toBeGreaterThan(1);
  });

  test("have seats with contents only if the window has contents, also outside the window", () => {
    using world = open(towns(3000, 200));
    const cell = { row0: 128, col0: 128, rows: 1, cols: 1 };
    const [seat] = world.window(cell, { realms: ["shire"] }).realms("shire").seats;
    expect(seat.content).toMatch(/^(Ald|Bree|Corm)$/);
    expect(seat).toEqual(world.at(seat.row, seat.col).placements.find(({ kind }) => kind === "town"));
    const [bare] = world.window(cell, { realms: ["shire"], contents: false }).realms("shire").seats;
    expect(bare).toEqual({ row: seat.row, col: seat.col, kind: "town" });
  });

  test("change nothing else, not even the digest", () => {
    const { realms: _, ...without } = towns(100, 50);
    const [a, b] = [open(towns(100, 50)), open(without)];
    const rect = { row0: 200, col0: 200, rows: 90, cols: 90 };
    expect(a.digest(rect)).toBe(b.digest(rect));
    expect([...a.window(rect, { realms: ["shire"] }).placements]).toEqual([...b.window(rect).placements]);
    expect(b.at(3, 3).realms).toEqual({});
  });

  test("a kind that never stands has no realms", () => {
    using world = open({ ...towns(9, 9), placements: [{ name: "town", density: 0 }] });
    const { seats, cells } = world
      .window({ row0: 0, col0: 0, rows: 2, cols: 2 }, { realms: ["shire"] })
      .realms("shire");
    expect([seats.length, ...cells]).toEqual([0, 0, 0, 0, 0]);
    expect(world.at(0, 0).realms).toEqual({ shire: undefined });
  });
});

describe("invalid realms", () => {
  const refused = (realms: unknown) => codeAndPath(() => open({ ...towns(9, 9), realms } as WorldInput));
  const codeAndPath = (call: () => unknown) => {
    try {
      call();
    } catch (thrown) {
      const [{ code, where }] = (thrown as { issues: { code: string; where: { path?: string } }[] }).issues;
      return `${code} ${where.path}`;
    }
    return "";
  };

  test.each([
    ["realms", 7],
    ["realms[0].name", [{ of: "town", within: 9 }]],
    ["realms[0].of", [{ name: "a", within: 9 }]],
    ["realms[0].of", [{ name: "a", of: "castle", within: 9 }]],
    ["realms[0].within", [{ name: "a", of: "town", within: 0 }]],
    ["realms[0].within", [{ name: "a", of: "town", within: 257 }]],
    ["realms[0].colour", [{ name: "a", of: "town", within: 9, colour: 1 }]],
    [
      "realms[1].name",
      [
        { name: "a", of: "town", within: 9 },
        { name: "a", of: "tree", within: 9 },
      ],
    ],
    ["realms", Array.from({ length: 17 }, (_, i) => ({ name: `${i}`, of: "town", within: 9 }))],
  ])("%s", (path, realms) => {
    expect(refused(realms)).toBe(`world.spec ${path}`);
  });

  test("a call that names unknown realms", () => {
    using world = open(towns(9, 9));
    const cell = { row0: 0, col0: 0, rows: 1, cols: 1 };
    expect(codeOf(() => world.window(cell, { realms: ["shires"] }))).toBe("argument.range");
    expect(codeOf(() => world.window(cell).realms("shire"))).toBe("argument.range");
    const window = world.window(cell, { realms: ["shire"] });
    expect(codeOf(() => window.realmAt("shire", 1, 0))).toBe("argument.range");
    expect(codeOf(() => window.realmAt("shires", 0, 0))).toBe("argument.range");
  });
});

import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { oddRToAxial } from "../../src/walks/index.js";
import { parseWorld, type World, type WorldInput } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { compareWorld, expectSame, readWindow, type Seen, windowOf } from "./compare.js";
import { cellsIn, type Rect } from "./hexes.js";
import { randomWorld, uprightWorld } from "./randomWorld.js";
import { WorldTwin } from "./twin.js";

/** Unbounded worlds in odd-r coordinates: compared with the twin, and with the axial world. */
const NUMBERS = Array.from({ length: IS_SOAK ? 500 : 15 }, (_, number) => number).filter(
  (number) => randomWorld(number).input.grid === undefined,
);
const ODD_R = { kind: "unbounded", coordinates: "odd-r" } as const;
const SEED = "moria";

const LAND: WorldInput = {
  grid: ODD_R,
  layers: [
    { name: "hills", steps: 40, firstVisit: true, scatter: { side: 64, walkers: 3 }, closed: { cells: [[3, 2]] } },
    { name: "rivers", steps: 90, scatter: { side: 128, walkers: 4 }, start: { layer: "hills" } },
    { name: "road", steps: 200, walkers: 3, start: [[-3, 1]] },
  ],
  fields: [
    { name: "height", kind: "noise", scale: 32, octaves: 3 },
    { name: "shore", kind: "distance", layer: "rivers", most: 9 },
    { name: "far", kind: "position", from: [11, 40], most: 500 },
  ],
  terrain: [
    { terrain: "water", when: { rivers: { visits: [1, null] } } },
    { terrain: "wood", when: { any: [{ chance: "1/7" }, { hills: { within: 2 } }, { far: [0, 6000] }] } },
    { terrain: "heath" },
  ],
  placements: [{ name: "inn", on: ["heath"], density: "1/40", distance: 5 }],
};

/** The same land with walkers that read noise, a distance and a position. */
const SLOPED: WorldInput = {
  ...LAND,
  layers: [
    ...LAND.layers,
    {
      name: "streams",
      steps: 30,
      scatter: { side: 64, density: "1/90" },
      start: { field: "height", from: 30_000 },
      closed: { fields: [{ field: "far", to: 9000 }] },
      until: { field: "shore", to: 0 },
      slope: { field: "height", down: 8, level: 1 },
    },
    { name: "ponds", stuck: "streams" },
  ],
};

function open(input = LAND): World {
  return createMill({ seed: SEED }).world("land", input);
}

/** Makes a window in parts of some rows and columns. */
function inParts(world: World, rect: Rect, [rows, cols]: readonly [number, number]) {
  const parts: Rect[] = [];
  for (let row = 0; row < rect.rows; row += rows) {
    for (let col = 0; col < rect.cols; col += cols) {
      const size = { rows: Math.min(rows, rect.rows - row), cols: Math.min(cols, rect.cols - col) };
      parts.push({ row: rect.row + row, col: rect.col + col, ...size });
    }
  }
  return parts.map((part) => ({ part, made: windowOf(world, part) }));
}

describe("a random world in odd-r coordinates", () => {
  const seen: Seen = { visits: 0, terrains: 0, placements: 0, contents: 0, fields: 0, walkers: 0, refused: 0 };

  test.each(NUMBERS)("world %d", (number) => {
    compareWorld(uprightWorld(randomWorld(number)), seen);
  });

  test("has something to compare", () => {
    expect(seen.visits).toBeGreaterThan(1_000);
    expect(seen.terrains).toBeGreaterThan(10);
    expect(seen.placements).toBeGreaterThan(200);
    expect(seen.walkers).toBeGreaterThan(50);
    expect(seen.refused).toBeLessThan(NUMBERS.length / 6);
  });
});

describe("at the converted cell", () => {
  const { placements: _, ...layersOnly } = SLOPED;
  const axialInput: WorldInput = {
    ...layersOnly,
    grid: { kind: "unbounded" },
    layers: SLOPED.layers.map((layer) => ({
      ...layer,
      ...(layer.closed?.cells && { closed: { cells: [oddRToAxial([3, 2])] } }),
      ...(layer.name === "road" && { start: [oddRToAxial([-3, 1])] }),
    })),
    fields: LAND.fields?.map((field) =>
      field.kind === "position" ? { ...field, from: oddRToAxial([11, 40]) } : field,
    ),
  };

  test.each([
    { row: -90, col: -50, rows: 130, cols: 100 },
    { row: 70_001, col: -3_000_000, rows: 41, cols: 60 },
  ])("the visits, the fields and the distances are those of the axial world, $row", (rect) => {
    using upright = open(SLOPED);
    using axial = open(axialInput);
    const [ours, theirs] = [windowOf(upright, rect), windowOf(axial, axialAround(rect))];
    const cells = [...cellsIn(rect)];
    const same = (ourAt: At, theirAt: At) =>
      expect(cells.map(([row, col]) => ourAt(row, col))).toEqual(cells.map((cell) => theirAt(...oddRToAxial(cell))));
    for (const { name } of upright.layers) {
      expect(ours.visits(name).some((count) => count > 0) || (name === "road" && rect.row > 0)).toBe(true);
      same(
        (row, col) => ours.visitsAt(name, row, col),
        (row, col) => theirs.visitsAt(name, row, col),
      );
    }
    for (const { name } of upright.fields) {
      same(
        (row, col) => ours.fieldAt(name, row, col),
        (row, col) => theirs.fieldAt(name, row, col),
      );
    }
    same(
      (row, col) => ours.firstVisitAt("hills", row, col),
      (row, col) => theirs.firstVisitAt("hills", row, col),
    );
  });
});

type At = (row: number, col: number) => number | undefined;

function axialAround({ row, col, rows, cols }: Rect): Rect {
  const [left, right] = [oddRToAxial([row + rows - 1, col])[1], oddRToAxial([row, col + cols])[1]];
  return { row, col: left, rows, cols: right - left };
}

describe("a window", () => {
  const area = { row: -300, col: 230, rows: 70, cols: 60 };

  test("is put together from its parts, in any world that was used before", () => {
    using whole = open();
    using other = open();
    const expected = readWindow(windowOf(whole, area), LAND);
    for (const { part, made } of inParts(other, area, [23, 19])) {
      const twin = new WorldTwin(LAND, { seed: SEED, name: "land" });
      if (part.row === area.row) expectSame(readWindow(made, LAND), twin.window(part), JSON.stringify(part));
      for (const [row, col] of cellsIn(part)) {
        const at = (row - area.row) * area.cols + col - area.col;
        if (expected.terrain[at] !== made.terrainAt(row, col)?.name) throw new Error(`terrain of ${row}, ${col}`);
      }
    }
    const { row, col, ...size } = area;
    expect(other.digest({ row0: row, col0: col, ...size })).toBe(whole.digest({ row0: row, col0: col, ...size }));
  });

  test("of one column and many rows needs few regions, and at() agrees with it", () => {
    using world = createMill({ seed: SEED }).world("land", LAND, { maxRegions: 2000 });
    const tall = world.window({ row0: -5000, col0: 77, rows: 9000, cols: 1 }, { visits: ["rivers"] });
    for (const row of [-5000, -4097, -1, 0, 1023, 3999]) {
      const { terrain, visits, fields } = world.at(row, 77);
      expect([terrain?.name, visits.rivers]).toEqual([tall.terrainAt(row, 77)?.name, tall.visitsAt("rivers", row, 77)]);
      expect(Object.keys(fields)).toEqual(["height", "shore", "far"]);
    }
    expect(world.region(-4, 0).terrainAt(-1000, 77)).toEqual(tall.terrainAt(-1000, 77));
  });

  test("ends at the last rows and columns of the grid", () => {
    const world = new WorldTwin(LAND, { seed: SEED, name: "land" });
    using land = open();
    for (const [row, col] of [
      [2 ** 31 - 9, 2 ** 30 - 9],
      [-(2 ** 31), -(2 ** 30)],
      [2 ** 31 - 9, -(2 ** 30)],
      [-(2 ** 31), 2 ** 30 - 9],
    ]) {
      const corner = { row, col, rows: 9, cols: 9 };
      expectSame(readWindow(windowOf(land, corner), LAND), world.window(corner), `the corner ${row}, ${col}`);
    }
  });

  test("has walkers beyond its last columns, whom only other walkers see", () => {
    const input: WorldInput = {
      grid: ODD_R,
      layers: [
        { name: "springs", scatter: { side: 64, density: "1/300" } },
        {
          name: "streams",
          steps: 12,
          scatter: { side: 64, density: "1/20" },
          slope: { field: "away", down: 9, level: 1 },
          until: { field: "away", to: 0 },
        },
      ],
      fields: [{ name: "away", kind: "distance", layer: "springs", most: 16 }],
    };
    for (const col of [-(2 ** 30), 2 ** 30 - 20]) {
      const rect = { row: 7, col, rows: 16, cols: 20 };
      const twin = new WorldTwin(input, { seed: SEED, name: "land" }).window(rect);
      expectSame(readWindow(windowOf(open(input), rect), input), twin, `the column ${col}`);
    }
  });

  test("refuses cells outside the grid", () => {
    using land = open();
    expect(codeOf(() => land.at(0, 2 ** 30))).toBe("world.window");
    expect(codeOf(() => land.region(0, 2 ** 22))).toBe("world.window");
    expect(codeOf(() => land.window({ row0: 0, col0: -(2 ** 30) - 1, rows: 1, cols: 2 }))).toBe("world.window");
  });
});

describe("the grid of a spec", () => {
  const layers = [{ name: "road", start: [[0, 0]] as const }];

  test("is unbounded by default, and odd-r with or without its kind", () => {
    const gridOf = (grid: unknown) => parseWorld({ grid, layers }).spec?.grid;
    expect(gridOf(undefined)).toEqual({ kind: "unbounded" });
    expect(gridOf({})).toEqual({ kind: "unbounded" });
    expect(gridOf({ coordinates: "axial" })).toEqual({ kind: "unbounded" });
    expect(gridOf({ coordinates: "odd-r" })).toEqual(ODD_R);
    expect(gridOf(ODD_R)).toEqual(ODD_R);
  });

  test.each<[string, object, string]>([
    ["other coordinates", { grid: { coordinates: "even-r" } }, "world.spec grid.coordinates"],
    ["rows without a kind", { grid: { rows: 4, cols: 4 } }, "world.spec grid.rows"],
    ["an odd-r torus", { grid: { kind: "torus", rows: 4, cols: 4, coordinates: "odd-r" } }, "world.spec grid"],
    ["a start outside", { layers: [{ name: "road", start: [[0, 2 ** 30]] }] }, "walk.off-grid layers[0].start"],
    [
      "a closed cell outside",
      { layers: [{ name: "road", start: [[0, 0]], closed: { cells: [[0, -(2 ** 31)]] } }] },
      "walk.off-grid layers[0].closed.cells",
    ],
    [
      "a start in a rectangle",
      { layers: [{ name: "road", start: { rect: [0, 0, 3, 3] } }] },
      "world.spec layers[0].start",
    ],
  ])("%s is refused at its place", (_, given, expected) => {
    const { spec, issues } = parseWorld({ grid: ODD_R, layers, ...given });
    expect(spec).toBeUndefined();
    expect(issues.map(({ code, where }) => `${code} ${where.path}`)).toContain(expected);
  });

  test("of a walk cannot be unbounded and odd-r", () => {
    expect(codeOf(() => createMill({ seed: SEED }).walk("w", { grid: ODD_R, layers }))).toBe("walk.spec");
  });
});

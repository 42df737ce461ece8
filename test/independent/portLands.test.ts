// As port.test.ts, for fields, layers that feel them, densities of walkers, paths and odd-r coordinates.
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { integers } from "../instruments/random.js";
import { IS_SOAK } from "../soak.js";
import { streamKey } from "./port.mjs";
import { cellsOf, openLand, type PortWindow, terrainAfter, waysNear } from "./portLands.mjs";

type Corner = readonly [row: number, col: number];

/** Corners of windows: around the origin, and at the edges of the plane; the columns of odd-r grids end at ±2^30. */
function cornerOf(number: number, below: (limit: number) => number, isOddR: boolean): Corner {
  const last = isOddR ? 2 ** 30 : 2 ** 31;
  const near = (): number => below(300) - 150;
  const corners: Corner[] = [
    [near(), near()],
    [near(), near()],
    [-(10 ** 9) + near(), 10 ** 9 + near()],
    [near(), last - 12 - below(9)],
    [near(), -last],
    [2 ** 31 - 12 - below(9), near()],
    [-(2 ** 31), near()],
  ];
  return corners[number % corners.length];
}

function randomLand(number: number): { spec: WorldInput; window: PortWindow } {
  const below = integers(number * 7919 + 5);
  const one = <T>(...values: readonly T[]): T => values[below(values.length)];
  const isOddR = below(2) === 0;
  const isBounded = number % 5 === 4;
  const [row, col] = isBounded ? [0, 0] : cornerOf(number, below, isOddR);
  const [rows, cols] = [8 + below(5), 8 + below(5)];
  const coordinates = isOddR ? ("odd-r" as const) : ("axial" as const);
  const preset = () => one("uniform" as const, "five-ways" as const, "rf50-lf50" as const);
  const scatter = (walkers: number, shares: readonly string[]) =>
    ({ side: 64, ...(below(2) === 0 ? { walkers } : { density: one(...shares) }) }) as never;
  const rock = {
    name: "rock",
    walkers: 2,
    steps: 12,
    firstVisit: true,
    start: [[row + 5, col + 5]] as [number, number][],
  };
  const stuck = one("end", "end", "rest");
  const scattered: WorldInput["layers"] = [
    {
      name: "springs",
      preset: preset(),
      steps: 4 + below(12),
      firstVisit: true,
      scatter: scatter(8, ["1/80", "3/200"]),
      ...(below(2) === 0 && { closed: { layers: ["rock"], fields: [{ field: "height", to: 28000 }] } }),
    },
    {
      name: "rivers",
      preset: preset(),
      steps: 4 + below(16),
      firstVisit: true,
      scatter: scatter(12, ["1/50", "2/99"]),
      ...(below(3) > 0 && { start: { field: "height", from: 34000 } }),
      slope: {
        field: one("height", "water", "mix"),
        down: below(9),
        level: below(3),
        up: below(2),
        steepness: one(0, 64, 3),
        stuck,
      },
      ...(below(2) === 0 && { until: { field: "height", to: 26000 } }),
      ...(below(3) === 0 && { open: { layers: ["springs"], fields: [{ field: "height", from: 20000, to: 50000 }] } }),
    },
    ...(stuck === "end" ? [{ name: "ponds", stuck: "rivers" }] : []),
  ];
  const wet = isBounded ? "rock" : "springs";
  const late = isBounded ? "rock" : "rivers";
  const spec: WorldInput = {
    ...(isBounded
      ? { grid: { kind: "bounded", rows: rows + 2, cols: cols + 3, coordinates } }
      : isOddR && { grid: { coordinates } }),
    layers: isBounded ? [rock] : [rock, ...scattered],
    fields: [
      { name: "height", kind: "noise", scale: one(8, 16, 32), octaves: 1 + below(2) },
      { name: "water", kind: "distance", layer: wet, most: one(1, 3, 8) },
      {
        name: "mix",
        kind: "sum",
        of: [{ field: "height", factor: -2 }, { field: "water" }],
        plus: 90000,
        over: one(1, 3),
      },
      { name: "busy", kind: "visits", layer: late, most: one(1, 3, 255) },
      { name: "young", kind: "firstVisit", layer: late, most: one(1, 7, 65535) },
      { name: "far", kind: "position", from: [row + 3, col + 9], most: one(5, 20, 1000) },
      { name: "pole", kind: "rows", from: row + 2, most: one(3, 40, 65535) },
      { name: "low", kind: "least", of: ["height", "mix", "far"] },
      { name: "high", kind: "most", of: ["height", "busy"] },
      {
        name: "bent",
        kind: "curve",
        of: "height",
        points: [
          [below(9000), 5000],
          [30000, 65535],
          [30007, 3],
          [40000, 900],
        ],
      },
    ],
    terrain: [
      { terrain: "sea", when: { height: [0, 29000] } },
      { terrain: "reeds", when: { any: [{ [wet]: { within: 1 } }, { bent: [2000, 60000], chance: "1/3" }] } },
      { terrain: "peak", when: { low: [20000, null], not: { [late]: { visits: [1, null] } } } },
      { terrain: "grass" },
    ],
    placements: [
      { name: "hut", density: one("1/45", "1/70"), distance: below(3), on: ["grass", "peak", "reeds"] },
      { name: "inn", density: "1/150" },
    ],
    // many paths: a third of the lands have them
    paths:
      below(3) > 0
        ? []
        : [
            {
              name: "road",
              between: ["hut", "inn"],
              within: 4 + below(8),
              graph: one("gabriel", "relative", "all"),
              cost: { sea: one(null, 9), reeds: 3, "*": 1 + below(2) },
              terrain: "road",
              covers: { reeds: { terrain: "planks" } },
            },
            ...(below(3) === 0
              ? [{ name: "track", between: ["inn"], within: 5, cost: { road: 1, "*": 2 }, terrain: "grass" }]
              : []),
          ],
  };
  return { spec, window: { row0: row, col0: col, rows, cols } };
}

function expectEqual(number: number) {
  const { spec, window } = randomLand(number);
  const [seed, name] = [`seed ${number}`, "land"];
  using world = createMill({ seed }).world(name, spec);
  const port = openLand(seed, name, spec);
  const cells = cellsOf(window);
  const layers = spec.layers.map((layer) => layer.name);
  const fields = spec.fields?.map((field) => field.name) ?? [];
  const made = world.window(window, { visits: layers, fields });
  const at = (of: (row: number, col: number) => unknown) => cells.map(([row, col]) => of(row, col));
  for (const layer of layers) {
    expect(
      at((row, col) => made.visitsAt(layer, row, col)),
      layer,
    ).toEqual(at((row, col) => port.layers[layer](row, col)?.visits ?? 0));
  }
  for (const field of fields) {
    expect(
      at((row, col) => made.fieldAt(field, row, col)),
      field,
    ).toEqual(at(port.fields[field]));
  }
  for (const [kind, { name: of }] of (spec.placements ?? []).entries()) {
    const standing = [...made.placements].filter((one) => one.kind === of).map(({ row, col }) => [row, col]);
    // the library sorts placements by region first
    standing.sort(([row, col], [otherRow, otherCol]) => row - otherRow || col - otherCol);
    expect(standing, of).toEqual(cells.filter(([row, col]) => port.isPlaced(kind, row, col)));
  }
  const isShown = ([row, col]: Corner) =>
    row >= window.row0 && row < window.row0 + window.rows && col >= window.col0 && col < window.col0 + window.cols;
  const paths = spec.paths ?? [];
  const ours = paths.flatMap(({ name: of }, i) =>
    waysNear(port, i, window)
      .ways.filter((way) => way.cells.some(isShown))
      .map((way) => ({ name: of, ...way })),
  );
  const theirs = world.paths(window).filter((way) => way.cells.some(isShown));
  expect(theirs.map(({ name: of, from, to, cells: way, cost }) => ({ name: of, from, to, cells: way, cost }))).toEqual(
    ours,
  );
  const terrain = terrainAfter(port, paths.length, window);
  expect(at((row, col) => made.terrainAt(row, col)?.name)).toEqual(at(terrain));
}

const COMPILER = process.env.CC ?? "cc";

describe("lands", () => {
  test.each(Array.from({ length: IS_SOAK ? 200 : 8 }, (_, i) => i))("random land %i", expectEqual);
});

// CI has a compiler
test.skipIf(spawnSync(COMPILER, ["--version"]).status !== 0 && process.env.CI === undefined)(
  "noise is that of a C program",
  () => {
    const program = join(mkdtempSync(join(tmpdir(), "noise-")), "noise");
    const source = fileURLToPath(new URL("noise.c", import.meta.url));
    expect(spawnSync(COMPILER, ["-O1", "-o", program, source]).status).toBe(0);
    const below = integers(9);
    for (let number = 0; number < (IS_SOAK ? 500 : 12); number++) {
      const octaves = 1 + below(4);
      const scale = 2 ** (octaves + 1 + below(12 - octaves));
      const [row0, col0] = [0, 0].map(() => [below(2 ** 32) - 2 ** 31, -(2 ** 31), 2 ** 31 - 9, below(99)][below(4)]);
      const window = { row0: Math.min(row0, 2 ** 31 - 9), col0: Math.min(col0, 2 ** 31 - 9), rows: 9, cols: 9 };
      using world = createMill({ seed: `${number}` }).world("land", {
        layers: [{ name: "none" }],
        fields: [{ name: "height", kind: "noise", scale, octaves }],
      });
      const keys = Array.from({ length: octaves }, (_, o) => streamKey(`${number}`, "land", ["fields", "height", o]));
      const asked = cellsOf(window).flatMap((cell) =>
        keys.map((key, o) => [...key, scale / 2 ** o, ...cell].join(" ")),
      );
      const answer = spawnSync(program, { input: `${asked.join("\n")}\n`, encoding: "utf8" }).stdout;
      const sums = answer.trimEnd().split("\n").map(Number);
      const values = cellsOf(window).map((_, i) => {
        const total = keys.reduce((sum, __, o) => sum + Math.floor(sums[i * octaves + o] / 2 ** o), 0);
        return Math.max(0, Math.min(65535, 32768 + Math.floor((5 * total) / 2 ** 14)));
      });
      expect([...world.window(window, { fields: ["height"] }).field("height")], JSON.stringify(window)).toEqual(values);
    }
  },
);

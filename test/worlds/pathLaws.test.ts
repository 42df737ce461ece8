import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { explain } from "../../src/instruments/index.js";
import { checkWorld, parseWorld, type WorldInput } from "../../src/worlds/index.js";
import { codeOf } from "../refusal.js";
import { IS_SOAK } from "../soak.js";
import { cellsIn } from "./hexes.js";
import { SOURCES } from "./randomWorld.js";

/** Paths in windows of any size, in contents, cells and explanations; and specs that are refused. */

/** Villages with roads, and tracks that use the roads. */
const VALE = {
  layers: [{ name: "land" }],
  fields: [{ name: "height", kind: "noise", scale: 32, octaves: 2 }],
  terrain: [
    { terrain: "lake", tags: ["water"], when: { height: [0, 25_000] } },
    { terrain: "wood", when: { height: [40_000, null] } },
    { terrain: "meadow" },
  ],
  placements: [
    { name: "village", on: ["meadow"], density: "1/300", distance: 15, content: { table: "loot" } },
    {
      name: "mine",
      on: ["wood"],
      density: "1/400",
      distance: 9,
      content: { recipe: "arms", on: { wood: { tier: 2 } } },
    },
  ],
  paths: [
    {
      name: "road",
      between: ["village"],
      within: 90,
      cost: { meadow: 2, wood: 5, lake: 30 },
      terrain: "road",
      covers: { water: { terrain: "bridge" } },
    },
    {
      name: "track",
      between: ["village", "mine"],
      within: 60,
      graph: "relative",
      cost: { road: 1, bridge: 1, water: null, "*": 4 },
      terrain: "track",
      covers: { road: { terrain: "road" }, bridge: { terrain: "bridge" } },
    },
  ],
  ...SOURCES,
} satisfies WorldInput;
const AREA = { row0: -40, col0: -300, rows: 330, cols: 350 };

const openVale = (options = {}) => createMill({ seed: "moria" }).world("vale", VALE, options);

test("a window is its parts, in any order and with little memory", () => {
  using whole = openVale();
  const window = whole.window(AREA);
  for (const maxMemory of [2 ** 22, 2 ** 30]) {
    using world = openVale({ maxMemory });
    for (const [row0, col0, rows, cols] of [
      [200, -10, 60, 40],
      [-40, -300, 90, 33],
      [0, -256, 1, 256],
      [-1, -1, 2, 2],
      [-40, -300, 330, 350],
    ]) {
      const part = world.window({ row0, col0, rows, cols });
      const differing = [...cellsIn({ row: row0, col: col0, rows, cols })].filter(
        ([r, c]) => part.terrainAt(r, c)?.name !== window.terrainAt(r, c)?.name,
      );
      expect(differing).toEqual([]);
    }
  }
  expect(whole.digest(AREA)).toBe(openVale().digest(AREA));
});

// exact for a Poisson process in the plane: π over A, if an area of A · distance² must be empty
test.each([
  ["gabriel", Math.PI / (Math.PI / 4)],
  ["relative", Math.PI / ((2 * Math.PI) / 3 - Math.sqrt(3) / 2)],
] as const)("in the graph %s, places at random have the right number of neighbours on average", (graph, law) => {
  using world = createMill({ seed: "moria" }).world("land", {
    grid: { coordinates: "odd-r" },
    layers: [{ name: "none" }],
    terrain: [{ terrain: "plain" }],
    placements: [{ name: "village", density: "1/250" }],
    // longer edges are rare
    paths: [{ name: "road", between: ["village"], within: 110, graph, terrain: "road" }],
  });
  const side = IS_SOAK ? 1024 : 280;
  const window = { row0: -200, col0: 0, rows: side, cols: side };
  const isShown = ([row, col]: readonly [number, number]) => row >= -200 && row < side - 200 && col >= 0 && col < side;
  const ends = world.paths(window).flatMap(({ from, to }) => [from, to].filter(isShown));
  expect(Math.abs(ends.length / world.placements(window).length - law)).toBeLessThan(IS_SOAK ? 0.1 : 0.2);
});

test("contents have the terrain below the paths, and placements do not change", () => {
  const { paths: _, ...bare } = VALE;
  const before = createMill({ seed: "moria" }).world("vale", bare).placements(AREA);
  expect([...openVale().placements(AREA)]).toEqual([...before]);
});

test("a cell tells the terrain below, and an explanation names the paths", () => {
  using world = openVale();
  const paths = world.paths(AREA).filter(({ cells, name }) => cells.length > 9 && name === "track");
  expect(paths.length).toBeGreaterThan(5);
  for (const { cells } of paths.slice(0, 4)) {
    const [row, col] = cells[4];
    const cell = world.at(row, col);
    expect(["lake", "wood", "meadow"]).toContain(cell.base?.name);
    expect(["road", "bridge", "track"]).toContain(cell.terrain?.name);
    const { result, facts } = explain(world, { at: { row, col } });
    expect(result).toMatchObject({ terrain: cell.terrain?.name, base: { name: cell.base?.name } });
    expect(facts?.map(({ part }) => part)).toContain("path track");
  }
  const [village] = world.placements(AREA);
  const { terrain, base } = world.at(village.row, village.col);
  expect(base?.name).toBe("meadow");
  expect(terrain).toBeDefined();
});

test("a fork has paths of its own", () => {
  const [first] = openVale().paths(AREA);
  expect(openVale().fork("player").paths(AREA)[0]).not.toEqual(first);
});

// ── specs ──

const place = (input: unknown) =>
  parseWorld(input).issues.map((issue) => [issue.code, issue.where?.path, issue.message.split(":")[0]]);
const withPath = (changes: object) => ({ ...VALE, paths: [{ ...VALE.paths[0], ...changes }] });

test.each([
  ["an unknown kind", { between: ["vilage"] }, "paths[0].between[0]", "no kind of placement has this name"],
  ["no kind", { between: [] }, "paths[0].between", "wrong number of kinds of placements"],
  ["a long way", { within: 257 }, "paths[0].within", 'invalid "within"'],
  ["another graph", { graph: "delaunay" }, "paths[0].graph", 'invalid "graph"'],
  ["an unknown terrain", { cost: { swamp: 1 } }, "paths[0].cost.swamp", "no terrain has this name or tag"],
  ["its own terrain", { cost: { road: 1 } }, "paths[0].cost.road", "no terrain has this name or tag"],
  ["a cost of 0", { cost: { lake: 0 } }, "paths[0].cost.lake", 'invalid "lake"'],
  ["a great cost", { cost: { "*": 1001 } }, "paths[0].cost.*", 'invalid "*"'],
  ["a cover on an unknown terrain", { covers: { ice: { terrain: "x" } } }, "paths[0].covers.ice", "no terrain has"],
  ["a colour of a known terrain", { terrain: "wood", color: "#000000" }, "paths[0].color", 'the terrain "wood" was'],
  ["a tag with the name of a terrain", { tags: ["lake"] }, "paths", "a tag has the name of a terrain"],
])("%s is an error at its place", (_, changes, path, message) => {
  const [[code, at, text]] = place(withPath(changes));
  expect([code, at]).toEqual(["world.spec", path]);
  expect(text).toContain(message);
});

test("two kinds with the same name, and paths without terrain, are errors", () => {
  expect(place({ ...VALE, paths: [VALE.paths[0], { ...VALE.paths[0] }] })).toMatchObject([
    ["world.spec", "paths[1].name", "two kinds of paths have the same name"],
  ]);
  const plain = { layers: VALE.layers, placements: [{ name: "village", density: 1 }], paths: [VALE.paths[0]] };
  expect(place({ ...plain, paths: [{ ...VALE.paths[0], cost: {}, covers: {} }] })).toMatchObject([
    ["world.spec", "paths", 'paths need terrain. Add "terrain" to the world.'],
  ]);
});

test("a check warns of paths that join nothing", () => {
  const flaws = (changes: object, village = {}) => {
    const spec = { ...withPath(changes), placements: [{ ...VALE.placements[0], ...village }, VALE.placements[1]] };
    return checkWorld(spec).filter(({ where }) => where?.path?.startsWith("paths") === true);
  };
  expect(flaws({})).toEqual([]);
  expect(flaws({ within: 15 }).map(({ where }) => where?.path)).toEqual(["paths[0].within"]);
  expect(flaws({}, { density: 0 }).map(({ where }) => where?.path)).toEqual(["paths[0].between"]);
  expect(flaws({ cost: { "*": null } }).map(({ where }) => where?.path)).toEqual(["paths[0].cost"]);
});

test("too many places in a region are refused", () => {
  const placements = [{ ...VALE.placements[0], density: 1, distance: 1 }, VALE.placements[1]];
  const world = createMill({ seed: "moria" }).world("vale", { ...withPath({ within: 3 }), placements } as WorldInput);
  expect(codeOf(() => world.window({ row0: 0, col0: 0, rows: 1, cols: 1 }))).toBe("world.paths");
});

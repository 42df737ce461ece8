import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { distanceBetween } from "../../src/walks/hexes.js";
import { checkWorld, loadWorld, type World } from "../../src/worlds/index.js";

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

/** The pairs of each place of `kinds` in the window with its nearest neighbours, if these are at most `within` away. */
function neighbours(world: World, shown: Parameters<World["placements"]>[0], kinds: string[], within: number) {
  const { row0, col0, rows, cols } = shown;
  const wide = { row0: row0 - within, col0: col0 - within, rows: rows + 2 * within, cols: cols + 2 * within };
  const places = [...world.placements(wide, { contents: false })].filter(({ kind }) => kinds.includes(kind));
  const isShown = ({ row, col }: { row: number; col: number }) =>
    row >= row0 && row < row0 + rows && col >= col0 && col < col0 + cols;
  return places.filter(isShown).flatMap((place) => {
    const others = places
      .filter((other) => other !== place)
      .map(({ row, col }) => ({
        cell: [row, col],
        steps: distanceBetween(
          { kind: "bounded", rows: 1, cols: 1, coordinates: "odd-r" },
          [place.row, place.col],
          [row, col],
        ),
      }));
    const least = Math.min(...others.map(({ steps }) => steps));
    return others
      .filter(({ steps }) => steps === least && steps <= within)
      .map(({ cell }) => [[place.row, place.col], cell].sort(([a, b], [c, d]) => a - c || b - d).join());
  });
}

test("the highlands: golden, and each place is joined to its nearest neighbour, or no way leads there", () => {
  const world = highlands;
  const window = { row0: 340, col0: 590, rows: 80, cols: 100 };
  expect(world.digest({ row0: 340, col0: 590, rows: 64, cols: 64 })).toBe(
    "edf78444531cdbe6a355961178c17c04c3d7e253d8699b1dfc67717358c8936f",
  );
  const paths = world.paths(window);
  const joined = new Set(paths.map(({ from, to }) => [from, to].sort(([a, b], [c, d]) => a - c || b - d).join()));
  for (const { cells, reason } of paths) expect(cells.length > 0).toBe(reason === undefined);
  const pairs = neighbours(world, window, ["village", "castle"], 72);
  expect(pairs.length).toBeGreaterThan(3);
  expect(pairs.filter((pair) => !joined.has(pair))).toEqual([]);
});

test("nine of ten rivers of the highlands end in the sea or in a lake", () => {
  using run = highlands.start({ layer: "rivers", region: [1, 2] });
  run.advance(400);
  const { walkers, ended } = run.walkerTotals;
  expect(walkers).toBeGreaterThan(20);
  expect(ended / walkers).toBeGreaterThanOrEqual(0.9);
  // `until` ends them in the sea. Others end where they are stuck, and there is a lake
  const { layers, terrain } = JSON.parse(readFileSync(`${examples}highlands.json`, "utf8"));
  expect(terrain[1].when.height[1]).toBe(layers[0].until.to);
  expect(terrain[2].when.any[0]).toEqual({ ends: { within: 2 } });
});

test("a ruin leads to a vault with rooms, corridors and loot", () => {
  const ruins = [...highlands.placements({ row0: 340, col0: 700, rows: 80, cols: 60 })];
  const ruin = ruins.find(({ kind }) => kind === "ruin");
  if (ruin === undefined) throw new Error("no ruin");
  using vault = highlands.enter(ruin.row, ruin.col);
  const all = { row0: 0, col0: 0, rows: 60, cols: 90 };
  expect(vault.digest(all)).toBe("57e280b3221db6848f61e79c3f5708a72e80099507965d9a676671bd9fb10de3");
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
    "03d0da27ad077bb05faa0592bdcb75378e7cf6049f25a95e974f2c3705175fd3",
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

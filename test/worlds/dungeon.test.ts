import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { distanceBetween } from "../../src/walks/hexes.js";
import { parseWorld, type WorldInput } from "../../src/worlds/index.js";

/** A dungeon as a child world: rock, rooms by stamps, corridors by paths, several levels. */

const DUNGEON = {
  grid: { kind: "bounded", rows: 60, cols: 90, coordinates: "odd-r" },
  layers: [{ name: "seep", walkers: 3, steps: 40, start: { rect: [20, 20, 40, 60] } }],
  fields: [{ name: "way out", kind: "position", from: [30, 45], most: 50 }],
  terrain: [
    { terrain: "deep rock", tags: ["solid"], when: { "way out": [0, 32_000] } },
    { terrain: "rock", tags: ["solid"] },
  ],
  placements: [
    {
      name: "room",
      on: ["deep rock"],
      density: "1/30",
      distance: 9,
      stamps: { hall: 2, cell: 3, shrine: 1 },
      turns: true,
    },
    { name: "chest", content: { table: "loot" } },
    { name: "altar" },
  ],
  paths: [
    {
      name: "corridor",
      between: ["room"],
      within: 30,
      graph: "relative",
      terrain: "corridor",
      color: "#6b5c48",
    },
  ],
  stamps: {
    hall: {
      map: [" #####", "#....#", "#.....#", "#....#", " #####"],
      legend: {
        "#": { terrain: "wall", color: "#4a4a4a", on: ["solid"] },
        ".": { terrain: "floor", color: "#b8a888" },
      },
    },
    cell: {
      map: [" ###", "#..#", " ###"],
      legend: { "#": { terrain: "wall", on: ["solid"] }, ".": "floor" },
      places: [[1, 2, "chest"]],
    },
    shrine: {
      map: [" ####", "#...#", "#.A..#", "#...#", " ####"],
      legend: { "#": { terrain: "wall", on: ["solid"] }, ".": "floor", A: { terrain: "floor", place: "altar" } },
    },
  },
  tables: { loot: "result,weight\ngold,3\nrope,1\n" },
} as const satisfies WorldInput;
const LAND = {
  layers: [{ name: "land", steps: 5 }],
  placements: [{ name: "cave", density: "1/400", enters: "dungeon", levels: [2, 4] }],
  worlds: { dungeon: DUNGEON },
} as const satisfies WorldInput;

test("every room of a level that has a neighbour is reached by walking over floors and corridors", () => {
  expect(parseWorld(LAND).issues).toEqual([]);
  using land = createMill({ seed: "moria" }).world("land", LAND);
  const [cave] = land.placements({ row0: 0, col0: 0, rows: 60, cols: 60 });
  const seen = new Set<string>();
  for (const level of [1, 2]) {
    using dungeon = land.enter(cave.row, cave.col, { level });
    const all = { row0: 0, col0: 0, rows: 60, cols: 90 };
    const { terrain, terrains, placements } = dungeon.window(all);
    seen.add(dungeon.digest(all));
    const nameAt = (row: number, col: number) => terrains[terrain[90 * row + col]].name;
    const rooms = [...placements].filter(({ kind }) => kind === "room");
    expect(rooms.length).toBeGreaterThan(4);
    expect(terrain.filter((one) => terrains[one].name === "floor").length).toBeGreaterThan(3 * rooms.length);
    expect([...placements].some(({ kind, content }) => kind === "chest" && content !== undefined)).toBe(true);
    for (const { kind, row, col } of placements) if (kind !== "room") expect(nameAt(row, col)).toBe("floor");
    // the walls leave the corridors open
    const isOpen = (row: number, col: number) =>
      row >= 0 && row < 60 && col >= 0 && col < 90 && ["floor", "corridor"].includes(nameAt(row, col));
    const reached = new Set<string>();
    const queue: (readonly [number, number])[] = [[rooms[0].row, rooms[0].col]];
    for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
      const [row, col] = next;
      if (reached.has(next.join())) continue;
      reached.add(next.join());
      for (let r = row - 1; r <= row + 1; r++)
        for (let c = col - 1; c <= col + 1; c++)
          if (isOpen(r, c) && distanceBetween(DUNGEON.grid, [row, col], [r, c]) === 1) queue.push([r, c]);
    }
    const ends = dungeon
      .paths(all)
      .filter(({ cells }) => cells.length > 0)
      .flatMap(({ from, to }) => [from, to]);
    const joined = rooms.filter(({ row, col }) => ends.some(([r, c]) => r === row && c === col));
    expect(joined.length).toBe(rooms.length);
    expect(joined.filter(({ row, col }) => !reached.has(`${row},${col}`))).toEqual([]);
  }
  expect(seen.size).toBe(2);
});

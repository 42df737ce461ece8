import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createMill } from "../../src/index.js";
import { createJob } from "../../src/jobs/index.js";
import { specOf } from "../../src/spec/index.js";
import type { Cell } from "../../src/walks/index.js";
import { Ground } from "../../src/worlds/finish.js";
import { parseWorld, type StampInput, type World, type WorldInput } from "../../src/worlds/index.js";
import { StampStage } from "../../src/worlds/stamps.js";
import { Workspace } from "../../src/worlds/workspace.js";
import { IS_SOAK } from "../soak.js";
import { Dice } from "./randomWorld.js";
import { StampsTwin } from "./stampsTwin.js";

/** Stamps against their definition, in windows of any alignment, and their laws. */

const WORLDS = IS_SOAK ? 500 : 15;
const TERRAINS = ["sea", "grass", "wood", "road", "house", "yard"];

function randomStamp(dice: Dice): StampInput {
  const [rows, cols] = [dice.integer(1, 5), dice.integer(1, 5)];
  const signs = ["a", "b", "c", " ", "grass"];
  const isList = dice.holds(0.3);
  const map = Array.from({ length: rows }, (_, r) => {
    const row = Array.from({ length: dice.integer(1, cols) }, () => dice.of(signs.slice(0, isList ? 5 : 4)));
    if (r === 0) row[0] = "a";
    return isList ? row : row.join("");
  });
  const width = Math.max(...map.map((row) => row.length));
  return {
    map,
    legend: {
      a: dice.of(["house", { terrain: "yard" }, { place: "well" }, {}] as const),
      b: dice.holds(0.5) ? { terrain: "house", on: ["grass", "dry"], place: "well" } : "sea",
      ...(dice.holds(0.7) && { c: dice.of([null, { terrain: "yard", place: "tree" }] as const) }),
      ...(dice.holds(0.3) && { " ": "yard" }),
      c: null,
    },
    ...(dice.holds(0.5) && { anchor: [dice.integer(0, rows - 1), dice.integer(0, width - 1)] }),
    ...(dice.holds(0.6) && { fits: dice.holds(0.5) ? ["dry"] : ["grass", "sea"] }),
    ...(dice.holds(0.3) && { places: [[0, 0, "tree"] as const] }),
  };
}

function randomStamped(number: number) {
  const dice = new Dice(`stamps ${number}`);
  const bounded = {
    kind: "bounded",
    rows: 60,
    cols: 70,
    coordinates: dice.of(["axial", "odd-r"] as const),
  } as const;
  const isBounded = dice.holds(0.4);
  const [row0, col0] = isBounded
    ? [dice.integer(0, 19), dice.integer(0, 19)]
    : [dice.of([-300, -20, 237, -(2 ** 31), 2 ** 31 - 40, 5_000_003]), dice.of([-270, -9, 240, 2 ** 31 - 40, 777_777])];
  const input: WorldInput = {
    ...(isBounded && { grid: bounded }),
    layers: [{ name: "land", steps: 5 }],
    terrain: [
      { terrain: "sea", when: { chance: "1/12" } },
      { terrain: "wood", tags: ["dry"], when: { chance: "1/9" } },
      { terrain: "grass", tags: ["dry"] },
    ],
    placements: [
      { name: "tree", density: "1/20" },
      { name: "village", density: dice.of(["1/30", "1/90"]), stamps: { one: 3, two: 1 }, turns: dice.holds(0.7) },
      { name: "well" },
      { name: "farm", on: ["grass"], density: "1/60", distance: dice.integer(0, 3), stamps: { two: 1 }, turns: true },
    ],
    ...(dice.holds(0.4) && { paths: [{ name: "road", between: ["farm"], within: 16, terrain: "road" }] }),
    stamps: { one: randomStamp(dice), two: randomStamp(dice) },
  };
  const cells = { row0, col0, rows: dice.integer(10, 39), cols: dice.integer(10, 39) };
  return { input, cells, setup: { seed: `seed ${number}`, name: "land" } };
}

function cellsOf(world: World, cells: ReturnType<typeof randomStamped>["cells"]) {
  const window = world.window(cells);
  const terrain = new Map<string, string | undefined>();
  for (let row = cells.row0; row < cells.row0 + cells.rows; row++) {
    for (let col = cells.col0; col < cells.col0 + cells.cols; col++) {
      terrain.set(`${row},${col}`, window.terrainAt(row, col)?.name);
    }
  }
  return { terrain, placements: [...window.placements].map(({ kind, row, col }) => `${kind} ${row},${col}`).sort() };
}

describe("random worlds", () => {
  test("have the cells and placements of the twin", () => {
    let [laid, left] = [0, 0];
    const seen = new Set<string | undefined>();
    for (let number = 0; number < WORLDS; number++) {
      const { input, cells, setup } = randomStamped(number);
      const twin = new StampsTwin(input, setup).window(cells, 40);
      using world = createMill({ seed: setup.seed }).world(setup.name, input);
      const { terrain, placements } = cellsOf(world, cells);
      expect(placements, `placements of world ${number}`).toEqual(twin.placements);
      const wrong = [...terrain].filter(([key, name]) => twin.terrain.get(key) !== name);
      expect(wrong.slice(0, 5), `terrain of world ${number}`).toEqual([]);
      expect(terrain.size).toBe(twin.terrain.size);
      for (const name of terrain.values()) seen.add(name);
      laid += twin.laid;
      left += twin.left;
    }
    expect([...seen].sort()).toEqual([...TERRAINS].sort());
    expect(laid).toBeGreaterThan(8 * WORLDS);
    expect(left).toBeGreaterThan(WORLDS);
  });
});

test("a cell depends on cells as far away as four times the radius of a stamp", () => {
  // A line of 17 cells. The line around column -8 ends on column 0, and the one around -24 on columns -16 and -32.
  const input: WorldInput = {
    layers: [{ name: "land", steps: 5 }],
    terrain: [{ terrain: "sea", when: { chance: "1/2" } }, { terrain: "grass" }],
    placements: [{ name: "wall", density: 1, stamps: { line: 1 } }],
    stamps: { line: { map: ["=".repeat(17)], fits: ["grass"], legend: { "=": "wall" } } },
  };
  const stage = new StampStage(specOf(parseWorld(input)));
  expect(stage.reach).toBe(32);
  // the word of a cell is its column: a line further to the left comes first
  const wordsOf =
    () =>
    ([, col]: Cell) => ({ word: col + 99, extra: [], below: () => 0 });
  const laid = (sea?: number) => {
    const ground = new Ground({ row0: 0, col0: -32, rows: 1, cols: 33 }, [], { kinds: 1, workspace: new Workspace() });
    ground.terrain.fill(1);
    if (sea !== undefined) ground.terrain[ground.indexOf(0, sea)] = 0;
    const [rows, cols, terrains] = [Int32Array.of(0, 0), Int32Array.of(-24, -8), Uint8Array.of(1, 1)];
    ground.placements[0] = { rows, cols, terrains };
    stage.apply(ground, { row0: 0, col0: 0, rows: 1, cols: 1 }, { engine: { wordsOf } } as never);
    return ground.terrain[ground.indexOf(0, 0)];
  };
  expect(laid(), "the line around -24 stands, and the other one overlaps it").toBe(1);
  expect([-32, -31, -17].map(laid), "the line around -24 does not fit, so the other one stands").toEqual([2, 2, 2]);
  expect([-16, -5].map(laid), "the line around -8 does not fit").toEqual([1, 1]);
});

const LOOT = {
  rows: {
    A: [
      { result: "gold", weight: 1 },
      { result: "silver", weight: 2 },
      { result: "tin", weight: 3 },
    ],
  },
};
const TOWNS = {
  layers: [{ name: "land", steps: 5 }],
  terrain: [
    { terrain: "sea", when: { chance: "1/40" } },
    { terrain: "grass", tags: ["dry"] },
  ],
  placements: [
    { name: "village", density: "1/50", stamps: { hamlet: 2, market: 1 }, turns: true, content: { table: "loot" } },
    { name: "well", density: "1/200", content: { table: "loot" } },
    { name: "cave", enters: "cave" },
    { name: "arms", content: { recipe: "weapon", tier: 1, on: { yard: { tier: 3 }, dry: { tier: 2 } } } },
  ],
  stamps: {
    hamlet: {
      map: ["..h", ".W.", "h.."],
      legend: { ".": { terrain: "yard", on: ["dry"] }, h: "house", W: { place: "well" } },
    },
    market: {
      map: [["yard", "house"], ["yard"]],
      legend: { yard: "yard" },
      fits: ["dry"],
      places: [
        [0, 0, "arms"],
        [1, 0, "cave"],
      ],
    },
  },
  tables: { loot: LOOT },
  recipes: { weapon: "weapon" },
  worlds: { cave: { layers: [{ name: "tunnels", steps: 9 }] } },
} as const satisfies WorldInput;
const openTowns = (options = {}) => createMill({ seed: "moria" }).world("isle", TOWNS, options);

describe("a world with stamps", () => {
  test("has the same cells in any window, region or cell, in any order", () => {
    using world = openTowns();
    const whole = { row0: -300, col0: -280, rows: 330, cols: 320 };
    const all = cellsOf(world, whole);
    for (const part of [
      { row0: -5, col0: -5, rows: 10, cols: 10 },
      { row0: -300, col0: -261, rows: 60, cols: 9 },
      { row0: 3, col0: -12, rows: 1, cols: 30 },
    ]) {
      using other = openTowns({ maxMemory: 2 ** 22 });
      const { terrain, placements } = cellsOf(other, part);
      for (const [key, name] of terrain) expect(all.terrain.get(key)).toBe(name);
      const isInside = (text: string) => terrain.has(text.split(" ")[1]);
      expect(placements).toEqual(all.placements.filter(isInside));
    }
    using other = openTowns({ maxMemory: 2 ** 22 });
    expect(other.digest(whole)).toBe(world.digest(whole));
    const [{ row, col }] = [...world.placements(whole)].filter(({ kind }) => kind === "arms");
    const cell = other.at(row, col);
    expect(cell.terrain?.name).toBe(world.window({ row0: row, col0: col, rows: 1, cols: 1 }).terrainAt(row, col)?.name);
    expect(cell.placements.map(({ kind }) => kind)).toContain("arms");
    const there = world.placements({ row0: row, col0: col, rows: 1, cols: 1 });
    expect(cell.placements).toEqual([...there]);
  });

  test("contents count by rank, with the placements of stamps, and have the options of the finished terrain", () => {
    using world = openTowns();
    const placements = [...world.region(0, -1).placements];
    const wells = placements.filter(({ kind }) => kind === "well");
    const tables = createMill({ seed: "moria" }).table("isle", LOOT);
    const rolls = tables.fork("contents").fork("well").fork([0, -1]);
    expect(wells.length).toBeGreaterThan(600);
    expect(wells.map(({ content }) => content)).toEqual(wells.map((_, at) => rolls.roll({ at })));
    const arms = placements.filter(({ kind }) => kind === "arms");
    const recipe = createMill({ seed: "moria" }).recipe("isle", "weapon").fork("contents").fork("arms").fork([0, -1]);
    const { words: _, ids: __, outcomes: ___, index: ____, seed: _____, ...first } = recipe.make({ at: 0, tier: 3 });
    expect(arms[0].content).toEqual(JSON.parse(JSON.stringify(first)));
  });

  test("leads from a placement of a stamp to a child world", () => {
    using world = openTowns();
    const cave = [...world.region(0, 0).placements].find(({ kind }) => kind === "cave");
    expect(world.enter(cave?.row ?? 0, cave?.col ?? 0).entered?.kind).toBe("cave");
  });

  test("is the world of a job", async () => {
    const extent = { row0: -40, col0: -70, rows: 300, cols: 100 };
    const folder = mkdtempSync(join(tmpdir(), "rollmill-stamps-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const job = await createJob(
      join(folder, "job"),
      { world: { name: "isle", ...TOWNS }, extent, visits: [] },
      { seed: "moria" },
    );
    const { world: digest } = (await job.run({ threads: 1 })) as { world: string };
    using world = createMill({ seed: "moria" }).world("isle", TOWNS);
    expect(digest).toBe(world.digest(extent, { visits: [] }));
  });

  test("has no known shares of terrain and of placements", () => {
    using world = openTowns();
    const { terrains, placements } = world.odds();
    expect(terrains.map(({ share }) => share)).toEqual([undefined, undefined, undefined, undefined]);
    expect(placements.map(({ perCell }) => perCell?.value)).toEqual([0.02, undefined, undefined, undefined]);
  });
});

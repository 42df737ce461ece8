import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { specOf } from "../../src/spec/index.js";
import type { Cell } from "../../src/walks/index.js";
import { Ground } from "../../src/worlds/finish.js";
import { parseWorld, type StampInput, type World, type WorldInput } from "../../src/worlds/index.js";
import { StampStage } from "../../src/worlds/stamps.js";
import { IS_SOAK } from "../soak.js";
import { Dice } from "./randomWorld.js";
import { StampsTwin } from "./stampsTwin.js";

/** Stamps against their definition, in windows of any alignment, and their laws. */

const WORLDS = IS_SOAK ? 500 : 25;
const TERRAINS = ["sea", "grass", "wood", "house", "yard"];

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
    const ground = new Ground({ row0: 0, col0: -32, rows: 1, cols: 33 }, [], 1);
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

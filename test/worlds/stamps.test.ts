import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { StampInput, World, WorldInput } from "../../src/worlds/index.js";
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

import { expect, expectTypeOf, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { ItemContent } from "../../src/recipes/index.js";
import type { Stack } from "../../src/tables/index.js";
import type { Placement, World, WorldInput } from "../../src/worlds/index.js";

const mill = createMill({ seed: "moria" });

test("the placements of a literal world know their kinds and contents (first hour 9)", () => {
  const world = mill.world("plain", {
    layers: [{ name: "land", scatter: { side: 64, walkers: 1 }, steps: 4 }],
    placements: [
      { name: "shrine", density: "1/9" },
      { name: "chest", density: "1/9", content: { table: "loot" } },
      { name: "shop", density: "1/9", content: { table: "wares" } },
      { name: "lair", density: "1/9", content: { pools: "beasts", pool: "beasts.cold", stock: "region" } },
      { name: "ring", density: "1/9", content: { recipe: "rings" } },
      { name: "arms", density: "1/9", content: { recipe: "arms" } },
      { name: "stall", density: "1/9", content: { table: "wares", on: {} } },
      {
        name: "camp",
        density: "1/9",
        contents: {
          chief: { recipe: "rings" },
          loot: { drops: "orc" },
          beast: { pools: "beasts", pool: "beasts.cold", stock: "world" },
        },
      },
    ],
    drops: {
      orc: {
        always: [{ result: "bone" }],
        table: { rows: { all: [{ result: "tooth", weight: 1 }] } },
      },
    },
    tables: {
      loot: { rows: { all: [{ result: "gold", weight: 1, quantity: "1d6" }] } },
      wares: {
        rows: {
          all: [
            { result: "bread", weight: 1 },
            { result: "salt", weight: 1 },
          ],
        },
      },
    },
    pools: {
      beasts: {
        roots: { beasts: { kind: "finite", records: ["wolf", "yak"], subpools: { cold: { records: ["yak"] } } } },
      },
    },
    recipes: {
      rings: {
        recipe: {
          stats: [{ name: "luck" }],
          strength: "luck",
          steps: [{ kind: "slots", name: "a", slots: [{ slot: "a", table: "a", strength: 1 }] }],
        },
        tables: { a: [{ id: 1, word: "ring" }] },
      },
      arms: "weapon",
    },
  });
  const things = world.window({ row0: 0, col0: 0, rows: 32, cols: 32 }).placements;
  expectTypeOf(things.at(0).kind).toEqualTypeOf<
    "shrine" | "chest" | "shop" | "lair" | "ring" | "arms" | "stall" | "camp"
  >();
  expectTypeOf(world.kinds[0].name).toEqualTypeOf<
    "shrine" | "chest" | "shop" | "lair" | "ring" | "arms" | "stall" | "camp"
  >();
  let seen = 0;
  for (const thing of [
    ...things,
    ...world.at(0, 0).placements,
    ...world.placements({ row0: 0, col0: 0, rows: 9, cols: 9 }),
  ]) {
    if (thing.kind === "shrine") expectTypeOf(thing.content).toEqualTypeOf<undefined>();
    if (thing.kind === "chest") expectTypeOf(thing.content).toEqualTypeOf<Stack<"gold"> | null | undefined>();
    if (thing.kind === "shop") expectTypeOf(thing.content).toEqualTypeOf<"bread" | "salt" | null | undefined>();
    if (thing.kind === "lair") expectTypeOf(thing.content).toEqualTypeOf<"wolf" | "yak" | undefined>();
    if (thing.kind === "ring") expectTypeOf(thing.content).toEqualTypeOf<ItemContent<"luck"> | undefined>();
    if (thing.kind === "arms") expectTypeOf(thing.content).toEqualTypeOf<ItemContent | undefined>();
    if (thing.kind === "camp" && thing.content !== undefined) {
      const { chief, loot, beast } = thing.content;
      expectTypeOf(chief).toEqualTypeOf<ItemContent<"luck">>();
      expectTypeOf(loot).toEqualTypeOf<("bone" | "tooth")[]>();
      expectTypeOf(beast).toEqualTypeOf<"wolf" | "yak" | undefined>();
      expect(loot[0]).toBe("bone");
    }
    if (thing.kind === "ring" && thing.content?.luck === 1) seen++;
  }
  expect(seen).toBeGreaterThan(0);
});

test("a world whose kinds are not known has any placements (first hour 9)", () => {
  const input: WorldInput = { layers: [{ name: "land", scatter: { side: 64, walkers: 1 }, steps: 4 }] };
  expectTypeOf(mill.world("unknown", input)).toEqualTypeOf<World>();
  const [first] = mill.world("unknown", input).fork(1).window({ row0: 0, col0: 0, rows: 1, cols: 1 }).placements;
  expectTypeOf(first).toEqualTypeOf<Placement>();
  expect(first).toBeUndefined();
});

test("a content has the results of every table that it chooses", () => {
  const world = mill.world("chosen", {
    layers: [{ name: "land" }],
    terrain: [{ terrain: "snow", when: { chance: "1/2" } }, { terrain: "sand" }],
    placements: [{ name: "shop", density: 1, content: { table: "wares", on: { snow: { table: "furs" } } } }],
    tables: {
      wares: { rows: { all: [{ result: "dates", weight: 1 }] } },
      furs: { rows: { all: [{ result: "seal", weight: 1 }] } },
    },
  });
  const window = world.window({ row0: 0, col0: 0, rows: 9, cols: 9 });
  for (const { row, col, content } of window.placements) {
    expectTypeOf(content).toEqualTypeOf<"dates" | "seal" | null | undefined>();
    expect(content).toBe(window.terrainAt(row, col)?.name === "snow" ? "seal" : "dates");
  }
});

// Worlds whose contents come from the systems that they are given.
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { pools } from "../../src/pools/index.js";
import { tables } from "../../src/tables/index.js";
import { parseWorld, worldsWith } from "../../src/worlds/index.js";
import { refusalOf } from "../refusal.js";

const LAND = { layers: [{ name: "hills", preset: "five-ways", steps: 40, scatter: { walkers: 30 } }] } as const;
const LOOT = {
  rows: [
    {
      columns: [
        { result: "gem", weight: 1 },
        { result: "coin", weight: 9 },
      ],
    },
  ],
};
const DECK = { roots: { deck: { kind: "infinite", records: [{ id: "king" }, { id: "queen" }] } } } as const;
const WITH_TABLE = {
  ...LAND,
  tables: { loot: LOOT },
  placements: [{ name: "chest", density: "1/9", content: { table: "loot" } }],
} as const;
const WITH_POOL = {
  ...LAND,
  pools: { cards: DECK },
  placements: [{ name: "player", density: "1/9", content: { pools: "cards", pool: "deck" } }],
} as const;

test("a world with the systems of its contents is the world with all systems", () => {
  const own = worldsWith({ tables, pools });
  expect(worldsWith({ tables, recipes: undefined }).uses).toEqual([tables]);
  for (const spec of [LAND, WITH_TABLE, WITH_POOL]) {
    const [world, other] = [
      createMill({ seed: 1 }).world("isle", spec),
      createMill({ seed: 1 }).open(own, "isle", spec),
    ];
    expect([...other.window({ row0: 0, col0: 0, rows: 40, cols: 40 }).placements]).toEqual([
      ...world.window({ row0: 0, col0: 0, rows: 40, cols: 40 }).placements,
    ]);
    expect(other.digest({ row0: 0, col0: 0, rows: 40, cols: 40 })).toBe(
      world.digest({ row0: 0, col0: 0, rows: 40, cols: 40 }),
    );
    expect(other.fork(3).digest({ row0: 0, col0: 0, rows: 40, cols: 40 })).toBe(
      world.fork(3).digest({ row0: 0, col0: 0, rows: 40, cols: 40 }),
    );
  }
});

test.each([
  ["tables", WITH_TABLE],
  ["pools", WITH_POOL],
] as const)("a world without the system of its %s says which one is missing", (list, spec) => {
  const bare = worldsWith();
  const mill = createMill({ seed: 1 });
  const refused = (input: unknown) => refusalOf(() => mill.open(bare, "isle", input));
  // the placements that name the source get no error of their own
  for (const { issues } of [refused(spec), refused(parseWorld(spec).spec)]) {
    expect(issues).toMatchObject([{ code: "world.spec", where: { path: list } }]);
    expect(issues[0].message).toContain(`worldsWith({ ${list} })`);
  }
  expect(mill.open(bare, "isle", LAND).digest({ row0: 0, col0: 0, rows: 9, cols: 9 })).toBe(
    createMill({ seed: 1 }).world("isle", LAND).digest({ row0: 0, col0: 0, rows: 9, cols: 9 }),
  );
});

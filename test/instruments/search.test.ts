import { describe, expect, test } from "vitest";
import { createMill, type Mill } from "../../src/index.js";
import { expectedTries, type Searched, search, searchSeeds } from "../../src/instruments/index.js";
import { DUNGEON } from "../objects/dungeon.js";
import { codeOf } from "../refusal.js";

const TABLE = {
  rows: {
    Start: [
      { result: "a", weight: 9 },
      { jump: "B", weight: 1 },
    ],
    B: [
      { result: "crown", weight: 1 },
      { result: "b", weight: 1 },
    ],
  },
} as const;
const OPEN = {
  list: (mill: Mill) => mill.weighted("list", { crown: 1, gold: 9 }),
  plain: (mill: Mill) => mill.weighted("plain", [1, 9]),
  dice: (mill: Mill) => mill.dice("dice", "1d6-3"),
  table: (mill: Mill) => mill.table("table", TABLE),
  recipe: (mill: Mill) => mill.recipe("weapon"),
  objects: (mill: Mill) => mill.objects("objects", DUNGEON),
};
const mill = createMill({ seed: "search" });

test("a list, split and resumed", () => {
  const loot = mill.weighted("loot", { crown: 1, gold: 999 });
  const all = search(loot, "crown", { to: 200_000, limit: 1000 });
  expect(all.found).toEqual(
    Array.from({ length: 200_000 }, (_, at) => at).filter((at) => loot.pick({ at }) === "crown"),
  );
  expect(all.next).toBe(200_000);
  const first = search(loot, "crown", { to: 200_000, limit: 5 });
  const rest = search(loot, "crown", { from: first.next, to: 200_000, limit: 1000 });
  expect([...first.found, ...rest.found]).toEqual(all.found);
  const parts = [0, 77_777, 150_000].map((from, i, all_) =>
    search(loot, "crown", { from, to: all_[i + 1] ?? 200_000, limit: 1000 }),
  );
  expect(parts.flatMap(({ found }) => found)).toEqual(all.found);
  expect(JSON.stringify(expectedTries(loot, "crown"))).toBe('"1000/1"');
});

/** The last batch does not end after a whole four: a set of results is tested four results a turn. */
const N = 70_003;
const every = { to: N, limit: N };
const where = (meets: (at: number) => boolean) => Array.from({ length: N }, (_, at) => at).filter(meets);

describe("every noun finds what its bulk call makes", () => {
  test("lists and tables", () => {
    const [list, plain, table] = [OPEN.list(mill), OPEN.plain(mill), OPEN.table(mill)];
    for (const condition of ["gold", { any: ["crown", "gold"] }]) {
      const found = where((at) => condition !== "gold" || list.pick({ at }) === "gold");
      expect(search(list, condition, every).found).toEqual(found);
    }
    expect(search(plain, 0, every).found).toEqual(where((at) => plain.pick({ at }) === 0));
    const met = where((at) => ["crown", "b"].includes(String(table.roll({ at }))));
    expect(search(table, { any: ["crown", "b"] }, every).found).toEqual(met);
  });

  test("dice, with values below 0", () => {
    const dice = OPEN.dice(mill);
    const values = dice.rollMany(N, { from: 0 });
    expect(search(dice, { atMost: -1 }, every).found).toEqual(where((at) => values[at] <= -1));
    expect(search(dice, { atLeast: 2, atMost: 2 }, every).found).toEqual(where((at) => values[at] === 2));
    expect(search(dice, -2, every).found).toEqual(where((at) => values[at] === -2));
    expect(search(dice, { any: [-2, { atLeast: 3 }] }, every).found).toEqual(
      where((at) => values[at] === -2 || values[at] >= 3),
    );
  });

  test("items: stats, decimals and words, in any order", () => {
    const recipe = OPEN.recipe(mill);
    const items = recipe.makeMany(N, { from: 0 });
    const met = where((at) => {
      const { crit, words } = items.at(at);
      return words.prefix === "burnished" && Number(crit) >= 1;
    });
    expect(met.length).toBeGreaterThan(0);
    expect(search(recipe, { prefix: "burnished", crit: { atLeast: 1 } }, every).found).toEqual(met);
    expect(search(recipe, { crit: { atLeast: 1 }, prefix: "burnished" }, every).found).toEqual(met);
    expect(codeOf(() => search(recipe, { index: 3 }, every))).toBe("argument.range");
  });

  test("objects in a row from index 0 on, whatever the stock has, in parts", () => {
    const maker = createMill({ seed: "search" }).objects("objects", DUNGEON);
    const objects = createMill({ seed: "search" }).objects("objects", DUNGEON).makeMany(30_000, { level: 30 });
    const met = where((at) => at < 30_000 && objects.artifact[at] > 0);
    expect(met.length).toBeGreaterThan(1);
    maker.makeMany(1000, { level: 60 });
    const { claims, next } = maker;
    const whole = search(maker, { artifact: "any" }, { to: 30_000, limit: N, with: { level: 30 } });
    expect(whole.found).toEqual(met);
    const cut = met[1];
    const parts = [[0, cut] as const, [cut, 30_000] as const].map(([from, to]) =>
      search(maker, { artifact: "any" }, { from, to, limit: N, with: { level: 30 } }),
    );
    expect(parts.flatMap(({ found }) => found)).toEqual(met);
    expect([maker.claims, maker.next]).toEqual([claims, next]);
  });
});

describe("seeds", () => {
  const CONDITIONS = {
    list: "crown",
    plain: 0,
    dice: { atLeast: 3 },
    table: "crown",
    recipe: { prefix: "burnished" },
    objects: { kind: "Jar of Pitch" },
  } as const;

  test.each(Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[])("%s: as in a new mill with the seed", (name) => {
    const how = name === "objects" ? { level: 30 } : {};
    const condition = CONDITIONS[name];
    const expected = Array.from({ length: 25 }, (_, seed) => {
      using other = createMill({ seed });
      const { found } = search(OPEN[name](other) as Searched, condition, { to: 5, limit: 1, with: how });
      return found.length > 0 ? [{ seed, index: found[0] }] : [];
    });
    expect(expected.flat().length).toBeGreaterThan(0);
    const options = { to: 25, first: 5, with: how };
    expect(searchSeeds(OPEN[name](mill), condition, options).found).toEqual(expected.flat());
  });

  test("texts, in parts, of a fork of a fork", () => {
    const forked = mill.fork("realm").dice("dice", "2d6").fork(7);
    const seeds = Array.from({ length: 500 }, (_, i) => `seed ${i}`);
    const expected = seeds.flatMap((seed) => {
      const value = createMill({ seed }).fork("realm").dice("dice", "2d6").fork(7).roll();
      return value === 12 ? [{ seed, index: 0 }] : [];
    });
    expect(searchSeeds(forked, 12, { seeds }).found).toEqual(expected);
    const first = searchSeeds(forked, 12, { seeds, limit: 3 });
    const rest = searchSeeds(forked, 12, { seeds, from: first.next });
    expect([...first.found, ...rest.found]).toEqual(expected);
  });

  test("a function sees the noun, for example a world", () => {
    const spec = {
      layers: [{ name: "land", preset: "uniform", steps: 64, scatter: { walkers: 1 } }],
      terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
      placements: [{ name: "tree", density: "1/50" }],
    } as const;
    const world = mill.world("isle", spec);
    const near = { row0: -4, col0: -4, rows: 9, cols: 9 };
    const { found } = searchSeeds(world, (one) => one.window(near).placements.length >= 4, { to: 40 });
    const expected = Array.from({ length: 40 }, (_, seed) => {
      using other = createMill({ seed });
      return other.world("isle", spec).window(near).placements.length >= 4 ? [{ seed, index: 0 }] : [];
    });
    expect(expected.flat().length).toBeGreaterThan(0);
    expect(found).toEqual(expected.flat());
  });
});

test("hostile input", () => {
  const [list, dice] = [OPEN.list(mill), OPEN.dice(mill)];
  const refused = (call: () => unknown) => codeOf(call);
  expect(() => search(dice, { atLest: 17 } as never)).toThrow("atLest");
  expect(refused(() => search(list, "crwn"))).toBe("argument.range");
  expect(refused(() => search(list, {}))).toBe("argument.type");
  expect(refused(() => search(list, "crown", { from: 5, to: 4 }))).toBe("argument.range");
  expect(refused(() => search(list, "crown", { limit: 0 }))).toBe("argument.range");
  expect(refused(() => searchSeeds(list, "crown", { seeds: [{}] as never }))).toBe("argument.type");
  expect(refused(() => searchSeeds(list, "crown", { seeds: ["a"], to: 2 }))).toBe("argument.range");
  expect(refused(() => searchSeeds(list, "crown", { first: 0 }))).toBe("argument.range");
  expect(refused(() => searchSeeds(list, "crown", { frist: 2 } as never))).toBe("argument.option");
  const fails = () => {
    throw new Error("no");
  };
  expect(refused(() => searchSeeds(list, fails, { to: 1 }))).toBe("argument.callback");
  const stop = new AbortController();
  const reason = new Error("stopped");
  const onProgress = () => stop.abort(reason);
  expect(() => search(list, "crown", { to: 1e9, limit: 1e7, signal: stop.signal, onProgress })).toThrow(reason);
});

// Jobs for the tests of queues.

const POOLS = {
  ore: {
    roots: {
      ore: {
        kind: "finite",
        records: [
          { id: "iron", mass: 3, quantity: 90 },
          { id: "gold", mass: 1, quantity: 9 },
        ],
      },
    },
  },
};

const WORLD = {
  name: "isles",
  layers: [
    { name: "land", preset: "five-ways", walkers: 40, steps: 20_000 },
    { name: "woods", preset: "uniform", scatter: { side: 128, walkers: 4 }, steps: 100 },
  ],
  terrain: [
    { terrain: "land", when: { land: { within: 2 } } },
    { terrain: "wood", when: { woods: { visits: [1, null] } } },
    { terrain: "sea" },
  ],
  placements: [
    { name: "hut", on: ["land"], density: "1/400", distance: 3, content: { recipe: "weapon" } },
    { name: "ore", on: ["wood"], density: "1/5000", content: { pools: "ore", pool: "ore", stock: "world" } },
  ],
  recipes: { weapon: "weapon" },
  pools: POOLS,
};

/** Returns a job of short tasks of all kinds: a strip of sectors, and as many small bulk parts. */
function many(count) {
  return {
    name: "many",
    world: WORLD,
    extent: { row0: -12, col0: -512, rows: 24, cols: count * 1024 },
    bulk: Array.from({ length: count }, (_, n) => ({ name: `arms${n}`, recipe: "weapon", count: 100 + n })),
  };
}

/** About 500 tasks. */
export const MANY = many(240);

/** About 130 tasks. */
export const SOME = many(60);

/** A few tasks of all kinds. */
export const FEW = {
  name: "few",
  world: WORLD,
  extent: { row0: -700, col0: -600, rows: 1300, cols: 1100 },
  bulk: [{ name: "arms", recipe: "weapon", count: 2000 }],
};

/** Tasks of some seconds each. */
export const LONG = {
  name: "long",
  world: { layers: [{ name: "land", preset: "uniform", walkers: 8, steps: 2 ** 28 }] },
};

/** 128 tasks like those of `LONG`. */
export const MANY_LONG = {
  name: "long",
  world: { layers: [{ name: "land", preset: "uniform", walkers: 512, steps: 2 ** 28 }] },
};

const CHANCES = Array.from({ length: 120 }, (_, n) => ({ terrain: `t${n}`, when: { chance: "1/200" } }));

/**
 * 10,000 tasks of about 50 ms each: a strip of sectors whose terrain is drawn cell by cell. A task shares nothing with its
 * neighbours, so it does not matter which thread makes it, and only the queue makes a difference.
 */
export const TICKS = {
  name: "ticks",
  world: {
    layers: [{ name: "woods", preset: "uniform", scatter: { side: 4096, walkers: 1 }, steps: 1 }],
    terrain: [...CHANCES, { terrain: "sea" }],
  },
  visits: [],
  extent: { row0: 0, col0: 0, rows: 512, cols: 10_000 * 1024 },
};

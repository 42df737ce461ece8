// What every runtime does with the package. It imports nothing, because each runtime loads modules in its own way.

const SEED = "moria";
const WORLD = {
  layers: [
    { name: "land", preset: "five-ways", steps: 90, scatter: { side: 64, walkers: 3 } },
    { name: "rivers", preset: "rf50-lf50", steps: 60, start: { layer: "land" }, scatter: { walkers: 9 } },
  ],
  terrain: [
    { terrain: "river", when: { rivers: { visits: [1, null] }, land: { within: 2 } } },
    { terrain: "wood", when: { land: { visits: [1, null] }, chance: "1/3" } },
    { terrain: "land", when: { land: { within: 2 } } },
    { terrain: "sea" },
  ],
  placements: [{ name: "hut", on: ["land"], density: "1/40", distance: 3, content: { recipe: "weapon" } }],
  recipes: { weapon: "weapon" },
};

/**
 * Uses every system and returns results as JSON values. `expected.json` has the same results from Node 20.
 *
 * @param modules - The modules `rollmill`, `rollmill/core` and `rollmill/tables`. A one-file build has only the first.
 * @param texts - The text of a table, and the texts of edit files.
 * @param kernel - Where the kernel comes from. Default: the bytes inside the library, compiled synchronously.
 */
export async function check({ rollmill, core, tables }, texts, kernel) {
  const { createMill, createMillAsync, LayerMap } = rollmill;
  const options = { seed: SEED, now: "2026-01-05T08:30" };
  const mill = kernel === undefined ? createMill(options) : await createMillAsync({ ...options, kernel });
  const loot = mill.stream("loot");
  const table = mill.table("chest", texts.table);
  const map = mill.walk("land", { walkers: 3, steps: 5000, preset: "five-ways" }).run().total;
  const message = map.toMessage();
  return {
    words: [...loot.words(4, { plane: 2, from: 1020 })],
    forked: [...loot.fork("player/7").words(3)],
    roll: table.roll({ at: 7 }),
    rolls: table.rollMany(2000, { from: 2 ** 41 }).ids.reduce(mixed),
    regionRoll: mill.fork([-1, 2]).get("chest").roll({ at: 7 }),
    picks: mill.weighted("list", [100, 25, 5, 1]).pickMany(2000).reduce(mixed),
    item: mill.recipe("weapon").make({ at: 11 }),
    draws: drawn(mill, (snapshot) => createMill({ seed: SEED, snapshot })),
    digest: map.digest(),
    world: mill.world("isles", WORLD).digest({ row0: -40, col0: -300, rows: 90, cols: 70 }),
    sent: LayerMap.from(structuredClone(message, { transfer: [message.visits.buffer] })).digest(),
    objects: named(mill.objects("dungeon", texts.objects).makeMany(5, { level: 30, great: true })),
    error: codeOf(rollmill, () => createMill({})),
    core: core === undefined ? undefined : await checkCore(core, tables, texts),
  };
}

/** The modular core, which compiles no second kernel. */
async function checkCore({ createMill, createMillAsync, STREAM_VERSION }, { tables }, texts) {
  const mill = await createMillAsync({ seed: SEED });
  return {
    version: STREAM_VERSION,
    word: mill.stream("loot").word(1020, { plane: 2 }),
    rolls: mill.open(tables, "chest", texts.plain).rollMany(2000).ids.reduce(mixed),
    pick: createMill({ seed: SEED }).weighted("list", [100, 25, 5, 1]).pick({ at: 3 }),
  };
}

/** Draws from a pool, from a fork of it, and again from the pool in a mill that continues from a snapshot. */
function drawn(mill, restore) {
  const spec = { roots: { i: { kind: "finite", records: [{ id: "sword", mass: 3, quantity: 2 }, { id: "axe" }] } } };
  const family = mill.pools("items", spec);
  const draws = [family.pool("i").draw(), family.fork("room 3").pool("i").draw()];
  return [...draws, ...restore(mill.snapshot()).pools("items", spec).pool("i").drawMany(2)];
}

function named(objects) {
  return Array.from(objects, (_, k) => objects.name(k));
}

function codeOf({ RollmillError }, call) {
  try {
    return call();
  } catch (error) {
    return error instanceof RollmillError ? error.code : String(error);
  }
}

function mixed(sum, value) {
  return (Math.imul(sum, 31) + value) | 0;
}

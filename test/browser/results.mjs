// Results of the main entry. It imports nothing, so that a page without a bundler can load it.

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

/** Results of every kind except pictures, ready for JSON; and the map, for pictures of it. */
export function resultsOf(mill) {
  const table = mill.table("loot", "Random0 Random0Weight Random1 Random1Weight\n0 ra 1 1 3\n1 rb 2 0 1");
  const map = mill.walk("land", { walkers: 7, steps: 20_000, preset: "five-ways" }).run().total;
  const results = {
    words: [...mill.stream("words").words(2000, { plane: 3, from: 1020 })],
    rolls: table.rollMany(5000, { from: 2 ** 41 }).ids.join(""),
    counts: [...table.count(100_000).counts],
    odds: table.odds().odds.map(({ result, numerator, denominator }) => `${result} ${numerator}/${denominator}`),
    picks: mill.weighted("list", [100, 25, 5, 1]).pickMany(5000).join(""),
    weapon: mill.recipe("weapon").make(),
    digest: map.digest(),
    world: mill.world("isles", WORLD).digest({ row0: -40, col0: -300, rows: 90, cols: 70 }),
    bounds: map.bounds,
    snapshot: sum(mill.snapshot()),
  };
  return { results, map };
}

/** A checksum of bytes. */
export function sum(bytes) {
  return bytes.reduce((total, byte, i) => (total * 31 + byte + i) % 1_000_000_007, bytes.length);
}

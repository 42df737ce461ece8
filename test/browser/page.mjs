// What a page does with the library; bundled with it, and run by Node too, which must get the same.
import { toNpy, toPng } from "../../dist/formats/index.js";
import { createMill, createMillAsync } from "../../dist/index.js";

export { createMill, createMillAsync };

/** Results of every kind, ready for JSON. */
export function resultsOf(mill) {
  const table = mill.table("loot", "Random0 Random0Weight Random1 Random1Weight\n0 ra 1 1 3\n1 rb 2 0 1");
  const walk = mill.walk("land", { walkers: 7, steps: 20_000, preset: "five-ways" });
  const map = walk.run().total;
  return {
    words: [...mill.stream("words").words(2000, { plane: 3, from: 1020 })],
    rolls: table.rollMany(5000, { from: 2 ** 41 }).ids.join(""),
    counts: [...table.count(100_000).counts],
    odds: table.odds().odds.map(({ result, numerator, denominator }) => `${result} ${numerator}/${denominator}`),
    picks: mill.weighted("list", [100, 25, 5, 1]).pickMany(5000).join(""),
    digest: map.digest(),
    bounds: map.bounds,
    png: sum(toPng(map)),
    npy: sum(toNpy(map)),
    snapshot: sum(mill.snapshot()),
  };
}

function sum(bytes) {
  return bytes.reduce((total, byte, i) => (total * 31 + byte + i) % 1_000_000_007, bytes.length);
}

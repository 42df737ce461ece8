import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { expectedTries, search } from "../../src/instruments/search.js";

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

test("dice and several results", () => {
  const dice = mill.dice("dice", "3d6");
  const { found } = search(dice, { atLeast: 17 }, { to: 10_000, limit: 1e6 });
  expect(found).toEqual([...dice.rollMany(10_000, { from: 0 })].flatMap((value, at) => (value >= 17 ? [at] : [])));
  expect(() => search(dice, { atLest: 17 } as never)).toThrow("atLest");
});

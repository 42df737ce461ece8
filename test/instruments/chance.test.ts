import { describe, expect, test } from "vitest";
import { fraction, ONE, ZERO } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { chance, luck, wait } from "../../src/instruments/chance.js";
import { distributionOf } from "../../src/instruments/distribution.js";
import { near } from "./near.js";

const mill = createMill({ seed: "instruments" });

describe("the pool of three records", () => {
  const family = mill.pools("bag", {
    roots: { i: { kind: "finite", records: ["a", { id: "b", mass: 2 }, { id: "c", mass: 3, quantity: 2 }] } },
  });
  const pool = family.pool("i");

  test("a within 1, 2, 3, 4 draws; c within 1, 2", () => {
    const within = (id: string, n: number) => JSON.stringify(chance(pool, id, { in: n }));
    expect([1, 2, 3, 4].map((n) => within("a", n))).toEqual(['"1/9"', '"16/63"', '"59/126"', '"1/1"']);
    expect([1, 2].map((n) => within("c", n))).toEqual(['"2/3"', '"79/84"']);
  });
});

test("a list: chance, wait and luck", () => {
  const loot = mill.weighted("loot", { crown: 1, gold: 399 });
  expect(near(chance(loot, "crown", { in: 100 })).toFixed(6)).toBe("0.221443");
  expect(wait(loot, "crown").quantile(0.9)).toBe(920);
  expect(wait(loot, { any: ["crown", "gold"] }).quantile(1)).toBe(1);
  expect(near(luck(loot, { crown: 2 }, { in: 500 }).crown.fewer)).toBeCloseTo(0.64452, 5);
  const never = mill.weighted("never", { crown: 0, gold: 1 });
  expect(luck(never, { crown: 0 }, { in: 9 }).crown).toEqual({ fewer: ZERO, equal: ONE, more: ZERO });
  expect(luck(never, { crown: 2 }, { in: 9 }).crown).toEqual({ fewer: ONE, equal: ZERO, more: ZERO });
  expect(() => chance(loot, "crwn", { in: 1 })).toThrow("crown");
});

test("the odds of dice and of quantities as a distribution", () => {
  const dice = distributionOf(mill.dice("hp", "2d6-3").odds());
  expect([dice.least, dice.most, dice.mean, dice.quantile("1/2")]).toEqual([-1, 9, fraction(4n, 1n), 4]);
  expect(dice.upTo(-1)).toEqual(fraction(1n, 36n));
  const table = mill.table("t", { rows: { Chest: [{ result: "gold", weight: 1, quantity: "1-4" }] } });
  expect(distributionOf(table.quantityOdds("gold")).variance).toEqual(fraction(5n, 4n));
  expect(() => distributionOf({ odds: [], none: ONE })).toThrow("missing");
});

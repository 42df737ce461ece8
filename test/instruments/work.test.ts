import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { chance, collect, wait } from "../../src/instruments/index.js";
import { codeOf } from "../refusal.js";

const mill = createMill({ seed: "work" });
const loot = mill.weighted("loot", { crown: 1, gold: 2 });
const names = Array.from({ length: 60 }, (_, i) => `card ${i}`);
const cards = mill.weighted("cards", Object.fromEntries(names.map((name, i) => [name, i + 1])));
const bag = mill
  .pools("bag", {
    roots: { i: { kind: "finite", records: names.map((id, i) => ({ id, mass: 1 + (i % 40), quantity: 1 })) } },
  })
  .pool("i");

const records = names.map((id, i) => ({ id, mass: 1 + i ** 3, quantity: 1 + 5 * i }));
const stock = mill.pools("stock", { roots: { i: { kind: "finite", records } } }).pool("i");

/** Computations that take longer than a part of a call. */
const LONG = {
  chance: (how: object) => chance(loot, "crown", { in: 3_000_000, atMost: 1_000_500, with: how }),
  wait: (how: object) => wait(loot, "crown", { times: 1_000_000, with: how }).upTo(3_001_000),
  collect: (how: object) => collect(cards, names, { copies: 3, with: how }).upTo(40_000),
  mean: (how: object) => collect(cards, names, { copies: 3, with: how }).mean,
  pool: (how: object) => chance(bag, "card 3", { in: 5, with: how }),
  "large pool": (how: object) => chance(stock, "card 3", { in: 8000, with: how }),
  "set of a pool": (how: object) => collect(stock, names, { copies: 2, with: how }).mean,
};

describe.each(Object.entries(LONG))("%s", (_, call) => {
  test("ends when the signal is aborted", () => {
    const stop = new AbortController();
    const reason = new Error("enough");
    expect(() => call({ signal: stop.signal, onProgress: () => stop.abort(reason) })).toThrow(reason);
  });

  test("ends at the limit of the work", () => {
    expect(codeOf(() => call({ maxWork: 100_000 }))).toBe("odds.work");
  });
});

test("a sum that would take years is refused at once", () => {
  expect(codeOf(() => chance(loot, "crown", { in: 2 ** 42, atLeast: 2 ** 40 }))).toBe("odds.work");
});

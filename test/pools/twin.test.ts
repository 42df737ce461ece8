// Kernel and twin, draw for draw, at the sizes at which the tree of prefix sums gets another level.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { BATCH_RESULTS } from "../../src/kernel/index.js";
import { MAX_U32 } from "../../src/pools/types.js";
import { type List, onePool, PoolsPair, planOf } from "./pair.js";

type Stock = [mass: number, quantity: number][];

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

const MASSES = [3, 0, 1, 7, 100, 1, 0, 12, 5];
const QUANTITIES = [1, 3, 0, 1, 400, 3, 2, 0, 1, 1, 50];

/** Masses and quantities of n records. */
const STOCKS: Record<string, (n: number) => Stock> = {
  "masses and quantities of every size, some 0": (n) =>
    range(n).map((i) => [MASSES[i % MASSES.length], QUANTITIES[i % QUANTITIES.length]]),
  "equal masses, one of each": (n) => range(n).map(() => [5, 1]),
  "one mass of 2^31 among ones": (n) => range(n).map((i) => [i === Math.floor(n / 2) ? 2 ** 31 : 1, 1]),
  "a total of 2^32 − 1": (n) => {
    const share = Math.floor(MAX_U32 / n);
    return range(n).map((i) => [i === 0 ? MAX_U32 - share * (n - 1) : share, 1]);
  },
  "a quantity of 2^32 − 1 of one record, and nothing else": (n) =>
    range(n).map((i) => [i === n - 1 ? 1 : 0, i === n - 1 ? MAX_U32 : 5]),
};

const SIZES = [1, 2, 15, 16, 17, 255, 256, 257, 4095, 4096, 4097, 65_537];
/** Sizes of calls that end on, before and after the words of a block, and of a span of two blocks. */
const CALLS = [1, 2, 3, 1, 1024, 5, 64, 2047, 1, 2048, 7, 2049];
const FROM = 2 ** 32 - 1500;

describe.each(Object.entries(STOCKS))("%s", (_, stockOf) => {
  test.each(SIZES)("%i records, drawn as the slow twin draws", (n) => {
    const pair = new PoolsPair(onePool(stockOf(n)), { next: FROM });
    const draws = n > 5000 ? 24 : n > 300 ? 400 : 3000;
    pair.drawBy(0, draws, n > 300 ? [1, 3, 30] : CALLS);
    pair.check();
  });

  test.each([1, 16, 17, 257, 4097, 65_537])("%i records, in calls beyond a batch", (n) => {
    const pair = new PoolsPair(onePool(stockOf(n)), { twin: "quick", next: FROM });
    pair.draw(0, BATCH_RESULTS + 3000);
    pair.check();
    pair.drawBy(0, 5000, CALLS);
    pair.check();
  });
});

test("the quick twin draws as the slow one does, where both are quick enough", () => {
  const stock = STOCKS["masses and quantities of every size, some 0"](40);
  const [quick, slow] = (["quick", "slow"] as const).map((twin) => new PoolsPair(onePool(stock), { twin }));
  for (let call = 0; call < 40; call++) expect(quick.draw(0, 100)).toEqual(slow.draw(0, 100));
  expect([quick.next, quick.refreshed]).toEqual([slow.next, slow.refreshed]);
});

test("the words of a draw are those of its index, at every offset in a span", () => {
  for (const offset of [0, 1, 2, 3, 4, 1020, 1021, 1022, 1023, 1024, 1025, 2044, 2046, 2047, 2 ** 42 - 3100]) {
    const pair = new PoolsPair(onePool(range(40).map((i) => [i, 2])), { next: offset });
    for (const size of [1, 2, 1021, 4, 2048]) pair.draw(0, size);
    pair.check();
  }
});

test("extra words too: of 2^20 records of equal mass, one draw in 4,096 depends on them", () => {
  const pair = new PoolsPair(onePool(new Array(2 ** 20).fill([3000, 1])), { twin: "quick", next: 2 ** 32 - 40_000 });
  pair.draw(0, 80_000);
  pair.drawBy(0, 5000, [1, 2, 900]);
  expect(pair.total(0)).toBe(3000 * (2 ** 20 - 85_000));
});

describe("pools that share records", () => {
  /**
   * A root of all, children of every kth, and a sibling with masses of its own: the first records are in all of them.
   */
  function familyOf(n: number, stock: Stock): [quantities: number[], lists: List[]] {
    const every = (k: number, from: number, massOf: (record: number) => number): List => {
      const records = range(n).filter((record) => record < 3 || record % k === from % k);
      return { records, masses: records.map(massOf) };
    };
    const whole = every(1, 0, (record) => stock[record][0]);
    const backwards = every(2, 1, (record) => 1 + (record % 9));
    return [
      stock.map(([, quantity]) => quantity),
      [
        whole,
        every(2, 0, (record) => stock[record][0]),
        { records: backwards.records.toReversed(), masses: backwards.masses.toReversed() },
        every(3, 0, (record) => (record % 4 === 0 ? 0 : 2)),
        every(Math.max(n, 1), 1, () => 1000),
      ],
    ];
  }

  const jobs = fc.array(
    fc.record({
      what: fc.constantFrom("draw", "draw", "one by one", "set", "return", "restock", "refresh", "total", "check"),
      pool: fc.nat(4),
      count: fc.constantFrom(1, 1, 2, 5, 40, 700),
      record: fc.nat(),
    }),
    { minLength: 5, maxLength: 25 },
  );
  type Job = typeof jobs extends fc.Arbitrary<(infer Each)[]> ? Each : never;

  function apply(pair: PoolsPair, quantities: readonly number[], { what, pool, count, record }: Job): void {
    const chosen = record % quantities.length;
    if (what === "draw") pair.draw(pool, count);
    else if (what === "one by one") pair.drawBy(pool, count, [1]);
    else if (what === "set") pair.setQuantity(chosen, count % (quantities[chosen] + 1));
    else if (what === "return") pair.setQuantity(chosen, Math.min(pair.quantity(chosen) + 1, quantities[chosen]));
    else if (what === "restock") pair.restock(pool);
    else if (what === "refresh") pair.refresh(pool);
    else if (what === "total") pair.total(pool);
    else pair.check();
  }

  test("as the slow twin draws, also one by one, whatever is read, returned and restocked between", () => {
    const sizes = fc.constantFrom(1, 2, 5, 15, 16, 17, 33, 100, 257);
    const stocks = fc.array(fc.tuple(fc.constantFrom(0, 1, 2, 9, 5000), fc.constantFrom(0, 1, 1, 3, 20)), {
      minLength: 1,
      maxLength: 7,
    });
    let refreshed = 0;
    fc.assert(
      fc.property(sizes, stocks, jobs, fc.nat(2 ** 41), (n, kinds, todo, next) => {
        const [quantities, lists] = familyOf(
          n,
          range(n).map((i) => [...kinds[i % kinds.length]]),
        );
        const pair = new PoolsPair(planOf(quantities, lists), { next });
        for (const job of todo) apply(pair, quantities, job);
        pair.check();
        refreshed += pair.refreshed;
      }),
      { seed: 21, numRuns: 200 },
    );
    expect(refreshed).toBeGreaterThan(100);
  });

  test.each([256, 257, 4097, 65_537])("%i records in bulk, in turns", (n) => {
    const stock = range(n).map((i): [number, number] => [1 + (i % 13), i % 3]);
    const [quantities, lists] = familyOf(n, stock);
    const pair = new PoolsPair(planOf(quantities, lists), { twin: "quick", next: 900 });
    const turns = [0, 1, 4, 2, 0, 3, 4, 1, 2];
    for (const [turn, pool] of turns.entries()) {
      pair.drawBy(pool, 3000, [1, 2, 3, 1500, 1494]);
      pair.setQuantity(turn, 0);
      if (turn === 5) pair.restock(2);
      if (n < 300 || turn % 4 === 0) pair.check();
    }
    pair.draw(4, n < 300 ? 70_000 : 3000);
    pair.check();
    expect(pair.refreshed).toBeGreaterThan(1000);
  });
});

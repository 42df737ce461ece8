// The draw loop guesses the nodes of several draws in advance, from sums that the draws between make stale. In these
// families guesses go wrong: the record is gone by then, or the draw falls into another node.
import { describe, expect, test } from "vitest";
import { BATCH_RESULTS } from "../../src/kernel/index.js";
import { onePool, PoolsPair, planOf } from "./pair.js";

const range = (count: number): number[] => Array.from({ length: count }, (_, i) => i);

type Stock = [mass: number, quantity: number];

/** `count` records: the given ones, and all others alike. */
function among(count: number, given: Record<number, Stock>, other: Stock = [1, 1]): Stock[] {
  return range(count).map((i) => given[i] ?? other);
}

/** The place of a node's own record: another one in each node of sixteen. */
const placeIn = (node: number) => node * 16 + ((node * 7) % 16);

/** Records in nodes of sixteen: one of its own in each node, and fifteen `other` ones. */
function oneANode(own: Stock[], other: Stock = [1, 1]): Stock[] {
  const given = Object.fromEntries(own.map((stock, node) => [placeIn(node), stock]));
  return among(own.length * 16, given, other);
}

const HALVING = range(32).map((i): Stock => [2 ** (31 - i), 1]);
const HEAVY: Stock = [2 ** 22, 100];
const FEW = Object.fromEntries([7, 207, 407, 607].map((i): [number, Stock] => [i, [3, 2]]));

const ALONE: [what: string, stock: Stock[], twin: "slow" | "quick"][] = [
  ["one record of which there is one: a refresh a draw", [[1, 1]], "slow"],
  ["one record of the greatest mass, refreshed every draw", [[2 ** 32 - 1, 1]], "slow"],
  ["two records, one heavy: never twice in a block", [[1, 1], HALVING[0]], "slow"],
  ["three records of equal mass", among(3, {}), "slow"],
  ["one of a light record beside a thousand of a heavy one", among(2, { 1: [2 ** 20, 1000] }), "slow"],
  ["the last record of a node, and the first of the next", among(17, { 15: [1, 2], 16: [1, 2] }, [0, 9]), "slow"],
  ["masses that halve, 2^32 − 1 in all", HALVING, "slow"],
  ["masses that halve, each in a node of its own", oneANode(HALVING, [0, 1]), "quick"],
  ["a heavy record in every node, gone after a few draws", oneANode(new Array(16).fill([2 ** 24, 5])), "quick"],
  ["heavy records in the first and the last node in turn", among(256, { 0: HEAVY, 255: HEAVY }), "quick"],
  ["heavy records in far subtrees in turn", among(4097, { 3: HEAVY, 4096: HEAVY }), "quick"],
  ["each node outweighs all behind it", oneANode(range(4).map((node) => [1000 ** (3 - node), 2])), "quick"],
  ["a few records among hundreds that weigh nothing", among(640, FEW, [0, 2]), "quick"],
  ["one of each of 256", among(256, {}), "quick"],
];

describe("drawn alone, refreshed time and again in one call", () => {
  test.each(ALONE)("%s", (_, stock, twin) => {
    const pair = new PoolsPair(onePool(stock), { twin, next: 5 });
    pair.draw(0, BATCH_RESULTS + 2000);
    pair.check();
    // the same in small calls, from wherever in a block the long one ended
    pair.drawBy(0, 2000, [1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 100]);
    pair.check();
    const block = stock.reduce((sum, [mass, quantity]) => sum + (mass > 0 ? quantity : 0), 0);
    expect(pair.refreshed).toBe(Math.ceil((pair.next - 5) / block) - 1);
  });

  test.each(range(24).map((i) => i + 1))("%i draws to a block: a refresh at every place of a group", (block) => {
    const [light, heavy] = [Math.floor(block / 2), Math.ceil(block / 2)];
    const pair = new PoolsPair(onePool(among(33, { 0: [1, light], 32: [9, heavy] }, [0, 3])));
    pair.draw(0, 4000);
    expect(pair.refreshed).toBe(Math.ceil(4000 / block) - 1);
    pair.check();
  });
});

describe("draws that take from others", () => {
  test("a child's draws exhaust its sibling and leave stale what was guessed in the parent", () => {
    const all = range(48);
    const lists = [
      { records: all, masses: all.map((i) => (i % 16 === 0 ? 2 ** 20 : 1)) },
      { records: [0, 16, 32], masses: [1, 1, 1] },
      { records: [32, 0, 16, 5], masses: [7, 8, 9, 0] },
    ];
    const pair = new PoolsPair(
      planOf(
        all.map(() => 2),
        lists,
      ),
    );
    for (let round = 0; round < 60; round++) {
      pair.draw(1, 1 + (round % 13));
      if (round === 5) {
        pair.setQuantity(0, 0);
        pair.setQuantity(16, 0);
        pair.setQuantity(32, 0);
        expect([pair.total(1), pair.total(2)]).toEqual([0, 0]);
      }
      pair.draw(0, 1 + ((round * 5) % 17));
      pair.check();
      pair.draw(2, round % 4);
      pair.check();
    }
    expect(pair.refreshed).toBeGreaterThan(60);
  });

  test("one call refreshes what its siblings share hundreds of times, and they see the last state", () => {
    const lists = [
      { records: range(300), masses: range(300).map(() => 1) },
      { records: [299, 0, 17], masses: [1, 2 ** 28, 1] },
      { records: [17, 299], masses: [3, 4] },
      { records: [0], masses: [1] },
    ];
    const pair = new PoolsPair(
      planOf(
        range(300).map((i) => (i === 0 ? 3 : 1)),
        lists,
      ),
    );
    pair.draw(2, 1);
    pair.draw(3, 3);
    expect(pair.total(3)).toBe(0);
    pair.draw(1, 1003);
    pair.check();
    expect([pair.total(1), pair.refreshed]).toEqual([
      2 ** 28 * pair.quantity(0) + pair.quantity(17) + pair.quantity(299),
      201,
    ]);
    pair.draw(0, 299);
    pair.check();
    pair.draw(3, 1);
    pair.check();
  });

  test("a small pool that is exhausted when its turn comes, after draws far out in a large one", () => {
    const lists = [
      { records: range(5000), masses: range(5000).map((i) => (i > 4900 ? 2 ** 14 : 1)) },
      { records: [4999], masses: [1] },
      { records: [0, 1, 4998], masses: [0, 1, 1] },
      { records: range(20), masses: range(20).map(() => 0) },
    ];
    const pair = new PoolsPair(planOf(new Array(5000).fill(1), lists), { twin: "quick" });
    for (let round = 0; round < 40; round++) {
      pair.draw(0, 100);
      pair.setQuantity(4999, 0);
      if (round % 2 === 0) for (const record of [1, 4998]) pair.setQuantity(record, 0);
      for (const pool of [1, 2]) pair.draw(pool, 1 + (round % 9));
      expect(pair.draw(3, 5)).toHaveLength(0);
      pair.check();
    }
  });

  test("a pool that a refresh leaves at 0 gives what it has, and stops", () => {
    const { roots, pools } = onePool(among(20, { 19: [2 ** 20, 1] }, [1, 0]));
    const initial = new Uint32Array(20);
    const pair = new PoolsPair({ roots: [{ ...roots[0], initial }], pools });
    expect([...pair.draw(0, 12)]).toEqual([19]);
    expect(pair.draw(0, 1)).toHaveLength(0);
    expect(pair.refreshed).toBe(0);
    pair.check();
  });

  test("what is put back or taken between two calls is what the next one draws by", () => {
    const pair = new PoolsPair(onePool(oneANode(new Array(37).fill([2 ** 20, 40]))), { twin: "quick" });
    for (let round = 0; round < 300; round++) {
      pair.setQuantity(placeIn(round % 37), round % 3 === 0 ? 0 : 40);
      pair.draw(0, 1 + (round % 21));
      if (round % 29 === 0) pair.restock(0);
    }
    pair.check();
  });
});

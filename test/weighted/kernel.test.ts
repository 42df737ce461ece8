import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type WeightedList } from "../../src/index.js";
import { firstDifference } from "../kernel/open.js";
import { type AliasTwin, aliasColumn, aliasPick, aliasTwin } from "../oracle/alias.js";
import { streamKey, streamWords } from "../oracle/words.js";

const seed = "moria";
const name = "rarity";
const MAX_TOTAL = 2 ** 32 - 1;
const words = streamWords(streamKey(seed, name));

function open(weights: ArrayLike<number>): WeightedList {
  return createMill({ seed }).weighted(name, weights);
}

/** Picks from … from + count − 1 by the twin. */
function twinPicks(table: AliasTwin, from: number, count: number): Uint32Array {
  return Uint32Array.from({ length: count }, (_, k) =>
    aliasPick(table, words.word(0, from + k), (i) => words.extra(0, from + k, i)),
  );
}

const SHAPES: [string, number[]][] = [
  ["one entry", [7]],
  ["one entry of the whole total", [MAX_TOTAL]],
  ["halves", [1, 1]],
  ["a zero first", [0, 3]],
  ["a zero last", [3, 0]],
  ["zeros all around", [0, 0, 1, 0, 2, 0]],
  ["a giant beside a one", [MAX_TOTAL - 1, 1]],
  ["a one beside a giant", [1, MAX_TOTAL - 1]],
  ["2^31 − 1 of 2^32 − 1", [2 ** 31, 2 ** 31 - 1]],
  ["three", [1, 2, 3]],
  ["the seed's row", [10, 25, 100, 25, 2]],
  ...[2, 3, 4, 5, 63, 64, 65, 127, 128, 129, 1000, 1024, 1025].map((n): [string, number[]] => [
    `${n} entries of 1 to ${n}`,
    Array.from({ length: n }, (_, i) => i + 1),
  ]),
];

describe("pickMany = twin, word for word", () => {
  test.each(SHAPES)("%s", (_, weights) => {
    const table = aliasTwin(weights);
    const list = open(weights);
    for (const from of [0, 1021, 2 ** 32 - 3, 2 ** 42 - 1500]) {
      expect(firstDifference(list.pickMany(1500, { from }), twinPicks(table, from, 1500))).toBe(-1);
    }
  });

  test("any list, any range", () => {
    const weight = fc.oneof(fc.nat(5), fc.nat(1000), fc.integer({ min: 0, max: 2 ** 26 }));
    const weights = fc.array(weight, { minLength: 1, maxLength: 60 }).filter((list) => list.some((each) => each > 0));
    const from = fc.oneof(fc.nat(2100), fc.integer({ min: 0, max: 2 ** 42 - 100 }));
    fc.assert(
      fc.property(weights, from, fc.nat(90), (list, first, count) => {
        expect(open(list).pickMany(count, { from: first })).toEqual(twinPicks(aliasTwin(list), first, count));
      }),
      { seed: 30400, numRuns: 300 },
    );
  });

  // A tie has chance 2^(k − 32): long lists meet many.
  test.each([
    [16, 2 ** 21, 20],
    [18, 2 ** 20, 40],
    [20, 2 ** 17, 20],
  ])("2^%s entries over %s picks, %s of them ties at least, in every lane of eight", (k, count, leastTies) => {
    const weights = Array.from({ length: 2 ** k - 3 }, (_, i) => 1 + ((Math.imul(i, 0x9e3779b1) >>> 7) % 4000));
    const table = aliasTwin(weights);
    const list = open(weights);
    const picks = list.pickMany(count, { from: 5 });
    expect(firstDifference(picks, twinPicks(table, 5, count))).toBe(-1);
    const ties = Array.from({ length: count }, (_, i) => i + 5).filter((index) => {
      const [column, f] = aliasColumn(table, words.word(0, index));
      return f === table.thresholds[column];
    });
    expect(ties.length).toBeGreaterThanOrEqual(leastTies);
    expect(new Set(ties.map((index) => index % 8)).size).toBe(8);
    // both outcomes of a tie come up
    const own = ties.filter((index) => picks[index - 5] === aliasColumn(table, words.word(0, index))[0]).length;
    expect([own > 0, own < ties.length]).toEqual([true, true]);
    // a range that begins just before, on or after a tie
    for (const tie of ties.slice(0, 10)) {
      for (const from of [tie - 7, tie - 3, tie - 1, tie, tie + 1]) {
        const part = list.pickMany(10, { from });
        expect([from, ...part]).toEqual([from, ...twinPicks(table, from, 10)]);
      }
    }
  });
});

describe("n single calls = one bulk call, in any pieces", () => {
  const weights = Array.from({ length: 300 }, (_, i) => i % 7);
  const whole = open(weights).pickMany(200_000, { from: 0 });

  test("pick by pick, over blocks and after a jump of the cursor", () => {
    const list = open(weights);
    expect(Uint32Array.from({ length: 5000 }, () => list.pick())).toEqual(whole.slice(0, 5000));
    expect(list.next).toBe(5000);
    for (const next of [77, 1023, 1024, 131_071, 3, 4]) {
      list.next = next;
      expect([list.pick(), list.pick(), list.next]).toEqual([whole[next], whole[next + 1], next + 2]);
    }
  });

  test("pickMany and pickInto of any range", () => {
    const list = open(weights);
    const from = fc.oneof(fc.nat(130_000), fc.constantFrom(0, 1023, 1024, 65_535, 65_536));
    const count = fc.oneof(fc.nat(4000), fc.constantFrom(0, 1, 65_535, 65_536, 65_537));
    fc.assert(
      fc.property(from, count, fc.nat(3), (first, length, shift) => {
        expect(firstDifference(list.pickMany(length, { from: first }), whole.slice(first, first + length))).toBe(-1);
        const out = new Uint32Array(length + 4).fill(9999);
        list.pickInto(out.subarray(shift, shift + length), { from: first });
        expect(firstDifference(out.slice(shift, shift + length), whole.slice(first, first + length))).toBe(-1);
        // nothing beside the range is written
        expect(out.filter((entry) => entry === 9999)).toHaveLength(4);
      }),
      { seed: 30401, numRuns: 100 },
    );
    expect(list.next).toBe(0);
  });

  test.each([
    ["a short list", weights],
    ["a list longer than a batch", Array.from({ length: 70_000 }, (_, i) => i % 3)],
  ])("count = the tally of pickMany: %s", (_, list) => {
    const picks = open(list).pickMany(150_000, { from: 999 });
    const tally = new Float64Array(list.length);
    for (const entry of picks) tally[entry]++;
    expect(firstDifference([...open(list).count(150_000, { from: 999 }).counts.values()], tally)).toBe(-1);
    expect(firstDifference([...open(list).count(0).counts.values()], new Float64Array(list.length))).toBe(-1);
  });

  test("lists of one mill do not disturb one another, whatever the order of calls", () => {
    const mill = createMill({ seed });
    const [a, b] = ["a", "b"].map((each) => mill.weighted(each, weights));
    const mixed = { a: [] as number[], b: [] as number[] };
    for (let i = 0; i < 3000; i++) {
      mixed.a.push(a.pick());
      if (i % 3 === 0) mixed.b.push(...b.pickMany(2));
    }
    const alone = createMill({ seed });
    expect(mixed.b).toEqual([...alone.weighted("b", weights).pickMany(2000)]);
    expect(mixed.a).toEqual([...alone.weighted("a", weights).pickMany(3000)]);
  });
});

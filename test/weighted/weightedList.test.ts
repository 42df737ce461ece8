import { describe, expect, test } from "vitest";
import { createMill, type WeightedList } from "../../src/index.js";
import { firstDifference } from "../kernel/open.js";
import { refusalOf } from "../refusal.js";

const MAX_TOTAL = 2 ** 32 - 1;

function open(weights: unknown): WeightedList {
  return createMill({ seed: "moria" }).weighted("rarity", weights as number[]);
}

/** The code that a list of weights is refused with. */
const codeOf = (weights: unknown) => refusalOf(() => open(weights)).code;
const chances = (list: WeightedList) =>
  list.odds().odds.map(({ probability: { numerator, denominator } }) => `${numerator}/${denominator}`);

describe("somebody's real bugs", () => {
  test("a zero-weight entry is never drawn (rot.js, loot-table)", () => {
    for (const zeros of [
      [0, 1],
      [1, 0],
      [0, 0, 3, 0, 0.5, 0],
      [MAX_TOTAL, 0],
      [0, MAX_TOTAL - 5, 0, 5],
      Array.from({ length: 1000 }, (_, i) => Number(i % 10 === 3)),
    ]) {
      const list = open(zeros);
      const counts = [...list.count(1_000_000).counts.values()];
      expect(zeros.filter((weight, entry) => weight === 0 && counts[entry] > 0)).toEqual([]);
      expect(chances(list).filter((_, entry) => zeros[entry] === 0)).toEqual(
        zeros.filter((w) => w === 0).map(() => "0/1"),
      );
    }
    // rot.js draws a zero-weight entry when a weight is none at all
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e300]) expect(codeOf([0, bad, 1])).toMatch(/^weights\./);
  });

  test("weights .5 and .5 are even odds, not always or never the same entry (loot-table)", () => {
    const list = open([0.5, 0.5]);
    expect(chances(list)).toEqual(["1/2", "1/2"]);
    const [first, second] = [...list.count(1_000_000, { from: 0 }).counts.values()];
    expect([first + second, Math.abs(first - second) < 5000]).toEqual([1_000_000, true]);
    expect(list.pickMany(5000, { from: 0 })).toEqual(open([5, 5]).pickMany(5000, { from: 0 }));
  });

  test("the first entry is not one too heavy (drop-loot, tgstation 71271)", () => {
    expect(chances(open([1, 1, 1]))).toEqual(["1/3", "1/3", "1/3"]);
    // one too heavy would be 2 : 1 : 1, twenty thousand standard deviations away
    const counts = [...open([1, 1, 1]).count(10_000_000).counts.values()];
    for (const count of counts) expect(Math.abs(count - 10_000_000 / 3)).toBeLessThan(6 * Math.sqrt(10_000_000 / 4.5));
  });

  test("the last entry is reached, and nothing falls off the end (Esposter 1068, fictional 44)", () => {
    for (const weights of [[1, 1], [3, 1, 0], [1, 0, 0, 1, 0], [2 ** 20, 1], new Array<number>(1000).fill(1)]) {
      const counts = [...open(weights).count(20_000_000).counts.values()];
      expect([counts.length, counts.reduce((a, b) => a + b)]).toEqual([weights.length, 20_000_000]);
      expect(counts[weights.findLastIndex((weight) => weight > 0)]).toBeGreaterThan(0);
    }
  });

  test("the largest word picks an entry, not −1, and so does the least (Godot 93893)", () => {
    const mill = createMill({ seed: "moria" });
    const words = mill.stream("rarity").words(2 ** 24);
    const [most, least] = [
      words.indexOf(words.reduce((a, b) => Math.max(a, b))),
      words.indexOf(words.reduce((a, b) => Math.min(a, b))),
    ];
    expect([words[most] > 2 ** 32 - 2000, words[least] < 2000]).toEqual([true, true]);
    for (const weights of [[1], [1, 1], [1, 1, 1], [0, 2, 0], [5, 0, 0], new Array(1000).fill(1), [MAX_TOTAL]]) {
      for (const index of [most, least]) {
        const entry = open(weights).pickMany(1, { from: index })[0];
        expect(weights[entry]).toBeGreaterThan(0);
      }
    }
  });

  test("small weights are not cast to 0 (space-station-14 33584, bifrost 2654)", () => {
    const list = open([0.001, 0.002, 0.007]);
    expect(chances(list)).toEqual(["1/10", "1/5", "7/10"]);
    expect([...list.count(1_000_000).counts.values()].every((count) => count > 90_000)).toBe(true);
    expect(chances(open([1e-9, 3e-9]))).toEqual(["1/4", "3/4"]);
    expect(chances(open([40_000_000, 0.01]))).toEqual(["4000000000/4000000001", "1/4000000001"]);
  });

  test("float subtraction cannot drive a total below 0 (rand 956): decimals are integers from the start", () => {
    const list = open([0.1, 0.2, 0.3, 0.7, 1.1, 2.3]);
    expect(chances(list)).toEqual(["1/47", "2/47", "3/47", "7/47", "11/47", "23/47"]);
    expect(list.pickMany(1000, { from: 0 })).toEqual(open([1, 2, 3, 7, 11, 23]).pickMany(1000, { from: 0 }));
  });

  test("2^53 + 1 is not absorbed: a total over 2^32 − 1 is refused, one of exactly that is not", () => {
    expect(codeOf([2 ** 53 + 1, 1])).toBe("weights.overflow");
    expect(codeOf([2 ** 53 + 2])).toBe("weights.overflow");
    expect(codeOf([MAX_TOTAL, 1])).toBe("weights.overflow");
    expect(codeOf([MAX_TOTAL, 0.5])).toBe("weights.decimals");
    expect(chances(open([MAX_TOTAL - 1, 1]))).toEqual([`${MAX_TOTAL - 1}/${MAX_TOTAL}`, `1/${MAX_TOTAL}`]);
    expect(open([MAX_TOTAL]).pick()).toBe(0);
  });

  test("exactness is no memory bomb: weights 1, 1, 2, 5e-324 (Apache RNG-196)", () => {
    expect(codeOf([1, 1, 2, 5e-324])).toBe("weights.decimals");
    expect(codeOf([1, 1.7976931348623157e308])).toBe("weights.overflow");
    expect(chances(open([5e-324]))).toEqual(["1/1"]);
    expect(chances(open([5e-324, 1e-323]))).toEqual(["1/3", "2/3"]);
  });

  test("a replay is held to the original draw by draw, and the first that differs is found and made again alone (rot.js 203)", () => {
    const original = open([10, 25, 100, 25, 2]);
    const recorded = original.pickMany(100_000);
    expect(firstDifference(open([10, 25, 100, 25, 2]).pickMany(100_000), recorded)).toBe(-1);
    const changed = open([10, 25, 101, 25, 2]).pickMany(100_000);
    const first = firstDifference(changed, recorded);
    expect(first).toBeGreaterThan(0);
    expect(original.pickMany(1, { from: first })[0]).toBe(recorded[first]);
    expect(open([10, 25, 101, 25, 2]).pickMany(1, { from: first })[0]).toBe(changed[first]);
  });
});

describe("what is no list of weights", () => {
  test.each([
    ["NaN", [Number.NaN], "weights.invalid"],
    ["−1", [1, -1], "weights.invalid"],
    ["a little below 0", [1, -0.0001], "weights.invalid"],
    ["Infinity", [Number.POSITIVE_INFINITY], "weights.invalid"],
    ["a text", [1, "5"], "weights.invalid"],
    ["null in a list", [1, null], "weights.invalid"],
    ["undefined in a list", [1, undefined], "weights.invalid"],
    ["a bigint", [1, 5n], "weights.invalid"],
    ["an array in a list", [1, [2]], "weights.invalid"],
    ["a Number object", [1, new Number(3)], "weights.invalid"],
    ["a Promise", [1, Promise.resolve(1)], "weights.invalid"],
    ["holes", new Array(3), "weights.invalid"],
    ["bigints", new BigInt64Array([1n]), "weights.invalid"],
    ["nothing", [], "weights.empty"],
    ["nothing, typed", new Float64Array(0), "weights.empty"],
    ["one zero", [0], "weights.empty"],
    ["zeros of both signs", [0, -0, 0], "weights.empty"],
    ["more than 2^24 entries", new Uint8Array(2 ** 24 + 1), "weights.empty"],
    ["a string", "12", "argument.type"],
    ["undefined", undefined, "argument.type"],
    ["null", null, "argument.type"],
    ["a number", 5, "argument.type"],
    ["an object with a length", { length: 2, 0: 1, 1: 1 }, "argument.type"],
    ["a Map", new Map([[0, 1]]), "argument.type"],
    ["a Set", new Set([1, 2]), "argument.type"],
    ["a DataView", new DataView(new ArrayBuffer(8)), "argument.type"],
    ["an ArrayBuffer", new ArrayBuffer(8), "argument.type"],
    ["a function", () => [1], "argument.type"],
  ])("%s", (_, weights, code) => {
    const mill = createMill({ seed: "moria" });
    expect(refusalOf(() => mill.weighted("rarity", weights as number[])).code).toBe(code);
    // and the name is still free
    expect(mill.weighted("rarity", [1]).pick()).toBe(0);
  });

  test("each bad entry is named, with what came", () => {
    const { issues, message } = refusalOf(() => open([1, Number.NaN, 2, -1]));
    expect(issues.map(({ where }) => where.path)).toEqual(["weights[1]", "weights[3]"]);
    expect(message).toMatch(/weights\[1\]: .*got NaN, expected a finite number that is 0 or more/);
    expect(message).toMatch(/weights\[3\]: .*got -1/);
  });

  test.each([
    new Uint8Array([3, 0, 1]),
    new Float32Array([0.75, 0, 0.25]),
    new Float64Array([0.3, 0, 0.1]),
    [3, -0, 1],
  ])("a list may be any array of numbers: %o", (weights) =>
    expect(chances(open(weights))).toEqual(["3/4", "0/1", "1/4"]),
  );

  test("weights changed after the list was made change nothing", () => {
    const weights = [1, 1];
    const list = open(weights);
    weights[0] = 1000;
    expect(chances(list)).toEqual(["1/2", "1/2"]);
  });
});

describe("calls", () => {
  test("the last index picks, and nothing beyond it", () => {
    const list = open([1, 2]);
    expect(list.pickMany(1, { from: 2 ** 42 - 1 })).toHaveLength(1);
    expect(refusalOf(() => list.pickMany(2, { from: 2 ** 42 - 1 })).code).toBe("argument.range");
    list.next = 2 ** 42 - 1;
    list.pick();
    expect(list.next).toBe(2 ** 42);
    expect(refusalOf(() => list.pick()).code).toBe("argument.range");
  });
});

describe("memory", () => {
  test("a list that does not fit is a typed error as often as it is asked for, and leaves room for others", () => {
    const mill = createMill({ seed: "moria", maxMemory: 2 ** 20 });
    const large = mill.weighted("large", new Array(2 ** 16).fill(1));
    for (let i = 0; i < 10; i++) expect(refusalOf(() => large.pickMany(5)).code).toBe("kernel.memory");
    const small = mill.weighted("small", new Array(2 ** 14).fill(1));
    expect(small.pickMany(100)).toEqual(
      createMill({ seed: "moria" })
        .weighted("small", new Array(2 ** 14).fill(1))
        .pickMany(100),
    );
  });

  test("ten thousand small lists fit a few megabytes", () => {
    const mill = createMill({ seed: "moria", maxMemory: 2 ** 22 });
    const picks = Array.from({ length: 10_000 }, (_, i) => mill.weighted(`list ${i}`, [1, 2, 3]).pickMany(1)[0]);
    expect(new Set(picks)).toEqual(new Set([0, 1, 2]));
  });
});

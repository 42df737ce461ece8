import { describe, expect, expectTypeOf, test } from "vitest";
import { parseDice } from "../../src/dice/index.js";
import { add, fraction, ONE } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { BelowTemplate } from "../oracle/below.js";
import { streamKey, streamWords } from "../oracle/words.js";

const seed = "moria";
const mill = () => createMill({ seed });
const below32 = new BelowTemplate(32);
const coded = (code: string) => expect.objectContaining({ code });

/** Roll k by docs/determinism.md: a constant plus 1 + below(sides) for each die. */
function twin(name: string, { count, sides, plus }: { count: number; sides: number; plus: number }) {
  const words = streamWords(streamKey(seed, name));
  return (k: number) => {
    let sum = plus + count;
    for (let die = 0; die < count; die++) {
      sum += below32.below(words.word(die, k), sides, (i) => words.extra(die, k, i));
    }
    return sum;
  };
}

describe("dice equal their slow twin", () => {
  test.each([
    ["2d6+1", { count: 2, sides: 6, plus: 1 }],
    ["d20", { count: 1, sides: 20, plus: 0 }],
    ["10d3-40", { count: 10, sides: 3, plus: -40 }],
    ["-5-5", { count: 1, sides: 11, plus: -6 }],
    ["3d1", { count: 3, sides: 1, plus: 0 }],
    ["7", { count: 0, sides: 1, plus: 7 }],
    [
      { least: -(2 ** 31), most: 2 ** 31 - 2 },
      { count: 1, sides: 2 ** 32 - 1, plus: -(2 ** 31) - 1 },
    ],
    [
      { least: 0, most: 2 ** 31 - 1 },
      { count: 1, sides: 2 ** 31, plus: -1 },
    ],
    [
      { least: 1, most: 3_000_000_000 - 2 ** 31 },
      { count: 1, sides: 3_000_000_000 - 2 ** 31, plus: 0 },
    ],
  ])("%j", (input, amount) => {
    const dice = mill().dice("hp", input);
    const wanted = twin("hp", amount);
    for (const from of [0, 1021, 2047, 2 ** 42 - 1500]) {
      const rolls = dice.rollMany(1500, { from });
      expect([...rolls]).toEqual(Array.from(rolls, (_, i) => wanted(from + i)));
      for (const k of [0, 3, 1499]) expect(dice.roll({ at: from + k })).toBe(rolls[k]);
    }
    const [least, most] = [amount.count + amount.plus, amount.count * amount.sides + amount.plus];
    expect([dice.least, dice.most]).toEqual([least, most]);
  });

  test("a word that leaves a die undecided reads extra words, in bulk and alone", () => {
    const sides = 49_152;
    const dice = mill().dice("hp", `1d${sides}`);
    const words = mill().stream("hp").words(1_000_000);
    const open = Array.from(words).flatMap((word, k) => (below32.settles(word, sides) ? [] : [k]));
    expect(open.length).toBeGreaterThan(3);
    const rolls = dice.rollMany(1_000_000);
    const wanted = twin("hp", { count: 1, sides, plus: 0 });
    for (const k of open) {
      expect(rolls[k]).toBe(wanted(k));
      expect(dice.roll({ at: k })).toBe(wanted(k));
    }
  });
});

describe("whole numbers", () => {
  test("int is dice of an interval", () => {
    const numbers = mill().int("n", 1, 6);
    expect(numbers.rollMany(500)).toEqual(mill().dice("n", "1-6").rollMany(500));
    expect(mill().int("n", 5, 5).roll()).toBe(5);
    const large = mill().int("n", -1e9, 1e9);
    expect(() => large.odds()).toThrow(coded("argument.range"));
    const { counts, total } = large.count(400);
    expect([...counts.keys()]).toEqual([...new Set(large.rollMany(400, { from: 0 }))].sort((a, b) => a - b));
    expect([...counts.values()].reduce((sum, count) => sum + count)).toBe(total);
  });

  test("the same name with other bounds is refused, with the same bounds it is the same object", () => {
    const one = mill();
    expect(one.int("n", 1, 6)).toBe(one.dice("n", { least: 1, most: 6 }));
    expect(() => one.int("n", 1, 7)).toThrow(coded("argument.name-taken"));
  });
});

test("the odds of 2d6+1 are those of all 36 cases", () => {
  const { odds } = mill().dice("hp", "2d6+1").odds();
  expect(odds.map(({ result }) => result)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]);
  expect(odds[5].probability).toEqual(fraction(6n, 36n));
  expect(odds.map(({ probability }) => probability).reduce(add)).toEqual(ONE);
  expectTypeOf(mill().dice("a", "d6").roll()).toEqualTypeOf<number>();
});

test("Int32Array is the array of rolls; others are refused", () => {
  const dice = mill().dice("hp", "2d6");
  const out = new Int32Array(2000);
  const onProgress = () => undefined;
  expect(dice.rollInto(out, { from: 3, onProgress })).toBe(out);
  expect(out).toEqual(dice.rollMany(2000, { from: 3 }));
  const signed = mill().dice("low", "2d6-9");
  expect(signed.rollInto(out, { from: 3, onProgress })).toEqual(signed.rollMany(2000, { from: 3 }));
  for (const wrong of [new Uint32Array(4), new Float64Array(4), [1, 2], 4, null]) {
    expect(() => dice.rollInto(wrong as never)).toThrow(coded("argument.type"));
  }
});

describe("dice that are wrong are refused", () => {
  test.each([
    ["2d", "amount.invalid"],
    ["", "amount.invalid"],
    ["2d6+1d4", "amount.invalid"],
    ["100d105", "amount.invalid"],
    ["6-1", "amount.invalid"],
    ["-2147483648-2147483647", "amount.invalid"],
    ["1d4294967295", "amount.invalid"],
    [1.5, "amount.invalid"],
    [null, "amount.invalid"],
    [{ least: 1 }, "amount.invalid"],
    [{ least: 6, most: 1 }, "amount.invalid"],
    [{ least: 0.5, most: 1 }, "amount.invalid"],
    [{ least: -(2 ** 31), most: 2 ** 31 - 1 }, "amount.invalid"],
    [{ least: 1, most: 6, step: 2 }, "argument.type"],
  ])("%j", (input, code) => {
    expect(parseDice(input).issues.map((issue) => issue.code)).toContain(code);
    expect(() => mill().dice("hp", input as string)).toThrow(coded(code));
  });

  test("a die of a range or of a notation may have up to 2^32 − 1 sides", () => {
    expect(parseDice("1d2147483647").issues).toEqual([]);
    expect(parseDice("-2147483648-2147483646").issues).toEqual([]);
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill, type Stream } from "../../src/index.js";
import { firstDifference } from "../kernel/open.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { refusalOf } from "../refusal.js";

const open = (name = "raw", seed = "moria"): Stream => createMill({ seed }).stream(name);
const twin = (name = "raw", seed = "moria") => streamWords(streamKey(seed, name));

describe("words", () => {
  test("are the twin's, at every edge of plane and index, alone and in bulk", () => {
    const stream = open();
    const { word } = twin();
    for (const plane of [0, 1, 17, 2 ** 31, 2 ** 32 - 1, 2 ** 32, 2 ** 33 + 7]) {
      for (const from of [0, 1020, 2 ** 32 - 3, 2 ** 42 - 6]) {
        const expected = Array.from({ length: 6 }, (_, k) => word(plane, from + k));
        expect([...stream.words(6, { plane, from })]).toEqual(expected);
        expect(expected.map((_, k) => stream.word(from + k, { plane }))).toEqual(expected);
      }
    }
  });

  test("the planes and indices of an independent script: seed moria, name loot, plane 2, from 1020", () => {
    expect([...open("loot").words(8, { plane: 2, from: 1020 })]).toEqual(
      Array.from({ length: 8 }, (_, k) => twin("loot").word(2, 1020 + k)),
    );
  });

  test("any range is a part of the whole", () => {
    const stream = open();
    const whole = stream.words(150_000, { plane: 9 });
    const count = fc.oneof(fc.nat(3000), fc.constantFrom(0, 1, 65_535, 65_536, 65_537));
    fc.assert(
      fc.property(
        fc.oneof(fc.nat(80_000), fc.constantFrom(0, 1023, 1024, 65_536)),
        count,
        fc.nat(3),
        (from, length, shift) => {
          const out = new Uint32Array(length + 4).fill(7);
          stream.wordsInto(out.subarray(shift, shift + length), { plane: 9, from });
          expect(firstDifference(out.slice(shift, shift + length), whole.slice(from, from + length))).toBe(-1);
          expect([...out.subarray(0, shift), ...out.subarray(shift + length)]).toEqual([7, 7, 7, 7]);
        },
      ),
      { seed: 30500, numRuns: 60 },
    );
  });

  test("seeds and names of any spelling have words of their own, by their text", () => {
    const first = (seed: string | number | bigint, name: string) => createMill({ seed }).stream(name).word(0);
    expect(first(1, "a")).toBe(first("1", "a"));
    expect(first(1n, "a")).toBe(first("1", "a"));
    expect(first(-0, "a")).toBe(first("0", "a"));
    expect(first(1e21, "a")).toBe(first("1e+21", "a"));
    const names = ["a", "A", "a ", "__proto__", "constructor", "toString", "0", "矿坑", "🪓", "é", "e\u0301"];
    expect(new Set(names.map((name) => first("moria", name))).size).toBe(names.length);
    const seeds = ["", " ", "0", "01", "moria", "Moria", "矿坑", `${"x".repeat(5000)}y`];
    expect(new Set(seeds.map((seed) => first(seed, "a"))).size).toBe(seeds.length);
    for (const name of names) expect(first("", name)).toBe(twin(name, "").word(0, 0));
  });
});

test("a text and its repetitions are different seeds, although ARC4 repeats a short key", () => {
  const first = (seed: string) => createMill({ seed }).stream("a").word(0);
  const seeds = ["0", "00", "000", "ab", "aba", "abab"];
  expect(new Set(seeds.map(first)).size).toBe(seeds.length);
});

describe("what is refused", () => {
  test.each([-1, 0.5, 2 ** 53, -1n, 2n ** 64n, Number.NaN, Number.POSITIVE_INFINITY, "1", null])(
    "plane %s",
    (plane) => {
      const options = { plane: plane as number };
      expect(refusalOf(() => open().word(0, options)).code).toBe("argument.range");
      expect(refusalOf(() => open().words(1, options)).code).toBe("argument.range");
    },
  );

  test.each<unknown>([undefined, 1n])("index %s", (index) => {
    expect(refusalOf(() => open().word(index as number)).code).toBe("argument.range");
  });

  test("ranges that reach 2^42", () => {
    expect(open().words(1, { from: 2 ** 42 - 1 })).toHaveLength(1);
    expect(refusalOf(() => open().words(2, { from: 2 ** 42 - 1 })).code).toBe("argument.range");
  });
});

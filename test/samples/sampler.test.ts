import { describe, expect, expectTypeOf, test } from "vitest";
import { fraction } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { parseItems } from "../../src/samples/index.js";
import { specOf } from "../../src/spec/index.js";
import { BelowTemplate } from "../oracle/below.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { agrees } from "../statistics/chiSquare.js";

const seed = "moria";
const mill = () => createMill({ seed });
const below32 = new BelowTemplate(32);
const coded = (code: string) => expect.objectContaining({ code });

/** Sample k by docs/determinism.md: the first steps of a Fisher–Yates shuffle of a whole list. */
function twin(name: string, n: number, size: number): (k: number) => number[] {
  const words = streamWords(streamKey(seed, name));
  return (k) => {
    const order = Array.from({ length: n }, (_, i) => i);
    for (let i = 0; i < size; i++) {
      const place = i + below32.below(words.word(k, i), n - i, (x) => words.extra(k, i, x));
      [order[i], order[place]] = [order[place], order[i]];
    }
    return order.slice(0, size);
  };
}

describe("samples equal their slow twin", () => {
  test.each([
    [1, 1],
    [52, 52],
    [52, 5],
    [3000, 2999],
    [100_000, 3],
  ])("of %i items, %2$i drawn", (n, size) => {
    const sampler = mill().sample("deck", n, { size });
    const wanted = twin("deck", n, size);
    for (const from of [0, 2 ** 32 - 3, 2 ** 42 - 40]) {
      const rounds = Math.min(40, Math.ceil(60_000 / n));
      const drawn = sampler.drawMany(rounds, { from });
      expect([...drawn]).toEqual(Array.from({ length: rounds }, (_, i) => wanted(from + i)));
      expect(sampler.draw({ at: from })).toEqual(drawn.at(0));
    }
  });

  test("more items than fit in the window, and more samples than one kernel call", () => {
    const large = mill().shuffle("deck", 70_000);
    expect(large.draw({ at: 1 })).toEqual(twin("deck", 70_000, 70_000)(1));
    expect([...large.drawMany(2)][1]).toEqual(large.draw({ at: 1 }));
    const small = mill().sample("hand", 9, { size: 7 });
    const drawn = small.drawMany(30_000, { onProgress: () => undefined });
    for (const k of [0, 9361, 9362, 29_999]) expect(drawn.at(k)).toEqual(twin("hand", 9, 7)(k));
  });

  test("a step that its word does not decide reads extra words", () => {
    const n = 60_000;
    const words = streamWords(streamKey(seed, "deck"));
    const open = Array.from({ length: n }, (_, i) => i).filter((i) => !below32.settles(words.word(4, i), n - i));
    expect(open.length).toBeGreaterThan(0);
    expect(mill().shuffle("deck", n).draw({ at: 4 })).toEqual(twin("deck", n, n)(4));
  });
});

describe("the law of samples", () => {
  test("all 24 orders of 4 items, and all 20 samples of 2 of 5, are equally probable (α = 10⁻⁶)", () => {
    for (const [n, size, orders] of [
      [4, 4, 24],
      [5, 2, 20],
    ]) {
      const seen = new Map<string, number>();
      for (const sample of mill().sample("law", n, { size }).drawMany(120_000)) {
        seen.set(sample.join(), (seen.get(sample.join()) ?? 0) + 1);
      }
      expect(seen.size).toBe(orders);
      expect(agrees([...seen.values()], new Array<number>(orders).fill(1 / orders))).toBe(true);
    }
  });

  test("odds and counts are those of one position, summed over equal items", () => {
    const sampler = mill().sample("hand", ["a", "b", "a"], { size: 2 });
    expect(sampler.odds({ position: 1 })).toEqual({
      odds: [
        { result: "a", probability: fraction(2n, 3n) },
        { result: "b", probability: fraction(1n, 3n) },
      ],
      none: fraction(0n, 1n),
    });
    const second = Array.from(sampler.drawMany(3000), ([, item]) => item);
    const { counts } = sampler.count(3000, { from: 0, position: 1 });
    expect(counts.get("b")).toBe(second.filter((item) => item === "b").length);
    for (const position of [-1, 2, 0.5, "0"]) {
      expect(() => sampler.odds({ position: position as number })).toThrow(coded("argument.range"));
      expect(() => sampler.count(3, { position: position as number })).toThrow(coded("argument.range"));
    }
  });
});

describe("samplers", () => {
  test("have the items of the input, by identity", () => {
    const cards = [{ suit: "hearts" }, { suit: "spades" }];
    const drawn = mill().shuffle("deck", cards).draw();
    expect(new Set(drawn)).toEqual(new Set(cards));
    expect(drawn.every((card) => cards.includes(card))).toBe(true);
  });

  test("a parsed list opens the same sampler; another size under the same name is refused", () => {
    const one = mill();
    const spec = specOf(parseItems(["a", "b"]));
    expect(one.shuffle("deck", spec)).toBe(one.shuffle("deck", ["a", "b"]));
    expect(() => one.sample("deck", spec, { size: 1 })).toThrow(coded("argument.name-taken"));
  });

  test("drawInto fills columns of the same sampler, and refuses others", () => {
    const sampler = mill().sample("deck", ["a", "b", "c"], { size: 2 });
    const room = sampler.drawMany(40);
    expect(sampler.drawInto(room, { from: 100, onProgress: () => undefined })).toBe(room);
    expect([...room]).toEqual([...sampler.drawMany(40, { from: 100 })]);
    expect(room.from).toBe(100);
    const other = mill().sample("deck", ["a", "b", "c"], { size: 3 });
    for (const wrong of [other.drawMany(4), new Uint32Array(8), null]) {
      expect(() => sampler.drawInto(wrong as typeof room)).toThrow(coded("argument.type"));
    }
    const lost = () =>
      sampler.drawInto(room, {
        onProgress: () => structuredClone(room.entries.buffer, { transfer: [room.entries.buffer] }),
      });
    expect(lost).toThrow(coded("argument.type"));
  });

  test("literal items give literal types", () => {
    expectTypeOf(mill().shuffle("a", ["x", "y"]).draw()).toEqualTypeOf<("x" | "y")[]>();
    expectTypeOf(mill().sample("b", 6, { size: 2 }).draw()).toEqualTypeOf<number[]>();
  });

  test.each<[unknown, object, string]>([
    [[], {}, "argument.range"],
    [0, {}, "argument.range"],
    [1.5, {}, "argument.range"],
    [1e9, {}, "argument.range"],
    ["abc", {}, "argument.type"],
    [["a"], { size: 2 }, "argument.range"],
    [["a"], { size: 0 }, "argument.range"],
    [["a"], { size: "1" }, "argument.range"],
    [["a"], { sise: 1 }, "argument.option"],
  ])("%j with %j is refused", (items, options, code) => {
    expect(() => mill().sample("deck", items as string[], options)).toThrow(coded(code));
    expect(() => mill().shuffle("deck", ["a"], { size: 1 } as object)).toThrow(coded("argument.option"));
  });
});

import { describe, expect, expectTypeOf, test } from "vitest";
import { amountOdds, isAmount, parseAmount } from "../../src/amounts/index.js";
import { add, fraction, ONE, ZERO } from "../../src/fractions.js";
import { createMill, parseLabels, toNumber, type WeightedList } from "../../src/index.js";
import type { LabelledEntry, LabelledList, Stack } from "../../src/weighted/index.js";
import { aliasPick, aliasTwin } from "../oracle/alias.js";
import { BelowTemplate } from "../oracle/below.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { codeOf } from "../refusal.js";

const seed = "moria";
const mill = () => createMill({ seed });
const below32 = new BelowTemplate(32);

const LOOT = [
  { result: "gold", weight: 70, quantity: "2d6+1" },
  { result: "gem", weight: 5, quantity: "2-5" },
  { result: null, weight: 20 },
  { result: "sword", weight: 4 },
  { result: "gold", weight: 1, quantity: 100 },
] as const;

const issuesOf = (input: unknown) => parseLabels(input).issues.map(({ code, where }) => `${where.path} ${code}`);
describe("labelled lists pick labels", () => {
  test("by the words of a list of the same weights", () => {
    const labels = mill().weighted("loot", { gold: 70, gem: 5, dust: 0.5 });
    const indices = mill().weighted("loot", [70, 5, 0.5]);
    const named = Array.from(indices.pickMany(3000), (i) => ["gold", "gem", "dust"][i]);
    expect([...labels.pickMany(3000)]).toEqual(named);
    labels.next = 0;
    expect(Array.from({ length: 50 }, () => labels.pick())).toEqual(named.slice(0, 50));
    expect(labels.pick({ at: 2999 })).toBe(named[2999]);
    expect(labels.next).toBe(50);
  });

  test("quantities equal the twin, word for word, and change no label", () => {
    const words = streamWords(streamKey(seed, "loot"));
    const table = aliasTwin(LOOT.map(({ weight }) => weight));
    const face = (sides: number, plane: number, k: number) =>
      below32.below(words.word(plane, k), sides, (i) => words.extra(plane, k, i));
    const twin = (k: number) => {
      const entry = aliasPick(table, words.word(0, k), (i) => words.extra(0, k, i));
      const quantity = [() => 3 + face(6, 1, k) + face(6, 2, k), () => 2 + face(4, 1, k), () => 0, () => 1, () => 100];
      const { result } = LOOT[entry];
      return result === null ? null : { result, quantity: quantity[entry]() };
    };
    const list = mill().weighted("loot", LOOT);
    for (const from of [0, 1021, 2 ** 42 - 1500]) {
      expect([...list.pickMany(1500, { from })]).toEqual(Array.from({ length: 1500 }, (_, i) => twin(from + i)));
      expect(list.pick({ at: from })).toEqual(twin(from));
    }
  });

  // a word leaves a die of 49,152 sides undecided with chance 49,151 / 2^32: about eleven of a million words need extra words
  test("a word that does not decide a die alone reads extra words", () => {
    const sides = 49_152;
    const list = mill().weighted("loot", [{ result: "gold", weight: 1, quantity: `0-${sides - 1}` }]);
    const words = mill().stream("loot").words(1_000_000, { plane: 1 });
    const open = Array.from(words).flatMap((word, k) => (below32.settles(word, sides) ? [] : [k]));
    expect(open.length).toBeGreaterThan(3);
    const { quantities } = list.pickMany(1_000_000);
    const twin = streamWords(streamKey(seed, "loot"));
    for (const k of open) {
      const wanted = below32.below(words[k], sides, (i) => twin.extra(1, k, i));
      expect(quantities?.[k]).toBe(wanted);
      expect(list.pick({ at: k }).quantity).toBe(wanted);
    }
  });

  test("columns have entries, labels and quantities", () => {
    const list = mill().weighted("loot", LOOT);
    const picks = list.pickMany(200);
    expect(picks.labels).toEqual(["gold", "gem", null, "sword", "gold"]);
    expect(Array.from(picks.entries, (i) => picks.labels[i])).toEqual([...picks].map((pick) => pick?.result ?? null));
    expect([...(picks.quantities ?? [])]).toEqual([...picks].map((pick) => pick?.quantity ?? 0));
    expect(mill().weighted("plain", { a: 1 }).pickMany(3).quantities).toBeUndefined();
  });

  test("counts and odds are by label, with nothing apart", () => {
    const list = mill().weighted("loot", LOOT);
    const { odds, none } = list.odds();
    expect(odds).toEqual([
      { result: "gold", probability: fraction(71n, 100n) },
      { result: "gem", probability: fraction(1n, 20n) },
      { result: "sword", probability: fraction(1n, 25n) },
    ]);
    expect(none).toEqual(fraction(1n, 5n));
    const picks = [...list.pickMany(5000)];
    const { total, none: nothing, counts } = list.count(5000, { from: 0 });
    expect([total, nothing]).toEqual([5000, picks.filter((pick) => pick === null).length]);
    expect([...counts.keys()]).toEqual(["gold", "gem", "sword"]);
    for (const [label, count] of counts) expect(count).toBe(picks.filter((pick) => pick?.result === label).length);
  });

  test("the odds of quantities are exact, over all entries of the label", () => {
    const list = mill().weighted("loot", LOOT);
    const { odds } = list.quantityOdds("gold");
    expect(odds.map(({ result }) => result)).toEqual([3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 100]);
    expect(odds.map(({ probability }) => probability).reduce(add)).toEqual(ONE);
    expect(odds.at(-1)?.probability).toEqual(fraction(1n, 71n));
    expect(odds[5].probability).toEqual(fraction(70n * 6n, 71n * 36n));
    expect(list.quantityOdds("sword").odds).toEqual([{ result: 1, probability: ONE }]);
    expect(codeOf(() => list.quantityOdds("glod" as "gold"))).toBe("argument.range");
    const golds = [...list.pickMany(100_000)].filter((pick) => pick?.result === "gold");
    for (const { result, probability } of odds) {
      const [p, n] = [toNumber(probability), golds.length];
      const seen = golds.filter((pick) => pick?.quantity === result).length;
      expect(Math.abs(seen - n * p)).toBeLessThan(5 * Math.sqrt(n * p * (1 - p)));
    }
  });

  test("pickInto fills columns of the same list, and refuses others", () => {
    const list = mill().weighted("loot", LOOT);
    const room = list.pickMany(40, { from: 7 });
    expect(list.pickInto(room, { from: 100, onProgress: () => undefined })).toBe(room);
    expect([...room]).toEqual([...list.pickMany(40, { from: 100 })]);
    expect(room.from).toBe(100);
    const other = mill().weighted("other", { a: 1 });
    expect(codeOf(() => other.pickInto(room as never))).toBe("argument.type");
    const pick = () =>
      list.pickInto(room, {
        from: 5,
        onProgress: () => structuredClone(room.entries.buffer, { transfer: [room.entries.buffer] }),
      });
    expect(codeOf(pick)).toBe("argument.type");
  });

  test("a snapshot keeps the index of the next pick", () => {
    const first = mill();
    first.weighted("loot", LOOT).pickMany(12);
    const later = createMill({ seed, snapshot: first.snapshot() });
    expect(later.weighted("loot", LOOT).pick()).toEqual(mill().weighted("loot", LOOT).pick({ at: 12 }));
  });
});

test("literal specs give literal types", () => {
  const labels = mill().weighted("a", { gold: 70, gem: "1/3" });
  expectTypeOf(labels.pick()).toEqualTypeOf<"gold" | "gem">();
  expectTypeOf(labels.count(1).counts.keys().next().value).toEqualTypeOf<"gold" | "gem" | undefined>();
  const nothing = mill().weighted("b", [
    { result: "gold", weight: 1 },
    { result: null, weight: { n: 1, d: 3 } },
  ]);
  expectTypeOf(nothing.pick()).toEqualTypeOf<"gold" | null>();
  const stacks = mill().weighted("c", [
    { result: "gold", weight: 1, quantity: "2d6" },
    { result: "gem", weight: 1 },
    { result: null, weight: 1 },
  ]);
  expectTypeOf(stacks.pick()).toEqualTypeOf<Stack<"gold"> | Stack<"gem"> | null>();
  const read: readonly LabelledEntry[] = [{ result: "gold", weight: 1 }];
  expectTypeOf(mill().weighted("d", read).pick()).toEqualTypeOf<string | Stack | null>();
  expectTypeOf(mill().weighted("e", [1, "1/3", { n: 2, d: 3 }])).toEqualTypeOf<WeightedList>();
  const record: Readonly<Record<string, number>> = { a: 1 };
  expectTypeOf(mill().weighted("f", record)).toEqualTypeOf<LabelledList<string, string>>();
});

describe("a labelled list that is wrong is refused with its path", () => {
  test.each<[unknown, string[]]>([
    [{}, [" weights.empty"]],
    [{ a: 0 }, [" weights.empty"]],
    [{ "": 1 }, [" weights.invalid"]],
    [{ gold: -1 }, ["gold weights.invalid"]],
    [[{ result: "a", weight: "1/0" }], ["[0].weight weights.invalid"]],
    [[{ result: 5, weight: 1 }], ["[0].result weights.invalid"]],
    [[{ weight: 1 }], ["[0].result weights.invalid"]],
    [[{ result: "a", weight: 1, amount: 2 }], ["[0].amount argument.type"]],
    [[{ result: "a", weight: 1 }, 5], ["[1] argument.type"]],
    [[{ result: "a", weight: 1, quantity: "2d" }], ["[0].quantity amount.invalid"]],
    [[{ result: "a", weight: 1, quantity: "1d6-2" }], ["[0].quantity amount.invalid"]],
    [[{ result: null, weight: 1, quantity: 2 }], ["[0].quantity amount.invalid"]],
    [{ a: 2 ** 32 }, [" weights.overflow"]],
    [{ a: 1e-9, b: 1e9 }, [" weights.decimals"]],
    [[{ result: "a", weight: 2 ** 32 }], [" weights.overflow"]],
  ])("%j", (input, wanted) => {
    const found = issuesOf(input);
    expect(found.slice(0, wanted.length)).toEqual(wanted);
    expect(codeOf(() => mill().weighted("loot", input as { a: number }))).toBe(wanted[0].split(" ")[1]);
  });

  test("a parsed list opens the same list again", () => {
    const { spec } = parseLabels(LOOT);
    if (spec === undefined) throw new Error("refused");
    const one = mill();
    expect(one.weighted("loot", spec)).toBe(one.weighted("loot", LOOT));
  });
});

describe("amounts", () => {
  test.each([
    ["2d6+1", { count: 2, sides: 6, plus: 1 }],
    ["2 D 6 - 1", { count: 2, sides: 6, plus: -1 }],
    ["d20", { count: 1, sides: 20, plus: 0 }],
    ["2-5", { count: 1, sides: 4, plus: 1 }],
    ["-3--1", { count: 1, sides: 3, plus: -4 }],
    ["7", { count: 0, sides: 1, plus: 7 }],
    [-7, { count: 0, sides: 1, plus: -7 }],
    ["100d104", { count: 100, sides: 104, plus: 0 }],
    ["1d1048576", { count: 1, sides: 2 ** 20, plus: 0 }],
  ])("%s", (text, wanted) => {
    expect(parseAmount(text)).toEqual(wanted);
  });

  test.each([
    "",
    "d",
    "2d",
    "5-2",
    "2d0",
    "0d0",
    "1025d1",
    "100d105",
    "d1048577",
    1.5,
    null,
    "2d6+1d4",
    2 ** 31,
    "2d6+2147483647",
  ])("%s is refused", (text) => {
    expect(isAmount(parseAmount(text))).toBe(false);
  });

  test("the odds of 3d4-1 equal those of all 64 cases", () => {
    const faces = [1, 2, 3, 4];
    const sums = faces.flatMap((a) => faces.flatMap((b) => faces.map((c) => a + b + c - 1)));
    const counted = [...new Set(sums)]
      .sort((a, b) => a - b)
      .map((result) => ({
        result,
        probability: fraction(BigInt(sums.filter((sum) => sum === result).length), 64n),
      }));
    expect(amountOdds({ count: 3, sides: 4, plus: -1 })).toEqual(counted);
    expect(
      amountOdds({ count: 100, sides: 104, plus: 0 }).reduce((sum, one) => add(sum, one.probability), ZERO),
    ).toEqual(ONE);
  });
});

// Weights per word (rare words), exact in odds.
import { describe, expect, test } from "vitest";
import { add, toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { resolve } from "../../src/recipes/resolve.js";
import type { ItemOptions } from "../../src/recipes/types.js";
import { parseWordCsv, toWordCsv } from "../../src/recipes/wordCsv.js";
import { agrees } from "../statistics/chiSquare.js";
import { read } from "./cases.js";
import { bytesOf, itemOf, opened, twinOf } from "./pair.js";
import { oddsOf, places, recipe, text, wordTables } from "./small.js";

const SPEC = {
  stats: [{ name: "luck" }, { name: "str" }],
  strength: "str",
  steps: [
    {
      kind: "slots",
      name: "gems",
      slots: [
        { slot: "gem", table: "gem", strength: 1, special: { word: "star", chance: { atLeast: 90 }, strength: 5 } },
        { slot: "second", table: "gem", strength: 1, differentFrom: "gem" },
      ],
    },
    {
      kind: "slots",
      name: "shape",
      slots: [{ slot: "shape", table: "shape", strength: 1, tiers: [{ atLeast: 50, variance: 1 }] }],
    },
  ],
};

/** Tables with these weights. The star is the special, and random words may be the star as well. */
function weighted(weights: readonly (number | undefined)[], column = "weight") {
  const cell = (i: number) => (weights[i] === undefined ? {} : { [column]: weights[i] });
  const gems = ["ruby", "star", "opal", "onyx", "jade"];
  return {
    gem: weights.map((_, i) => ({ id: i + 1, word: gems[i], luck: i, ...cell(i) })),
    shape: weights.map((_, i) => ({ id: i + 1, word: `s${i}`, tier: 1 + (i % 2), ...cell(i) })),
  };
}

/** Each makes the kernel take another path: repeated candidates, a search, and a search over few and many buckets. */
const WEIGHTS = [
  { what: "small integers", weights: [1, 2, 3, 10] },
  { what: "a zero and words without a weight", weights: [undefined, 2, 0, undefined, 5] },
  { what: "decimals", weights: [0.5, 0.25, 1.75, 1] },
  { what: "large integers", weights: [100_000, 2_000_001, 30, 777_777] },
  { what: "the largest total", weights: [4_294_967_000, 1, 290, 4] },
];

describe.each(WEIGHTS)("weights per word: $what", ({ weights }) => {
  const tables = weighted(weights);
  const total = weights.reduce<number>((sum, weight) => sum + (weight ?? 1), 0);
  const open = () => opened({ recipe: SPEC, tables });

  test("odds are exact: w/T, and a second word is drawn without replacement", () => {
    const spec = recipe({
      ...SPEC,
      steps: [{ ...SPEC.steps[0], slots: [{ slot: "gem", table: "gem", strength: 1 }] }],
    });
    const resolved = resolve({ spec, tables: wordTables({ gem: tables.gem }, spec) });
    for (const [i, { word }] of tables.gem.entries()) {
      const found = oddsOf(resolved, "gem").results.get(word);
      const scale = 4;
      const exact = { numerator: BigInt((weights[i] ?? 1) * scale), denominator: BigInt(total * scale) };
      expect((found?.numerator ?? 0n) * exact.denominator).toBe((found?.denominator ?? 1n) * exact.numerator);
    }
    const pair = open();
    for (const [i, first] of tables.gem.entries()) {
      for (const [j, second] of tables.gem.entries()) {
        if (i === j || weights[i] === 0 || first.word === "star") continue;
        const both = toNumber(pair.probability({ words: { gem: first.word, second: second.word } }));
        const w = (k: number) => weights[k] ?? 1;
        const law = ((90 / 101) * w(i) * w(j)) / total / (total - w(i));
        expect(both).toBeCloseTo(law, 12);
      }
    }
  });

  test.each<ItemOptions>([{}, { tier: 1, tierVariance: 1 }, { tier: 2 }, { request: { gem: "ruby" } }])(
    "items are the twin's under %j, in bulk and one by one",
    (options) => {
      const made = open();
      const items = made.makeMany(3000, { ...options, from: 1000 });
      const twin = twinOf(read({ recipe: SPEC, tables }), options);
      for (let k = 0; k < items.length; k++) expect(itemOf(items, k), `item ${k}`).toEqual(twin(1000 + k));
      for (const k of [0, 1, 777, 2999]) expect(made.make({ ...options, at: 1000 + k })).toEqual(items.at(k));
    },
  );

  test.each<ItemOptions>([{}, { tier: 1, tierVariance: 1 }])(
    "counts agree with the odds under %j (α = 10⁻⁶)",
    (options) => {
      const made = open();
      for (const of of ["gem", "second", "shape"]) {
        const { counts } = made.count(300_000, { ...options, of, from: 0 });
        const odds = made.odds({ ...options, of }).odds.filter(({ probability }) => probability.numerator > 0n);
        const law = odds.map(({ probability }) => toNumber(probability));
        const seen = odds.map(({ result }) => counts.get(result) ?? 0);
        expect(seen.reduce((sum, count) => sum + count)).toBe(300_000);
        expect(agrees(seen, law), of).toBe(true);
      }
    },
  );
});

test("weights that are all equal make the items of words without weights, byte for byte", () => {
  const plain = opened({ recipe: SPEC, tables: weighted([undefined, undefined, undefined, undefined]) });
  for (const weight of [1, 3, 0.1, 1e9]) {
    const equal = opened({ recipe: SPEC, tables: weighted([weight, weight, weight, weight]) });
    for (const options of [{}, { tier: 1, tierVariance: 1 }]) {
      const [a, b] = [plain, equal].map((made) => made.makeMany(5000, { ...options, from: 0 }));
      expect(bytesOf(a, 0, 5000) === bytesOf(b, 0, 5000)).toBe(true);
    }
  }
});

test("a word of weight 0 is never random, but a request has it, and it takes no weight from a second word", () => {
  const made = opened({ recipe: SPEC, tables: weighted([0, 2, 3, 5]) });
  expect(made.count(100_000, { of: "gem" }).counts.get("ruby")).toBe(0);
  expect(text(made.probability({ words: { gem: "ruby" } }))).toBe("0/1");
  const request = { gem: "ruby" };
  const items = made.makeMany(100, { request });
  expect(items.requests).toEqual({ met: ["gem"], unknown: [] });
  expect(items.words.gem.every((value) => items.vocabulary.gem[value] === "ruby")).toBe(true);
  const odds = made.odds({ of: "second", request }).odds.map(({ probability }) => text(probability));
  expect(odds).toEqual(["0/1", "1/5", "3/10", "1/2"]);
});

test("many words of very different weights are picked by their weights", () => {
  const weights = Array.from({ length: 5000 }, (_, i) => 1 + ((i * 7919) % 1000) ** 2 + (i === 4999 ? 2e9 : 0));
  const tables = { t: weights.map((weight, i) => ({ id: i + 1, word: `w${i}`, weight })) };
  const slots = [
    { slot: "a", table: "t", strength: 1 },
    { slot: "b", table: "t", strength: 1, differentFrom: "a" },
  ];
  const spec = { stats: [{ name: "str" }], strength: "str", steps: [{ kind: "slots", name: "s", slots }] };
  const items = opened({ recipe: spec, tables }).makeMany(2000, { from: 0 });
  const twin = twinOf(read({ recipe: spec, tables }), {});
  for (let k = 0; k < items.length; k += 10) expect(itemOf(items, k)).toEqual(twin(k));
});

test("odds of a second word are computed for hundreds of different weights, and add up to 1", () => {
  const tables = { t: Array.from({ length: 300 }, (_, i) => ({ id: i + 1, word: `w${i}`, weight: 1 + i * i })) };
  const slots = [
    { slot: "a", table: "t", strength: 1 },
    { slot: "b", table: "t", strength: 1, differentFrom: "a" },
  ];
  const spec = { stats: [{ name: "str" }], strength: "str", steps: [{ kind: "slots", name: "s", slots }] };
  const { odds, none } = opened({ recipe: spec, tables }).odds({ of: "b" });
  expect([text(odds.map(({ probability }) => probability).reduce(add)), text(none)]).toEqual(["1/1", "0/1"]);
  // the law of the last word: the sum over all first words of p · w / (T − v)
  const total = tables.t.reduce((sum, { weight }) => sum + weight, 0);
  const last = tables.t[299].weight;
  const law = tables.t.slice(0, 299).reduce((sum, { weight: v }) => sum + (v / total) * (last / (total - v)), 0);
  expect(toNumber(odds[299].probability)).toBeCloseTo(law, 12);
});

describe("the column of weights", () => {
  const weighing = { ...SPEC, stats: [...SPEC.stats, { name: "weight" }] };
  const pounds = weighted([7, 1, 1, 1]);

  test("is `weight`, unless a stat has this name; a recipe can name another column", () => {
    expect(oddsAfter(SPEC, pounds)).toBe("7/10");
    expect(oddsAfter(weighing, pounds)).toBe("1/4");
    expect(oddsAfter({ ...weighing, weight: "often" }, pounds)).toBe("1/4");
    expect(oddsAfter({ ...weighing, weight: "often" }, weighted([7, 1, 1, 1], "often"))).toBe("7/10");
    expect(createMill({ seed: "" }).recipe("armor").spec.weight).toBeUndefined();
  });

  test("applies to tables that were parsed without a recipe", () => {
    const spec = recipe(SPEC);
    expect(text(oddsOf(resolve({ spec, tables: wordTables(pounds) }), "second").results.get("star") ?? never())).toBe(
      text(oddsOf(resolve({ spec, tables: wordTables(pounds, spec) }), "second").results.get("star") ?? never()),
    );
    const tables = wordTables({ ...pounds, gem: weighted([1, -1, 1, 1]).gem });
    expect(() => resolve({ spec, tables })).toThrow(expect.objectContaining({ code: "weights.invalid" }));
    expect(() => resolve({ spec, tables })).toThrow("gem.weight[1]");
  });

  test.each(["luck", "id", "word", "active", "status", "tier", "name", "", 7])("cannot be called %j", (weight) => {
    expect(places(parseRecipe({ ...SPEC, weight }).issues)).toEqual(["recipe.spec weight"]);
  });

  test("survives CSV", () => {
    const { rows, issues } = parseWordCsv("id,word,weight\n1,ruby,0.25\n2,opal,\n3,jade,0\n");
    expect([rows, issues]).toEqual([
      [
        { id: 1, word: "ruby", weight: 0.25 },
        { id: 2, word: "opal" },
        { id: 3, word: "jade", weight: 0 },
      ],
      [],
    ]);
    expect(parseWordCsv(toWordCsv(rows)).rows.map((row) => row.weight)).toEqual([0.25, undefined, 0]);
  });
});

describe("weights that a pick cannot use are refused", () => {
  const spec = recipe(SPEC);

  test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, "2"])("%p is no weight", (weight) => {
    const tables = { ...weighted([1, 1, 1, 1]), shape: [{ id: 1, word: "ring", weight }] };
    expect(places(parseTables(tables, { spec }).issues)).toEqual(["recipe.tables shape[0].weight"]);
  });

  test.each([
    { weights: [4_294_967_295, 1, 1, 1], code: "weights.overflow" },
    { weights: [1e-9, 100, 1, 1], code: "weights.decimals" },
    { weights: [0, 0, 0, 0], code: "recipe.candidates" },
    { weights: [0, 0, 3, 0], code: "recipe.candidates" },
  ])("$weights: $code", ({ weights, code }) => {
    const tables = wordTables({ ...weighted(weights), shape: weighted([1, 1, 1, 1]).shape }, spec);
    expect(() => resolve({ spec, tables })).toThrow(expect.objectContaining({ code }));
  });

  test("a tier whose words all have the weight 0 has no candidates", () => {
    const tables = wordTables(weighted([1, 0, 1, 0]), spec);
    expect(() => resolve({ spec, tables }, { tier: 2 })).toThrow(
      expect.objectContaining({ code: "recipe.candidates" }),
    );
  });
});

function oddsAfter(input: object, tables: object): string {
  const made = opened({ recipe: input, tables });
  return text(made.odds({ of: "shape" }).odds[0].probability);
}

function never(): never {
  throw new Error("no such word");
}

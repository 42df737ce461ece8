import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { placesOf } from "../oracle/recipeTwin.js";
import { IS_SOAK } from "../soak.js";
import { cases, read, weapon } from "./cases.js";
import { bytesOf, itemOf, NAME, opened, SEED, twinOf } from "./pair.js";

/** Where spans, blocks and indices of more than 32 bits begin and end. */
const froms = fc.oneof(
  fc.constantFrom(0, 1000, 2040, 2 ** 32 - 20, 2 ** 42 - 4000),
  fc.nat(2 ** 31).map((from) => 1000 * from),
);

describe("items of any recipe", () => {
  test("are the twin's, word for word, with its stats and its name", () => {
    const seen = { outcomes: 0, requests: 0, specials: 0, negative: 0 };
    fc.assert(
      fc.property(cases, froms, (one, from) => {
        const { spec, tables } = read(one);
        const recipe = opened(one);
        const items = recipe.makeMany(60, { ...one.options, from });
        const twin = twinOf({ spec, tables }, one.options);
        expect(items.decimals).toEqual(Object.fromEntries(placesOf(spec, tables)));
        for (let k = 0; k < items.length; k++) expect(itemOf(items, k), `item ${from + k}`).toEqual(twin(from + k));
        seen.outcomes += Object.keys(items.outcomes).length;
        seen.requests += items.requests.met.length;
        for (const step of spec.steps) {
          if (step.kind === "condition" && items.stats[step.stat].some((value) => value < 0)) seen.negative++;
          if (step.kind !== "slots") continue;
          for (const { slot } of step.slots.filter(({ special }) => special !== undefined)) {
            if (items.words[slot].includes(items.vocabulary[slot].length - 1)) seen.specials++;
          }
        }
      }),
      { seed: 42, numRuns: IS_SOAK ? 300 : 100 },
    );
    // the cases cover what they should
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(8);
  });

  test("are the same however a range is split", () => {
    const sizes = fc.array(fc.constantFrom(1, 2, 7, 1023, 1024, 2047, 2048, 2049, 5000), {
      minLength: 1,
      maxLength: 5,
    });
    fc.assert(
      fc.property(cases, froms, sizes, (one, start, parts) => {
        const total = parts.reduce((sum, part) => sum + part, 0);
        const from = Math.min(start, 2 ** 42 - total);
        const recipe = opened(one);
        const whole = recipe.makeMany(total, { ...one.options, from });
        recipe.next = from;
        let done = 0;
        for (const part of parts) {
          const made = recipe.makeMany(part, one.options);
          expect(bytesOf(made, 0, part) === bytesOf(whole, done, part)).toBe(true);
          done += part;
        }
        expect(recipe.next).toBe(from + total);
      }),
      { seed: 43, numRuns: 60 },
    );
  });
});

describe("a request", () => {
  const slots = ["element", "prefix", "type", "adjective", "abstract"];
  const dependent: Readonly<Record<string, readonly string[]>> = {
    element: ["secondElement"],
    adjective: ["abstract"],
    abstract: ["adjective"],
  };

  test.each(slots)("for %s changes its own slot, what depends on it, and no other word or outcome", (slot) => {
    const recipe = createMill({ seed: SEED }).recipe("weapon");
    const free = recipe.makeMany(20_000, { from: 0 });
    const vocabulary = free.vocabulary[slot];
    for (const word of [1, 5, vocabulary.length - 1]) {
      const asked = recipe.makeMany(20_000, { from: 0, request: { [slot]: vocabulary[word] } });
      expect(asked.requests).toEqual({ met: [slot], unknown: [] });
      expect(asked.words[slot].every((value) => vocabulary[value] === vocabulary[word])).toBe(true);
      for (const other of Object.keys(free.words)) {
        if (other === slot || dependent[slot]?.includes(other)) continue;
        expect([other, isDeepStrictEqual(asked.words[other], free.words[other])]).toEqual([other, true]);
      }
      expect(isDeepStrictEqual(asked.outcomes, free.outcomes)).toBe(true);
    }
  });

  test("for an abstract leaves the adjective of each weapon that had one", () => {
    const recipe = createMill({ seed: SEED }).recipe("weapon");
    const free = recipe.makeMany(20_000, { from: 0 });
    const asked = recipe.makeMany(20_000, { from: 0, request: { abstract: "ruin" } });
    const kept = free.words.adjective.every(
      (word, k) => free.words.abstract[k] === 0 || asked.words.adjective[k] === word,
    );
    expect(kept).toBe(true);
    // the others have one by their own chance now
    expect(asked.words.adjective.filter(Boolean).length).toBeGreaterThan(
      1.5 * free.words.adjective.filter(Boolean).length,
    );
  });

  test("for a word that is not there changes nothing at all", () => {
    const recipe = createMill({ seed: SEED }).recipe("weapon");
    const free = recipe.makeMany(3000, { from: 0 });
    for (const slot of slots) {
      const asked = recipe.makeMany(3000, { from: 0, request: { [slot]: "' OR 1=1" } });
      expect(bytesOf(asked, 0, 3000) === bytesOf(free, 0, 3000)).toBe(true);
      expect(asked.requests).toEqual({ met: [], unknown: [slot] });
    }
  });
});

describe.each([
  { what: "stats of 16 bits", size: 30, share: 0.4 },
  { what: "stats of 32 bits", size: 90_000, share: 0.4 },
  { what: "a share that 32 bits cannot divide by", size: 90_000, share: 0.123_45 },
  { what: "decimals and a share above 1", size: 12.75, share: 1.5 },
])("items with $what", ({ size, share }) => {
  const names = Array.from({ length: 20 }, (_, i) => `s${i}`);
  const condition = (name: string, stat: string) => {
    return { kind: "condition", name, stat, share, doubled: { atLeast: 80 }, up: { above: 38 } };
  };
  const slots = (name: string) => ({ kind: "slots", name, slots: [{ slot: name, table: "t", strength: 1 }] });
  const recipe = {
    stats: names.map((name, i) => (i % 5 === 1 ? { name, clamp: [-size, 2 * size] } : { name })),
    strength: "s19",
    steps: [slots("one"), condition("first", "s0"), condition("second", "s1"), slots("two"), condition("third", "s0")],
  };
  const row = (i: number) =>
    Object.fromEntries(
      names.map((name, j) => [name, ((i * 7 + j * 3) % 9) - 4 === 0 ? 0 : size * (((i * 7 + j * 3) % 9) - 4)]),
    );
  const tables = { t: Array.from({ length: 9 }, (_, i) => ({ id: i + 1, word: `w${i}`, ...row(i) })) };

  test("are the twin's: several conditions, twenty stats, clamps, both signs", () => {
    const items = opened({ recipe, tables }).makeMany(3000, { from: 1019 });
    const twin = twinOf(read({ recipe, tables }), {});
    for (let k = 0; k < items.length; k++) expect(itemOf(items, k), `item ${k}`).toEqual(twin(1019 + k));
    for (const name of ["first", "second", "third"]) expect(new Set(items.outcomes[name])).toEqual(new Set([0, 1, 2]));
  });
});

test.each([1, 16, 17, 64])("a plan of %i clamped stats fits its room, with and without a condition", (count) => {
  const names = Array.from({ length: count }, (_, i) => `s${i}`);
  const add = Object.fromEntries(names.map((name) => [name, 9]));
  const bonus = { kind: "bonus", name: "b", chance: { atLeast: 0 }, sides: 1, ladder: [{ text: "+", add }] };
  const conditions = names.slice(0, 30).map((stat) => {
    return { kind: "condition", name: `of ${stat}`, stat, share: 0.4, doubled: { atLeast: 98 }, up: { above: 38 } };
  });
  for (const size of [5, 50_000]) {
    for (const steps of [[bonus], [bonus, ...conditions], conditions, [...conditions, bonus]]) {
      const recipe = { stats: names.map((name) => ({ name, clamp: [-size, size] })), strength: "s0", steps };
      const one = { recipe, tables: {} };
      const items = opened(one).makeMany(20, { from: 0 });
      const twin = twinOf(read(one), {});
      for (let k = 0; k < items.length; k++) expect(itemOf(items, k)).toEqual(twin(k));
    }
  }
});

test("items one by one are the bulk's, whatever is asked in between", () => {
  const mill = createMill({ seed: SEED });
  const recipe = mill.recipe("weapon");
  const request = { type: "sword" };
  const free = recipe.makeMany(2100, { from: 1000 });
  const asked = recipe.makeMany(2100, { from: 1000, request });
  recipe.next = 1000;
  for (let k = 0; k < 2100; k++) {
    const isAsked = k % 700 === 3;
    const items = isAsked ? asked : free;
    expect(recipe.make(isAsked ? { request } : {})).toEqual(items.at(k));
  }
  expect(recipe.next).toBe(3100);
  expect(recipe.make({ at: 1500 })).toEqual(free.at(500));
  expect(recipe.make({ at: 2 ** 42 - 1 })).toEqual(recipe.makeMany(1, { from: 2 ** 42 - 1 }).at(0));
  expect(recipe.next).toBe(3100);
});

test("the shipped weapon's items are the twin's over spans of all tiers and powers", () => {
  const shipped = read(weapon);
  const recipe = createMill({ seed: SEED }).recipe(NAME, "weapon");
  for (const tier of [0, 1, 4, 6]) {
    for (const power of [0.6, 1, 1.7]) {
      const options = { tier, tierVariance: tier % 2, power };
      const items = recipe.makeMany(2500, { ...options, from: 1000 });
      const twin = twinOf(shipped, options);
      for (let k = 0; k < items.length; k += 3) expect(itemOf(items, k)).toEqual(twin(1000 + k));
    }
  }
});

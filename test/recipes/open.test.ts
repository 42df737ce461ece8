// Decisions that a word does not settle: about one word in 2^32 leaves a roll open, and the kernel's loops over vectors hand
// it to an exact path. The indices here were found by going through the planes.
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import type { RecipeSpec, TablesInput, WordInput } from "../../src/recipes/types.js";
import { decisionsOf, recipeTwin } from "../oracle/recipeTwin.js";
import { streamKey, streamWords } from "../oracle/words.js";
import { read, weapon } from "./cases.js";
import { columnsOf, itemOf, opened, SEED, twinOf, words } from "./pair.js";

test("extra words settle what a word does not: a pick of 2^16 − 5 in one case of 2^16", () => {
  const rows = Array.from({ length: 65_531 }, (_, i) => ({ id: i + 1, word: `w${i}`, gold: i % 7 }));
  const recipe = {
    stats: [{ name: "gold" }],
    strength: "gold",
    steps: [{ kind: "slots", name: "word", slots: [{ slot: "word", table: "t", strength: 0 }] }],
  };
  const one = { recipe, tables: { t: rows } };
  const items = opened(one).makeMany(150_000, { from: 2 ** 32 - 75_000 });
  const unsettled: number[] = [];
  for (let k = 0; k < items.length; k++) {
    const word = BigInt(words.word(0, items.from + k));
    if (((word * 65_531n) % 2n ** 32n) + 65_530n >= 2n ** 32n) unsettled.push(k);
  }
  expect(unsettled.length).toBeGreaterThan(0);
  const twin = twinOf(read(one), {});
  for (const k of [...unsettled, 0, 1, 149_999]) expect(items.words.word[k]).toBe(twin(items.from + k).words.word);
});

/** Whether below(m) of a word needs extra words: it can be at least 1 higher than the word alone says. */
const isOpen = (word: number, m: number) => ((BigInt(word) * BigInt(m)) % 2n ** 32n) + BigInt(m) > 2n ** 32n;

/** The words of the shipped weapon and of {@link split}. */
const weaponWords = streamWords(streamKey(SEED, "weapon"));

/**
 * Items of the shipped weapon with a decision that its word does not settle, and the plane and m of its below(m): a roll
 * of 101 values whose word may fail or pass, or a choice of 33 types. Found by going through the words of the planes.
 */
const UNSETTLED = [
  ["the element's chance", 1_490_833_050, 0, 101],
  ["the second element's chance", 593_326_623, 3, 101],
  ["the prefix's chance", 8_718_256_375, 16, 101],
  ["the type", 2_813_474, 33, 33],
  ["the doubling", 1_138_447_175, 49, 101],
  ["the raising", 15_521_632_179, 50, 101],
  ["the attribute's gate", 1_577_570_891, 64, 101],
  ["the adjective's chance", 3_244_200_348, 65, 101],
  ["the bonus's chance", 530_807_251, 80, 101],
] as const;

/** A recipe whose second roll splits the items that pass the first: a list if they are few, else a mask. */
const split = (gate: number, atLeast: number) => ({
  recipe: {
    stats: [{ name: "gold" }],
    strength: "gold",
    steps: [
      {
        kind: "slots",
        name: "one",
        chance: { atLeast: gate },
        slots: [{ slot: "one", table: "t", strength: 0, special: { word: "w0", chance: { atLeast }, strength: 1 } }],
      },
    ],
  },
  tables: { t: Array.from({ length: 33 }, (_, i) => ({ id: i + 1, word: `w${i}` })) },
});

/** Items that pass the first roll, with a second roll that its word leaves open: the extra words say whether it passes. */
const ROLLS = [
  ["passes", "list", 93, 68, 5_160_194],
  ["passes", "mask", 50, 68, 5_160_194],
  ["fails", "list", 93, 95, 2_542_088_319],
  ["fails", "mask", 50, 95, 2_542_088_319],
] as const;

test.each(ROLLS)(
  "a roll that its word leaves open and that %s, and every other roll of its %s, is the twin's",
  (says, _, gate, atLeast, index) => {
    expect(isOpen(weaponWords.word(1, index), 101)).toBe(true);
    const { recipe, tables } = split(gate, atLeast);
    const items = createMill({ seed: SEED })
      .recipe("weapon", recipe as RecipeSpec, { tables: tables as TablesInput })
      .makeMany(1500, { from: index - 1400 });
    const source = read({ recipe, tables });
    const twin = recipeTwin(source.spec, source.tables, {});
    for (let k = 0; k < items.length; k++) {
      expect(itemOf(items, k)).toEqual(twin(decisionsOf(weaponWords, index - 1400 + k)));
    }
    // the value after those of the 33 words stands for the special word
    expect(items.words.one[1400] === 34 ? "passes" : "fails").toBe(says);
  },
);

test.each(UNSETTLED)(
  "%s of an item that its word leaves open is the twin's, in either block of a span",
  (_, index, plane, m) => {
    expect(isOpen(weaponWords.word(plane, index), m)).toBe(true);
    const recipe = createMill({ seed: SEED }).recipe("weapon");
    const make = recipeTwin(read(weapon).spec, read(weapon).tables, {});
    const twin = make(decisionsOf(weaponWords, index));
    const block = Math.floor(index / 1024) * 1024;
    for (const from of [index, index - 1, block, block - 1024]) {
      const items = recipe.makeMany(index - from + 2, { from });
      expect(itemOf(items, index - from), `from ${from}`).toEqual(twin);
    }
  },
);

test("an open roll of one item leaves every other item, and every later span, as it was", () => {
  const open = () => createMill({ seed: SEED }).recipe("weapon");
  const [recipe, untouched] = [open(), open()];
  const make = recipeTwin(read(weapon).spec, read(weapon).tables, {});
  const varied = { tier: 3, tierVariance: 1 };
  const expected = columnsOf(untouched.makeMany(5000, { ...varied, from: 0 }));
  for (const [what, index] of UNSETTLED) {
    const from = index - (index % 1024) - 1024;
    const items = recipe.makeMany(2048, { from });
    for (let k = 0; k < items.length; k++) {
      expect(itemOf(items, k), what).toEqual(make(decisionsOf(weaponWords, from + k)));
    }
    expect(columnsOf(recipe.makeMany(5000, { ...varied, from: 0 })), what).toEqual(expected);
  }
});

test("a stat may have the name of a property that every object inherits", () => {
  const names = ["toString", "constructor", "hasOwnProperty"];
  const add = JSON.parse('{ "constructor": 2.5 }');
  const rows = [{ id: 1, word: "a" }, { id: 2, word: "b", toString: 0.25 } as unknown as WordInput];
  const recipe = {
    stats: [...names, "strength"].map((name) => ({ name })),
    strength: "strength",
    steps: [
      { kind: "slots", name: "word", slots: [{ slot: "word", table: "t", strength: 1 }] },
      { kind: "bonus", name: "bonus", chance: { atLeast: 1 }, sides: 2, ladder: [{ text: "+", add }] },
    ],
  };
  // in units of the last decimal place: 0.25 and 2.5
  const { stats } = opened({ recipe, tables: { t: rows } }).makeMany(100);
  const found = names.map((name) => [...new Set(Object.entries(stats).find(([key]) => key === name)?.[1])].sort());
  expect(found).toEqual([[0, 25], [0, 25], [0]]);
});

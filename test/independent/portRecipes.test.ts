// The worked example of docs/determinism.md's recipes: the library makes it, and the words are the second
// implementation's. Many items of the same recipe agree too, in forks as well.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill, type RecipeSpec } from "../../src/index.js";
import { type Id, makeItem, streamKey, word } from "./port.mjs";
import { SEEDS } from "./seeds.js";

const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
const recipe = JSON.parse(/^```json things\n(.*?)^```$/ms.exec(page)?.[1] ?? "") as RecipeSpec;
const ITEM = 278;
const tables = {
  prefix: [
    { id: 1, word: "keen", attack: 2 },
    { id: 2, word: "dull", attack: -2 },
  ],
  type: [
    { id: 1, word: "sword", attack: 9 },
    { id: 2, word: "axe", attack: 12 },
    { id: 3, word: "club", attack: 6 },
  ],
};
const ROW = /^\| \w+, \w+ \| (\d+) \| (\d+) \| below\((\d+)\) = (\d+) \|/gm;
// (the example of objects comes after it)
const rows = [...page.slice(0, page.indexOf("**Objects**")).matchAll(ROW)].map(([, ...numbers]) => numbers.map(Number));

describe("the recipe's worked example", () => {
  test("has a row for each decision, whose word and value are the second implementation's", () => {
    expect(rows.map(([plane]) => plane)).toEqual([0, 1, 16, 32, 33, 34, 48, 49]);
    const key = streamKey("moria", "things");
    for (const [plane, drawn, m, value] of rows) {
      expect(word(key, plane, ITEM)).toBe(drawn);
      expect(Number((BigInt(drawn) * BigInt(m)) >> 32n), `plane ${plane}`).toBe(value);
    }
  });

  test("is what the library makes", () => {
    const item = createMill({ seed: "moria" }).recipe("things", recipe, { tables }).make({ at: ITEM });
    expect(item).toMatchObject({ name: "Dull Axe +1", attack: 14, str: 4 });
    expect(page).toContain("is a Dull Axe +1 of attack 14 and str 4");
  });
});

describe("items of the example's recipe", () => {
  const ids: Id[][] = [[], ["player/7"], [12], [[-1, 2], 3n]];
  const cases = SEEDS.flatMap(([what, seed]) => ids.map((forks): [string, string, Id[]] => [what, seed, forks]));

  test.each(cases)("seed: %s %#", (_what, seed, forks) => {
    const mill = createMill({ seed }).fork("save 1");
    const maker = forks.reduce((child, id) => child.fork(id), mill.recipe("things", recipe, { tables }));
    const key = streamKey(seed, "things", forks, ["save 1"]);
    for (const power of [1, 1.25]) {
      for (let at = 0; at < 60; at++) {
        const { words, stats } = makeItem(key, recipe, tables, at, power);
        const name = words.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(" ");
        expect(maker.make({ at, power })).toMatchObject({ name, ...stats });
      }
    }
  });
});

describe("items of a recipe whose words have weights", () => {
  const weights = [
    [1, 2, 5],
    [0.25, 0, 1.5],
    [4_000_000_000, 1, 2],
    [3, 3, 3],
  ];
  test.each(weights)("%d, %d, %d", (...given) => {
    const [x, y, z] = given;
    const weighted = {
      prefix: tables.prefix.map((row, i) => ({ ...row, weight: [x, z][i] })),
      type: tables.type.map((row, i) => ({ ...row, weight: [x, y, z][i] })),
    };
    const maker = createMill({ seed: "moria" }).recipe("things", recipe, { tables: weighted });
    const key = streamKey("moria", "things");
    for (let at = 0; at < 300; at++) {
      const { words, stats } = makeItem(key, recipe, weighted, at);
      const name = words.map((part) => part.charAt(0).toUpperCase() + part.slice(1)).join(" ");
      expect(maker.make({ at })).toMatchObject({ name, ...stats });
    }
  });
});

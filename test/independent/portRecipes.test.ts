// The worked example of docs/determinism.md's recipes: the library makes it, and the words are the second implementation's.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill, type RecipeSpec } from "../../src/index.js";
import { streamKey, word } from "./port.mjs";

const page = readFileSync(new URL("../../docs/determinism.md", import.meta.url), "utf8");
const recipe = JSON.parse(/^```json things\n(.*?)^```$/ms.exec(page)?.[1] ?? "") as RecipeSpec;
const ITEM = 57;
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
    expect(item).toMatchObject({ name: "Dull Axe +1", attack: 13, str: 4 });
    expect(page).toContain("is a Dull Axe +1 of attack 13 and str 4");
  });
});

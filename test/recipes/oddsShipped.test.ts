import { describe, expect, test } from "vitest";
import { add } from "../../src/fractions.js";
import { itemOdds, probability } from "../../src/recipes/odds.js";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { allSlots, resolve } from "../../src/recipes/resolve.js";
import { SHIPPED_RECIPES, shippedRecipe } from "../../src/recipes/shipped.js";
import { oddsOf, text } from "./small.js";

describe.each([...SHIPPED_RECIPES])("the shipped %s", (name) => {
  const { recipe, tables: rows } = shippedRecipe(name);
  const { spec, issues } = parseRecipe(recipe);
  const { spec: tables, issues: more } = parseTables(rows, { spec });

  test("is read without an issue", () => {
    expect([...issues, ...more]).toEqual([]);
  });

  test.each([{ power: 0.6 }, { power: 1 }, { power: 1.7 }, { tier: 3, tierVariance: 1 }])(
    "has odds that add up to exactly 1, with %j",
    (options) => {
      if (spec === undefined || tables === undefined) throw new Error("the recipe is not read");
      const resolved = resolve({ spec, tables }, options);
      const { odds } = itemOdds(resolved, "strength");
      expect(text(odds.map(({ probability }) => probability).reduce(add))).toBe("1/1");
      for (const { slot } of allSlots(spec)) {
        const { results, none } = oddsOf(resolved, slot);
        expect(text(none), "1 less the words").toBe(text(probability(resolved, { words: { [slot]: null } })));
        expect([none, ...results.values()].every(({ numerator }) => numerator >= 0n)).toBe(true);
      }
    },
  );
});

import { describe, expect, test } from "vitest";
import { add } from "../../src/fractions.js";
import { wordOdds } from "../../src/recipes/odds.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { parseTables } from "../../src/recipes/parseTables.js";
import { probability } from "../../src/recipes/probability.js";
import { allSlots } from "../../src/recipes/requests.js";
import { resolve } from "../../src/recipes/resolve.js";
import { SHIPPED_RECIPES, shippedRecipe } from "../../src/recipes/shipped.js";
import { strength } from "../../src/recipes/strength.js";
import { text } from "./small.js";

describe.each([...SHIPPED_RECIPES])("the shipped %s", (name) => {
  const { recipe, tables: rows } = shippedRecipe(name);
  const { spec, issues } = parseRecipe(recipe);
  const { tables, issues: more } = parseTables(rows, spec === undefined ? {} : { spec });

  test("is read without an issue, by a reader that trusts nothing", () => {
    expect([...issues, ...more]).toEqual([]);
  });

  test.each([{ power: 0.6 }, { power: 1 }, { power: 1.7 }, { tier: 3, tierVariance: 1 }])(
    "has odds that add up to exactly 1, with %j",
    (options) => {
      if (spec === undefined || tables === undefined) throw new Error("the recipe is not read");
      const resolved = resolve(spec, tables, options);
      expect(text([...strength(resolved).odds.values()].reduce(add))).toBe("1/1");
      for (const { slot } of allSlots(spec)) {
        const { words, empty } = wordOdds(resolved, slot);
        expect(text(empty), "1 less the words").toBe(text(probability(resolved, { words: { [slot]: null } })));
        expect([empty, ...words.values()].every(({ numerator }) => numerator >= 0n)).toBe(true);
      }
    },
  );
});

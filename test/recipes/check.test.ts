import { describe, expect, test } from "vitest";
import { checkRecipe, parseRecipe, SHIPPED_RECIPES, shippedRecipe } from "../../src/recipes/index.js";
import { specOf } from "../../src/spec/index.js";
import { refusalOf } from "../refusal.js";
import { places } from "./small.js";

const WORDS = { a: [{ id: 1, word: "axe", luck: 1 }] };

function recipe(slot: object = {}, more: object = {}) {
  const slots = [{ slot: "a", table: "a", strength: 1, ...slot }];
  return { stats: [{ name: "luck" }], strength: "luck", steps: [{ kind: "slots", name: "s", slots }], ...more };
}

describe("checkRecipe (first hour 17)", () => {
  test.each(SHIPPED_RECIPES)("finds nothing in %s", (name) => {
    expect(checkRecipe(name)).toEqual([]);
    const { recipe: input, tables } = shippedRecipe(name);
    expect(checkRecipe(specOf(parseRecipe(input)), { tables: tables as never })).toEqual([]);
  });

  test("returns every error: of the recipe, of its tables, and of both together", () => {
    const broken = { ...recipe({ strength: "x", tier: 1 }), strength: "lukc" };
    expect(places(checkRecipe(broken, { tables: WORDS }))).toEqual([
      "recipe.spec steps[0].slots[0].tier",
      "recipe.spec steps[0].slots[0].strength",
      "recipe.spec strength",
    ]);
    const rows = [
      { id: 1, word: "axe" },
      { id: 1, word: "" },
    ];
    expect(places(checkRecipe(recipe(), { tables: { a: rows } }))).toEqual([
      "recipe.tables a[1].word",
      "recipe.duplicate a[1].id",
    ]);
    const inactive = { a: [{ id: 1, word: "axe", active: false }] };
    const issues = checkRecipe(recipe(), { tables: inactive, file: "r.json" });
    expect(places(issues)).toEqual(["recipe.candidates steps[0].slots[0]"]);
    expect(issues[0].severity).toBe("error");
  });

  test.each([
    [
      "a chance that never succeeds",
      recipe({ chance: { atLeast: 101 } }),
      WORDS,
      "recipe.spec steps[0].slots[0].chance",
    ],
    ["a chance that always succeeds", recipe({ chance: { above: -1 } }), WORDS, "recipe.spec steps[0].slots[0].chance"],
    [
      "a special that never comes",
      recipe({ special: { word: "axe", chance: { above: 100 }, strength: 1 } }),
      WORDS,
      "recipe.spec steps[0].slots[0].special.chance",
    ],
    [
      "a stat that nothing changes",
      recipe({}, { stats: [{ name: "luck" }, { name: "toString" }] }),
      WORDS,
      "recipe.spec stats[1]",
    ],
    ["a table that no slot uses", recipe(), { ...WORDS, b: [] }, "recipe.tables b"],
    [
      "a tier without words",
      recipe({ tiers: [] }),
      { a: [1, 2, 4].map((tier) => ({ id: tier, word: `w${tier}`, tier })) },
      "recipe.tables a",
    ],
    ["tiers without a slot", recipe(), { a: [{ id: 1, word: "axe", tier: 2 }] }, "recipe.tables a"],
    [
      "words of weight 0",
      recipe(),
      {
        a: [
          { id: 1, word: "axe" },
          { id: 2, word: "bow", weight: 0 },
        ],
      },
      "recipe.tables a",
    ],
  ])("warns of %s", (_, input, tables, place) => {
    const issues = checkRecipe(input, { tables: tables as never, file: "r.json" });
    expect(places(issues)).toEqual([place]);
    expect(issues[0]).toMatchObject({ severity: "warning" });
    expect(issues[0].where.file).toBe(place.startsWith("recipe.spec") ? "r.json" : undefined);
  });

  test("does not warn of a condition that cannot double, nor of a bonus that always comes", () => {
    const steps = [
      ...recipe().steps,
      { kind: "condition", name: "c", stat: "luck", share: 0.5, doubled: { above: 100 }, up: { above: -1 } },
      { kind: "bonus", name: "b", chance: { atLeast: 0 }, sides: 1, ladder: [{ text: "+1", add: {} }] },
    ];
    expect(checkRecipe({ ...recipe(), steps }, { tables: WORDS })).toEqual([]);
  });

  test("refuses an unknown name and unknown options", () => {
    expect(refusalOf(() => checkRecipe("weapn")).code).toBe("recipe.unknown");
    expect(refusalOf(() => checkRecipe("weapon", { table: {} } as never)).code).toBe("argument.option");
  });
});

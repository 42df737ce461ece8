// The calls of a recipe: one item, many, into, counts and odds; what is refused.
import { describe, expect, test } from "vitest";
import { toNumber } from "../../src/fractions.js";
import { createMill } from "../../src/index.js";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { resolve } from "../../src/recipes/resolve.js";
import { SHIPPED_RECIPES, shippedRecipe } from "../../src/recipes/shipped.js";
import type { ItemOptions, MakeOptions } from "../../src/recipes/types.js";
import { specOf } from "../../src/spec/index.js";
import { agrees } from "../statistics/chiSquare.js";
import { read } from "./cases.js";
import { columnsOf, itemOf, SEED, twinOf } from "./pair.js";
import { oddsOf, WEAPON_WORDS, weapon, weaponInput } from "./small.js";

const refusedAs = (code: string) => expect.objectContaining({ code });

describe("items", () => {
  const recipe = createMill({ seed: SEED }).recipe("weapon");
  const items = recipe.makeMany(3000, { from: 500, tier: 2 });

  test("names, stats and words out of range are refused", () => {
    for (const k of [-1, 3000, 0.5, Number.NaN]) {
      for (const read of [() => items.name(k), () => items.stat("str", k), () => items.word("type", k)]) {
        expect(read).toThrow(refusedAs("argument.range"));
      }
    }
  });

  test("makeInto reuses columns and returns them", () => {
    const reused = recipe.makeMany(100, { from: 0, request: { type: "sword" } });
    expect(recipe.makeInto(reused, { from: 9000, request: { prefix: "no such word" } })).toBe(reused);
    expect(columnsOf(reused)).toEqual(columnsOf(recipe.makeMany(100, { from: 9000 })));
    expect([reused.from, reused.requests]).toEqual([9000, { met: [], unknown: ["prefix"] }]);
    const others = createMill({ seed: SEED }).recipe("armor").makeMany(1);
    expect(() => recipe.makeInto(others)).toThrow(refusedAs("argument.type"));
  });

  test("unknown options are refused", () => {
    const bad = { teir: 2 } as MakeOptions;
    const calls = [
      () => recipe.odds({ ...bad, of: "type" }),
      () => recipe.chances(bad),
      () => recipe.probability({}, bad),
      () => createMill({ seed: 1 }).recipe("weapon", "weapon", { table: {} } as object),
    ];
    for (const call of calls) expect(call).toThrow(refusedAs("argument.option"));
  });
});

describe("counts", () => {
  const SUBJECTS = ["element", "secondElement", "prefix", "type", "adjective", "abstract", "condition", "bonus"];

  test.each<ItemOptions>([{}, { power: 1.7, tier: 3, tierVariance: 1 }, { request: { element: "crippling" } }])(
    "have the distribution of the odds, with %j (α = 10⁻⁶)",
    (options) => {
      const recipe = createMill({ seed: "counts" }).recipe("weapon");
      for (const of of [...SUBJECTS, "strength"]) {
        const { odds, none } = recipe.odds({ ...options, of });
        const { total, none: missing, counts } = recipe.count(200_000, { ...options, of, from: 0 });
        const seen = [missing, ...odds.map(({ result }) => counts.get(result) ?? 0)];
        expect(
          seen.reduce((sum, times) => sum + times, 0),
          of,
        ).toBe(total);
        expect(agrees(seen, [none, ...odds.map(({ probability }) => probability)].map(toNumber)), of).toBe(true);
      }
    },
  );

  test("of several parts at once are those of each part", () => {
    const recipe = createMill({ seed: "counts" }).recipe("weapon");
    const parts = [...SUBJECTS, "strength"];
    const options = { tier: 3, from: 7 };
    const counted = recipe.countParts(5000, parts, options);
    expect(counted).toEqual(parts.map((of) => recipe.count(5000, { ...options, of })));
    expect(() => recipe.countParts(1, ["type", "typ"], {})).toThrow(refusedAs("recipe.request"));
  });

  test("of no part of the recipe are refused", () => {
    const recipe = createMill({ seed: SEED }).recipe("weapon");
    for (const of of ["typ", "attribute", "str", ""]) {
      expect(() => recipe.count(1, { of })).toThrow(refusedAs("recipe.request"));
      expect(() => recipe.odds({ of })).toThrow(refusedAs("recipe.request"));
    }
    expect(recipe.next).toBe(0);
  });
});

describe("opening", () => {
  const { spec, tables } = weapon();
  const made = (...setup: [Parameters<ReturnType<typeof createMill>["recipe"]>[1], object?]) =>
    columnsOf(
      createMill({ seed: SEED })
        .recipe("weapon", ...setup)
        .makeMany(2000),
    );

  test("a recipe and tables are the same parsed or not", () => {
    const input = weaponInput() as unknown as typeof spec;
    expect(made(spec, { tables })).toEqual(made(input, { tables: WEAPON_WORDS }));
    expect(made(spec, { tables: WEAPON_WORDS })).toEqual(made(input, { tables }));
    expect(oddsOf(resolve({ spec, tables }), "type").results.size).toBe(5);
  });

  test.each(SHIPPED_RECIPES)("the shipped %s is its own data", (name) => {
    const shipped = shippedRecipe(name);
    const parsed = specOf(parseRecipe(shipped.recipe));
    const words = specOf(parseTables(shipped.tables, { spec: parsed }));
    const [byName, bySpec] = [
      createMill({ seed: 1 }).recipe(name),
      createMill({ seed: 1 }).recipe(name, parsed, { tables: words }),
    ];
    expect(columnsOf(bySpec.makeMany(500))).toEqual(columnsOf(byName.makeMany(500)));
  });

  test("errors are reported before the name is taken", () => {
    const mill = createMill({ seed: SEED });
    expect(() => mill.recipe("weapno")).toThrow(refusedAs("recipe.unknown"));
    expect(() => mill.recipe("weapon", spec)).toThrow(refusedAs("recipe.tables"));
    expect(() => mill.recipe("weapon", spec, { tables: specOf(parseTables({})) })).toThrow(refusedAs("recipe.tables"));
    expect(() => mill.recipe("weapon", {} as typeof spec, { tables })).toThrow(refusedAs("recipe.spec"));
    expect(mill.recipe("weapon", spec, { tables }).name).toBe("weapon");
  });
});

test("options that need larger plans than those before make the twin's items", () => {
  const tier = { atLeast: 0, variance: 200 };
  const slots = ["a", "b", "c"].map((slot) => ({
    slot,
    table: "t",
    strength: 1,
    tiers: [{ ...tier, atLeast: 50 }, tier],
  }));
  const recipe = { stats: [{ name: "gold" }], strength: "gold", steps: [{ kind: "slots", name: "s", slots }] };
  const rows = Array.from({ length: 5000 }, (_, i) => ({ id: i + 1, word: `w${i}`, tier: i % 200, gold: i % 9 }));
  const input = { recipe, tables: { t: rows } };
  const maker = createMill({ seed: SEED }).recipe("things", recipe as never, { tables: input.tables });
  const request = { a: "w1", b: "w2", c: "w3" };
  for (const options of [{ request }, { tier: 3 }, {}, { tier: 3, tierVariance: 1 }, { request }]) {
    const items = maker.makeMany(40, { ...options, from: 1010 });
    const twin = twinOf(read(input), options);
    for (let k = 0; k < items.length; k++) expect(itemOf(items, k), JSON.stringify(options)).toEqual(twin(1010 + k));
  }
});

test("items in a row are those of one call, whatever is made between them", () => {
  const recipe = createMill({ seed: "in a row" }).recipe("weapon");
  const items = [...recipe.makeMany(2100, { from: 0 })];
  const made = Array.from({ length: 2100 }, (_, k) => {
    if (k % 300 === 0) recipe.make({ power: 3, at: k });
    if (k % 700 === 0) recipe.make({ at: 5 });
    return recipe.make();
  });
  expect(made).toEqual(items);
  for (const next of [1500, 2, 1023, 1024]) {
    recipe.next = next;
    expect([recipe.make(), recipe.make()]).toEqual(items.slice(next, next + 2));
  }
});

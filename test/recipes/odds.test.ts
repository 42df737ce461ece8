import { describe, expect, test } from "vitest";
import { add, type Fraction, fraction, multiply, ONE, ZERO } from "../../src/fractions.js";
import { itemOdds, probability, type RecipeChances, recipeChances } from "../../src/recipes/odds.js";
import { resolve } from "../../src/recipes/resolve.js";
import type { ItemOptions } from "../../src/recipes/types.js";
import { oddsOf, recipe, text, weapon, wordTables } from "./small.js";

function resolved(options?: ItemOptions) {
  return resolve(weapon(), options);
}

/** Chances with every fraction as text, such as "6/101". */
function texts(entries: RecipeChances): unknown {
  const isFraction = (value: RecipeChances[string]): value is Fraction => typeof value.numerator === "bigint";
  return Object.fromEntries(
    Object.entries(entries).map(([name, value]) => [name, isFraction(value) ? text(value) : texts(value)]),
  );
}

const LADDER = { "+1": "69/100", "+2": "3/20", "+3": "7/100", "+4": "3/50", "+5": "3/100" };

describe("a weapon's odds are those of the article's program", () => {
  // counted by hand: #{k in 0..100: k·power ≥ T} of 101
  test.each<[number, Record<string, number>]>([
    [
      0.6,
      {
        element: 0,
        crippling: 0,
        secondElement: 0,
        prefix: 0,
        abstract: 0,
        adjective: 1,
        doubled: 0,
        conditionUp: 37,
        anyBonus: 0,
      },
    ],
    [
      1,
      {
        element: 6,
        crippling: 2,
        secondElement: 3,
        prefix: 26,
        abstract: 36,
        adjective: 41,
        doubled: 3,
        conditionUp: 62,
        anyBonus: 11,
      },
    ],
    [
      1.7,
      {
        element: 45,
        crippling: 42,
        secondElement: 43,
        prefix: 56,
        abstract: 62,
        adjective: 65,
        doubled: 43,
        conditionUp: 78,
        anyBonus: 48,
      },
    ],
  ])("at power %d", (power, successes) => {
    const of101 = Object.entries(successes).map(([name, count]) => [name, count === 0 ? "0/1" : `${count}/101`]);
    expect(texts(recipeChances(resolved({ power })))).toEqual({ ...Object.fromEntries(of101), bonus: LADDER });
  });

  test("at power 0 nothing succeeds, and at power 1000 all but a roll of 0", () => {
    expect(texts(recipeChances(resolved({ power: 0 })))).toMatchObject({
      element: "0/1",
      conditionUp: "0/1",
      anyBonus: "0/1",
    });
    expect(texts(recipeChances(resolved({ power: 1000 })))).toMatchObject({ element: "100/101", doubled: "100/101" });
  });

  test("requests decide their own", () => {
    expect(texts(recipeChances(resolved({ request: { element: "crippling", adjective: "old" } })))).toMatchObject({
      element: "1/1",
      crippling: "1/1",
      secondElement: "0/1",
      abstract: "1/1",
      adjective: "1/1",
      prefix: "26/101",
    });
    expect(texts(recipeChances(resolved({ request: { element: "frozen", abstract: "doom" } })))).toMatchObject({
      crippling: "0/1",
      secondElement: "0/1",
      abstract: "1/1",
      adjective: "41/101",
    });
  });

  test("chances multiply to those of words and of named outcomes", () => {
    const weapons = resolved();
    const { results, none } = oddsOf(weapons, "secondElement");
    expect(results.size).toBe(3);
    expect(text(none)).toBe(text({ numerator: 1030301n - 6n * 99n * 3n, denominator: 1030301n }));
    expect(text(oddsOf(weapons, "element").results.get("crippling") ?? ONE)).toBe("12/10201");
    expect(text(probability(weapons, { words: { element: "burning" } }))).toBe("297/10201");
    const named = { words: { type: "sword", element: null }, outcomes: { condition: "doubled", bonus: "+5" } };
    // 1/4 of four active types, 95/101, 3/101, 11/101 of 3/100
    expect(text(probability(weapons, named))).toBe(text(multiplyAll([1, 4], [95, 101], [3, 101], [11, 101], [3, 100])));
    expect(text(probability(weapons, {}))).toBe("1/1");
    expect(text(probability(weapons, { outcomes: { bonus: null } }))).toBe("90/101");
  });

  test("a type of a neighbouring tier comes by its swings", () => {
    // tier 2: 51 of 101 swings reach tiers 1 to 3, three types; 50 leave the sword alone
    const { results, none } = oddsOf(resolved({ tier: 2, tierVariance: 1 }), "type");
    expect(Object.fromEntries([...results].map(([word, chance]) => [word, text(chance)]))).toEqual({
      dagger: "17/101",
      sword: "67/101",
      "half-moon axe": "17/101",
      relic: "0/1",
      maul: "0/1",
    });
    expect(text(none)).toBe("0/1");
  });

  test("the strength's distribution adds up to 1, and its mean is the sum of the parts", () => {
    const { odds, none } = itemOdds(resolved(), "strength");
    const values = new Map(odds.map(({ result, probability }) => [Number(result), probability]));
    expect(text(none)).toBe("0/1");
    expect([...values.keys()]).toEqual([...values.keys()].sort((a, b) => a - b));
    expect(text([...values.values()].reduce(add))).toBe("1/1");
    const mean = [...values].reduce((sum, [value, chance]) => add(sum, multiply(whole(value), chance)), ZERO);
    const p = (a: number, b: number): Fraction => fraction(BigInt(a), BigInt(b));
    const parts = [
      multiply(p(6, 101), p(6 * 99 + 12 * 2, 101)),
      multiply(multiply(p(6, 101), p(99, 101)), p(3 * 11, 101)),
      p(26 * 3, 101),
      whole(1),
      multiply(p(36, 101), add(whole(2), p(41 * 4, 101))),
      multiply(p(11, 101), p(3 * 10 + 6 * 9 + 7 * 8 + 15 * 7 + 69 * 5, 100)),
    ];
    expect(text(mean)).toBe(text(parts.reduce(add)));
    expect([...values.keys()][0]).toBe(1);
    expect(Math.max(...values.keys())).toBe(6 + 11 + 3 + 1 + 4 + 2 + 10);
  });

  test("a condition and a bonus have odds that add up to 1", () => {
    const weapons = resolved();
    const { results: changes, none: unchanged } = oddsOf(weapons, "condition");
    expect([...changes].map(([result, chance]) => [result, text(chance)])).toEqual([
      ["doubled", "3/101"],
      ["up", "6076/10201"],
      ["down", "3822/10201"],
    ]);
    expect(text(unchanged)).toBe("0/1");
    const { results: rungs, none } = oddsOf(weapons, "bonus");
    expect([...rungs.keys()]).toEqual(["+5", "+4", "+3", "+2", "+1"]);
    expect([text(rungs.get("+5") ?? ZERO), text(none)]).toEqual(["33/10100", "90/101"]);
  });

  test("unknown names are refused", () => {
    const weapons = resolved();
    const codeAt = (path: string) => {
      const issue = expect.objectContaining({ code: "recipe.request", where: { path } });
      return expect.objectContaining({ issues: [issue] });
    };
    expect(() => probability(weapons, { words: { type: "swrod" } })).toThrow(codeAt("words.type"));
    expect(() => probability(weapons, { words: { typ: "sword" } })).toThrow(codeAt("words.typ"));
    expect(() => probability(weapons, { outcomes: { condition: "sideways" } })).toThrow(codeAt("outcomes.condition"));
    expect(() => probability(weapons, { outcomes: { bonus: "+9" } })).toThrow(codeAt("outcomes.bonus"));
    expect(() => probability(weapons, { outcomes: { prefix: "up" } })).toThrow(codeAt("outcomes.prefix"));
    for (const of of ["elemnt", "attribute", "str", undefined, 7]) {
      expect(() => itemOdds(weapons, of)).toThrow(codeAt("of"));
    }
  });
});

describe("a distribution too wide to list is refused at once", () => {
  const rows = (count: number, step: number) =>
    Array.from({ length: count }, (_, i) => ({ id: i + 1, word: `w${i}`, str: i * step }));
  const slots = ["a", "b"].map((name) => ({ slot: name, table: name, strength: 1 }));
  const condition = {
    kind: "condition",
    name: "c",
    stat: "str",
    share: 1,
    doubled: { atLeast: 50 },
    up: { atLeast: 50 },
  };
  const together = { kind: "slots", name: "both", slots };
  const apart = slots.map((slot, i) => ({ kind: "slots", name: `step ${i}`, slots: [slot] }));

  test.each([
    ["in one step", [together], rows(300, 1000)],
    ["in two", apart, rows(300, 1000)],
    ["by a condition", [together, condition], rows(2, 1e9)],
  ])("%s", (_, steps, table) => {
    const spec = recipe({ stats: [{ name: "str" }], strength: "str", steps });
    const wide = resolve({ spec, tables: wordTables({ a: table, b: rows(300, 1) }, spec) });
    expect(() => itemOdds(wide, "strength")).toThrow(expect.objectContaining({ code: "recipe.overflow" }));
  });
});

describe("names of chances", () => {
  const slot = (name: string, more = {}) => ({ slot: name, table: "t", strength: 1, ...more });
  const chance = { atLeast: 1 };
  const condition = (name: string) => ({ kind: "condition", name, stat: "s", share: 0, doubled: chance, up: chance });
  const tables = wordTables({ t: [{ id: 1, word: "a" }] });
  const namesOf = (...steps: unknown[]) =>
    Object.keys(recipeChances(resolve({ spec: recipe({ stats: [{ name: "s" }], strength: "s", steps }), tables })));

  test("a gate has its step's name, or the names of its slots that have no chance", () => {
    const step = (...slots: unknown[]) => ({ kind: "slots", name: "gate", chance, slots });
    expect(namesOf(step(slot("x", { chance })))).toEqual(["gate", "x"]);
    expect(namesOf(step(slot("x"), slot("y")))).toEqual(["x", "y"]);
    expect(namesOf({ kind: "slots", name: "free", slots: [slot("x"), slot("y", { after: "x" })] })).toEqual(["y"]);
  });

  test("equal names are told apart by their steps", () => {
    const step = {
      kind: "slots",
      name: "step",
      slots: [slot("doubled", { chance, special: { word: "a", chance, strength: 0 } }), slot("a", { chance })],
    };
    expect(namesOf(step, condition("c"))).toEqual(["doubled", "a", "step.a", "c.doubled", "cUp"]);
    expect(namesOf(condition("c"), condition("d"))).toEqual(["cDoubled", "cUp", "dDoubled", "dUp"]);
    const ladder = [{ text: "__proto__", add: {} }];
    const bonus = { kind: "bonus", name: "__proto__", chance, sides: 1, ladder };
    expect(namesOf(bonus)).toEqual(["any__proto__", "__proto__"]);
  });
});

function whole(value: number): Fraction {
  return { numerator: BigInt(value), denominator: 1n };
}

function multiplyAll(...parts: [number, number][]): Fraction {
  return parts.reduce((product, [a, b]) => multiply(product, { numerator: BigInt(a), denominator: BigInt(b) }), ONE);
}

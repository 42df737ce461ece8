import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { RollmillError } from "../../src/errors/index.js";
import { resolve, successesOf } from "../../src/recipes/resolve.js";
import type { ItemOptions, SlotSpec } from "../../src/recipes/types.js";
import { places, recipe, WEAPON_WORDS, weapon, weaponInput, wordTables } from "./small.js";

function weaponSlot(name: string, options?: ItemOptions) {
  const resolved = resolve(weapon(), options);
  const steps = resolved.steps.flatMap((step) => (step.kind === "slots" ? [step] : []));
  const slots = steps.flatMap((step) => step.slots.map((slot) => ({ ...slot, step })));
  const slot = slots.find(({ spec: { slot } }) => slot === name);
  if (slot === undefined) throw new Error(`no slot ${name}`);
  return { ...slot, resolved };
}

function issuesOf(run: () => unknown): string[] {
  try {
    run();
  } catch (cause) {
    if (cause instanceof RollmillError) return places(cause.issues);
    throw cause;
  }
  return [];
}

function oneSlot(slot: Partial<SlotSpec>) {
  const slots = [{ slot: "a", table: "t", strength: 1, ...slot }];
  return recipe({ stats: [{ name: "s" }], strength: "s", steps: [{ kind: "slots", name: "first", slots }] });
}

describe("how many of 101 values succeed", () => {
  test("at least: the value itself succeeds; above: it does not", () => {
    expect(successesOf({ atLeast: 95 }, 1)).toBe(6);
    expect(successesOf({ above: 95 }, 1)).toBe(5);
    expect(successesOf({ atLeast: 0 }, 0)).toBe(101);
    expect(successesOf({ above: 0 }, 0)).toBe(0);
    expect(successesOf({ above: 0 }, 5e-324)).toBe(100);
    expect(successesOf({ atLeast: -1 }, 0)).toBe(101);
    expect(successesOf({ above: -1e308 }, 0)).toBe(101);
    expect(successesOf({ atLeast: 1e308 }, 1e308)).toBe(100);
    expect(successesOf({ atLeast: 1e308 }, 5e-324)).toBe(0);
  });

  test("powers are decimals: 100 · 1.1 is 110 and 100 · 0.29 is 29, whatever doubles make of it", () => {
    expect([100 * 1.1 > 110, 100 * 0.29 >= 29]).toEqual([true, false]);
    expect(successesOf({ above: 110 }, 1.1)).toBe(0);
    expect(successesOf({ atLeast: 29 }, 0.29)).toBe(1);
  });

  test("every power with two decimals, against a count", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.integer({ min: -50, max: 15_000 }), (hundredths, threshold) => {
        const wins = (isWin: (value: number) => boolean) =>
          Array.from({ length: 101 }, (_, k) => k * hundredths).filter(isWin).length;
        expect(successesOf({ atLeast: threshold / 100 }, hundredths / 100)).toBe(wins((value) => value >= threshold));
        expect(successesOf({ above: threshold / 100 }, hundredths / 100)).toBe(wins((value) => value > threshold));
      }),
    );
  });
});

describe("decision numbers", () => {
  test("a weapon's are those of its recipe", () => {
    expect(weaponSlot("element")).toMatchObject({
      chance: { decision: 0 },
      special: { roll: { decision: 1 } },
      pick: 2,
    });
    expect(weaponSlot("secondElement")).toMatchObject({ swing: undefined, chance: { decision: 3 }, pick: 4 });
    expect(weaponSlot("prefix")).toMatchObject({ chance: { decision: 0 }, pick: 1 });
    expect(weaponSlot("type")).toMatchObject({ swing: 0, chance: undefined, pick: 1 });
    expect(weaponSlot("adjective")).toMatchObject({
      step: { gate: { decision: 0 } },
      chance: { decision: 1 },
      pick: 2,
    });
    expect(weaponSlot("abstract")).toMatchObject({ chance: undefined, pick: 3 });
  });

  test("a request moves none", () => {
    const numbers = (options: ItemOptions) =>
      ["element", "secondElement", "type", "abstract"].map((name) => weaponSlot(name, options).pick);
    expect(numbers({ request: { element: "frozen", type: "sword", adjective: "old" } })).toEqual(numbers({}));
  });
});

describe("requests", () => {
  test("rows are in id order, and a request finds inactive words too", () => {
    const { requested, table, variants, resolved } = weaponSlot("type", { tier: 4, request: { type: "relic" } });
    expect(requested).toEqual({ row: 3, special: false });
    expect(table.rows[3].word).toBe("relic");
    expect(variants).toEqual([]);
    expect(resolved).toMatchObject({ requests: { met: ["type"], unknown: [] } });
  });

  test("the special's word comes as the special", () => {
    expect(weaponSlot("element", { request: { element: "crippling" } }).requested).toEqual({ row: 1, special: true });
    expect(weaponSlot("element", { request: { element: "frozen" } }).requested).toEqual({ row: 2, special: false });
  });

  test("a met request opens its step; an unknown one is listed and changes nothing", () => {
    expect(weaponSlot("abstract", { request: { adjective: "old" } }).step.opened).toBe(true);
    const { requested, step, resolved } = weaponSlot("adjective", {
      request: { adjective: "Old", prefix: "' OR 1=1" },
    });
    expect(requested).toBeUndefined();
    expect(step.opened).toBe(false);
    expect(resolved).toMatchObject({ requests: { met: [], unknown: ["prefix", "adjective"] } });
  });

  test("an unknown word can be an error", () => {
    const ask = () => weaponSlot("type", { request: { type: "swrod", prefix: "x" }, onUnknownRequest: "throw" });
    expect(issuesOf(ask)).toEqual(["recipe.request request.prefix", "recipe.request request.type"]);
  });

  test("an unknown slot is an error, and one that only follows another", () => {
    for (const slot of ["tpye", "secondElement"]) {
      const ask = () => weaponSlot("type", { request: { [slot]: "frozen" } });
      expect(issuesOf(ask)).toEqual([`recipe.request request.${slot}`]);
    }
    const hostile = JSON.parse('{"__proto__": "x", "constructor": "y"}');
    expect(issuesOf(() => weaponSlot("type", { request: hostile }))).toHaveLength(2);
  });

  test.each([
    [{ tier: -1 }, "argument.range"],
    [{ tier: 256 }, "argument.range"],
    [{ tier: 1.5 }, "argument.range"],
    [{ tier: "1" }, "argument.type"],
    [{ power: Number.NaN }, "argument.range"],
    [{ power: -0.1 }, "argument.range"],
    [{ power: null }, "argument.type"],
    [{ tierVariance: "yes" }, "argument.type"],
    [{ request: ["sword"] }, "argument.type"],
    [{ request: { type: 7 } }, "argument.type"],
    [{ onUnknownRequest: "shrug" }, "argument.type"],
  ])("options that are not usable: %j", (options, code) => {
    expect(issuesOf(() => weaponSlot("type", options as ItemOptions))[0]).toMatch(code);
  });
});

describe("tiers", () => {
  const rows = (options: ItemOptions) =>
    weaponSlot("type", options).variants.map(({ variance, successes, candidates }) => [
      variance,
      successes,
      candidates,
    ]);

  test("tier 0 is any active row, and needs no swing", () => {
    expect(rows({ tier: 0, tierVariance: 1 })).toEqual([[0, 101, [0, 1, 2, 4]]]);
    expect(rows({ tier: 2 })).toEqual([[0, 101, [1]]]);
  });

  test("with variance 21 of 101 values reach two tiers, 30 one, and 50 none", () => {
    expect(rows({ tier: 2, tierVariance: 1 })).toEqual([
      [2, 21, [0, 1, 2]],
      [1, 30, [0, 1, 2]],
      [0, 50, [1]],
    ]);
    expect(rows({ tier: 1, tierVariance: 0.01 })[0]).toEqual([2, 21, [0, 1, 2]]);
  });

  test("a swing from 0 up leaves no value to the swings behind it", () => {
    const tiers = [
      { atLeast: 100, variance: 9 },
      { atLeast: 0, variance: 1 },
    ];
    const tables = wordTables({ t: [{ id: 1, word: "x", tier: 5 }] });
    const [step] = resolve({ spec: oneSlot({ tiers }), tables }, { tier: 4, tierVariance: 1 }).steps;
    expect(step).toMatchObject({ slots: [{ variants: [{ successes: 1 }, { successes: 100, variance: 1 }] }] });
  });

  test("a tier without words is refused, varied or not", () => {
    for (const options of [{ tier: 4 }, { tier: 4, tierVariance: 1 }, { tier: 255 }]) {
      expect(issuesOf(() => rows(options))).toEqual(["recipe.candidates steps[2].slots[0]"]);
    }
  });
});

describe("words that a recipe needs", () => {
  const spec = recipe(weaponInput());
  const without = (table: string, rows: unknown[]) => wordTables({ ...WEAPON_WORDS, [table]: rows }, spec);

  test("the special word must be there, active or not", () => {
    const tables = without("element", [
      { id: 1, word: "a" },
      { id: 2, word: "b" },
    ]);
    expect(issuesOf(() => resolve({ spec, tables }))).toEqual(["recipe.word steps[0].slots[0].special.word"]);
  });

  test("one active row is needed, and two where words differ", () => {
    const element = [
      { id: 1, word: "crippling", active: 0 },
      { id: 2, word: "b" },
    ];
    expect(issuesOf(() => resolve({ spec, tables: without("element", element) }))).toEqual([
      "recipe.candidates steps[0].slots[1]",
    ]);
    const tables = without("prefix", [{ id: 1, word: "x", active: false }]);
    expect(issuesOf(() => resolve({ spec, tables }))).toEqual(["recipe.candidates steps[1].slots[0]"]);
    expect(resolve({ spec, tables }, { request: { prefix: "x" } }).requests.met).toEqual(["prefix"]);
    expect(issuesOf(() => resolve({ spec, tables: new Map() }))).toEqual(["recipe.tables undefined"]);
  });
});

test("a ladder's rungs share out its sides", () => {
  expect(resolve(weapon()).steps[5]).toMatchObject({
    chance: { successes: 11 },
    ladder: 1,
    rungs: [3, 6, 7, 15, 69],
  });
});

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { divide, type Fraction } from "../../src/fractions.js";
import { probability, recipeChances } from "../../src/recipes/odds.js";
import { requestable, resolve } from "../../src/recipes/resolve.js";
import type { ItemOptions, RecipeSpec, WordTables } from "../../src/recipes/types.js";
import { chanceOf, enumerate, type Way } from "./enumerate.js";
import { oddsOf, recipe, text, weapon, wordTables } from "./small.js";

/** Compares all odds of a recipe with all the ways in which an item may come out. */
function compare(spec: RecipeSpec, tables: WordTables, options: ItemOptions): void {
  const ways = enumerate(spec, tables, options);
  expect(text(chanceOf(ways, () => true))).toBe("1/1");
  const resolved = resolve({ spec, tables }, options);
  for (const step of spec.steps) {
    const subjects = step.kind === "slots" ? step.slots.map(({ slot }) => slot) : [step.name];
    for (const of of subjects) {
      const { results, none } = oddsOf(resolved, of);
      const has = (result: unknown) => (way: Way) => (way.words.get(of) ?? way.outcomes.get(of)) === result;
      const wanted = [...results.keys()].map((result) => [result, text(chanceOf(ways, has(result)))]);
      expect([...results].map(([result, chance]) => [result, text(chance)])).toEqual(wanted);
      expect(text(none)).toBe(text(chanceOf(ways, has(undefined))));
    }
  }
  const { results: values } = oddsOf(resolved, "strength");
  const strengths = [...new Set(ways.map(({ strength }) => strength))];
  const sums = strengths.map((value) => [value, chanceOf(ways, ({ strength }) => strength === value)] as const);
  expect(ordered([...values].map(([value, chance]) => [1000 * Number(value), chance]))).toEqual(ordered(sums));
  // some of the ways, each with all that can be named of it
  for (const way of ways.filter((_, i) => i % 97 === 0).slice(0, 8)) {
    const same = (other: Way) => key(spec, other) === key(spec, way);
    expect(text(probability(resolved, named(spec, way)))).toBe(text(chanceOf(ways, same)));
  }
}

function ordered(entries: readonly (readonly [number, Fraction])[]): string[] {
  return entries.toSorted(([a], [b]) => a - b).map(([value, chance]) => `${value}: ${text(chance)}`);
}

function hasWord(slot: string, word: string | undefined) {
  return ({ words }: Way) => words.get(slot) === word;
}

function key(spec: RecipeSpec, way: Way): string {
  return JSON.stringify(named(spec, way));
}

function named(spec: RecipeSpec, { words, outcomes }: Way) {
  const slots = spec.steps.flatMap((step) => (step.kind === "slots" ? step.slots.map(({ slot }) => slot) : []));
  const others = spec.steps.flatMap((step) => (step.kind === "slots" ? [] : [step.name]));
  return {
    words: Object.fromEntries(slots.map((slot) => [slot, words.get(slot) ?? null])),
    outcomes: Object.fromEntries(others.map((step) => [step, outcomes.get(step) ?? null])),
  };
}

const chance = fc.oneof(
  fc.record({ atLeast: fc.constantFrom(-1, 0, 20, 50, 99.5, 120) }),
  fc.record({ above: fc.constantFrom(-1, 0, 38, 70, 100) }),
);

/** Rows of which two at least are active. */
function tableOf(name: string, least: number) {
  const row = fc.record({
    active: fc.boolean(),
    tier: fc.constantFrom(1, 2, 2, 3),
    attack: fc.constantFrom(0, 1, -2, 0.5),
    str: fc.constantFrom(0, 0, 1, 0.25),
    often: fc.constantFrom(undefined, 1, 2, 0.5, 7, 0),
  });
  return fc.array(row, { minLength: least, maxLength: 3 }).map((rows) =>
    rows.map((cells, i) => ({
      ...cells,
      often: i < 2 && cells.often === 0 ? 3 : cells.often,
      id: i + 1,
      word: `${name}${i}`,
      active: i < 2 || cells.active,
      tier: i < 1 ? 2 : cells.tier,
    })),
  );
}

const slotParts = fc.record({
  chance: fc.option(chance, { nil: undefined }),
  strength: fc.constantFrom(0, 1, 3, -2, 0.5),
  special: fc.option(fc.record({ word: fc.constantFrom("t0", "t2"), chance, strength: fc.constantFrom(0, 4) }), {
    nil: undefined,
  }),
  after: fc.boolean(),
  different: fc.boolean(),
  tiers: fc.constantFrom(
    undefined,
    undefined,
    [
      { atLeast: 80, variance: 2 },
      { atLeast: 50, variance: 1 },
    ],
    [{ atLeast: 0, variance: 1 }],
  ),
});

const slotsStep = fc
  .record({ gate: fc.option(chance, { nil: undefined }), slots: fc.array(slotParts, { minLength: 1, maxLength: 3 }) })
  .map(({ gate, slots }) => ({
    kind: "slots",
    name: "words",
    ...(gate === undefined ? {} : { chance: gate }),
    slots: slots.map(({ after, different, tiers, special, chance: own, strength: adds }, i) => {
      const differs = i > 0 && different && tiers === undefined && slots[i - 1].tiers === undefined;
      return {
        slot: `x${i}`,
        table: "t",
        strength: adds,
        ...(own === undefined ? {} : { chance: own }),
        ...(special === undefined ? {} : { special }),
        ...(i > 0 && after ? { after: `x${i - 1}` } : {}),
        ...(differs ? { differentFrom: `x${i - 1}` } : {}),
        ...(tiers === undefined ? {} : { tiers }),
      };
    }),
  }));

const condition = fc.record({
  kind: fc.constant("condition"),
  name: fc.constant("condition"),
  stat: fc.constantFrom("str", "attack"),
  share: fc.constantFrom(0, 0.4, 0.5, 1),
  doubled: chance,
  up: chance,
});

const bonus = fc.record({ kind: fc.constant("bonus"), name: fc.constant("bonus"), chance }).map((step) => ({
  ...step,
  sides: 6,
  ladder: [
    { atLeast: 6, text: "+2", add: { str: 2, attack: 1 } },
    { text: "+1", add: { str: 0.5 } },
  ],
}));

const tiny = fc
  .tuple(slotsStep, condition, bonus, fc.boolean(), fc.constantFrom(undefined, [-1, 4], [0.5, 3.25]))
  .map(([slots, changes, ladder, first, clamp]) => ({
    stats: [{ name: "attack" }, clamp === undefined ? { name: "str" } : { name: "str", clamp }],
    strength: "str",
    weight: "often",
    steps: first ? [slots, changes, ladder] : [ladder, slots, changes],
  }));

const requests = fc.constantFrom<{ [slot: string]: string }>(
  {},
  { x0: "t0" },
  { x0: "t2" },
  { x1: "t2" },
  { x0: "none" },
);

const options = fc.record({
  power: fc.constantFrom(0, 0.6, 1, 1.7),
  tier: fc.constantFrom(0, 2),
  tierVariance: fc.constantFrom(0, 1),
  request: requests,
});

describe("odds are those of all ways played out", () => {
  test("of small recipes of every kind", () => {
    fc.assert(
      fc.property(tiny, tableOf("t", 3), options, (input, rows, asked) => {
        const spec = recipe(input);
        const slots = new Set(requestable(spec).map(({ slot }) => slot));
        const request = Object.fromEntries(Object.entries(asked.request).filter(([slot]) => slots.has(slot)));
        compare(spec, wordTables({ t: rows }, spec), { ...asked, request });
      }),
      { numRuns: 100, seed: 4 },
    );
  });

  test.each<ItemOptions>([
    { power: 1, request: { element: "crippling" } },
    { power: 1.7, request: { type: "dagger", abstract: "dawn" } },
    { power: 1, tier: 2, tierVariance: 1, request: { prefix: "keen", adjective: "old" } },
  ])("of a weapon's slots, with %j", (asked) => {
    const { spec, tables } = weapon();
    const few = recipe({ ...spec, steps: spec.steps.filter(({ kind }) => kind === "slots") });
    compare(few, tables, asked);
  });

  test("chances apply if what they depend on happened", () => {
    const { spec, tables } = weapon();
    const few = recipe({ ...spec, steps: spec.steps.slice(0, 1) });
    const ways = enumerate(few, tables, { power: 1.7 });
    const given = (isSo: (way: Way) => boolean, known: (way: Way) => boolean) =>
      text(
        divide(
          chanceOf(ways, (way) => known(way) && isSo(way)),
          chanceOf(ways, known),
        ),
      );
    const has = (slot: string) => (way: Way) => way.words.has(slot);
    const isCrippling = hasWord("element", "crippling");
    const said = recipeChances(resolve({ spec: few, tables }, { power: 1.7 }));
    expect(Object.values(said).map((value) => text(value as Fraction))).toEqual([
      text(chanceOf(ways, has("element"))),
      given(isCrippling, has("element")),
      given(has("secondElement"), (way) => has("element")(way) && !isCrippling(way)),
    ]);
  });
});

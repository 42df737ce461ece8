import fc from "fast-check";
import { parseTables } from "../../src/recipes/parse/tables.js";
import { parseRecipe } from "../../src/recipes/parse.js";
import { shippedRecipe } from "../../src/recipes/shipped.js";
import type { ChanceSpec, ItemOptions, RecipeSource, RecipeSpec, SlotSpec, StepSpec } from "../../src/recipes/types.js";
import { specOf } from "../../src/spec/index.js";

/** A recipe, its words, and what is asked of it: all as they may be written. */
export interface RecipeCase {
  readonly recipe: unknown;
  readonly tables: unknown;
  readonly options: ItemOptions;
}

/** The recipe and its tables as the library reads them. */
export function read({ recipe, tables }: Pick<RecipeCase, "recipe" | "tables">): RecipeSource {
  const spec = specOf(parseRecipe(recipe));
  return { spec, tables: specOf(parseTables(tables, { spec })) };
}

/** The shipped weapon. */
export const weapon = shippedRecipe("weapon");

const stats = ["power", "attack", "luck", "weight", "gold"];
const powers = [0, 0.3, 0.6, 1, 1, 1, 1.7, 2.5, 100];

const chances: fc.Arbitrary<ChanceSpec> = fc.oneof(
  fc.integer({ min: 0, max: 102 }).map((atLeast) => ({ atLeast })),
  fc.integer({ min: -1, max: 100 }).map((above) => ({ above })),
  fc.constantFrom({ atLeast: 50 }, { above: 37.5 }, { atLeast: 0 }, { above: 100 }),
);
const values = fc.constantFrom(0, 0, 1, 2, -3, 7, -0.2, 0.4, 1.25, 40);
const added = fc.dictionary(fc.constantFrom(...stats), values, { maxKeys: 4 });
const strengths = fc.constantFrom(0, 1, 3, 12, 0.5, -1);
const texts = fc.constantFrom(undefined, "& ", "of the ");

/** A column of weights: none, weights that a pick repeats, and weights that it must search. */
const weights = fc.constantFrom<readonly (number | undefined)[]>(
  [undefined],
  [undefined],
  [2],
  [1, 2, 3, undefined],
  [0.25, 5, 1.5],
  [1, 1000, 999.5],
  [123_456_789, 1, 3],
);

/** Six tables of up to 9 words: at least two of each are active, and each has rows of tiers 1 to 3. */
const tables = fc
  .array(
    fc.record({
      rows: fc.array(fc.record({ active: fc.boolean(), tier: fc.integer({ min: 1, max: 3 }), stats: added }), {
        maxLength: 6,
      }),
      always: fc.array(added, { minLength: 3, maxLength: 3 }),
      weights,
      never: fc.boolean(),
    }),
    { minLength: 6, maxLength: 6 },
  )
  .map((list) =>
    Object.fromEntries(
      list.map(({ rows, always, weights: cells, never }, t) => {
        const sure = always.map((row, i) => ({ active: true, tier: i + 1, stats: row }));
        // ids neither dense nor in the order of the list
        const written = [...rows, ...sure].map(({ active, tier, stats }, i, { length }) => {
          const often = never && i < rows.length && i % 2 === 1 ? 0 : cells[i % cells.length];
          return {
            id: 3 * (length - i),
            word: `w${i} of-${t}`,
            active,
            tier,
            ...stats,
            ...(often !== undefined && { often }),
          };
        });
        return [`t${t}`, written];
      }),
    ),
  );

interface Choices {
  readonly table: number;
  readonly chance: ChanceSpec | undefined;
  readonly special: { chance: ChanceSpec; strength: number } | undefined;
  readonly strength: number;
  readonly text: string | undefined;
  readonly link: "none" | "after" | "differs" | "both";
  readonly to: number;
  readonly swings: SlotSpec["tiers"];
}

const swings = fc.constantFrom(
  undefined,
  undefined,
  [],
  [{ atLeast: 50, variance: 1 }],
  [
    { atLeast: 80, variance: 2 },
    { atLeast: 50, variance: 1 },
  ],
  [{ atLeast: 0, variance: 1 }],
);

const slotChoices: fc.Arbitrary<Choices> = fc.record({
  table: fc.nat(5),
  chance: fc.option(chances, { nil: undefined }),
  special: fc.option(fc.record({ chance: chances, strength: strengths }), { nil: undefined }),
  strength: strengths,
  text: texts,
  link: fc.constantFrom("none", "none", "after", "differs", "both"),
  to: fc.nat(),
  swings,
});

/** Slots of a step from choices: links go to earlier slots, and two slots that differ have one table and no tiers. */
function slotsOf(choices: readonly Choices[], step: number): SlotSpec[] {
  const slots: SlotSpec[] = [];
  for (const [i, { table, chance, special, strength, text, link, to, swings: tiers }] of choices.entries()) {
    const other = slots[to % Math.max(1, slots.length)];
    const differs = other !== undefined && other.tiers === undefined && (link === "differs" || link === "both");
    const name = differs ? other.table : `t${table}`;
    slots.push({
      slot: `s${step}.${i}`,
      table: name,
      strength,
      ...(chance && { chance }),
      ...(text && { text }),
      ...(special && { special: { word: `w0 of-${name.slice(1)}`, ...special } }),
      ...(other && (link === "after" || link === "both") && { after: other.slot }),
      ...(differs && { differentFrom: other.slot }),
      ...(tiers && !differs && { tiers }),
    });
  }
  return slots;
}

const slotsStep = fc.record({
  kind: fc.constant("slots" as const),
  chance: fc.option(chances, { nil: undefined }),
  text: texts,
  slots: fc.array(slotChoices, { minLength: 1, maxLength: 3 }),
});
const conditionStep = fc.record({
  kind: fc.constant("condition" as const),
  stat: fc.constantFrom("attack", "luck"),
  share: fc.constantFrom(0, 0.4, 0.25, 1, 1.5),
  doubled: chances,
  up: chances,
});
const bonusStep = fc.record({
  kind: fc.constant("bonus" as const),
  chance: chances,
  sides: fc.constantFrom(4, 100, 1000),
  ladder: fc
    .constantFrom([4, 3, 2], [3], [])
    .chain((rungs) =>
      fc
        .tuple(...[...rungs, 1].map(() => added))
        .map((adds) =>
          adds.map((add, i) => ({ ...(rungs[i] && { atLeast: rungs[i] }), text: `+${adds.length - i}`, add })),
        ),
    ),
});

const anyStep = fc.oneof({ weight: 3, arbitrary: slotsStep }, conditionStep, bonusStep);

type AnyStep = typeof anyStep extends fc.Arbitrary<infer Any> ? Any : never;

function stepOf(step: AnyStep, index: number): StepSpec {
  const name = `step ${index}`;
  if (step.kind !== "slots") return { ...step, name };
  const { kind, chance, text, slots } = step;
  return { kind, name, ...(chance && { chance }), ...(text && { text }), slots: slotsOf(slots, index) };
}

/** The first step has slots: something to change, and to ask for. */
const recipes: fc.Arbitrary<RecipeSpec> = fc
  .tuple(slotsStep, fc.array(anyStep, { maxLength: 4 }))
  .map(([first, more]) => ({
    stats: stats.map((name) => (name === "weight" ? { name, clamp: [-1, 2] as const } : { name })),
    strength: "power",
    // (weight is a stat here)
    weight: "often",
    steps: [first, ...more].map(stepOf),
  }));

/** Requests for slots that may be asked for: a word of the table, active or not, or one that is not there. */
function requestsFor({ steps }: RecipeSpec): fc.Arbitrary<Record<string, string>> {
  const slots = steps.flatMap((step) => (step.kind === "slots" ? step.slots : []));
  const free = slots.filter(({ after }) => after === undefined);
  if (free.length === 0) return fc.constant({});
  const asked = fc.tuple(fc.constantFrom(...free), fc.nat(4));
  return fc
    .array(asked, { maxLength: 3 })
    .map((list) => Object.fromEntries(list.map(([{ slot, table }, word]) => [slot, `w${word} of-${table.slice(1)}`])));
}

/** Recipes of a few steps with all that steps can have, and what may be asked of them. */
export const cases: fc.Arbitrary<RecipeCase> = fc.tuple(recipes, tables).chain(([recipe, words]) =>
  fc
    .record({
      tier: fc.constantFrom(0, 0, 1, 2, 3),
      tierVariance: fc.constantFrom(0, 1),
      power: fc.constantFrom(...powers),
      request: requestsFor(recipe),
    })
    .map((options) => ({ recipe, tables: words, options })),
);

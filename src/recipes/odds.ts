import type { Odds, Watch, Work } from "../calls/index.js";
import { fail } from "../errors/index.js";
import { divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../fractions.js";
import { chanceOf, type Outcome, openChance, stepDistribution } from "./odds/stepLaw.js";
import { strengthOdds } from "./odds/strength.js";
import { STRENGTH } from "./parse/steps.js";
import {
  allSlots,
  type Resolved,
  type ResolvedBonus,
  type ResolvedCondition,
  type ResolvedSlot,
  type ResolvedSlots,
  unknownWord,
} from "./resolve.js";
import type { RecipeSpec, StepSpec } from "./types.js";
import { refuseName } from "./unknownName.js";
import { rowOf } from "./words.js";

/** Cost for a slot: O(rows), and O(kinds of rows) operations on fractions for each slot of its step. */
export function itemOdds(resolved: Resolved, of: unknown, work?: Work): Odds<string> | Odds<number> {
  const { name, step } = subjectOf(resolved.spec, of);
  const found = resolved.steps.find(({ spec }) => spec === step);
  if (found === undefined) return strengthOdds(resolved, work);
  if (found.kind === "slots") return wordOdds(found, name, work);
  if (found.kind === "bonus") {
    const odds = found.spec.ladder.map(({ text }) => ({ result: text, probability: bonusChance(found, text) }));
    return { odds, none: bonusChance(found, null) };
  }
  const odds = CONDITION_OUTCOMES.map((result) => ({ result, probability: conditionChance(found, result) }));
  return { odds, none: ZERO };
}

/** Rows of one kind have the same probability, so only the distribution of the kinds is computed. */
function wordOdds(step: ResolvedSlots, name: string, work: Work | undefined): Odds<string> {
  const at = step.slots.findIndex(({ spec }) => spec.slot === name);
  const slot = step.slots[at];
  const slots = step.slots.slice(0, at + 1);
  const { kinds, sizes } = kindsOfRows(slots, slot);
  const distribution = stepDistribution(
    { ...step, slots },
    {
      // The value 0 stands for an empty slot. The class 0 stands for the rows of every table except this slot's table.
      classOf: ({ table }, row) => (table === slot.table ? 1 + kinds[row] : 0),
      next: (value, { index }, outcome) => {
        if (index !== at) return value;
        return outcome.from === "empty" ? 0 : outcome.rowClass;
      },
    },
    work,
  );
  const each = sizes.map((size, kind) => divide(distribution.get(1 + kind) ?? ZERO, fraction(BigInt(size), 1n)));
  const odds = slot.table.rows.map(({ word }, row) => ({ result: word, probability: each[kinds[row]] }));
  return { odds, none: distribution.get(0) ?? ZERO };
}

/** Rows of one kind have the same weight and the same variants. A requested row or a special is a kind by itself. */
function kindsOfRows(slots: readonly ResolvedSlot[], { table, weights }: ResolvedSlot) {
  const same = slots.filter((other) => other.table === table);
  const members = same.flatMap(({ variants }) => variants.map(({ candidates }) => new Set(candidates)));
  const numbers = new Map<string, number>();
  const sizes: number[] = [];
  const kinds = table.rows.map((_, row) => {
    const key = JSON.stringify([
      weights[row],
      members.map((candidates) => candidates.has(row)),
      same.map(({ requested, special }) => [requested?.row === row, special?.row === row]),
    ]);
    const kind = numbers.get(key) ?? numbers.size;
    numbers.set(key, kind);
    sizes[kind] = (sizes[kind] ?? 0) + 1;
    return kind;
  });
  return { kinds, sizes };
}

/** The wanted results of some parts of an item. All other parts may have any result. */
export interface NamedOutcome {
  /** The wanted word of each slot, whether random, special or requested; null for an empty slot. */
  readonly words?: { readonly [slot: string]: string | null };
  /** The wanted outcome of each condition. For a bonus, the text of the wanted rung, or null for no bonus. */
  readonly outcomes?: { readonly [step: string]: string | null };
}

/**
 * Returns the probability that an item has all given words and outcomes. Cost: O(rows) for each step to which one of
 * them belongs. Throws `recipe.request` for an unknown slot, word, step or outcome.
 */
export function probability(resolved: Resolved, { words = {}, outcomes = {} }: NamedOutcome, watch?: Watch): Fraction {
  const bySlot = new Map(Object.entries(words));
  const byStep = new Map(Object.entries(outcomes));
  checkNames(resolved, bySlot.keys(), byStep.keys());
  return resolved.steps.reduce((product, step, done) => {
    watch?.passed(done);
    if (step.kind === "slots") return multiply(product, wordProbability(step, bySlot, watch));
    const outcome = byStep.get(step.spec.name);
    if (outcome === undefined) return product;
    const chance = step.kind === "condition" ? conditionChance(step, outcome) : bonusChance(step, outcome);
    return multiply(product, chance);
  }, ONE);
}

function checkNames(resolved: Resolved, slots: Iterable<string>, steps: Iterable<string>): void {
  const knownSlots = allSlots(resolved.spec).map(({ slot }) => slot);
  const knownSteps = resolved.steps.flatMap(({ kind, spec }) => (kind === "slots" ? [] : [spec.name]));
  for (const slot of slots) {
    if (!knownSlots.includes(slot)) refuseName("the recipe has no such slot", `words.${slot}`, slot, knownSlots);
  }
  const problem = "the recipe has no such condition or bonus";
  for (const step of steps) {
    if (!knownSteps.includes(step)) refuseName(problem, `outcomes.${step}`, step, knownSteps);
  }
}

function wordProbability(
  step: ResolvedSlots,
  words: ReadonlyMap<string, string | null>,
  watch: Watch | undefined,
): Fraction {
  const named = new Map<ResolvedSlot, number | null>();
  for (const slot of step.slots) {
    const word = words.get(slot.spec.slot);
    if (word === undefined) continue;
    const row = typeof word === "string" ? rowOf(slot.table, word) : word;
    named.set(slot, row === null ? null : (row ?? fail(unknownWord(slot.table, word, `words.${slot.spec.slot}`))));
  }
  if (named.size === 0) return ONE;
  const rows = new Set(named.values());
  const question = {
    // each named row is a separate class; all other rows are one class
    classOf: (_: ResolvedSlot, row: number) => (rows.has(row) ? row : -1),
    next: (value: number, slot: ResolvedSlot, outcome: Outcome) => {
      const row = named.get(slot);
      if (row === undefined) return value;
      return (outcome.from === "empty" ? null : outcome.rowClass) === row ? value : undefined;
    },
  };
  return stepDistribution(step, question, watch).get(0) ?? ZERO;
}

/** The outcomes of a condition, in the order in which `odds` lists them. */
export const CONDITION_OUTCOMES = ["doubled", "up", "down"] as const;

function conditionChance({ spec, doubled, up }: ResolvedCondition, outcome: string | null): Fraction {
  const twice = chanceOf(doubled);
  const other = subtract(ONE, twice);
  if (outcome === "doubled") return twice;
  if (outcome === "up") return multiply(other, chanceOf(up));
  if (outcome === "down") return multiply(other, subtract(ONE, chanceOf(up)));
  return refuseName("a condition has no such outcome", `outcomes.${spec.name}`, outcome, CONDITION_OUTCOMES);
}

/** @param outcome - The text of a rung, or null for no bonus. */
function bonusChance({ spec, chance, rungs }: ResolvedBonus, outcome: string | null): Fraction {
  if (outcome === null) return subtract(ONE, chanceOf(chance));
  const texts = spec.ladder.map(({ text }) => text);
  const rung = texts.indexOf(outcome);
  if (rung < 0) return refuseName("the ladder has no such rung", `outcomes.${spec.name}`, outcome, texts);
  return multiply(chanceOf(chance), fraction(BigInt(rungs[rung]), BigInt(spec.sides)));
}

/**
 * The exact chances of a recipe's rolls, by name. Each is the probability that the roll succeeds, if it takes place. So
 * the probability of several results is a product of chances. The names are:
 *
 * - A slot: the chance that it is filled if its step is open and, with `after`, the earlier slot has a random word. A
 *   slot that is always filled in an open step has the chance that the step is open.
 * - A step with a chance, but without a slot that is always filled: the chance that the step is open.
 * - The word of a special: its chance if the slot is filled.
 * - A condition "wear" has two names. "doubled": the chance that the stat is doubled. "wearUp": the chance that it is
 *   raised if it is not doubled. If the recipe has several conditions, "doubled" is called "wearDoubled".
 * - A bonus "bonus" has two names. "anyBonus": the chance that the item gets a bonus. "bonus": for the text of each
 *   rung, its chance if the item gets a bonus.
 *
 * If a name is already in use, the name of the step is put before the name, as in "prefix.fire".
 */
export interface RecipeChances {
  readonly [name: string]: Fraction | { readonly [rung: string]: Fraction };
}

type Entry = readonly [name: string, chance: RecipeChances[string]];

export function recipeChances(resolved: Resolved): RecipeChances {
  const conditions = resolved.steps.filter(({ kind }) => kind === "condition").length;
  const found = new Map<string, RecipeChances[string]>();
  for (const step of resolved.steps) {
    for (const [name, chance] of entriesOf(step, conditions)) {
      let free = name;
      while (found.has(free)) free = `${step.spec.name}.${free}`;
      found.set(free, chance);
    }
  }
  return Object.fromEntries(found);
}

function entriesOf(step: Resolved["steps"][number], conditions: number): readonly Entry[] {
  const { name } = step.spec;
  if (step.kind === "slots") return slotEntries(step);
  if (step.kind === "condition") {
    const doubled = conditions > 1 ? `${name}Doubled` : "doubled";
    return [[doubled, chanceOf(step.doubled)] as const, [`${name}Up`, chanceOf(step.up)]];
  }
  const { ladder, sides } = step.spec;
  const rungs = ladder.map(({ text }, i) => [text, fraction(BigInt(step.rungs[i]), BigInt(sides))] as const);
  const any = `any${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return [[any, chanceOf(step.chance)] as const, [name, Object.fromEntries(rungs.reverse())]];
}

function slotEntries(step: ResolvedSlots): readonly Entry[] {
  const isSure = ({ spec }: ResolvedSlot) => spec.chance === undefined && spec.after === undefined;
  const sure = step.slots.filter(isSure);
  const open = openChance(step);
  const gate: Entry[] = sure.length === 0 ? [[step.spec.name, open]] : sure.map(({ spec }) => [spec.slot, open]);
  return [
    ...(step.gate === undefined ? [] : gate),
    ...step.slots.flatMap((slot): Entry[] => [
      ...(isSure(slot) ? [] : [[slot.spec.slot, filledChance(slot, step)] as const]),
      ...(slot.spec.special === undefined ? [] : [[slot.spec.special.word, specialChance(slot)] as const]),
    ]),
  ];
}

function filledChance({ requested, chance, after }: ResolvedSlot, { slots }: ResolvedSlots): Fraction {
  if (requested !== undefined) return ONE;
  if (after !== undefined && slots[after].requested !== undefined) return ZERO;
  return chance === undefined ? ONE : chanceOf(chance);
}

function specialChance({ requested, special }: ResolvedSlot): Fraction {
  if (requested !== undefined) return requested.special ? ONE : ZERO;
  return special === undefined ? ZERO : chanceOf(special.roll);
}

/** The subject of a query: a slot with its step, a condition, a bonus, or the strength stat, which has no step. */
interface Subject {
  readonly name: string;
  readonly step: StepSpec | undefined;
}

export function subjectOf({ steps }: RecipeSpec, of: unknown): Subject {
  if (of === STRENGTH) return { name: STRENGTH, step: undefined };
  const subjects = steps.flatMap((step): Subject[] =>
    step.kind === "slots" ? step.slots.map(({ slot }) => ({ name: slot, step })) : [{ name: step.name, step }],
  );
  const found = subjects.find(({ name }) => name === of);
  if (found !== undefined) return found;
  const known = [...subjects.map(({ name }) => name), STRENGTH];
  return refuseName("the recipe has no slot, condition or bonus with this name", "of", of, known);
}

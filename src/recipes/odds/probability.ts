import type { Watch } from "../../calls/index.js";
import { fail } from "../../errors/index.js";
import { type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import { allSlots, unknownWord } from "../resolve/requests.js";
import { rowOf } from "../resolve/rows.js";
import type { Resolved, ResolvedBonus, ResolvedCondition, ResolvedSlot, ResolvedSlots } from "../types.js";
import { refuseName } from "../unknownName.js";
import { chanceOf, type Outcome, stepDistribution } from "./stepLaw.js";

/** The wanted results of some parts of an item. All other parts may have any result. */
export interface NamedOutcome {
  /** The wanted word of each slot, whether random, special or requested; null for an empty slot. */
  readonly words?: { readonly [slot: string]: string | null };
  /** The wanted outcome of each condition, and text of the rung of each bonus; null for no bonus. */
  readonly outcomes?: { readonly [step: string]: string | null };
}

/**
 * Cost: O(rows) for each step with a named part.
 *
 * @throws RollmillError `recipe.request` for an unknown slot, word, step or outcome.
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

/** In the order in which `odds` lists them. */
export const CONDITION_OUTCOMES = ["doubled", "up", "down"] as const;

export function conditionChance({ spec, doubled, up }: ResolvedCondition, outcome: string | null): Fraction {
  const twice = chanceOf(doubled);
  const other = subtract(ONE, twice);
  if (outcome === "doubled") return twice;
  if (outcome === "up") return multiply(other, chanceOf(up));
  if (outcome === "down") return multiply(other, subtract(ONE, chanceOf(up)));
  return refuseName("a condition has no such outcome", `outcomes.${spec.name}`, outcome, CONDITION_OUTCOMES);
}

/** @param outcome - The text of a rung, or null for no bonus. */
export function bonusChance({ spec, chance, rungs }: ResolvedBonus, outcome: string | null): Fraction {
  if (outcome === null) return subtract(ONE, chanceOf(chance));
  const texts = spec.ladder.map(({ text }) => text);
  const rung = texts.indexOf(outcome);
  if (rung < 0) return refuseName("the ladder has no such rung", `outcomes.${spec.name}`, outcome, texts);
  return multiply(chanceOf(chance), fraction(BigInt(rungs[rung]), BigInt(spec.sides)));
}

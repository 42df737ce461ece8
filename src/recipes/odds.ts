import type { Odds, Watch } from "../calls/index.js";
import { type Fraction, ONE, subtract, ZERO } from "../fractions.js";
import { bonusChance, CONDITION_OUTCOMES, conditionChance, wordProbability } from "./odds/probability.js";
import { strengthOdds } from "./odds/strength.js";
import { subjectOf } from "./subject.js";
import type { Resolved, ResolvedBonus, ResolvedCondition, ResolvedSlots } from "./types.js";

/**
 * Computes the exact odds of a slot's words, of a condition, of a bonus or of the strength.
 *
 * Cost for a slot: O(rows), and O(rows) operations on fractions for each kind of row. Two rows are of different kinds
 * if they have different weights, if different tier variances include them, or if only one of them is requested or
 * special. Cost for the strength: see
 * {@link strengthOdds}.
 *
 * @param watch - looks at the signal of the call.
 * @throws RollmillError `recipe.request` for an unknown name; for the strength, also `recipe.overflow` (see
 * {@link strengthOdds}).
 */
export function itemOdds(resolved: Resolved, of: unknown, watch?: Watch): Odds<string> | Odds<number> {
  const { name, step } = subjectOf(resolved.spec, of);
  const found = resolved.steps.find(({ spec }) => spec === step);
  if (found === undefined) return strengthOdds(resolved, watch);
  if (found.kind === "slots") return wordOdds(found, name, watch);
  return found.kind === "condition" ? conditionOdds(found) : bonusOdds(found);
}

/** Odds of every word of the slot's table, in the order of ids; `none` is the probability of an empty slot. */
function wordOdds(step: ResolvedSlots, name: string, watch: Watch | undefined): Odds<string> {
  const slot = step.slots.find(({ spec }) => spec.slot === name);
  const rows = slot?.table.rows ?? [];
  const slots = step.slots.filter((other) => other.table === slot?.table);
  const members = slots.flatMap(({ variants }) => variants.map(({ candidates }) => new Set(candidates)));
  const kinds = new Map<string, Fraction>();
  let none = ONE;
  const odds = rows.map(({ word }, row) => {
    watch?.look();
    const kind = JSON.stringify([
      slot?.weights[row],
      members.map((candidates) => candidates.has(row)),
      slots.map(({ requested, special }) => [requested?.row === row, special?.row === row]),
    ]);
    const probability = kinds.get(kind) ?? wordProbability(step, new Map([[name, word]]), watch);
    kinds.set(kind, probability);
    none = subtract(none, probability);
    return { result: word, probability };
  });
  return { odds, none };
}

function conditionOdds(step: ResolvedCondition): Odds<string> {
  const odds = CONDITION_OUTCOMES.map((result) => ({ result, probability: conditionChance(step, result) }));
  return { odds, none: ZERO };
}

/** Odds of the texts of the rungs, in the order of the ladder; `none` is the probability of no bonus. */
function bonusOdds(step: ResolvedBonus): Odds<string> {
  const odds = step.spec.ladder.map(({ text }) => ({ result: text, probability: bonusChance(step, text) }));
  return { odds, none: bonusChance(step, null) };
}

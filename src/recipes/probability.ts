import { error, fail } from "../errors/index.js";
import { type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../fractions.js";
import { didYouMean, listed } from "./report.js";
import type { Resolved, ResolvedBonus, ResolvedCondition, ResolvedSlot, ResolvedSlots } from "./resolve.js";
import { rowOf } from "./rows.js";
import { chanceOf, stepDistribution } from "./stepLaw.js";

/** What an item is asked to have come out as; what is not named may be anything. */
export interface NamedOutcome {
  /** By slot: its word, however it came there, or null where it stays empty. */
  readonly words?: { readonly [slot: string]: string | null };
  /** By step: "up", "down" or "doubled" of a condition; a rung's text of a bonus, or null for none. */
  readonly outcomes?: { readonly [step: string]: string | null };
}

/**
 * The exact probability that an item comes out as named. Cost: for each step that has something named, O(rows) and a
 * number of operations on fractions that does not depend on the tables' size.
 *
 * @throws RollmillError `recipe.request` for a slot, a word, a step or an outcome that is not there.
 */
export function probability(resolved: Resolved, { words = {}, outcomes = {} }: NamedOutcome): Fraction {
  const bySlot = new Map(Object.entries(words));
  const byStep = new Map(Object.entries(outcomes));
  checkNames(resolved, bySlot.keys(), byStep.keys());
  return resolved.steps.reduce((product, step) => {
    if (step.kind === "slots") return multiply(product, wordProbability(step, bySlot));
    const outcome = byStep.get(step.spec.name);
    if (outcome === undefined) return product;
    const chance = step.kind === "condition" ? conditionChance(step, outcome) : bonusChance(step, outcome);
    return multiply(product, chance);
  }, ONE);
}

function checkNames(resolved: Resolved, slots: Iterable<string>, steps: Iterable<string>): void {
  const knownSlots = resolved.steps.flatMap((step) =>
    step.kind === "slots" ? step.slots.map(({ spec }) => spec.slot) : [],
  );
  const knownSteps = resolved.steps.flatMap(({ kind, spec }) => (kind === "slots" ? [] : [spec.name]));
  for (const slot of slots)
    if (!knownSlots.includes(slot)) refuse("there is no such slot", `words.${slot}`, slot, knownSlots);
  for (const step of steps) {
    if (!knownSteps.includes(step)) refuse("no such step has outcomes", `outcomes.${step}`, step, knownSteps);
  }
}

/**
 * The probability that the slots of one step that are named come out so; 1 where none is.
 *
 * @throws RollmillError `recipe.request` for a word that is not there.
 */
export function wordProbability(step: ResolvedSlots, words: ReadonlyMap<string, string | null>): Fraction {
  const named = new Map<ResolvedSlot, number | null>();
  for (const slot of step.slots) {
    const word = words.get(slot.spec.slot);
    if (word !== undefined) named.set(slot, word === null ? null : rowOfWord(slot, word));
  }
  if (named.size === 0) return ONE;
  const told = new Set(named.values());
  const distribution = stepDistribution(step, {
    // named rows are told apart, all others are one class
    classOf: (_, row) => (told.has(row) ? row : -1),
    next: (value, slot, outcome) => {
      const row = named.get(slot);
      if (row === undefined) return value;
      return (outcome.from === "empty" ? null : outcome.rowClass) === row ? value : undefined;
    },
  });
  return distribution.get(0) ?? ZERO;
}

function rowOfWord({ spec, table }: ResolvedSlot, word: unknown): number {
  const row = typeof word === "string" ? rowOf(table, word) : undefined;
  if (row !== undefined) return row;
  const path = `words.${spec.slot}`;
  return refuse(
    "there is no such word",
    path,
    word,
    table.rows.map((known) => known.word),
  );
}

function conditionChance({ spec, doubled, up }: ResolvedCondition, outcome: string | null): Fraction {
  const twice = chanceOf(doubled);
  const other = subtract(ONE, twice);
  if (outcome === "doubled") return twice;
  if (outcome === "up") return multiply(other, chanceOf(up));
  if (outcome === "down") return multiply(other, subtract(ONE, chanceOf(up)));
  return refuse("there is no such outcome", `outcomes.${spec.name}`, outcome, ["up", "down", "doubled"]);
}

function bonusChance({ spec, chance, rungs }: ResolvedBonus, outcome: string | null): Fraction {
  if (outcome === null) return subtract(ONE, chanceOf(chance));
  const texts = spec.ladder.map(({ text }) => text);
  const rung = texts.indexOf(outcome);
  if (rung < 0) return refuse("there is no such bonus", `outcomes.${spec.name}`, outcome, texts);
  return multiply(chanceOf(chance), fraction(BigInt(rungs[rung]), BigInt(spec.sides)));
}

function refuse(problem: string, path: string, got: unknown, known: readonly string[]): never {
  const expected = `one of ${listed(known)}`;
  const hint = typeof got === "string" ? didYouMean(got, known) : {};
  return fail(error("recipe.request", { problem, got, expected, ...hint, where: { path } }));
}

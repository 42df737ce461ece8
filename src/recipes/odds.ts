import { error, fail } from "../errors/index.js";
import { type Fraction, fraction, ONE, subtract, ZERO } from "../fractions.js";
import { wordProbability } from "./probability.js";
import { didYouMean, listed } from "./report.js";
import type { Resolved, ResolvedBonus, ResolvedCondition, ResolvedSlot, ResolvedSlots } from "./resolve.js";
import { chanceOf, openChance } from "./stepLaw.js";

/**
 * The exact chances of everything uncertain in a recipe, by name; each given what it depends on, so that they multiply.
 *
 * - A slot has its own name. One that follows another: given that the other got a random word. In a step with a chance, a
 *   slot without one of its own carries the step's; the others are given an open step. (Is every slot of the step uncertain,
 *   the step's chance has the step's name.) A slot that is always filled is not in it.
 * - A special has its word as its name: given that its slot is filled.
 * - A condition: `doubled`, and "conditionUp" for the one called "condition": given not doubled. Is there more than one,
 *   "conditionDoubled".
 * - A bonus called "bonus": "anyBonus", and "bonus": the chance of each rung by its text, given a bonus.
 *
 * A name that stands already has its step's name before it, such as "prefix.fire".
 */
export interface RecipeOdds {
  readonly [name: string]: Fraction | { readonly [rung: string]: Fraction };
}

/** The exact chances of a slot's words. With `empty` they add up to exactly 1. */
export interface WordOdds {
  /** Every word of its table, in the order of their ids. */
  readonly words: ReadonlyMap<string, Fraction>;
  /** The chance that the slot stays empty. */
  readonly empty: Fraction;
}

type Entry = readonly [name: string, chance: RecipeOdds[string]];

/** The exact chances of a recipe under some options: see {@link RecipeOdds}. Cost: O(slots). */
export function odds(resolved: Resolved): RecipeOdds {
  const conditions = resolved.steps.filter(({ kind }) => kind === "condition").length;
  const found = new Map<string, RecipeOdds[string]>();
  for (const step of resolved.steps) {
    for (const [name, chance] of entriesOf(step, conditions > 1)) {
      let free = name;
      while (found.has(free)) free = `${step.spec.name}.${free}`;
      found.set(free, chance);
    }
  }
  return Object.fromEntries(found);
}

function entriesOf(step: Resolved["steps"][number], severalConditions: boolean): readonly Entry[] {
  if (step.kind === "condition") return conditionEntries(step, severalConditions);
  return step.kind === "bonus" ? bonusEntries(step) : slotEntries(step);
}

function conditionEntries({ spec, doubled, up }: ResolvedCondition, severalConditions: boolean): readonly Entry[] {
  return [
    [severalConditions ? `${spec.name}Doubled` : "doubled", chanceOf(doubled)],
    [`${spec.name}Up`, chanceOf(up)],
  ];
}

function bonusEntries({ spec, chance, rungs }: ResolvedBonus): readonly Entry[] {
  const { name, sides } = spec;
  const ladder = spec.ladder.map(({ text }, i) => [text, fraction(BigInt(rungs[i]), BigInt(sides))] as const);
  return [
    [`any${name.charAt(0).toUpperCase()}${name.slice(1)}`, chanceOf(chance)],
    [name, Object.fromEntries(ladder.reverse())],
  ];
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

/**
 * The exact chance of every word of a slot, all in all: whether the slot is filled, its special, its tiers and the slots
 * before it counted in. Cost: O(rows), and O(rows) operations on fractions for each kind of row that its table's slots tell
 * apart (in or out of each tier variance, requested, special).
 *
 * @throws RollmillError `recipe.request` for a slot that is not there.
 */
export function wordOdds(resolved: Resolved, slot: string): WordOdds {
  const { step, table } = slotNamed(resolved, slot);
  const slots = step.slots.filter((other) => other.table === table);
  const members = slots.flatMap(({ variants }) => variants.map(({ candidates }) => new Set(candidates)));
  const kinds = new Map<string, Fraction>();
  const words = new Map<string, Fraction>();
  let empty = ONE;
  table.rows.forEach(({ word }, row) => {
    const kind = JSON.stringify([
      members.map((rows) => rows.has(row)),
      slots.map(({ requested, special }) => [requested?.row === row, special?.row === row]),
    ]);
    const chance = kinds.get(kind) ?? wordProbability(step, new Map([[slot, word]]));
    kinds.set(kind, chance);
    words.set(word, chance);
    empty = subtract(empty, chance);
  });
  return { words, empty };
}

function slotNamed(resolved: Resolved, name: string): { step: ResolvedSlots; table: ResolvedSlot["table"] } {
  const names: string[] = [];
  for (const step of resolved.steps) {
    if (step.kind !== "slots") continue;
    names.push(...step.slots.map(({ spec }) => spec.slot));
    const slot = step.slots.find(({ spec }) => spec.slot === name);
    if (slot !== undefined) return { step, table: slot.table };
  }
  const expected = `one of ${listed(names)}`;
  return fail(
    error("recipe.request", { problem: "there is no such slot", got: name, expected, ...didYouMean(name, names) }),
  );
}

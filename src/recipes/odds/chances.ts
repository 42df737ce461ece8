import { type Fraction, fraction, ONE, ZERO } from "../../fractions.js";
import type { Resolved, ResolvedBonus, ResolvedCondition, ResolvedSlot, ResolvedSlots } from "../types.js";
import { chanceOf, openChance } from "./stepLaw.js";

/**
 * The exact chance of each roll in a recipe, by name. A chance applies if what it depends on happened, so chances multiply.
 *
 * - A slot has its own name. The chance of a slot that follows another applies if that one got a random word. In a step with
 *   a chance, a slot without one of its own has the step's; those of the other slots apply if the step is open. (If every
 *   slot of the step has a chance, the step's chance has the step's name.) A slot that is always filled is left out.
 * - A special has its word as its name; its chance applies if its slot is filled.
 * - A condition has `doubled`, and "conditionUp" for a condition called "condition", which applies if the stat is not doubled.
 *   If there are several conditions, `doubled` becomes "conditionDoubled".
 * - A bonus called "bonus" has "anyBonus", and "bonus": the chance of each rung by its text, if there is a bonus.
 *
 * If a name is in use already, the step's name precedes it, such as "prefix.fire".
 */
export interface RecipeChances {
  readonly [name: string]: Fraction | { readonly [rung: string]: Fraction };
}

type Entry = readonly [name: string, chance: RecipeChances[string]];

/** The exact chances of a recipe's rolls. Cost: O(slots). */
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
  if (step.kind === "condition") return conditionEntries(step, conditions);
  return step.kind === "bonus" ? bonusEntries(step) : slotEntries(step);
}

function conditionEntries({ spec, doubled, up }: ResolvedCondition, conditions: number): readonly Entry[] {
  return [
    [conditions > 1 ? `${spec.name}Doubled` : "doubled", chanceOf(doubled)],
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

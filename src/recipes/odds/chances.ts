import { type Fraction, fraction, ONE, ZERO } from "../../fractions.js";
import type { Resolved, ResolvedSlot, ResolvedSlots } from "../types.js";
import { chanceOf, openChance } from "./stepLaw.js";

/**
 * The exact chances of a recipe's rolls, by name. Each is the probability that the roll succeeds, if it takes place. So
 * the probability of several results is a product of chances. The names are:
 *
 * - A slot: the chance that it is filled if its step is open and, with `after`, the earlier slot has a random word. A
 *   slot that is always filled in an open step has the chance that the step is open.
 * - A step with a chance and no such slot: the chance that the step is open.
 * - The word of a special: its chance if the slot is filled.
 * - For a condition called "wear", "doubled": the chance that the stat is doubled; "wearUp": the chance that it is
 *   raised if it is not doubled. If the recipe has several conditions, "doubled" is called "wearDoubled".
 * - For a bonus called "bonus", "anyBonus": the chance of a bonus; "bonus": for each rung's text, its chance if there is
 *   a bonus.
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

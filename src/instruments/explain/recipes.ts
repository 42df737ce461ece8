import { ROLL_SIDES } from "../../kernel/layout.js";
import { inUnits } from "../../recipes/compile.js";
import { STEP_PLANES } from "../../recipes/parse.js";
import type { Recipe } from "../../recipes/recipe.js";
import {
  type Choice,
  type Resolved,
  type ResolvedBonus,
  type ResolvedCondition,
  type ResolvedSlot,
  type ResolvedSlots,
  type Roll,
  resolve,
} from "../../recipes/resolve.js";
import type { ItemOptions } from "../../recipes/types.js";
import { lowestTerms } from "../../recipes/words.js";
import type { Tracer } from "./tracer.js";

/** Makes the decisions of an item again, and returns the words, outcomes and stats that they lead to. */
export function traceItem(recipe: Recipe, tracer: Tracer, index: number, options: ItemOptions) {
  const trace = new ItemTrace(recipe, tracer, index);
  for (const [number, step] of resolve(recipe.plan, options).steps.entries()) trace.step(step, number);
  return trace.item();
}

class ItemTrace {
  readonly #recipe: Recipe;
  readonly #tracer: Tracer;
  readonly #index: number;
  readonly #words = new Map<string, string | null>();
  readonly #outcomes = new Map<string, string | null>();
  /** In units of the last decimal place of each stat. */
  readonly #stats: Map<string, number>;

  constructor(recipe: Recipe, tracer: Tracer, index: number) {
    this.#recipe = recipe;
    this.#tracer = tracer;
    this.#index = index;
    this.#stats = new Map(recipe.plan.stats.map(({ name }) => [name, 0]));
  }

  step(step: Resolved["steps"][number], number: number): void {
    const decide = new Step(this.#tracer.part(step.spec.name), number * STEP_PLANES, this.#index);
    if (step.kind === "slots") this.#slots(step, decide);
    else if (step.kind === "bonus") this.#bonus(step, decide);
    else this.#condition(step, decide);
  }

  item() {
    const stats = this.#recipe.plan.stats.map(({ name, decimals, clamp: [least, most] = ANY }) => {
      const units = Math.max(least, Math.min(most, this.#stats.get(name) ?? 0));
      return [name, units / 10 ** decimals] as const;
    });
    const [words, outcomes] = [Object.fromEntries(this.#words), Object.fromEntries(this.#outcomes)];
    return { ...Object.fromEntries(stats), words, outcomes };
  }

  #add(amounts: { readonly [stat: string]: number }): void {
    for (const { name, decimals } of this.#recipe.plan.stats) {
      const amount = Object.hasOwn(amounts, name) ? Number(inUnits(amounts[name], decimals)) : 0;
      this.#stats.set(name, (this.#stats.get(name) ?? 0) + amount);
    }
  }

  #slots({ gate, opened, slots }: ResolvedSlots, decide: Step): void {
    const isOpen = gate === undefined || opened || decide.roll("chance", gate);
    const chosen: (Choice | undefined)[] = [];
    for (const slot of slots) {
      const from = slot.after === undefined ? undefined : chosen[slot.after];
      // only a random word of the other slot, not its special or a requested word, lets this slot be filled
      const isAllowed =
        slot.after === undefined ? isOpen : from?.special === false && slots[slot.after].requested === undefined;
      const choice = isAllowed ? fill(slot, decide, chosen) : undefined;
      chosen.push(choice);
      this.#words.set(slot.spec.slot, choice === undefined ? null : slot.table.rows[choice.row].word);
      if (choice === undefined) continue;
      this.#add(slot.table.rows[choice.row].stats);
      const special = choice.special ? slot.special : undefined;
      this.#add({ [this.#recipe.spec.strength]: (special ?? slot.spec).strength });
    }
  }

  #condition({ spec, amount, doubled, up }: ResolvedCondition, decide: Step): void {
    const { plan } = this.#recipe;
    const { stat, rounding } = plan.conditions[plan.conditions.findIndex(({ name }) => name === spec.name)];
    const value = this.#stats.get(spec.stat) ?? 0;
    const { multiplier, addend, divisor } = rounding;
    const scaled = BigInt(Math.abs(value)) * BigInt(multiplier) + BigInt(addend);
    const most = Number(scaled / BigInt(divisor));
    const change = Math.sign(value) * decide.below("change", amount, most + 1, String) * 10 ** stat.decimals;
    const outcome = decide.roll("doubled", doubled) ? "doubled" : decide.roll("up", up) ? "up" : "down";
    this.#outcomes.set(spec.name, outcome);
    const changed = { doubled: 2 * value, up: value + change, down: value - change }[outcome];
    this.#stats.set(spec.stat, changed);
  }

  #bonus({ spec, chance, ladder }: ResolvedBonus, decide: Step): void {
    if (!decide.roll("chance", chance)) {
      this.#outcomes.set(spec.name, null);
      return;
    }
    const rungOf = (value: number) => spec.ladder.findIndex(({ atLeast = 1 }) => 1 + value >= atLeast);
    const value = decide.below("ladder", ladder, spec.sides, (one) => spec.ladder[rungOf(one)].text);
    const { text, add } = spec.ladder[rungOf(value)];
    this.#outcomes.set(spec.name, text);
    this.#add(add);
  }
}

const ANY = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY] as const;

/** The decisions of a step: decision d reads a word of the plane `plane` + d. */
class Step {
  readonly #tracer: Tracer;
  readonly #plane: number;
  readonly #index: number;

  constructor(tracer: Tracer, plane: number, index: number) {
    this.#tracer = tracer;
    this.#plane = plane;
    this.#index = index;
  }

  below(what: string, decision: number, m: number, so: (value: number) => string): number {
    return this.#tracer.below(this.#asked(what, decision), m, so);
  }

  roll(what: string, { decision, successes }: Roll): boolean {
    const passes = (value: number) => value >= ROLL_SIDES - successes;
    return passes(this.below(what, decision, ROLL_SIDES, (value) => (passes(value) ? "yes" : "no")));
  }

  pick(what: string, decision: number, entries: readonly { readonly name: string; readonly weight: number }[]): number {
    return this.#tracer.pick(this.#asked(what, decision), entries);
  }

  #asked(what: string, decision: number) {
    return { what, plane: this.#plane + decision, index: this.#index };
  }
}

function fill(slot: ResolvedSlot, decide: Step, chosen: readonly (Choice | undefined)[]): Choice | undefined {
  const { spec, requested, chance, special } = slot;
  if (requested !== undefined) return requested;
  if (chance !== undefined && !decide.roll(`${spec.slot}, chance`, chance)) return undefined;
  if (special !== undefined && decide.roll(`${spec.slot}, special`, special.roll)) {
    return { row: special.row, special: true };
  }
  const candidates = candidatesOf(slot, decide);
  const weights = lowestTerms(candidates.map((row) => slot.weights[row]));
  const other = slot.differentFrom === undefined ? undefined : chosen[slot.differentFrom]?.row;
  const entries = candidates.map((row, i) => ({
    name: slot.table.rows[row].word,
    weight: row === other ? 0 : weights[i],
  }));
  return { row: candidates[decide.pick(`${spec.slot}, pick`, slot.pick, entries)], special: false };
}

/** The rows from which a slot picks. If the tier varies, a roll decides by how much. */
function candidatesOf({ spec, variants, swing }: ResolvedSlot, decide: Step): readonly number[] {
  if (variants.length === 1 || swing === undefined) return variants[0].candidates;
  const reached = (value: number) => variants.findIndex(({ atLeast }) => value >= atLeast);
  const so = (value: number) => `tiers up to ${variants[reached(value)].variance} away`;
  return variants[reached(decide.below(`${spec.slot}, tiers`, swing, ROLL_SIDES, so))].candidates;
}

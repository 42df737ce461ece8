import type { Work } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { add, divide, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import { ROLL_SIDES } from "../../kernel/layout.js";
import type { ResolvedSlot, ResolvedSlots, Roll } from "../resolve.js";

export type Outcome =
  | { readonly from: "empty" }
  | {
      readonly from: "random" | "special" | "requested";
      readonly rowClass: number;
      /** Whether the slot adds the special's strength. */
      readonly special: boolean;
      /** Weight of the word's row. 0 for a random word if no later slot refers to this slot in `differentFrom`. */
      readonly weight: number;
    };

/** A value that depends on the outcomes of a step's slots. It starts at 0. */
export interface Question {
  readonly classOf: (slot: ResolvedSlot, row: number) => number;
  /** Returns the value after an outcome. Undefined leaves the outcome out of the distribution. */
  readonly next: (value: number, slot: ResolvedSlot, outcome: Outcome) => number | undefined;
}

interface Branch {
  readonly outcome: Outcome;
  readonly chance: Fraction;
}

/** All combinations of outcomes so far that have the same value and the same effect on later slots. */
interface State {
  readonly open: boolean;
  readonly value: number;
  /** The outcomes of the slots on which later slots depend, by slot index. */
  readonly kept: ReadonlyMap<number, Outcome>;
  readonly chance: Fraction;
}

/** Maximum number of values of a question, and of states. */
export const MAX_VALUES = 1 << 16;

const EMPTY: Branch = { outcome: { from: "empty" }, chance: ONE };

export function chanceOf({ successes }: Roll): Fraction {
  return fraction(BigInt(successes), BigInt(ROLL_SIDES));
}

export function openChance({ gate, opened }: ResolvedSlots): Fraction {
  return gate === undefined || opened ? ONE : chanceOf(gate);
}

/**
 * Computes the distribution of the question's value after all slots of a step. Leaves out values of chance 0. After
 * each slot, merges states that no later slot can distinguish. Cost: O(rows), and O(states + values · classes)
 * operations on fractions for each slot. Maximum number of states: values times classes of the slots on which
 * a later slot depends. For `differentFrom`, each weight is a class. Throws `recipe.overflow` for more than
 * 65,536 states.
 */
export function stepDistribution(
  step: ResolvedSlots,
  question: Question,
  watch?: Pick<Work, "look">,
): Map<number, Fraction> {
  const open = openChance(step);
  const begin = { value: 0, kept: new Map<number, Outcome>() };
  let states: readonly State[] = [
    { ...begin, open: true, chance: open },
    { ...begin, open: false, chance: subtract(ONE, open) },
  ];
  for (const slot of step.slots) states = statesAfter(states, slot, step, question, watch);
  const distribution = new Map<number, Fraction>();
  for (const { value, chance } of states) distribution.set(value, add(distribution.get(value) ?? ZERO, chance));
  return distribution;
}

function statesAfter(
  states: readonly State[],
  slot: ResolvedSlot,
  { slots }: ResolvedSlots,
  question: Question,
  watch: Pick<Work, "look"> | undefined,
): readonly State[] {
  const merged = new Map<string, State>();
  const needed = new Set(slots.slice(slot.index + 1).flatMap(({ after, differentFrom }) => [after, differentFrom]));
  const byWeight = slots.some((other) => other.differentFrom === slot.index);
  const picks = new RandomPicks(slot, question, needed, byWeight);
  const enter = (state: State, { outcome, chance }: Branch) => {
    const value = question.next(state.value, slot, outcome);
    if (value === undefined || chance.numerator === 0n) return;
    const next = [...state.kept, [slot.index, outcome] as const].filter(([index]) => needed.has(index));
    merge(merged, { open: state.open, value, kept: new Map(next), chance });
  };
  for (const state of states) {
    if (state.chance.numerator === 0n) continue;
    watch?.look();
    for (const { outcome, chance } of branchesOf(slot, state, question)) {
      const both = multiply(state.chance, chance);
      if (outcome === "random") picks.add(state, both);
      else enter(state, { outcome, chance: both });
    }
  }
  for (const { state, ...branch } of picks.branches()) {
    watch?.look();
    enter(state, branch);
  }
  return [...merged.values()];
}

function merge(states: Map<string, State>, state: State): void {
  const key = JSON.stringify([state.open, state.value, [...state.kept]]);
  const same = states.get(key);
  if (same === undefined && states.size >= MAX_VALUES) refuseWidth();
  states.set(key, same === undefined ? state : { ...same, chance: add(same.chance, state.chance) });
}

export function refuseWidth(): never {
  const problem = "the strength has too many possible values, or a value is too large";
  const expected = `at most ${MAX_VALUES} values, each of at most 2^53 units of the last decimal place`;
  const remedy = "Use numbers with fewer decimals, or smaller numbers, for the strength";
  return fail(error("recipe.overflow", { problem, expected, remedy }));
}

function branchesOf(
  slot: ResolvedSlot,
  { open, kept }: State,
  { classOf }: Question,
): readonly (Branch | { readonly outcome: "random"; readonly chance: Fraction })[] {
  if (!open) return [EMPTY];
  const { requested, special, weights, after } = slot;
  const filled = (from: "special" | "requested", row: number, isSpecial: boolean): Outcome => ({
    from,
    rowClass: classOf(slot, row),
    special: isSpecial,
    weight: weights[row],
  });
  if (requested !== undefined) return [{ outcome: filled("requested", requested.row, requested.special), chance: ONE }];
  if (after !== undefined && kept.get(after)?.from !== "random") return [EMPTY];
  const chance = slot.chance === undefined ? ONE : chanceOf(slot.chance);
  const specially = special === undefined ? ZERO : multiply(chance, chanceOf(special.roll));
  return [
    { outcome: EMPTY.outcome, chance: subtract(ONE, chance) },
    ...(special === undefined ? [] : [{ outcome: filled("special", special.row, true), chance: specially }]),
    { outcome: "random", chance: subtract(chance, specially) },
  ];
}

/** Rows of one class, and of one weight if the picked row's weight affects a later slot. */
interface Group {
  readonly rowClass: number;
  /** The weight of each of these rows; 0 if the picked row's weight affects no later slot. */
  readonly weight: number;
}

/** States that differ only in the taken word, which `differentFrom` excludes. See {@link RandomPicks}. */
interface PickState {
  readonly state: State;
  /** Σ c / (T − w) over the states. {@link RandomPicks} explains the letters. */
  factor: Fraction;
  /** For each group: Σ c · w / (T − w) over the states whose taken word is in this group (see {@link RandomPicks}). */
  readonly missing: Map<string, Fraction>;
}

/**
 * The random picks of a slot with the total weight T. If a word of weight w is taken, its group of weight W has the
 * chance (W − w) / (T − w), and every other group W / (T − w). So over all states of chance c, a group has the chance
 * W · Σ c / (T − w) − Σ c · w / (T − w), where the second sum is over the states whose taken word is in the group. The
 * cost is the number of states plus the number of groups.
 */
class RandomPicks {
  readonly #slot: ResolvedSlot;
  readonly #needed: ReadonlySet<number | undefined>;
  readonly #byWeight: boolean;
  readonly #groups = new Map<string, Group>();
  /** W of each group (see above): with `differentFrom`, its weight; else its chance over all variants, with T = 1. */
  readonly #shares = new Map<string, Fraction>();
  readonly #total: Fraction;
  readonly #states = new Map<string, PickState>();

  constructor(slot: ResolvedSlot, { classOf }: Question, needed: ReadonlySet<number | undefined>, byWeight: boolean) {
    this.#slot = slot;
    this.#needed = needed;
    this.#byWeight = byWeight;
    // A slot with `differentFrom` has no tiers, so it has only one variant. The shares of its groups are plain weights,
    // because `add` subtracts the weight of the taken word from their total.
    const isOther = slot.differentFrom !== undefined;
    let all = ZERO;
    for (const { successes, candidates } of slot.variants) {
      const sums = new Map<string, number>();
      let total = 0;
      for (const row of candidates) {
        const weight = slot.weights[row];
        const group = { rowClass: classOf(slot, row), weight: byWeight ? weight : 0 };
        const key = keyOf(group);
        this.#groups.set(key, group);
        sums.set(key, (sums.get(key) ?? 0) + weight);
        total += weight;
      }
      const [scale, sides] = isOther ? [1n, 1n] : [BigInt(successes), BigInt(ROLL_SIDES) * BigInt(total)];
      for (const [key, sum] of sums) {
        const share = fraction(scale * BigInt(sum), sides);
        this.#shares.set(key, add(this.#shares.get(key) ?? ZERO, share));
      }
      all = add(all, fraction(scale * BigInt(total), sides));
    }
    this.#total = all;
  }

  add(state: State, chance: Fraction): void {
    if (chance.numerator === 0n) return;
    const { differentFrom } = this.#slot;
    const other = differentFrom === undefined ? undefined : state.kept.get(differentFrom);
    const taken = other === undefined || other.from === "empty" || other.weight === 0 ? undefined : other;
    const weight = fraction(BigInt(taken?.weight ?? 0), 1n);
    const factor = divide(chance, subtract(this.#total, weight));
    const kept = [...state.kept].filter(([index]) => this.#needed.has(index));
    const key = JSON.stringify([state.value, kept]);
    const found = this.#states.get(key);
    const picks = found ?? { state, factor: ZERO, missing: new Map<string, Fraction>() };
    if (found === undefined) this.#states.set(key, picks);
    picks.factor = add(picks.factor, factor);
    if (taken === undefined) return;
    const group = keyOf({ rowClass: taken.rowClass, weight: this.#byWeight ? taken.weight : 0 });
    picks.missing.set(group, add(picks.missing.get(group) ?? ZERO, multiply(factor, weight)));
  }

  *branches(): Generator<Branch & { readonly state: State }, void> {
    for (const { state, factor, missing } of this.#states.values()) {
      for (const [key, { rowClass, weight }] of this.#groups) {
        const share = multiply(this.#shares.get(key) ?? ZERO, factor);
        const outcome: Outcome = { from: "random", rowClass, special: false, weight };
        yield { state, outcome, chance: subtract(share, missing.get(key) ?? ZERO) };
      }
    }
  }
}

function keyOf({ rowClass, weight }: Group): string {
  return `${rowClass} ${weight}`;
}

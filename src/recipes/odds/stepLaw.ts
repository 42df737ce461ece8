import type { Watch } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import { ROLL_SIDES } from "../../kernel/layout.js";
import type { ResolvedSlot, ResolvedSlots, Roll } from "../types.js";

/** The content of a slot after its decisions. */
export type Outcome =
  | { readonly from: "empty" }
  | {
      readonly from: "random" | "special" | "requested";
      /** The class of the word's row: see {@link Question.classOf}. */
      readonly rowClass: number;
      /** Whether the slot adds the special's strength. */
      readonly special: boolean;
      /**
       * The weight of the word's row. A slot that must differ from this one has no candidate with this row, so its
       * total is smaller by the weight. 0 for a random word if no slot must differ from this one.
       */
      readonly weight: number;
    };

/** Defines a number that starts at 0 and may change with the outcome of each slot of a step. */
export interface Question {
  /** Returns the class of a row. Rows of one class change the value equally. A row has the same class in every slot. */
  readonly classOf: (slot: ResolvedSlot, row: number) => number;
  /** Returns the value after a slot has this outcome, or undefined to leave the outcome out of the distribution. */
  readonly next: (value: number, slot: ResolvedSlot, outcome: Outcome) => number | undefined;
}

/** One outcome of a slot and its chance. */
interface Branch {
  readonly outcome: Outcome;
  readonly chance: Fraction;
}

/** All combinations of outcomes so far that have the same value and the same effect on later slots. */
interface State {
  readonly open: boolean;
  readonly value: number;
  /** Maps indices of slots to their outcomes, for the slots that a later slot depends on. */
  readonly kept: ReadonlyMap<number, Outcome>;
  /** Sum of the chances of the combinations. */
  readonly chance: Fraction;
}

/** Maximum number of values of a distribution, and of states in its computation. */
export const MAX_VALUES = 1 << 16;

const EMPTY: Branch = { outcome: { from: "empty" }, chance: ONE };

/** Returns the chance that a roll succeeds. */
export function chanceOf({ successes }: Roll): Fraction {
  return fraction(BigInt(successes), BigInt(ROLL_SIDES));
}

/** Returns the chance that a step is open. */
export function openChance({ gate, opened }: ResolvedSlots): Fraction {
  return gate === undefined || opened ? ONE : chanceOf(gate);
}

/**
 * Computes the exact distribution of a value that starts at 0 and changes with every slot of a step, in order. The
 * distribution has no values of chance 0. Its chances add up to less than 1 if the question leaves out outcomes.
 *
 * After each slot, states that no later slot can distinguish are merged. Cost: O(rows) for the classes, and for each
 * slot O(states · classes) operations on fractions. The number of states is at most the number of values, times the
 * number of classes of each earlier slot that a later slot depends on. If a later slot must differ from a slot, rows of
 * different weights count as different classes of this slot.
 *
 * @param watch - looks at the signal of the call.
 * @throws RollmillError `recipe.overflow` for more than 65,536 states.
 */
export function stepDistribution(step: ResolvedSlots, question: Question, watch?: Watch): Map<number, Fraction> {
  const open = openChance(step);
  const kept: State["kept"] = new Map();
  let states: State[] = [
    { open: true, value: 0, kept, chance: open },
    { open: false, value: 0, kept, chance: subtract(ONE, open) },
  ];
  for (const slot of step.slots) {
    const merged = new Map<string, State>();
    const needed = neededAfter(step, slot.index);
    const pick = picker(slot, question, { byWeight: step.slots.some((other) => other.differentFrom === slot.index) });
    for (const state of states) {
      if (state.chance.numerator === 0n) continue;
      watch?.look();
      for (const branch of branchesOf(slot, state, question, pick)) {
        const value = question.next(state.value, slot, branch.outcome);
        if (value === undefined || branch.chance.numerator === 0n) continue;
        merge(merged, follow(state, slot.index, value, branch, needed));
      }
    }
    states = [...merged.values()];
  }
  const distribution = new Map<number, Fraction>();
  for (const { value, chance } of states) distribution.set(value, add(distribution.get(value) ?? ZERO, chance));
  return distribution;
}

/** Returns the indices of the slots on which a slot after `index` depends. */
function neededAfter(step: ResolvedSlots, index: number): ReadonlySet<number> {
  const links = step.slots.slice(index + 1).flatMap(({ after, differentFrom }) => [after, differentFrom]);
  return new Set(links.filter((link) => link !== undefined));
}

function follow(state: State, slot: number, value: number, branch: Branch, needed: ReadonlySet<number>): State {
  const kept = new Map([...state.kept, [slot, branch.outcome] as const].filter(([index]) => needed.has(index)));
  return { open: state.open, value, kept, chance: multiply(state.chance, branch.chance) };
}

function merge(states: Map<string, State>, state: State): void {
  const key = JSON.stringify([state.open, state.value, [...state.kept]]);
  const same = states.get(key);
  if (same === undefined && states.size >= MAX_VALUES) refuseWidth();
  states.set(key, same === undefined ? state : { ...same, chance: add(same.chance, state.chance) });
}

/**
 * Throws the error for a distribution with too many or too large values.
 *
 * @throws RollmillError `recipe.overflow`, always.
 */
export function refuseWidth(): never {
  return fail(
    error("recipe.overflow", {
      problem: "the strength has too many possible values, or too large ones",
      expected: `at most ${MAX_VALUES} values within 2^53 units of its last decimal place`,
      remedy: "Use numbers with fewer decimals, or smaller numbers, for the strength",
    }),
  );
}

function branchesOf(slot: ResolvedSlot, { open, kept }: State, { classOf }: Question, pick: Picker): Branch[] {
  if (!open) return [EMPTY];
  const { requested, special, weights, after } = slot;
  const filled = (from: "special" | "requested", row: number, isSpecial: boolean): Outcome => ({
    from,
    rowClass: classOf(slot, row),
    special: isSpecial,
    weight: weights[row],
  });
  if (requested !== undefined) {
    return [{ outcome: filled("requested", requested.row, requested.special), chance: ONE }];
  }
  if (after !== undefined && kept.get(after)?.from !== "random") return [EMPTY];
  const chance = slot.chance === undefined ? ONE : chanceOf(slot.chance);
  const specially = special === undefined ? ZERO : multiply(chance, chanceOf(special.roll));
  const ordinarily = subtract(chance, specially);
  const other = slot.differentFrom === undefined ? undefined : kept.get(slot.differentFrom);
  return [
    { outcome: EMPTY.outcome, chance: subtract(ONE, chance) },
    ...(special === undefined ? [] : [{ outcome: filled("special", special.row, true), chance: specially }]),
    ...pick(other).map(({ rowClass, weight, share }): Branch => {
      return { outcome: { from: "random", rowClass, special: false, weight }, chance: multiply(ordinarily, share) };
    }),
  ];
}

/** Rows that a random pick cannot distinguish: they have one class, and one weight if a later slot needs the weight. */
interface Group {
  readonly rowClass: number;
  /** The weight of each row; 0 if no later slot needs it. */
  readonly weight: number;
}

/**
 * Returns the chance of each group in a random pick. `other` is the outcome of the slot that the pick must differ from.
 */
type Picker = (other: Outcome | undefined) => readonly (Group & { readonly share: Fraction })[];

/** Prepares random picks of a slot. With `byWeight`, rows of different weights are in different groups. */
function picker(slot: ResolvedSlot, { classOf }: Question, { byWeight }: { readonly byWeight: boolean }): Picker {
  const groups = new Map<string, Group>();
  // for each variant, the weights of its groups by their keys, and the total weight
  const variants = slot.variants.map(({ successes, candidates }) => {
    const sums = new Map<string, number>();
    let total = 0;
    for (const row of candidates) {
      const own = slot.weights[row];
      const group = { rowClass: classOf(slot, row), weight: byWeight ? own : 0 };
      const key = keyOf(group);
      groups.set(key, group);
      sums.set(key, (sums.get(key) ?? 0) + own);
      total += own;
    }
    return { successes, sums, total };
  });
  return (other) => {
    const taken = other === undefined || other.from === "empty" ? undefined : other;
    const missing = taken?.weight ?? 0;
    const without = taken && keyOf({ rowClass: taken.rowClass, weight: byWeight ? missing : 0 });
    const shares = new Map<string, Fraction>();
    for (const { successes, sums, total } of variants) {
      const sides = BigInt(ROLL_SIDES) * BigInt(total - missing);
      for (const [key, sum] of sums) {
        const left = key === without ? sum - missing : sum;
        const share = fraction(BigInt(successes) * BigInt(left), sides);
        shares.set(key, add(shares.get(key) ?? ZERO, share));
      }
    }
    return [...groups].map(([key, group]) => ({ ...group, share: shares.get(key) ?? ZERO }));
  };
}

function keyOf({ rowClass, weight }: Group): string {
  return `${rowClass} ${weight}`;
}

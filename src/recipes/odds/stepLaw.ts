import { error, fail } from "../../errors/index.js";
import { add, type Fraction, fraction, multiply, ONE, subtract, ZERO } from "../../fractions.js";
import { ROLL_SIDES } from "../../kernel/layout.js";
import type { ResolvedSlot, ResolvedSlots, Roll } from "../types.js";

/** The content of a slot. */
type Outcome =
  | { readonly from: "empty" }
  | {
      readonly from: "random" | "special" | "requested";
      /** The class of its row. */
      readonly rowClass: number;
      /** Whether its strength is the special's. */
      readonly special: boolean;
      /** Whether its row is active, so that a slot that must differ has one candidate fewer. */
      readonly active: boolean;
    };

/** A value that changes with the slots of a step. */
interface Question {
  /** The class of a row: rows of one class have the same effect. A row has one class in all slots of its table. */
  readonly classOf: (slot: ResolvedSlot, row: number) => number;
  /** The value after a slot with this outcome; undefined leaves the outcome out of the distribution. */
  readonly next: (value: number, slot: ResolvedSlot, outcome: Outcome) => number | undefined;
}

/** One outcome of a slot. */
interface Branch {
  readonly outcome: Outcome;
  readonly chance: Fraction;
}

/** All ways up to a slot with the same value and the same outcomes that later slots depend on. */
interface State {
  readonly open: boolean;
  readonly value: number;
  /** The outcomes that a later slot depends on, by the slot's index. */
  readonly kept: ReadonlyMap<number, Outcome>;
  readonly chance: Fraction;
}

/** The most values that a distribution may have, and the most states on the way. */
export const MAX_VALUES = 1 << 16;

const EMPTY: Branch = { outcome: { from: "empty" }, chance: ONE };

/** The chance that a roll succeeds. */
export function chanceOf({ successes }: Roll): Fraction {
  return fraction(BigInt(successes), BigInt(ROLL_SIDES));
}

/** The chance that the step's slots are open. */
export function openChance({ gate, opened }: ResolvedSlots): Fraction {
  return gate === undefined || opened ? ONE : chanceOf(gate);
}

/**
 * The exact distribution of a value that starts at 0 and changes with every slot of a step, in order. It leaves out values
 * of chance 0, and adds up to less than 1 if the question leaves out outcomes.
 *
 * After each slot, states that no later slot can distinguish are merged. Cost: O(rows) for the classes, and for each slot
 * O(states · classes) operations on fractions. There are as many states as values, times the classes of each earlier slot
 * that a later one depends on.
 *
 * @throws RollmillError `recipe.overflow` for more than 65,536 states.
 */
export function stepDistribution(step: ResolvedSlots, question: Question): Map<number, Fraction> {
  const open = openChance(step);
  const kept: State["kept"] = new Map();
  let states: State[] = [
    { open: true, value: 0, kept, chance: open },
    { open: false, value: 0, kept, chance: subtract(ONE, open) },
  ];
  for (const slot of step.slots) {
    const merged = new Map<string, State>();
    const needed = neededAfter(step, slot.index);
    const pick = picker(slot, question);
    for (const state of states) {
      if (state.chance.numerator === 0n) continue;
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

/** The slots up to this one that a later one depends on. */
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

/** Refuses a distribution that is too wide. */
export function refuseWidth(): never {
  return fail(
    error("recipe.overflow", {
      problem: "the distribution of the strength is too wide",
      expected: `at most ${MAX_VALUES} values within 2^53 units of its last decimal place`,
      remedy: "Give its numbers fewer decimals, or smaller ones",
    }),
  );
}

function branchesOf(slot: ResolvedSlot, { open, kept }: State, { classOf }: Question, pick: Picker): Branch[] {
  if (!open) return [EMPTY];
  const { requested, special, table, after } = slot;
  const filled = (from: "special" | "requested", row: number, isSpecial: boolean): Outcome => ({
    from,
    rowClass: classOf(slot, row),
    special: isSpecial,
    active: table.rows[row].active,
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
    ...pick(other).map(([rowClass, share]): Branch => {
      return {
        outcome: { from: "random", rowClass, special: false, active: true },
        chance: multiply(ordinarily, share),
      };
    }),
  ];
}

/** The chance of each class in a random pick, given the outcome of the slot that it must differ from. */
type Picker = (other: Outcome | undefined) => readonly (readonly [number, Fraction])[];

function picker(slot: ResolvedSlot, { classOf }: Question): Picker {
  const counts = slot.variants.map(({ candidates }) => {
    const count = new Map<number, number>();
    for (const row of candidates) {
      const rowClass = classOf(slot, row);
      count.set(rowClass, (count.get(rowClass) ?? 0) + 1);
    }
    return count;
  });
  return (other) => {
    const without = other !== undefined && other.from !== "empty" && other.active ? other.rowClass : undefined;
    const shares = new Map<number, Fraction>();
    slot.variants.forEach(({ successes, candidates }, i) => {
      const total = candidates.length - (without === undefined ? 0 : 1);
      for (const [rowClass, count] of counts[i]) {
        const left = count - (rowClass === without ? 1 : 0);
        const share = fraction(BigInt(successes * left), BigInt(ROLL_SIDES * total));
        shares.set(rowClass, add(shares.get(rowClass) ?? ZERO, share));
      }
    });
    return [...shares];
  };
}

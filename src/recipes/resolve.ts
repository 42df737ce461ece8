import { failOnErrors, type Issue } from "../errors/index.js";
import { resolveSlot, type SlotReading } from "./candidates.js";
import { successesOf } from "./chance.js";
import { readOptions, readRequests } from "./requests.js";
import type {
  BonusStepSpec,
  ConditionStepSpec,
  ItemOptions,
  RecipeSpec,
  SlotSpec,
  SlotsStepSpec,
  WordTable,
  WordTables,
} from "./types.js";

/** A roll 0 … 100 of a step: value k succeeds where k ≥ 101 − successes. */
export interface Roll {
  /** Its number in the step, 0 … 15. */
  readonly decision: number;
  /** How many of the 101 values succeed, at this power. */
  readonly successes: number;
}

/** What a slot is picked from, for some values of its swing. */
export interface Variant {
  /** The swing's least value for it, 0 … 100. */
  readonly atLeast: number;
  /** How many of the swing's 101 values it has: from `atLeast` up to the variant before. */
  readonly successes: number;
  readonly variance: number;
  /** Indices into the table's rows, ascending; never empty. All of them equally likely. */
  readonly candidates: readonly number[];
}

/** A word of a slot's table, and whether it comes as the slot's special. */
export interface Choice {
  /** Index into the table's rows. */
  readonly row: number;
  readonly special: boolean;
}

/** A slot, as these options have it. */
export interface ResolvedSlot {
  readonly spec: SlotSpec;
  /** Its place among the slots of its step, from 0. */
  readonly index: number;
  readonly table: WordTable;
  /** The word that was asked for and exists: chance, special and pick are then not evaluated. */
  readonly requested: Choice | undefined;
  /** The swing's decision number; undefined where the slot has no tiers. It may decide nothing. */
  readonly swing: number | undefined;
  readonly chance: Roll | undefined;
  readonly special: { readonly roll: Roll; readonly row: number; readonly strength: number } | undefined;
  /** The pick's decision number. */
  readonly pick: number;
  /** In descending order of `atLeast`; the last has 0. One, with all 101 values, where no swing decides; none where requested. */
  readonly variants: readonly Variant[];
  /** Index, in the step, of the slot that must have a random word; undefined where there is none. */
  readonly after: number | undefined;
  /** Index, in the step, of the slot whose row is no candidate where it is filled; undefined where there is none. */
  readonly differentFrom: number | undefined;
}

/** A step of slots. */
export interface ResolvedSlots {
  readonly kind: "slots";
  readonly spec: SlotsStepSpec;
  /** The roll that opens it; undefined where it is always open. */
  readonly gate: Roll | undefined;
  /** Whether a request that is met opens it, whatever the gate's roll. */
  readonly opened: boolean;
  readonly slots: readonly ResolvedSlot[];
}

/** A condition step. */
export interface ResolvedCondition {
  readonly kind: "condition";
  readonly spec: ConditionStepSpec;
  /** The decision number of c. */
  readonly amount: number;
  readonly doubled: Roll;
  /** Given not doubled. */
  readonly up: Roll;
}

/** A bonus step. */
export interface ResolvedBonus {
  readonly kind: "bonus";
  readonly spec: BonusStepSpec;
  readonly chance: Roll;
  /** The decision number of the ladder's roll. */
  readonly ladder: number;
  /** How many of the `sides` values take each rung, given a bonus. */
  readonly rungs: readonly number[];
}

/** A step, at the recipe's index. */
export type ResolvedStep = ResolvedSlots | ResolvedCondition | ResolvedBonus;

/** What options make of a recipe: all that its odds and its plan are made from. */
export interface Resolved {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
  /** One for each step of the recipe, in its order. */
  readonly steps: readonly ResolvedStep[];
  /** Slots whose requested word exists, in the recipe's order. */
  readonly met: readonly string[];
  /** Slots whose requested word does not exist, in the recipe's order. */
  readonly unknown: readonly string[];
}

/**
 * Works out what options make of a recipe. Cost: O(rows of the tables), and the same again for each tier variance.
 *
 * @throws RollmillError with every issue found: `argument.type` and `argument.range` (options), `recipe.request` (a slot
 *   that is not there or cannot be requested; a word that is not there, with onUnknownRequest "throw"), `recipe.tables`
 *   (a table is missing), `recipe.word` (a special word is missing), `recipe.candidates` (no active row, fewer than two
 *   for a slot that differs from another, no row of a tier).
 */
export function resolve(spec: RecipeSpec, tables: WordTables, options: ItemOptions = {}): Resolved {
  const settings = readOptions(options);
  const { choices, met, unknown } = readRequests(spec, tables, settings);
  const issues: Issue[] = [];
  const steps = spec.steps.map((step, index): ResolvedStep => {
    if (step.kind === "condition") return resolveCondition(step, settings.power);
    if (step.kind === "bonus") return resolveBonus(step, settings.power);
    return resolveSlots(step, { ...settings, tables, choices, issues, path: `steps[${index}]` });
  });
  failOnErrors(issues);
  return { spec, tables, steps, met, unknown };
}

function resolveCondition(spec: ConditionStepSpec, power: number): ResolvedCondition {
  return {
    kind: "condition",
    spec,
    amount: 0,
    doubled: { decision: 1, successes: successesOf(spec.doubled, power) },
    up: { decision: 2, successes: successesOf(spec.up, power) },
  };
}

function resolveBonus(spec: BonusStepSpec, power: number): ResolvedBonus {
  const chance = { decision: 0, successes: successesOf(spec.chance, power) };
  let above = spec.sides;
  const rungs = spec.ladder.map(({ atLeast = 1 }) => {
    const values = above - (atLeast - 1);
    above = atLeast - 1;
    return values;
  });
  return { kind: "bonus", spec, chance, ladder: 1, rungs };
}

function resolveSlots(spec: SlotsStepSpec, reading: SlotReading): ResolvedSlots {
  const gate =
    spec.chance === undefined ? undefined : { decision: 0, successes: successesOf(spec.chance, reading.power) };
  const names = spec.slots.map(({ slot }) => slot);
  let next = gate === undefined ? 0 : 1;
  const slots = spec.slots.map((slot, index) => {
    const resolved = resolveSlot(slot, { ...reading, index, names, first: next });
    next = resolved.pick + 1;
    return resolved;
  });
  return { kind: "slots", spec, gate, opened: slots.some(({ requested }) => requested !== undefined), slots };
}

import type { AtOptions, BulkOptions } from "../calls/index.js";
import type { TablesInput } from "./parse/rows.js";
import type { BonusStepSpec, ConditionStepSpec, SlotSpec, SlotsStepSpec } from "./parse/steps.js";
import type { RecipeSpec } from "./parse.js";

export type { TablesInput, WordInput, WordStatus } from "./parse/rows.js";
export type {
  BonusStepSpec,
  ChanceSpec,
  ConditionStepSpec,
  RungSpec,
  SlotSpec,
  SlotsStepSpec,
  SpecialSpec,
  StepSpec,
  SwingSpec,
} from "./parse/steps.js";
export type { RecipeSpec, StatSpec } from "./parse.js";

/** A recipe: the name of a shipped recipe, an object, or a spec that `parseRecipe` returned. */
export type RecipeInput = string | RecipeSpec;

/** Options of a recipe that a mill opens. */
export interface RecipeOptions {
  /** The word tables, parsed or not. Default for a shipped recipe: the tables that ship with it. */
  readonly tables?: TablesInput | WordTables | undefined;
  /** The file that the recipe came from. Messages name it. */
  readonly file?: string | undefined;
}

// ── options of calls ──

/** Options that affect how an item is made. */
export interface ItemOptions {
  /** The tier of words for slots with `tiers`, 0 … 255. Tier 0 allows all words. Default 0. */
  readonly tier?: number | undefined;
  /** If above 0, slots with `tiers` may also pick words of nearby tiers (see {@link SlotSpec.tiers}). Default 0. */
  readonly tierVariance?: number | undefined;
  /** Every chance roll is multiplied by this factor, ≥ 0. The factor is exact: 0.1 is 1/10. Default 1. */
  readonly power?: number | undefined;
  /** The requested words, by slot. */
  readonly request?: { readonly [slot: string]: string } | undefined;
  /** What to do if a requested word does not exist: "roll" the slot as usual, or "throw". Default "roll". */
  readonly onUnknownRequest?: "roll" | "throw" | undefined;
}

export const ITEM_OPTIONS = ["tier", "tierVariance", "power", "request", "onUnknownRequest"] as const;

/** Options of a call that makes one item. */
export interface MakeOptions extends ItemOptions, AtOptions {}

/** Options of a call that makes many items. */
export interface MakeManyOptions extends ItemOptions, BulkOptions {}

/** Options of a call that computes exact odds. */
export interface ItemOddsOptions<Of extends string = string> extends ItemOptions {
  /** The part of the recipe: the name of a slot, a condition or a bonus, or "strength". */
  readonly of: Of;
}

/** Options of a call that counts results. */
export interface ItemCountOptions<Of extends string = string> extends MakeManyOptions {
  /** The part of the recipe: the name of a slot, a condition or a bonus, or "strength". */
  readonly of: Of;
}

/** The strength has numbers. All other results are texts: words, outcomes of a condition, texts of rungs. */
export type ItemResult<Of extends string> = Of extends "strength" ? number : string;

// ── results ──

/** The slots with a request. Both lists are in the order of the recipe. */
export interface RequestReport {
  /** Slots whose requested word exists. Every item has this word. */
  readonly met: readonly string[];
  /** Slots whose requested word does not exist. They were rolled as usual. */
  readonly unknown: readonly string[];
}

/** An item without its origin, as in a world. A stat prints as its exact decimal value. */
export type ItemContent<Stat extends string = string> = {
  readonly name: string;
  readonly requests: RequestReport;
} & (string extends Stat ? { readonly [stat: string]: unknown } : { readonly [Name in Stat]: number });

/**
 * An item with its origin. The recipe makes the item again from the seed, the name under which it was opened, its forks,
 * the index and the options of the call.
 */
export type ItemRow<Stat extends string = string, Slot extends string = string> = ItemContent<Stat> & {
  /** The word of each slot; null for an empty slot. */
  readonly words: { readonly [Name in Slot]: string | null };
  /** For each slot, the id of the word's row in the table of the slot; null for an empty slot. */
  readonly ids: { readonly [Name in Slot]: number | null };
  /** The outcome of each condition ("up", "down" or "doubled") and each bonus (the text of its rung; null for none). */
  readonly outcomes: { readonly [step: string]: string | null };
  readonly index: number;
  /** The seed of the mill, as text. */
  readonly seed: string;
};

/** The names of a recipe's stats: a union if the recipe is written as a literal, otherwise string. */
export type StatOf<Input> = Input extends { readonly stats: readonly { readonly name: infer Name extends string }[] }
  ? Name
  : string;

/** The names of a recipe's slots: a union if the recipe is written as a literal, otherwise string. */
export type SlotOf<Input> = Input extends { readonly steps: readonly (infer Step)[] }
  ? Step extends { readonly slots: readonly { readonly slot: infer Slot extends string }[] }
    ? Slot
    : never
  : string;

// ── what parsers return ──

/** A word of a table. */
export interface WordRow {
  /** A positive integer. Rows are in ascending order of ids. */
  readonly id: number;
  readonly word: string;
  /** Whether a random pick can choose the word. A request can choose any word. */
  readonly active: boolean;
  /** 0 … 255; 0 if the row has no tier. */
  readonly tier: number;
  /** The numbers that the word adds, by stat, and the weight under the name of the weight column. */
  readonly stats: { readonly [stat: string]: number };
}

/** A table of accepted words, ordered by id. No two rows have the same word. */
export interface WordTable {
  readonly name: string;
  readonly rows: readonly WordRow[];
}

/** The word tables of a recipe, by name. */
export type WordTables = ReadonlyMap<string, WordTable>;

/** A parsed recipe and its parsed word tables. */
export interface RecipeSource {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
}

// ── a resolved recipe: the options of a call are applied ──

/** A roll 0 … 100 of a step. The value k succeeds if k ≥ 101 − successes. */
export interface Roll {
  /** Number of this decision in the step, 0 … 15. It selects the plane of random words. */
  readonly decision: number;
  /** How many of the 101 values succeed at the power of the call. */
  readonly successes: number;
}

/** The words that a slot can pick with one tier variance. A roll 0 … 100, called the swing, selects the variant. */
export interface Variant {
  /** Smallest value of the swing that selects the variant, 0 … 100. */
  readonly atLeast: number;
  /** How many of the swing's 101 values select the variant. */
  readonly successes: number;
  readonly variance: number;
  /** Rows of weight above 0, ascending; at least one. */
  readonly candidates: readonly number[];
}

/** A word of a slot's table, and whether it fills the slot as the slot's special word. */
export interface Choice {
  readonly row: number;
  readonly special: boolean;
}

export interface ResolvedSlot {
  readonly spec: SlotSpec;
  readonly index: number;
  readonly table: WordTable;
  /** By row; 0 for inactive rows. Integers without a common factor, of at most 2^32 − 1 in total. */
  readonly weights: readonly number[];
  /** The requested word, if it exists. Then `chance`, `special` and `pick` are not used, and there are no variants. */
  readonly requested: Choice | undefined;
  /** The decision that selects the variant. Undefined for a slot without tiers. */
  readonly swing: number | undefined;
  readonly chance: Roll | undefined;
  readonly special: { readonly roll: Roll; readonly row: number; readonly strength: number } | undefined;
  /** The decision that picks the word at random. */
  readonly pick: number;
  /** In descending order of `atLeast`. The last variant has `atLeast` 0. Only one if the tier does not vary. */
  readonly variants: readonly Variant[];
  /** Index, in the step, of the slot that `after` names. */
  readonly after: number | undefined;
  /** Index, in the step, of the slot that `differentFrom` names. */
  readonly differentFrom: number | undefined;
}

export interface ResolvedSlots {
  readonly kind: "slots";
  readonly spec: SlotsStepSpec;
  /** The roll that opens the step. Undefined if the step is always open. */
  readonly gate: Roll | undefined;
  /** Whether a request opens the step, whatever the gate's roll. */
  readonly opened: boolean;
  readonly slots: readonly ResolvedSlot[];
}

export interface ResolvedCondition {
  readonly kind: "condition";
  readonly spec: ConditionStepSpec;
  /** The decision that selects the amount (docs/determinism.md, "Recipe"). */
  readonly amount: number;
  readonly doubled: Roll;
  readonly up: Roll;
}

export interface ResolvedBonus {
  readonly kind: "bonus";
  readonly spec: BonusStepSpec;
  readonly chance: Roll;
  /** The decision of the ladder's roll. */
  readonly ladder: number;
  /** For each rung, how many of the values 1 … `spec.sides` of the ladder's roll select the rung. */
  readonly rungs: readonly number[];
}

export type ResolvedStep = ResolvedSlots | ResolvedCondition | ResolvedBonus;

/** Determines the odds and the kernel's program. */
export interface Resolved extends RecipeSource {
  readonly steps: readonly ResolvedStep[];
  readonly requests: RequestReport;
}

// ── the plan ──

/**
 * The place of a stat in the kernel: a lane of a group. The kernel adds all stats of a group at once. A group has
 * sixteen narrow stats (16 bits) or eight wide stats (32 bits). The kernel's unit for the stat is 10^−decimals.
 */
export interface StatPlace {
  readonly name: string;
  readonly decimals: number;
  /** Largest magnitude of the stat after any step, in the kernel's units. */
  readonly most: number;
  /** Whether the stat always fits 16 bits. */
  readonly narrow: boolean;
  /** Size in bytes of the integers in which the kernel sums the stat: 1 if the sums of all narrow stats fit 8 bits. */
  readonly width: 1 | 2 | 4;
  readonly group: number;
  readonly lane: number;
  /** In the kernel's units. */
  readonly clamp: readonly [least: number, most: number] | undefined;
}

/** What a column adds to stats, in their units: for each of its values, the number to add to each stat. */
export interface Adder {
  readonly column: number;
  readonly values: readonly ReadonlyMap<string, number>[];
}

/** The values a and b of two columns become the value a · `size` + b of the column `into`. `second` has `size` values. */
export interface Merge {
  readonly into: number;
  readonly first: number;
  readonly second: number;
  readonly size: number;
}

/** The kernel computes round(|stat| · share) without fractions, as ⌊(|stat| · multiplier + addend) / divisor⌋. */
export interface ShareRounding {
  readonly multiplier: number;
  readonly addend: number;
  readonly divisor: number;
  /** If not 0, ⌊(|stat| · fraction + 2^14) / 2^15⌋ is the same for every stat, and one instruction. */
  readonly fraction: number;
}

export interface ConditionPlan {
  readonly name: string;
  readonly stat: StatPlace;
  readonly rounding: ShareRounding;
  /** The adders of later steps to the stat. The kernel sums all adders first, so the condition subtracts these. */
  readonly later: readonly Adder[];
}

/** A part of every name. An item's value in the column selects one of the texts. */
export interface NameSegment {
  readonly column: string;
  readonly texts: readonly string[];
}

/** Everything that is the same under all options. */
export interface RecipePlan extends RecipeSource {
  /** By slot, condition, bonus, and gate of a step that can be open and have no words. */
  readonly columns: ReadonlyMap<string, number>;
  /** For each slot, the texts of {@link words}, with "" for null. */
  readonly vocabulary: Readonly<Record<string, readonly string[]>>;
  /** For each slot, by value of its column: null, then the words by id, then the special's word. */
  readonly words: Readonly<Record<string, readonly (string | null)[]>>;
  /** As {@link words}, with the ids of the rows. */
  readonly ids: Readonly<Record<string, readonly (number | null)[]>>;
  /** For each condition and bonus, what the values of its column stand for. null stands for no bonus. */
  readonly outcomes: Readonly<Record<string, readonly (string | null)[]>>;
  readonly stats: readonly StatPlace[];
  readonly groups: number;
  /** The adders after merging, one list for each segment of steps. A segment ends before a condition. */
  readonly adders: readonly (readonly Adder[])[];
  /** For each segment, the merges that compute the merged columns of its adders. */
  readonly merges: readonly (readonly Merge[])[];
  readonly columnCount: number;
  readonly conditions: readonly ConditionPlan[];
  readonly names: readonly NameSegment[];
  readonly usual: Resolved;
}

import type { AtOptions, BulkOptions } from "../calls/index.js";

// ── the input ──

/**
 * The condition under which a roll succeeds. A roll is an integer 0 … 100, all 101 equally likely, times the power of
 * the call. For example, `atLeast: 95` at power 1 succeeds for the values 95 … 100, which are 6 of 101.
 */
export type ChanceSpec = { readonly atLeast: number } | { readonly above: number };

/** A stat: a number that every item has. */
export interface StatSpec {
  readonly name: string;
  /** Range of the final number, both ends inclusive. */
  readonly clamp?: readonly [least: number, most: number];
}

/** A word that fills a slot instead of a random word if a separate roll succeeds. Its row need not be active. */
export interface SpecialSpec {
  readonly word: string;
  readonly chance: ChanceSpec;
  readonly strength: number;
}

/**
 * Maximum distance (`variance`) from the tier of the call, if a roll 0 … 100 is at least `atLeast`. Power does not
 * scale the roll.
 */
export interface SwingSpec {
  readonly atLeast: number;
  readonly variance: number;
}

/** A slot for one word of a table. */
export interface SlotSpec {
  /** Name of the slot in requests, odds and columns. */
  readonly slot: string;
  /** Name of the word table that fills the slot. */
  readonly table: string;
  /** The roll that fills the slot. Without it, the slot is filled whenever its step is open. */
  readonly chance?: ChanceSpec;
  /** The number that a filled slot adds to the strength stat. */
  readonly strength: number;
  /** Text before the word in the item's name, such as "& ". */
  readonly text?: string;
  readonly special?: SpecialSpec;
  /**
   * Name of an earlier slot of the same step. This slot is filled only if that one got a random word, and cannot be
   * requested.
   */
  readonly after?: string;
  /** Name of an earlier slot with the same step and table. This slot never repeats the word of that one. */
  readonly differentFrom?: string;
  /**
   * Makes the words depend on the tier of the call. If the call has a tier variance, a roll selects the first entry
   * whose `atLeast` it reaches; otherwise the variance is 0. The entries are in descending order of `atLeast`.
   */
  readonly tiers?: readonly SwingSpec[];
}

/**
 * A step of slots that belong together. If it has a chance, one roll opens all its slots. A request for one of its
 * slots also opens the step, if the requested word exists.
 */
export interface SlotsStepSpec {
  readonly kind: "slots";
  readonly name: string;
  readonly chance?: ChanceSpec;
  /** Text before the words of an open step in the item's name, such as "of ". */
  readonly text?: string;
  readonly slots: readonly SlotSpec[];
}

/**
 * Doubles, raises or lowers the value that a stat has so far. If the roll `doubled` succeeds, doubles the stat.
 * Otherwise adds an amount if the roll `up` succeeds, or subtracts it. The amount is a uniform integer from 0 to
 * round(stat · share), with halves rounded away from zero; both have the sign of the stat.
 */
export interface ConditionStepSpec {
  readonly kind: "condition";
  readonly name: string;
  readonly stat: string;
  readonly share: number;
  readonly doubled: ChanceSpec;
  readonly up: ChanceSpec;
}

/** A rung of a bonus ladder. A roll of at least `atLeast` selects it. The last rung has no `atLeast`. */
export interface RungSpec {
  readonly atLeast?: number;
  /** Text at the end of the item's name, such as "+5". */
  readonly text: string;
  readonly add: { readonly [stat: string]: number };
}

/**
 * A bonus with a chance. A roll 1 … sides, which power does not scale, selects the first rung whose `atLeast` it
 * reaches.
 */
export interface BonusStepSpec {
  readonly kind: "bonus";
  readonly name: string;
  readonly chance: ChanceSpec;
  readonly sides: number;
  /** The rungs, in descending order of `atLeast`. */
  readonly ladder: readonly RungSpec[];
}

/** A step of a recipe. docs/determinism.md lists its decisions. */
export type StepSpec = SlotsStepSpec | ConditionStepSpec | BonusStepSpec;

/** A recipe for items: stats, and steps that fill slots and change stats, in order. */
export interface RecipeSpec {
  readonly stats: readonly StatSpec[];
  /** Name of the stat to which every filled slot adds its strength. */
  readonly strength: string;
  readonly steps: readonly StepSpec[];
}

/** A recipe: the name of a shipped recipe, an object, or a spec that `parseRecipe` returned. */
export type RecipeInput = string | RecipeSpec;

/**
 * A row of a word table. Additional keys are names of stats with the numbers that the word adds to them. Rows with the
 * status "proposed" are ignored, except by `rollmill recipe word` and its functions.
 */
export interface WordInput {
  readonly id: number;
  readonly word: string;
  readonly active?: boolean | 0 | 1;
  readonly status?: "accepted" | "proposed";
  readonly tier?: number;
  readonly [stat: string]: unknown;
}

/** Word tables: maps the name of each table to its rows. */
export interface TablesInput {
  readonly [table: string]: readonly WordInput[];
}

/** Options of a recipe that a mill opens. */
export interface RecipeOptions {
  /** The word tables, parsed or not. Default: those that ship with the recipe. */
  readonly tables?: TablesInput | WordTables | undefined;
  /** The file that the recipe came from, for messages. */
  readonly file?: string | undefined;
}

// ── options of calls ──

/** Options of the items to make. */
export interface ItemOptions {
  /** The tier, 0 … 255; 0 stands for any tier. Default 0. */
  readonly tier?: number | undefined;
  /** If above 0, the tier may vary by the `tiers` of the slot. Default 0. */
  readonly tierVariance?: number | undefined;
  /** Factor of all rolls, ≥ 0. It stands for its shortest decimal form, exactly. Default 1. */
  readonly power?: number | undefined;
  /** Maps slots to requested words. */
  readonly request?: { readonly [slot: string]: string } | undefined;
  /** What to do if a requested word does not exist: "roll" the slot as usual, or "throw". Default "roll". */
  readonly onUnknownRequest?: "roll" | "throw" | undefined;
}

/**
 * The name of the strength stat in {@link ItemOddsOptions} and {@link ItemCountOptions}. No slot, condition or bonus
 * may have it.
 */
export const STRENGTH = "strength";

/**
 * Number of planes of random words for a step. Each decision reads one plane, so it is also the maximum of decisions.
 */
export const STEP_PLANES = 16;

/** The names of {@link ItemOptions}, for checkOptions. */
export const ITEM_OPTIONS = ["tier", "tierVariance", "power", "request", "onUnknownRequest"] as const;

/** Options of a call that makes one item. */
export interface MakeOptions extends ItemOptions, AtOptions {}

/** Options of a call that makes many items. */
export interface MakeManyOptions extends ItemOptions, BulkOptions {}

/** Options of exact odds. */
export interface ItemOddsOptions<Of extends string = string> extends ItemOptions {
  /** The name of a slot, of a condition or of a bonus; or "strength". */
  readonly of: Of;
}

/** Options of a count. */
export interface ItemCountOptions<Of extends string = string> extends MakeManyOptions {
  /** The name of a slot, of a condition or of a bonus; or "strength". */
  readonly of: Of;
}

/**
 * A result in odds and counts: a number for the strength; otherwise a word, an outcome of a condition or the text of a
 * rung.
 */
export type ItemResult<Of extends string> = Of extends "strength" ? number : string;

// ── results ──

/** The requests that were met and those that were not: names of slots, in the order of the recipe. */
export interface RequestReport {
  /** Slots whose requested word exists. Every item has this word. */
  readonly met: readonly string[];
  /** Slots whose requested word does not exist. They were rolled as usual. */
  readonly unknown: readonly string[];
}

/** An item: its name, its stats as numbers in their shortest decimal form, and which requests were met. */
export interface ItemRow {
  readonly name: string;
  readonly requests: RequestReport;
  readonly [stat: string]: unknown;
}

// ── what parsers return ──

/** A word of a table. */
export interface WordRow {
  /** A positive integer. Rows are in ascending order of ids. */
  readonly id: number;
  readonly word: string;
  /** Whether a random pick can choose the word. A request can choose any word. */
  readonly active: boolean;
  /** 0 if the table has no tiers. */
  readonly tier: number;
  /** Maps stats to the numbers that the word adds to them. A missing stat stands for 0. */
  readonly stats: { readonly [stat: string]: number };
}

/** A table of accepted words, ordered by id. No two rows have the same word. */
export interface WordTable {
  readonly name: string;
  readonly rows: readonly WordRow[];
}

/** Maps names to the word tables of a recipe. */
export type WordTables = ReadonlyMap<string, WordTable>;

/** A parsed recipe and its parsed word tables. */
export interface RecipeSource {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
}

// ── a resolved recipe: the options of a call are applied ──

/** A roll 0 … 100 of a step: value k succeeds if k ≥ 101 − successes. */
export interface Roll {
  /** Number of the decision in its step, 0 … 15. */
  readonly decision: number;
  /** How many of the 101 values succeed at the power of the call. */
  readonly successes: number;
}

/** The candidates of a slot for a range of values of its swing, the roll that selects the tier variance. */
export interface Variant {
  /** Least value of the swing that selects the variant, 0 … 100. */
  readonly atLeast: number;
  /**
   * How many of the swing's 101 values select the variant: the values from `atLeast` to the previous variant's
   * `atLeast` − 1.
   */
  readonly successes: number;
  readonly variance: number;
  /** Indices of rows of the table, ascending and at least one. All are equally likely. */
  readonly candidates: readonly number[];
}

/** A word of a slot's table, and whether it fills the slot as the special. */
export interface Choice {
  /** Index of the row in the table. */
  readonly row: number;
  readonly special: boolean;
}

/** A resolved slot. */
export interface ResolvedSlot {
  readonly spec: SlotSpec;
  /** Index of the slot in the step. */
  readonly index: number;
  readonly table: WordTable;
  /** The requested word, if it exists. The item then ignores `chance`, `special` and `pick`. */
  readonly requested: Choice | undefined;
  /** Decision number of the swing; undefined for a slot without tiers. */
  readonly swing: number | undefined;
  readonly chance: Roll | undefined;
  readonly special: { readonly roll: Roll; readonly row: number; readonly strength: number } | undefined;
  /** Decision number of the random pick. */
  readonly pick: number;
  /**
   * The variants, in descending order of `atLeast`; the last has 0. There is one variant if the tier does not vary, and
   * none if the slot is requested.
   */
  readonly variants: readonly Variant[];
  /**
   * Index, in the step, of the slot that must get a random word first (`after` of the spec); undefined for no such
   * slot.
   */
  readonly after: number | undefined;
  /** Index, in the step, of the slot whose row is not a candidate; undefined for no such slot. */
  readonly differentFrom: number | undefined;
}

/** A resolved step of slots. */
export interface ResolvedSlots {
  readonly kind: "slots";
  readonly spec: SlotsStepSpec;
  /** The roll that opens the step; undefined for a step that is always open. */
  readonly gate: Roll | undefined;
  /** Whether a request opens the step. The gate's roll is then ignored. */
  readonly opened: boolean;
  readonly slots: readonly ResolvedSlot[];
}

/** A resolved condition. */
export interface ResolvedCondition {
  readonly kind: "condition";
  readonly spec: ConditionStepSpec;
  /** Decision number of the amount. */
  readonly amount: number;
  readonly doubled: Roll;
  /** If the stat is not doubled, this roll decides: success raises the stat, failure lowers it. */
  readonly up: Roll;
}

/** A resolved bonus. */
export interface ResolvedBonus {
  readonly kind: "bonus";
  readonly spec: BonusStepSpec;
  readonly chance: Roll;
  /** Decision number of the ladder's roll. */
  readonly ladder: number;
  /** How many of the values 1 … sides select each rung. */
  readonly rungs: readonly number[];
}

/** A resolved step. */
export type ResolvedStep = ResolvedSlots | ResolvedCondition | ResolvedBonus;

/** A resolved recipe. It determines the odds and the kernel's program. */
export interface Resolved extends RecipeSource {
  /** One resolved step for each step of the recipe, in the same order. */
  readonly steps: readonly ResolvedStep[];
  readonly requests: RequestReport;
}

// ── the plan ──

/**
 * The place of a stat in the kernel: a lane of a group. A group has sixteen narrow stats (i16) or eight wide stats
 * (i32). The numbers that words add to narrow stats are summed in i8, if i8 is wide enough for all narrow stats.
 */
export interface StatPlace {
  readonly name: string;
  /** Number of decimal places. The kernel's unit for the stat is 10^−decimals. */
  readonly decimals: number;
  /** Largest magnitude of the stat after any step, in units. */
  readonly most: number;
  readonly narrow: boolean;
  /** Size, in bytes, of the integers that sum the numbers of its words. */
  readonly width: 1 | 2 | 4;
  readonly group: number;
  readonly lane: number;
  /** Range of the final value, in units. */
  readonly clamp: readonly [least: number, most: number] | undefined;
}

/** The numbers that a column adds to stats: `values[v]` maps stats to the numbers, in units, that the value v adds. */
export interface Adder {
  readonly column: number;
  readonly values: readonly ReadonlyMap<string, number>[];
}

/** Combines two columns into one: `into` = `first` · `size` + `second`, where `second` has `size` values. */
export interface Merge {
  readonly into: number;
  readonly first: number;
  readonly second: number;
  readonly size: number;
}

/**
 * Integers that compute the largest amount of a condition: round(|stat| · share) = ⌊(|stat| · multiplier + addend) /
 * divisor⌋.
 */
export interface ShareRounding {
  readonly multiplier: number;
  readonly addend: number;
  readonly divisor: number;
  /** An integer for which ⌊(|stat| · fraction + 2^14) / 2^15⌋ is equal for every possible stat; 0 if there is none. */
  readonly fraction: number;
}

/** A condition in the kernel's form. */
export interface ConditionPlan {
  readonly name: string;
  readonly stat: StatPlace;
  readonly rounding: ShareRounding;
  /** The adders of later steps that add to the stat. */
  readonly later: readonly Adder[];
}

/** A compiled recipe: everything that is the same under all options. */
export interface RecipePlan extends RecipeSource {
  /** Maps names to the numbers of columns: each slot, each outcome, and each gate that its slots do not show. */
  readonly columns: ReadonlyMap<string, number>;
  /**
   * Maps each slot to its texts: "", then the words of its table in the order of their ids, then the special's word.
   */
  readonly vocabulary: Readonly<Record<string, readonly string[]>>;
  readonly stats: readonly StatPlace[];
  /** Number of groups of stats. */
  readonly groups: number;
  /** The merged adders: one list for each stretch, the steps up to the next condition or to the end of the recipe. */
  readonly adders: readonly (readonly Adder[])[];
  /** The merges that compute the columns of the adders, for each stretch. */
  readonly merges: readonly (readonly Merge[])[];
  /** Number of columns in the kernel, including merged columns. */
  readonly columnCount: number;
  /** The conditions, in the order of the recipe. */
  readonly conditions: readonly ConditionPlan[];
  /** The recipe resolved with default options. */
  readonly usual: Resolved;
}

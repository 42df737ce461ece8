import type { AtOptions, BulkOptions } from "../calls/index.js";

// ── the input ──

/**
 * The condition under which a roll succeeds. A roll draws an integer 0 … 100, all equally likely, and multiplies it by
 * the power of the call. It succeeds if the product is at least `atLeast`, or greater than `above`. For example,
 * `atLeast: 95` at power 1 succeeds for the values 95 … 100, which are 6 of 101.
 */
export type ChanceSpec = { readonly atLeast: number } | { readonly above: number };

/** A stat: a number that every item has. */
export interface StatSpec {
  readonly name: string;
  /** Range of the final number, both ends inclusive. */
  readonly clamp?: readonly [least: number, most: number];
}

/**
 * The special word of a slot. If a separate roll succeeds, this word fills the slot instead of a random word. It may be
 * the word of an inactive row.
 */
export interface SpecialSpec {
  readonly word: string;
  readonly chance: ChanceSpec;
  /** The number that the special adds to the strength stat. It replaces the `strength` of the slot. */
  readonly strength: number;
}

/** An entry of the `tiers` of a slot. Power does not scale the roll that selects an entry. */
export interface SwingSpec {
  readonly atLeast: number;
  readonly variance: number;
}

/** A slot for one word of a table. */
export interface SlotSpec {
  /** The slot in requests, odds and columns. */
  readonly slot: string;
  /** Name of the word table that fills the slot. */
  readonly table: string;
  /** The roll that fills the slot. Without a `chance`, the slot is filled whenever its step is open. */
  readonly chance?: ChanceSpec;
  /** The number that a filled slot adds to the strength stat. */
  readonly strength: number;
  /** Text before the word in the item's name, such as "& ". */
  readonly text?: string;
  readonly special?: SpecialSpec;
  /**
   * An earlier slot of the same step. This slot is filled only if the earlier slot has a random word. A call cannot
   * request a word for this slot.
   */
  readonly after?: string;
  /**
   * An earlier slot of the same step with the same table. A random word of this slot is never the word of the earlier
   * slot.
   */
  readonly differentFrom?: string;
  /**
   * Makes the slot pick words by the tier of the call. Tier 0 allows all words. If the `tierVariance` of the call is
   * above 0, a roll 0 … 100 selects the first entry whose `atLeast` is at most the roll. The `variance` of this entry
   * is the largest allowed distance from the tier, or 0 if the roll selects no entry. The entries must be in descending
   * order of `atLeast`.
   */
  readonly tiers?: readonly SwingSpec[];
}

/**
 * A step with slots. If the step has a chance, a roll decides whether the step is open. The slots of a closed step stay
 * empty. A request for a slot opens its step, if the requested word exists.
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
 * Changes the value that a stat has after all earlier steps. If the roll `doubled` succeeds, the stat is doubled.
 * Otherwise a random amount is added if the roll `up` succeeds, and subtracted if it fails. The amount is a uniform
 * integer from 0 to round(stat · share), both inclusive. Halves are rounded away from zero. For a negative stat the
 * amount is negative or 0.
 */
export interface ConditionStepSpec {
  readonly kind: "condition";
  readonly name: string;
  readonly stat: string;
  /** Largest amount as a share of the stat, ≥ 0. */
  readonly share: number;
  readonly doubled: ChanceSpec;
  readonly up: ChanceSpec;
}

/** One possible result of a bonus. The last rung has no `atLeast`: it is selected if the roll is below all others. */
export interface RungSpec {
  readonly atLeast?: number;
  /** Text at the end of the item's name, such as "+5". */
  readonly text: string;
  /** The numbers that the rung adds, by stat. */
  readonly add: { readonly [stat: string]: number };
}

/**
 * A bonus that an item gets if the roll `chance` succeeds. A second roll 1 … sides then selects the first rung whose
 * `atLeast` is at most the roll. Power does not scale the second roll.
 */
export interface BonusStepSpec {
  readonly kind: "bonus";
  readonly name: string;
  readonly chance: ChanceSpec;
  readonly sides: number;
  /** In descending order of `atLeast`. */
  readonly ladder: readonly RungSpec[];
}

/** A step of a recipe. Section 5 of docs/determinism.md lists the random decisions of each kind. */
export type StepSpec = SlotsStepSpec | ConditionStepSpec | BonusStepSpec;

/** A recipe for items: stats, and steps that fill slots and change stats, in order. */
export interface RecipeSpec {
  readonly stats: readonly StatSpec[];
  /** Name of the stat to which every filled slot adds its strength. */
  readonly strength: string;
  /**
   * Name of the weight column of the word tables. A weight is a decimal ≥ 0. The chance of a word in a random pick is
   * proportional to its weight. Words without a weight have the weight 1. A word of weight 0 is never picked at random,
   * but a request can choose it. Default: the column `weight`. Exception: if a stat is called `weight`, the default is
   * no weight column, and all words have the weight 1.
   */
  readonly weight?: string;
  readonly steps: readonly StepSpec[];
}

/** A recipe: the name of a shipped recipe, an object, or a spec that `parseRecipe` returned. */
export type RecipeInput = string | RecipeSpec;

/** The status of a word. Recipes use accepted words only. */
export type WordStatus = "accepted" | "proposed" | "rejected";

export const WORD_STATUSES = ["accepted", "proposed", "rejected"] as const;

/**
 * A row of a word table. An additional key is the recipe's weight column or a stat: then the value is the number that
 * the word adds to the stat. A recipe uses only rows with the status "accepted", which is the default.
 */
export interface WordInput {
  readonly id: number;
  readonly word: string;
  readonly active?: boolean | 0 | 1;
  readonly status?: WordStatus;
  readonly tier?: number;
  /** The person who proposed the word. */
  readonly proposer?: string;
  /** The time of the proposal, in ISO 8601 and UTC, such as `2026-11-22T06:00:00.000Z`. */
  readonly proposed?: string;
  readonly [stat: string]: unknown;
}

/** The rows of each word table, by table name. */
export interface TablesInput {
  readonly [table: string]: readonly WordInput[];
}

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

/** The kind of parsed recipes, for `isParsed`. */
export const RECIPE_SPEC = "recipe spec";

/** Names the strength stat in odds and counts. No slot, condition or bonus may have this name. */
export const STRENGTH = "strength";

/** Planes of random words for each step. Each decision of a step reads a separate plane. */
export const STEP_PLANES = 16;

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

/**
 * A result in odds and counts. Results of the strength are numbers. All other results are texts: words of a slot,
 * outcomes of a condition, or texts of bonus rungs.
 */
export type ItemResult<Of extends string> = Of extends "strength" ? number : string;

// ── results ──

/** The slots with a request. Both lists are in the order of the recipe. */
export interface RequestReport {
  /** Slots whose requested word exists. Every item has this word. */
  readonly met: readonly string[];
  /** Slots whose requested word does not exist. They were rolled as usual. */
  readonly unknown: readonly string[];
}

/**
 * An item without its origin. The items of a world have this form. A stat prints as its exact decimal value.
 */
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
  /**
   * The weight of each row of the table, 0 for inactive rows: integers without a common factor, so equal weights are all
   * 1. Their total is at most 2^32 − 1.
   */
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

/**
 * The numbers that a column adds to stats, in the stats' units. For an item with the value v in this column,
 * `values[v]` has the number to add to each stat.
 */
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
  /**
   * Avoids the division: ⌊(|stat| · fraction + 2^14) / 2^15⌋ is the same for every possible stat, and one WebAssembly
   * instruction. 0 if no such integer was found.
   */
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
  /**
   * The column numbers of each slot, condition and bonus. A step of slots also has a column for its gate if the step can
   * be open and have no words.
   */
  readonly columns: ReadonlyMap<string, number>;
  /** For each slot, the texts of {@link words}, with "" for null. */
  readonly vocabulary: Readonly<Record<string, readonly string[]>>;
  /**
   * For each slot, what the values of its column stand for: null for an empty slot, then the words of the table in the
   * order of ids, then the special's word.
   */
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

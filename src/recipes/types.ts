import type { AtOptions, BulkOptions } from "../calls/index.js";

// ── what users write ──

/**
 * When a roll succeeds. A roll is an integer 0 … 100, all 101 equally likely, times the power of the call: `atLeast: 95` at
 * power 1 succeeds for 95 … 100, 6 of 101.
 */
export type ChanceSpec = { readonly atLeast: number } | { readonly above: number };

/** A number that an item has. */
export interface StatSpec {
  readonly name: string;
  /** The range of the final number, both ends included. */
  readonly clamp?: readonly [least: number, most: number];
}

/** A word that a roll of its own puts into a slot instead of a random one, active or not. */
export interface SpecialSpec {
  readonly word: string;
  readonly chance: ChanceSpec;
  readonly strength: number;
}

/** How far the tier may vary if a roll 0 … 100, not scaled by power, is at least `atLeast`. */
export interface SwingSpec {
  readonly atLeast: number;
  readonly variance: number;
}

/** A slot for one word of a table. */
export interface SlotSpec {
  /** The name of the slot in requests, odds and columns. */
  readonly slot: string;
  /** The word table that fills it. */
  readonly table: string;
  /** The roll that fills it; without one it is always filled. */
  readonly chance?: ChanceSpec;
  /** What a filled slot adds to the strength stat. */
  readonly strength: number;
  /** Text before the word in the item's name, such as "& ". */
  readonly text?: string;
  readonly special?: SpecialSpec;
  /** An earlier slot of the same step: this one is filled only if that one got a random word. It cannot be requested. */
  readonly after?: string;
  /** An earlier slot of the same step and the same table, whose word this one must not repeat. */
  readonly differentFrom?: string;
  /** Makes the slot depend on the tier of the call. A swing takes the first entry that it reaches, in descending order; else 0. */
  readonly tiers?: readonly SwingSpec[];
}

/** Slots that belong together. With a chance, one roll opens them all; so does a request for one of them that is met. */
export interface SlotsStepSpec {
  readonly kind: "slots";
  readonly name: string;
  readonly chance?: ChanceSpec;
  /** Text before the words of an open step in the item's name, such as "of ". */
  readonly text?: string;
  readonly slots: readonly SlotSpec[];
}

/**
 * Doubles, raises or lowers the value of a stat so far. The amount c is uniform on 0 … round(stat · share), half away from
 * zero (from that up to 0 for a negative stat). One roll may double the stat; else another adds or subtracts c.
 */
export interface ConditionStepSpec {
  readonly kind: "condition";
  readonly name: string;
  readonly stat: string;
  readonly share: number;
  readonly doubled: ChanceSpec;
  readonly up: ChanceSpec;
}

/** A rung of a bonus ladder: values of the roll from `atLeast` up take it. The last rung has no `atLeast`. */
export interface RungSpec {
  readonly atLeast?: number;
  /** Text at the end of the item's name, such as "+5". */
  readonly text: string;
  readonly add: { readonly [stat: string]: number };
}

/** A bonus from a ladder, with some chance: a roll 1 … sides, not scaled by power, takes the first rung that it reaches. */
export interface BonusStepSpec {
  readonly kind: "bonus";
  readonly name: string;
  readonly chance: ChanceSpec;
  readonly sides: number;
  /** In descending order of `atLeast`. */
  readonly ladder: readonly RungSpec[];
}

/** A step of a recipe. docs/determinism.md numbers its decisions. */
export type StepSpec = SlotsStepSpec | ConditionStepSpec | BonusStepSpec;

/** How to make an item: steps, in order, that fill slots and change stats. */
export interface RecipeSpec {
  readonly stats: readonly StatSpec[];
  /** The stat that every filled slot adds its strength to. */
  readonly strength: string;
  readonly steps: readonly StepSpec[];
}

/** A recipe: the name of a shipped one, an object, or what `parseRecipe` returned. */
export type RecipeInput = string | RecipeSpec;

/**
 * A row of a word table: further keys are numbers that the word adds to stats. Only `rollmill recipe word` and its functions
 * see a row whose status is "proposed".
 */
export interface WordInput {
  readonly id: number;
  readonly word: string;
  readonly active?: boolean | 0 | 1;
  readonly status?: "accepted" | "proposed";
  readonly tier?: number;
  readonly [stat: string]: unknown;
}

/** Word tables: lists of rows by table name. */
export interface TablesInput {
  readonly [table: string]: readonly WordInput[];
}

/** Options of a recipe, when a mill opens it. */
export interface RecipeOptions {
  /** The word tables, parsed or not. Default: those that ship with the recipe. */
  readonly tables?: TablesInput | WordTables | undefined;
  /** The file that the recipe came from, for messages. */
  readonly file?: string | undefined;
}

// ── options of calls ──

/** What items to make. */
export interface ItemOptions {
  /** The tier, 0 … 255; 0 is any. Default 0. */
  readonly tier?: number | undefined;
  /** Above 0, the tier may vary as the swings of the slot say. Default 0. */
  readonly tierVariance?: number | undefined;
  /** The exact factor of all rolls, ≥ 0, in its shortest decimal form. Default 1. */
  readonly power?: number | undefined;
  /** Requested words by slot. */
  readonly request?: { readonly [slot: string]: string } | undefined;
  /** If a requested word does not exist: roll the slot as usual, or throw. Default "roll". */
  readonly onUnknownRequest?: "roll" | "throw" | undefined;
}

/** How {@link ItemOddsOptions} and {@link ItemCountOptions} name the strength stat. No slot and no outcome may have this name. */
export const STRENGTH = "strength";

/** Planes of a step, and so its most decisions. */
export const STEP_PLANES = 16;

/** The names of {@link ItemOptions}, for checks of options. */
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

/** A result of odds and counts: a value of the strength; else a word, an outcome of a condition or the text of a rung. */
export type ItemResult<Of extends string> = Of extends "strength" ? number : string;

// ── results ──

/** Which requests were met: slots by name, in the order of the recipe. */
export interface RequestReport {
  /** Slots whose word exists: every item has it. */
  readonly met: readonly string[];
  /** Slots whose word does not exist: they were rolled as usual. */
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
  /** Positive integer; rows are in its order. */
  readonly id: number;
  readonly word: string;
  /** Whether random picks may choose it; requests may in any case. */
  readonly active: boolean;
  /** 0 if the table has no tiers. */
  readonly tier: number;
  /** What it adds to stats, by name; stats that are missing get 0. */
  readonly stats: { readonly [stat: string]: number };
}

/** A table of accepted words, ordered by id; words differ. */
export interface WordTable {
  readonly name: string;
  readonly rows: readonly WordRow[];
}

/** The word tables of a recipe, by name. */
export type WordTables = ReadonlyMap<string, WordTable>;

/** A recipe and its words, parsed. */
export interface RecipeSource {
  readonly spec: RecipeSpec;
  readonly tables: WordTables;
}

// ── a recipe for the options of a call ──

/** A roll 0 … 100 of a step: value k succeeds if k ≥ 101 − successes. */
export interface Roll {
  /** Its number in the step, 0 … 15. */
  readonly decision: number;
  /** How many of the 101 values succeed, at this power. */
  readonly successes: number;
}

/** The candidates of a slot for some values of its swing. */
export interface Variant {
  /** The least value of the swing that selects it, 0 … 100. */
  readonly atLeast: number;
  /** How many of the swing's 101 values select it: from `atLeast` up to the variant before. */
  readonly successes: number;
  readonly variance: number;
  /** Indices into the table's rows, ascending; never empty. All are equally likely. */
  readonly candidates: readonly number[];
}

/** A word of a slot's table, and whether it takes the slot as its special. */
export interface Choice {
  /** Index into the table's rows. */
  readonly row: number;
  readonly special: boolean;
}

/** A slot under some options. */
export interface ResolvedSlot {
  readonly spec: SlotSpec;
  /** Its index in the step. */
  readonly index: number;
  readonly table: WordTable;
  /** The requested word, if it exists: the slot then has no chance, special and pick. */
  readonly requested: Choice | undefined;
  /** The decision number of the swing; undefined for a slot without tiers. */
  readonly swing: number | undefined;
  readonly chance: Roll | undefined;
  readonly special: { readonly roll: Roll; readonly row: number; readonly strength: number } | undefined;
  /** The decision number of the pick. */
  readonly pick: number;
  /** In descending order of `atLeast`, the last with 0. A single one if no swing decides; none if the slot is requested. */
  readonly variants: readonly Variant[];
  /** Index, in the step, of the slot that must have a random word, if there is one. */
  readonly after: number | undefined;
  /** Index, in the step, of the slot whose row is not a candidate, if there is one. */
  readonly differentFrom: number | undefined;
}

/** A step of slots under some options. */
export interface ResolvedSlots {
  readonly kind: "slots";
  readonly spec: SlotsStepSpec;
  /** The roll that opens it; undefined for a step that is always open. */
  readonly gate: Roll | undefined;
  /** Whether a request that is met opens it, whatever the gate's roll. */
  readonly opened: boolean;
  readonly slots: readonly ResolvedSlot[];
}

/** A condition under some options. */
export interface ResolvedCondition {
  readonly kind: "condition";
  readonly spec: ConditionStepSpec;
  /** The decision number of c. */
  readonly amount: number;
  readonly doubled: Roll;
  /** Applies if the stat is not doubled. */
  readonly up: Roll;
}

/** A bonus under some options. */
export interface ResolvedBonus {
  readonly kind: "bonus";
  readonly spec: BonusStepSpec;
  readonly chance: Roll;
  /** The decision number of the ladder's roll. */
  readonly ladder: number;
  /** How many of the `sides` values take each rung. */
  readonly rungs: readonly number[];
}

/** A step under some options, at the recipe's index. */
export type ResolvedStep = ResolvedSlots | ResolvedCondition | ResolvedBonus;

/** A recipe under some options: its odds and its program follow from this. */
export interface Resolved extends RecipeSource {
  /** One for each step of the recipe, in its order. */
  readonly steps: readonly ResolvedStep[];
  readonly requests: RequestReport;
}

// ── the plan ──

/**
 * Where the kernel keeps a stat: a lane of a group of sixteen narrow stats (i16) or eight wide ones (i32). What words add to
 * narrow stats is summed in i8 if that is enough for all of them.
 */
export interface StatPlace {
  readonly name: string;
  /** Its unit is 10^−decimals. */
  readonly decimals: number;
  /** Its largest magnitude after any step, in units. */
  readonly most: number;
  readonly narrow: boolean;
  /** Bytes of the numbers in which its words are summed. */
  readonly width: 1 | 2 | 4;
  readonly group: number;
  readonly lane: number;
  /** In units. */
  readonly clamp: readonly [least: number, most: number] | undefined;
}

/** What a column adds to stats: `values[v]` is what its value v adds, in units. */
export interface Adder {
  readonly column: number;
  readonly values: readonly ReadonlyMap<string, number>[];
}

/** A column made of two others: first · `size` + second. The second has `size` values. */
export interface Merge {
  readonly into: number;
  readonly first: number;
  readonly second: number;
  readonly size: number;
}

/** The largest amount of a condition: round(|stat| · share) = ⌊(|stat| · multiplier + addend) / divisor⌋. */
export interface ShareRounding {
  readonly multiplier: number;
  readonly addend: number;
  readonly divisor: number;
  /** The same as ⌊(|stat| · fraction + 2^14) / 2^15⌋; 0 if no fraction gives it for every stat that can occur. */
  readonly fraction: number;
}

/** A condition as the kernel takes it. */
export interface ConditionPlan {
  readonly name: string;
  readonly stat: StatPlace;
  readonly rounding: ShareRounding;
  /** What later steps add to the stat. */
  readonly later: readonly Adder[];
}

/** A recipe as the kernel takes it: what is the same under all options. */
export interface RecipePlan extends RecipeSource {
  /** The numbers of the columns by name: each slot, each outcome, and each gate that no slot shows. */
  readonly columns: ReadonlyMap<string, number>;
  /** By slot: "", the words of its table by id, and the special's word once more. */
  readonly vocabulary: Readonly<Record<string, readonly string[]>>;
  readonly stats: readonly StatPlace[];
  /** Groups of stats. */
  readonly groups: number;
  /** Merged adders: a list for each stretch of steps that ends in a condition or with the recipe. */
  readonly adders: readonly (readonly Adder[])[];
  /** How the columns of the adders are made of others, for each stretch. */
  readonly merges: readonly (readonly Merge[])[];
  /** Columns in the kernel, merged ones included. */
  readonly columnCount: number;
  /** In the order of the recipe. */
  readonly conditions: readonly ConditionPlan[];
  /** The recipe under default options. */
  readonly usual: Resolved;
}

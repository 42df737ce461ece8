import type { AtOptions, BulkOptions } from "../calls/index.js";
import type { TablesInput } from "./parse/rows.js";
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

/** Options that affect how an item is made. */
export interface ItemOptions {
  /** The tier of words for slots with `tiers`, 0 … 255. Tier 0 allows all words. Default 0. */
  readonly tier?: number | undefined;
  /**
   * If above 0, slots with `tiers` may also pick words of nearby tiers (see the field `tiers` of a slot). Default 0.
   */
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

/** The results of the strength are numbers. All other results are texts: words, outcomes, texts of rungs. */
export type ItemResult<Of extends string> = Of extends "strength" ? number : string;

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

/** An item with its origin. From the seed, name, forks, index and options, the recipe makes the same item again. */
export type ItemRow<Stat extends string = string, Slot extends string = string> = ItemContent<Stat> & {
  /** The word of each slot; null for an empty slot. */
  readonly words: { readonly [Name in Slot]: string | null };
  /** For each slot, the id of the word's row in the table of the slot; null for an empty slot. */
  readonly ids: { readonly [Name in Slot]: number | null };
  /** The outcome of each condition ("up", "down" or "doubled") and each bonus (its rung's text; null for no bonus). */
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

/** A word of a table. */
export interface WordRow {
  /** A positive integer. Rows are in ascending order of ids. */
  readonly id: number;
  readonly word: string;
  /** Whether a random pick can choose the word. A request can choose any word. */
  readonly active: boolean;
  /** 0 … 255; 0 if the row has no tier. */
  readonly tier: number;
  /** The number that the word adds to each stat, and its weight under the name of the weight column. */
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

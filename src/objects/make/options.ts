import type { LongCall } from "../../calls/index.js";
import type { MadeObject } from "../types.js";

/** What each thing about an object counts towards its score, all integers; what is left out counts 0. */
export interface ObjectScores {
  readonly toHit?: number;
  readonly toDam?: number;
  readonly toAc?: number;
  readonly ac?: number;
  /** For each of dice · (sides + 1), twice the mean of a roll. */
  readonly dice?: number;
  /** By flag; by flag with a value, for each of its value. */
  readonly flags?: Readonly<Record<string, number>>;
}

/** When an object is too good: an affix or a theme that takes it there is taken back. */
export interface ObjectLimit {
  /** The most that is allowed, an integer for scores. */
  readonly most: number;
  /** Integer scores, summed in the kernel. */
  readonly scores?: ObjectScores;
  /** Your own measure instead, of the object as it is after an affix or a theme: far slower, the same words. */
  readonly power?: (object: MadeObject) => number;
}

/** What is asked of objects. */
export interface ObjectOptions {
  /** The real depth, 0 … 255. */
  readonly level: number;
  readonly good?: boolean | undefined;
  /** Better than good: where both are asked for, this counts. */
  readonly great?: boolean | undefined;
  /** A kind, by its number or its name without "& " and "~"; it need not be one that is ever drawn. */
  readonly kind?: string | number | undefined;
  /** Kinds of this type alone, by word or number. */
  readonly tval?: string | number | undefined;
  /** Affixes that every object has, by name or number: as often as one is named. */
  readonly with?: readonly (string | number)[] | undefined;
  /** The theme that every object has, by name or number. */
  readonly theme?: string | number | undefined;
  /** The artifact that the object is, by name or number: once in a mill. */
  readonly artifact?: string | number | undefined;
  /** The affix level, by name, instead of a rolled one: levels that are never rolled are to be had so. */
  readonly affixLevel?: string | undefined;
  /** Whether objects may be artifacts. Default: yes. */
  readonly artifacts?: boolean | undefined;
  readonly limit?: ObjectLimit | undefined;
  /** How many objects are thrown away at most for one that has what `with` and `theme` ask. Default: ten million. */
  readonly attempts?: number | undefined;
}

/** Which objects: `from` is the index of the first; without it the maker's cursor is, and moves on. */
export interface MakeObjectsOptions extends ObjectOptions, LongCall {
  readonly from?: number | undefined;
}

import type { BulkOptions } from "../calls/index.js";

/** The items to draw from: a list, or a number n. The number stands for the items 0 … n − 1. */
export type ItemsInput<Item> = number | readonly Item[];

/** Parsed items. */
export interface SamplerSpec<Item = unknown> {
  readonly items: readonly Item[];
}

export interface SamplerPlan {
  readonly items: readonly unknown[];
  /** Number of items of a sample. */
  readonly size: number;
}

/** Options of `mill.sample`. */
export interface SampleOptions {
  /** How many of the items a sample has, 1 or more. Default: all of them. */
  readonly size?: number | undefined;
  /** The file that the items came from. Messages name it. */
  readonly file?: string | undefined;
}

/** Options of `mill.shuffle`. */
export type ShuffleOptions = Pick<SampleOptions, "file">;

/** Selects a position of a sample. */
export interface PositionOptions {
  /** The position, 0 … size − 1. Default 0, the first item of a sample. */
  readonly position?: number | undefined;
}

/** Options of a call that draws many samples. */
export type DrawSamplesOptions = BulkOptions;

/** Options of a call that counts the items at a position of many samples. */
export interface CountSamplesOptions extends BulkOptions, PositionOptions {}

import type { BulkOptions } from "../calls/index.js";

/** The weights of a list: one number for each entry, integers or decimals, 0 for an entry that never wins. */
export type WeightsInput = ArrayLike<number>;

/** Weights as parsed: finite numbers ≥ 0 as integers of one scale, not all of them 0. */
export interface WeightedSpec {
  /** Integer weights in the proportions given. */
  readonly weights: readonly number[];
  /** Their sum, 1 … 2^32 − 1. */
  readonly total: number;
}

/** A weighted list as the kernel takes it. */
export interface WeightedPlan {
  readonly weights: Uint32Array<ArrayBuffer>;
  /** Their sum, 1 … 2^32 − 1. */
  readonly total: number;
}

/** Options of a list, when a mill opens it. */
export interface WeightedOptions {
  /** The file that the weights came from, for messages. */
  readonly file?: string | undefined;
}

/** Options of a call that makes many picks. */
export type PickOptions = BulkOptions;

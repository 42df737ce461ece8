import type { BulkOptions } from "../calls/index.js";

/** The weights of a list: one number for each entry, integers or decimals, 0 for an entry that never wins. */
export type WeightsInput = ArrayLike<number>;

/** Weights as parsed: scaled to integers, at least one of them positive. */
export interface WeightedSpec {
  /** Integer weights in the same proportions as the input. */
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

/** Options of `mill.weighted`. */
export interface WeightedOptions {
  /** The file that the weights came from, for messages. */
  readonly file?: string | undefined;
}

/** Options of a call that makes many picks. */
export type PickOptions = BulkOptions;

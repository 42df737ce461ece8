import type { BulkOptions } from "../calls/index.js";

/** The weights of a list: one number ≥ 0 for each entry, integer or decimal. An entry of weight 0 is never picked. */
export type WeightsInput = ArrayLike<number>;

/** Parsed weights, scaled to integers. At least one weight is positive. */
export interface WeightedSpec {
  /** Integer weights in the same proportions as the input. */
  readonly weights: readonly number[];
  /** Sum of the integer weights, 1 … 2^32 − 1. */
  readonly total: number;
}

/** A weighted list as the kernel takes it. */
export interface WeightedPlan {
  readonly weights: Uint32Array<ArrayBuffer>;
  /** Sum of the weights, 1 … 2^32 − 1. */
  readonly total: number;
}

/** Options of `mill.weighted`. */
export interface WeightedOptions {
  /** The file that the weights came from, for messages. */
  readonly file?: string | undefined;
}

/** Options of a call that makes many picks. */
export type PickOptions = BulkOptions;

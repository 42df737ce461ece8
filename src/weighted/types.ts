import type { Amount, AmountInput, FormOf, QuantityIn } from "../amounts/index.js";
import type { BulkOptions } from "../calls/index.js";
import type { WeightInput } from "../decimals.js";

/**
 * The weights of a list: one number ≥ 0, integer or decimal, or one fraction, `{ n: 1, d: 3 }` or "1/3", for each entry.
 * An entry of weight 0 is never picked.
 */
export type WeightsInput = ArrayLike<WeightInput>;

/** An entry of a labelled list. */
export interface LabelledEntry {
  /** The label, or null for nothing. Several entries may have the same label. */
  readonly result: string | null;
  readonly weight: WeightInput;
  /** How many: "2d6+1", "2-5", 7. Default 1. Values are 0 or more. An entry with the result null has no quantity. */
  readonly quantity?: AmountInput;
}

/**
 * A labelled list: its weights by label, or its entries. An object lists labels that are integers, such as "10", first
 * and in ascending order, as every JavaScript object does; entries keep their order.
 */
export type LabelledInput = Readonly<Record<string, WeightInput>> | readonly LabelledEntry[];

/** The labels of a labelled list, with null if nothing is one of its results. Of unknown input: any text, or null. */
export type LabelOf<Input> = unknown extends Input
  ? string | null
  : Input extends readonly { readonly result: infer Result extends string | null }[]
    ? Result
    : keyof Input & string;

/** Whether an entry of a list has a quantity. */
type QuantityOf<Input> = unknown extends Input
  ? "perhaps"
  : Input extends readonly (infer Entry)[]
    ? QuantityIn<Entry>
    : "no";

/** The result of a pick from a labelled list: a label, or a `Stack` if the list has quantities; null for nothing. */
export type PickOf<Input> = FormOf<LabelOf<Input>, QuantityOf<Input>>;

/** A parsed labelled list. At least one weight is positive. `Input` is the type of the input, for the results. */
export interface LabelledSpec<Input = unknown> extends WeightedSpec {
  /** The label of each entry; null for nothing. */
  readonly labels: readonly (string | null)[];
  /** The quantity of each entry; undefined if no entry has one. */
  readonly quantities: readonly Amount[] | undefined;
  /** Only a type: the input that was parsed. */
  readonly input?: Input;
}

/** A labelled list as the kernel takes it, with the labels. */
export interface LabelledPlan extends WeightedPlan {
  readonly labels: readonly (string | null)[];
  readonly quantities: readonly Amount[] | undefined;
}

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

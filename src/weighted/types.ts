import type { Amount, FormOf, QuantityIn } from "../amounts/index.js";
import type { BulkOptions } from "../calls/index.js";
import type { WeightInput } from "../decimals.js";

/** One weight for each entry, ≥ 0: a number, "1/3" or `{ n: 1, d: 3 }`. An entry of weight 0 is never picked. */
export type WeightsInput = ArrayLike<WeightInput>;

/** A noun that can be used as a list, such as a table: its entries have the exact odds of one result. */
export interface Listable<Entry extends { readonly result: string | null } = { readonly result: string | null }> {
  asList(): readonly Entry[];
}

/** The type of a list's labels: includes null if an entry has the result null. For `unknown` input, string or null. */
export type LabelOf<Input> = unknown extends Input
  ? string | null
  : Input extends Listable<infer Entry> | readonly (infer Entry extends { readonly result: string | null })[]
    ? Entry["result"]
    : keyof Input & string;

type QuantityOf<Input> = unknown extends Input
  ? "perhaps"
  : Input extends Listable<infer Entry> | readonly (infer Entry)[]
    ? QuantityIn<Entry>
    : "no";

/** A pick from a labelled list: a label, or a `Stack` if the list has quantities. Null stands for nothing. */
export type PickOf<Input> = FormOf<LabelOf<Input>, QuantityOf<Input>>;

/** A parsed labelled list. At least one weight is positive. `Input` is the type of the parsed input. */
export interface LabelledSpec<Input = unknown> extends WeightedSpec {
  /** The label of each entry; null for nothing. */
  readonly labels: readonly (string | null)[];
  /** The quantity of each entry. Undefined if no entry has a quantity. */
  readonly quantities: readonly Amount[] | undefined;
  /** Never set. It only carries the type `Input`. */
  readonly input?: Input;
}

/** Parsed weights, scaled to integers. At least one weight is positive. */
export interface WeightedSpec {
  /** Integer weights in the same proportions as the input. */
  readonly weights: readonly number[];
  /** Sum of the integer weights, 1 … 2^32 − 1. */
  readonly total: number;
}

/** Options of `mill.weighted`. */
export interface WeightedOptions {
  /** The file that the weights came from. Messages name it. */
  readonly file?: string | undefined;
}

/** Options of a call that makes many picks. */
export type PickOptions = BulkOptions;

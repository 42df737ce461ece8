import type { Amount, FormOf, QuantityIn, Stack } from "../../amounts/index.js";
import type { BulkOptions, Counts } from "../../calls/index.js";
import type { Fraction } from "../../fractions.js";
import type { ResultOf, RollOf, TableSetup, TableSpec } from "../types.js";

/** The type of a drop's results. If the input is written as a literal, this is a union of its results. */
export type DropOf<Input> = Input extends { readonly table: infer Source }
  ? ResultOf<Source> | (Input extends { readonly always: readonly (infer Entry)[] } ? LabelIn<Entry> : never)
  : string;

type LabelIn<Entry> = Entry extends { readonly result: infer Label extends string } ? Label : never;

type RollQuantity<Source> =
  Extract<RollOf<Source>, Stack> extends never
    ? "no"
    : Extract<RollOf<Source>, string> extends never
      ? "yes"
      : "perhaps";

/** An entry of a drop: a result, or a `Stack` if the drops have quantities. */
export type DroppedOf<Input> = Input extends { readonly table: infer Source }
  ? FormOf<
      DropOf<Input>,
      RollQuantity<Source> | (Input extends { readonly always: readonly (infer Entry)[] } ? QuantityIn<Entry> : never)
    >
  : string | Stack;

/** A parsed result that every drop has. */
export interface AlwaysSpec {
  readonly result: string;
  readonly quantity?: Amount | undefined;
}

/** Parsed drops. `Input` is the type of the parsed input. */
export interface DropsSpec<Input = unknown> {
  readonly always: readonly AlwaysSpec[];
  readonly rolls: Amount;
  readonly table: TableSpec;
  /** Never set. It only carries the type `Input`. */
  readonly input?: Input;
}

/** Options of `mill.drops`: those of `mill.table` except `payload`, `chosen` and `mode`. Drops use frozen weights. */
export type DropsOptions = Omit<TableSetup, "chosen" | "mode" | "payload">;

/** Options of a call that makes many drops. */
export type DropManyOptions = BulkOptions;

/** The exact odds of one result in a drop. */
export interface DropChance<Label extends string> {
  readonly result: Label;
  /** The probability that the drop has the result at least once. */
  readonly atLeastOne: Fraction;
  /** The expected quantity of the result in a drop. */
  readonly expected: Fraction;
}

/** The exact odds of drops. */
export interface DropOdds<Label extends string = string> {
  /** Every possible result, in the order of `drops.results`. */
  readonly odds: readonly DropChance<Label>[];
  /** The probability that a drop has no result. */
  readonly none: Fraction;
}

/** For each result, the number of drops that have it. A drop that has a result several times counts once. */
export interface DropCounts<Label extends string = string> extends Counts<Label> {
  /** For each result, the sum of its quantities in all drops. */
  readonly quantities: ReadonlyMap<Label, number>;
}

import type { AtOptions, BulkOptions } from "../calls/index.js";
import type { WeightInput } from "../decimals.js";

/** The id of a record: an integer or a string. Draws return the id unchanged. The ids 1 and "1" are different. */
export type RecordId = string | number;

/** Only a finite pool has quantities. If no quantity is left, the next draw refreshes the pool. */
export type PoolKind = "finite" | "infinite";

/** The weight of a record in a pool is its mass: a number ≥ 0, or a fraction in lowest terms, such as "1/3". */
export type Mass = number | string;

/** A part of an active setting: a subpool's name, or its number from 1. */
export type ActivePart = string | number;

/** A parsed list of records, as columns. `masses` ends at the last record with a mass, and `quantities` likewise. */
export interface ListSpec {
  readonly path: string;
  readonly ids: readonly RecordId[];
  /** Entry i is the mass of record i: NaN if the record has no mass. A fraction is rounded. */
  readonly masses: Float64Array;
  /** The masses that are fractions, by the index of the record. */
  readonly ratios?: ReadonlyMap<number, string> | undefined;
  /** Entry i is the quantity of record i: NaN if the record has no quantity. */
  readonly quantities: Float64Array;
}

/** A parsed pool. The number of a subpool without a name is its position in the parent's `subpools`, from 1. */
export interface PoolSpec {
  readonly path: string;
  readonly list: ListSpec;
  readonly subpools: readonly { readonly name: string | undefined; readonly pool: PoolSpec }[];
}

/** A parsed root. */
export interface RootSpec extends PoolSpec {
  readonly kind: PoolKind;
  readonly refill: boolean;
}

/** A parsed family of pools. */
export interface PoolsSpec {
  readonly file: string | undefined;
  readonly roots: ReadonlyMap<string, RootSpec>;
  /** `at` is the position of the rule in the spec, for messages. */
  readonly rules: readonly { readonly at: string; readonly path: string; readonly list: ListSpec }[];
  readonly active: ReadonlyMap<string, readonly ActivePart[]>;
}

export interface PoolPlan {
  /** Index of the pool's root in {@link PoolsPlan.roots}. */
  readonly root: number;
  /** Distinct indices into the records of the root, in list order. */
  readonly records: Uint32Array;
  /** The records' masses as integers. Σ mass × initial quantity (in an infinite root, Σ mass) is at most 2^32 − 1. */
  readonly masses: Uint32Array;
}

/** One root for the kernel. Its pools share the quantities, which are empty for an infinite root. */
export interface RootPlan {
  readonly kind: PoolKind;
  readonly quantities: Uint32Array;
  /** The quantities after a refresh. */
  readonly initial: Uint32Array;
}

export interface PoolsPlan {
  readonly roots: readonly RootPlan[];
  readonly pools: readonly PoolPlan[];
}

/** A record in the list of one pool. */
export interface ListedRecord<Id extends RecordId = RecordId> {
  readonly id: Id;
  /** The mass in this pool: a number, or a fraction as a text, such as "1/3". */
  readonly mass: Mass;
  /** The current quantity, the same in all pools of a finite root. */
  readonly quantity?: number;
}

/** The copies of a record in a snapshot. Without `full`, the initial quantity is `left`. */
export type SavedCopies = readonly [id: RecordId, left: number, full?: number, discards?: number];

/** The stock of one root in a snapshot: the active setting, the copies of all records, and the changed masses. */
export interface RootState {
  readonly name: string;
  readonly active: readonly ActivePart[];
  readonly quantities: readonly SavedCopies[];
  /** The records whose mass in a pool was changed. The mass is null if the record was removed from the pool. */
  readonly masses?: readonly (readonly [path: string, id: RecordId, mass: Mass | null])[];
}

/** Options of `mill.pools`. */
export interface PoolsOptions {
  /** The file with the spec, for messages. */
  readonly file?: string | undefined;
}

/** Options of {@link PoolFamily.pool}. */
export interface PathOptions {
  /**
   * The parts that `~` stands for in this call, one for each depth. An object maps the names of roots to such lists.
   */
  readonly active?: readonly ActivePart[] | { readonly [root: string]: readonly ActivePart[] } | undefined;
}

/** Options of {@link PoolFamily.addToSubpool}. */
export interface AddOptions {
  /** Mass of the record in the pool: a number 0 … 2^32 − 1, or a fraction; default 1. */
  readonly mass?: WeightInput | undefined;
  /** Initial quantity of the record if it is new in a finite root, an integer 0 … 2^32 − 1; default 1. */
  readonly quantity?: number | undefined;
}

/** A place of a copy. A copy is `out` if it was drawn, and neither returned nor discarded. */
export type CopyPlace = "stock" | "discards" | "out";

/** Options of {@link Pool.gain}. */
export interface GainOptions {
  /** The place of the new copies; default `stock`. */
  readonly to?: CopyPlace | undefined;
  /** Number of copies, an integer from 1; default 1. */
  readonly copies?: number | undefined;
}

/** Options of {@link Pool.remove}. */
export interface RemoveOptions {
  /** The place that the copies are taken from; default `out`. */
  readonly from?: CopyPlace | undefined;
  /** Number of copies, an integer from 1; default 1. */
  readonly copies?: number | undefined;
}

/** Options of one draw. Only an infinite pool accepts `at`. */
export type DrawOptions = AtOptions;

/** Options of many draws. Only an infinite pool accepts `from`. */
export type DrawManyOptions = BulkOptions;

/** Maximum of each mass, of each quantity, and of the total of a pool: 2^32 − 1. */
export const MAX_U32 = 0xffff_ffff;
/** Maximum number of records in one pool: 2^20 in a finite pool, 2^24 in an infinite pool. */
export const MAX_RECORDS: Readonly<Record<PoolKind, number>> = { finite: 2 ** 20, infinite: 2 ** 24 };
/** Maximum number of pools of a family. */
export const MAX_POOLS = 2 ** 16;
/** Maximum number of steps of the rules in one spec or registration. To compare a rule with a pool is one step. */
export const MAX_RULE_STEPS = 2 ** 22;
/** Maximum depth of a subpool. The direct subpools of a root have depth 1. */
export const MAX_DEPTH = 32;

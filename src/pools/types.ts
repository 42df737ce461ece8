import type { AtOptions, BulkOptions } from "../calls/index.js";

/** The id of a record: an integer or a string, returned as it was given (1 is not "1"). */
export type RecordId = string | number;

/**
 * A finite pool has quantities. When they are exhausted, the next draw refreshes the pool. An infinite pool has no
 * quantities.
 */
export type PoolKind = "finite" | "infinite";

/**
 * A record as a user writes it: its id alone, or with mass and quantity. In a root, both are 1 by default. In a
 * subpool, the default mass is the mass in the root. All pools of a root share the quantity of a record.
 */
export type RecordInput =
  | RecordId
  | { readonly id: RecordId; readonly mass?: number; readonly quantity?: number }
  | readonly [id: RecordId, mass?: number, quantity?: number];

/** A subpool as a user writes it. Named subpools are in an object; unnamed ones are in a list and get numbers. */
export interface SubpoolInput {
  readonly records?: readonly RecordInput[];
  readonly subpools?: { readonly [name: string]: SubpoolInput } | readonly SubpoolInput[];
}

/** A root pool: it lists every record of its subpools. */
export interface RootInput extends SubpoolInput {
  readonly kind: PoolKind;
}

/**
 * A path with stars, and records. `e.*.*.wall` adds the subpool with these records to every parent, now and later. A
 * path that ends in a star adds the records to every pool that it matches.
 */
export interface RuleInput {
  readonly path: string;
  readonly records?: readonly RecordInput[];
}

/** A part of an active setting: a subpool's name, or its number from 1. */
export type ActivePart = string | number;

/** A family of pools as JSON. */
export interface PoolsInput {
  readonly roots: { readonly [name: string]: RootInput };
  readonly rules?: readonly RuleInput[];
  /** Maps each root to the parts that `~` stands for, one for each depth. */
  readonly active?: { readonly [root: string]: readonly ActivePart[] };
}

/**
 * A parsed list of records, stored by columns. A column ends with the last number that was given, so it may be shorter
 * than `ids`.
 */
export interface ListSpec {
  /** Its path in the spec, for messages. */
  readonly path: string;
  readonly ids: readonly RecordId[];
  /** Mass of each record; NaN if it was omitted. */
  readonly masses: Float64Array;
  /** Quantity of each record; NaN if it was omitted. */
  readonly quantities: Float64Array;
}

/** A pool as parsed. An unnamed subpool is identified by its position in `subpools` of its parent. */
export interface PoolSpec {
  /** Its path in the spec, for messages. */
  readonly path: string;
  readonly list: ListSpec;
  readonly subpools: readonly { readonly name: string | undefined; readonly pool: PoolSpec }[];
}

/** A root as parsed. */
export interface RootSpec extends PoolSpec {
  readonly kind: PoolKind;
}

/** A family of pools as parsed. */
export interface PoolsSpec {
  readonly file: string | undefined;
  readonly roots: ReadonlyMap<string, RootSpec>;
  /** The rules. `at` is the position of a rule's path in the spec, for messages. */
  readonly rules: readonly { readonly at: string; readonly path: string; readonly list: ListSpec }[];
  readonly active: ReadonlyMap<string, readonly ActivePart[]>;
}

/** One pool for the kernel: the records that it lists and their masses, in list order. */
export interface PoolPlan {
  /** Index of the pool's root in {@link PoolsPlan.roots}. */
  readonly root: number;
  /** Indices into the root's records, each at most once. */
  readonly records: Uint32Array;
  /** Mass of each listed record in this pool. Σ mass × initial quantity ≤ 2^32 − 1 (Σ mass for an infinite root). */
  readonly masses: Uint32Array;
}

/** One root for the kernel. All pools of the root share its quantities. */
export interface RootPlan {
  readonly kind: PoolKind;
  /** Current quantity of each record; empty for an infinite root. */
  readonly quantities: Uint32Array;
  /** Quantity of each record after a refresh; empty for an infinite root. */
  readonly initial: Uint32Array;
}

/** A family of pools for the kernel. */
export interface PoolsPlan {
  readonly roots: readonly RootPlan[];
  readonly pools: readonly PoolPlan[];
}

/** A record as one pool lists it. */
export interface ListedRecord {
  readonly id: RecordId;
  /** Its mass in this pool, as given. */
  readonly mass: number;
  /** Its current quantity, which all pools of the root share; absent in an infinite pool. */
  readonly quantity?: number;
}

/**
 * The stock of one root in a snapshot: the active setting, and the quantities that differ from the initial quantities.
 */
export interface RootState {
  readonly name: string;
  readonly active: readonly ActivePart[];
  readonly quantities: readonly (readonly [id: RecordId, quantity: number])[];
}

/** Options of `mill.pools`. */
export interface PoolsOptions {
  /** The file that the spec came from, for messages. */
  readonly file?: string | undefined;
}

/** Options of {@link PoolFamily.pool}. */
export interface PathOptions {
  /**
   * Replaces the active setting for this path: the parts that `~` stands for at each depth. Give a list for the root of
   * the path, or an object that maps roots to lists.
   */
  readonly active?: readonly ActivePart[] | { readonly [root: string]: readonly ActivePart[] } | undefined;
}

/** Options of {@link PoolFamily.addToSubpool}. */
export interface AddOptions {
  /** Mass of the record in the pool, 0 … 2^32 − 1; default 1. */
  readonly mass?: number | undefined;
  /** Initial quantity of a record that is new in a finite root, an integer 0 … 2^32 − 1; default 1. */
  readonly quantity?: number | undefined;
}

/** Options of one draw. Only an infinite pool takes `at`: a draw from a finite pool depends on the draws before it. */
export type DrawOptions = AtOptions;

/**
 * Options of many draws. Only an infinite pool takes `from`: draws from a finite pool depend on the draws before them.
 */
export type DrawManyOptions = BulkOptions;

/** The maximum of a mass, of a quantity and of the total of a pool: 2^32 − 1. */
export const MAX_U32 = 0xffff_ffff;
/** Maximum number of records that a pool lists: 2^20 in a finite pool, 2^24 in an infinite pool. */
export const MAX_RECORDS: Readonly<Record<PoolKind, number>> = { finite: 2 ** 20, infinite: 2 ** 24 };
/** Maximum depth of a subpool. The subpools of a root have depth 1. */
export const MAX_DEPTH = 32;

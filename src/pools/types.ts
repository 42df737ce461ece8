/** What a record is called: an integer or a text, given back as it was given (1 is not "1"). */
export type RecordId = string | number;

/** Finite pools run dry and are refreshed; infinite ones know no quantities. */
export type PoolKind = "finite" | "infinite";

/**
 * A record as it may be written: its id alone, or with mass and quantity. In a root both are 1 where they are left out; in a
 * subpool the mass is the root's, and the quantity belongs to the root.
 */
export type RecordInput =
  | RecordId
  | { readonly id: RecordId; readonly mass?: number; readonly quantity?: number }
  | readonly [id: RecordId, mass?: number, quantity?: number];

/** A subpool as it may be written: named subpools in an object, unnamed ones, which are numbered, in a list. */
export interface SubpoolInput {
  readonly records?: readonly RecordInput[];
  readonly subpools?: { readonly [name: string]: SubpoolInput } | readonly SubpoolInput[];
}

/** A root pool: it lists every record of its subpools. */
export interface RootInput extends SubpoolInput {
  readonly kind: PoolKind;
}

/**
 * A star path and records: `e.*.*.wall` makes the subpool under every parent, now and later, with these records; a path that
 * ends in a star adds them to every pool that it matches.
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
  /** What `~` stands for at each depth, by root. */
  readonly active?: { readonly [root: string]: readonly ActivePart[] };
}

/** A list of records as it was read, by columns. A column ends with its last number that is not left out. */
export interface ListSpec {
  /** Where it stands. */
  readonly path: string;
  readonly ids: readonly RecordId[];
  /** Mass of each; NaN where it was left out. */
  readonly masses: Float64Array;
  /** Quantity of each; NaN where it was left out. */
  readonly quantities: Float64Array;
}

/** A pool of a spec. An unnamed subpool has its place among its siblings for a name. */
export interface PoolSpec {
  readonly path: string;
  readonly list: ListSpec;
  readonly subpools: readonly { readonly name: string | undefined; readonly pool: PoolSpec }[];
}

/** A root of a spec. */
export interface RootSpec extends PoolSpec {
  readonly kind: PoolKind;
}

/** A spec as it was read. */
export interface PoolsSpec {
  readonly file: string | undefined;
  readonly roots: ReadonlyMap<string, RootSpec>;
  readonly rules: readonly { readonly at: string; readonly path: string; readonly list: ListSpec }[];
  readonly active: ReadonlyMap<string, readonly ActivePart[]>;
}

/** What a family's snapshot holds of one root: quantities that are not the initial ones, and the active setting. */
export interface RootState {
  readonly name: string;
  readonly active: readonly ActivePart[];
  readonly quantities: readonly (readonly [id: RecordId, quantity: number])[];
}

/** The largest total of a pool, mass and quantity: 2³² − 1. */
export const MAX_U32 = 0xffff_ffff;
/** The most records that a pool lists: 2²⁰ in a finite one, 2²⁴ in an infinite one. */
export const MAX_RECORDS: Readonly<Record<PoolKind, number>> = { finite: 2 ** 20, infinite: 2 ** 24 };
/** The deepest subpool. */
export const MAX_DEPTH = 32;

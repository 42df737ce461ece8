import type { AtOptions, BulkOptions } from "../calls/index.js";
import type { WeightInput } from "../decimals.js";

/** The id of a record: an integer or a string. Draws return the id unchanged. The ids 1 and "1" are different. */
export type RecordId = string | number;

/**
 * A finite pool has quantities. If no quantity is left, the next draw refreshes the pool. An infinite pool has no
 * quantities.
 */
export type PoolKind = "finite" | "infinite";

/** A mass: a number ≥ 0, or a fraction in lowest terms, such as "1/3". */
export type Mass = number | string;

/**
 * A record as a user writes it: an id alone, or an id with a mass and a quantity. In a root, the default mass and the
 * default quantity are 1. In a subpool, the default mass is the mass in the root. The quantity of a record is the same
 * in all pools of a root. A mass can be a fraction, "1/3" or `{ n: 1, d: 3 }`.
 */
export type RecordInput<Id extends RecordId = RecordId> =
  | Id
  | { readonly id: Id; readonly mass?: WeightInput; readonly quantity?: number }
  | readonly [id: Id, mass?: WeightInput, quantity?: number];

/**
 * A subpool as a user writes it. Subpools with names are in an object. Subpools in a list have no names, but numbers.
 */
export interface SubpoolInput {
  readonly records?: readonly RecordInput[];
  readonly subpools?: { readonly [name: string]: SubpoolInput } | readonly SubpoolInput[];
}

/** A root pool. It lists all records of its subpools. */
export interface RootInput extends SubpoolInput {
  readonly kind: PoolKind;
  /**
   * Whether an exhausted pool of this finite root refills at its next draw; default true. With false, `draw` throws
   * `pool.exhausted`, and a bulk draw returns fewer results.
   */
  readonly refill?: boolean;
}

/**
 * A rule: a path with stars, and records. The path `e.*.*.wall` adds a subpool `wall` with these records to every
 * parent. A path that ends in a star, such as `e.*`, adds the records to every matching pool. Both kinds of rule also
 * apply to pools that are registered later.
 */
export interface RuleInput {
  readonly path: string;
  readonly records?: readonly RecordInput[];
}

/** A part of an active setting: a subpool's name, or its number from 1. */
export type ActivePart = string | number;

/** A family of pools, as JSON. */
export interface PoolsInput {
  readonly roots: { readonly [name: string]: RootInput };
  readonly rules?: readonly RuleInput[];
  /** For each root, the parts that `~` stands for, one for each depth. */
  readonly active?: { readonly [root: string]: readonly ActivePart[] };
}

/** The types of the ids in a family, by root. */
export type FamilyIds = Readonly<Record<string, RecordId>>;

type IdOf<Input> = Input extends RecordId
  ? Input
  : Input extends { readonly id: infer Id extends RecordId } | readonly [infer Id extends RecordId, ...unknown[]]
    ? Id
    : never;

// a root lists all records of its subpools
type IdsIn<Input> = Input extends { readonly records: readonly (infer Entry)[] }
  ? IdOf<Entry>
  : RootInput extends Input
    ? RecordId
    : never;

type RootOf<Path extends string> = Path extends `${infer Root}.${string}` ? Root : Path;

/** The ids that the rules add to a root. */
type RuleIds<Rule, Root> = Rule extends { readonly path: infer Path extends string }
  ? Root extends RootOf<Path>
    ? IdsIn<Rule>
    : never
  : never;

/**
 * The types of the ids in a family, by root. If the family is written as a literal, the type of each root is a union of
 * its ids. A root that is registered later can have any ids.
 */
export type IdsOf<Input> = Input extends { readonly roots: infer Roots }
  ? string extends keyof Roots
    ? FamilyIds
    : {
        readonly [Root in keyof Roots]:
          | IdsIn<Roots[Root]>
          | (Input extends { readonly rules: readonly (infer Rule)[] } ? RuleIds<Rule, Root> : never);
      } & FamilyIds
  : FamilyIds;

/** The type of the ids in the pool that a path names. */
export type IdAt<Ids extends FamilyIds, Path extends string> = Ids[RootOf<Path>];

/**
 * A parsed list of records, as columns. `masses` and `quantities` can be shorter than `ids`: each of them ends at the
 * last record that has such a number.
 */
export interface ListSpec {
  /** The path of the list in the spec, for messages. */
  readonly path: string;
  readonly ids: readonly RecordId[];
  /** Mass of each record; NaN if the record has none. A mass that is a fraction is rounded. */
  readonly masses: Float64Array;
  /** The exact masses that are fractions, by the index of the record. Undefined if there are none. */
  readonly ratios?: ReadonlyMap<number, string> | undefined;
  /** Quantity of each record; NaN if the record has none. */
  readonly quantities: Float64Array;
}

/** A parsed pool. A subpool without a name has a number: its position in the parent's `subpools`, from 1. */
export interface PoolSpec {
  /** The path of the pool in the spec, for messages. */
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
  /** The rules. `at` is the position of the rule in the spec, for messages. */
  readonly rules: readonly { readonly at: string; readonly path: string; readonly list: ListSpec }[];
  readonly active: ReadonlyMap<string, readonly ActivePart[]>;
}

/** One pool, in the form for the kernel: the listed records and their masses, in list order. */
export interface PoolPlan {
  /** Index of the pool's root in {@link PoolsPlan.roots}. */
  readonly root: number;
  /** The listed records, as indices into the records of the root. No index occurs twice. */
  readonly records: Uint32Array;
  /**
   * For each listed record, the mass in this pool. In a finite root, Σ mass × initial quantity ≤ 2^32 − 1. In an
   * infinite root, Σ mass ≤ 2^32 − 1.
   */
  readonly masses: Uint32Array;
}

/** One root, in the form for the kernel. Its pools share the quantities. */
export interface RootPlan {
  readonly kind: PoolKind;
  /** Current quantity of each record; empty for an infinite root. */
  readonly quantities: Uint32Array;
  /** For each record, the quantity after a refresh; empty for an infinite root. */
  readonly initial: Uint32Array;
}

/** A family of pools, in the form for the kernel. */
export interface PoolsPlan {
  readonly roots: readonly RootPlan[];
  readonly pools: readonly PoolPlan[];
}

/** A record in the list of one pool. */
export interface ListedRecord<Id extends RecordId = RecordId> {
  readonly id: Id;
  /** The mass in this pool: a number, or a fraction as a text, such as "1/3". */
  readonly mass: Mass;
  /** The current quantity, the same in all pools of the root. An infinite pool has no quantities. */
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
   * Replaces the active setting for this call. A list has, for each depth, the part that `~` stands for. It applies to
   * the root of the path. An object maps the names of roots to such lists.
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

/** A place of a copy: in the stock, among the discards, or out: drawn, and neither returned nor discarded. */
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

/**
 * Options of one draw. Only an infinite pool accepts `at`, because a draw from a finite pool depends on the draws
 * before it.
 */
export type DrawOptions = AtOptions;

/**
 * Options of many draws. Only an infinite pool accepts `from`, because draws from a finite pool depend on the draws
 * before them.
 */
export type DrawManyOptions = BulkOptions;

/** Maximum of each mass, of each quantity, and of the total of a pool: 2^32 − 1. */
export const MAX_U32 = 0xffff_ffff;
/** Maximum number of records in one pool: 2^20 in a finite pool, 2^24 in an infinite pool. */
export const MAX_RECORDS: Readonly<Record<PoolKind, number>> = { finite: 2 ** 20, infinite: 2 ** 24 };
/** Maximum number of pools of a family, 2^16. */
export const MAX_POOLS = 2 ** 16;
/**
 * Maximum number of steps of all rules of a family, and of one registration, 2^22. Each comparison of a rule with a pool
 * is one step, and so is each record that a rule adds to a pool. Each pool that a rule applies to takes 4 steps more.
 */
export const MAX_RULE_STEPS = 2 ** 22;
/** Maximum depth of a subpool. The direct subpools of a root have depth 1. */
export const MAX_DEPTH = 32;

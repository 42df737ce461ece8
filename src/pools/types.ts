import type { AtOptions, BulkOptions } from "../calls/index.js";
import type { WeightInput } from "../decimals.js";

/** The id of a record: an integer or a string. Draws return the id unchanged. The ids 1 and "1" are different. */
export type RecordId = string | number;

/** Only a finite pool has quantities. If no quantity is left, the next draw refreshes the pool. */
export type PoolKind = "finite" | "infinite";

/** A mass: a number ≥ 0, or a fraction in lowest terms, such as "1/3". */
export type Mass = number | string;

/**
 * A record as a user writes it. In a root, the default mass and the default quantity are 1. In a subpool, the default
 * mass is the mass in the root. The quantity is the same in all pools of a root.
 */
export type RecordInput<Id extends RecordId = RecordId> =
  | Id
  | { readonly id: Id; readonly mass?: WeightInput; readonly quantity?: number }
  | readonly [id: Id, mass?: WeightInput, quantity?: number];

/** A subpool as a user writes it. Subpools in a list have no names, but numbers. */
export interface SubpoolInput {
  readonly records?: readonly RecordInput[];
  readonly subpools?: { readonly [name: string]: SubpoolInput } | readonly SubpoolInput[];
}

/** A root pool. It lists all records of its subpools. */
export interface RootInput extends SubpoolInput {
  readonly kind: PoolKind;
  /**
   * Whether an exhausted pool refills at its next draw; default true. With false, `draw` throws `pool.exhausted`, and a
   * bulk draw returns fewer results.
   */
  readonly refill?: boolean;
}

/**
 * A rule: the path `e.*.*.wall` adds a subpool `wall` with these records to every parent, and a path that ends in a star,
 * such as `e.*`, adds the records to every matching pool. Rules also apply to pools that are registered later.
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

type RuleIds<Rule, Root> = Rule extends { readonly path: infer Path extends string }
  ? Root extends RootOf<Path>
    ? IdsIn<Rule>
    : never
  : never;

/**
 * The types of the ids in a family, by root: a union if the family is written as a literal. A root that is registered
 * later can have any ids.
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

/** A parsed list of records, as columns. `masses` and `quantities` end at the last record that has such a number. */
export interface ListSpec {
  /** The path of the list in the spec, for messages. */
  readonly path: string;
  readonly ids: readonly RecordId[];
  /** NaN if the record has no mass. A fraction is rounded. */
  readonly masses: Float64Array;
  /** The masses that are fractions, by the index of the record. */
  readonly ratios?: ReadonlyMap<number, string> | undefined;
  /** NaN if the record has no quantity. */
  readonly quantities: Float64Array;
}

/** A parsed pool. The number of a subpool without a name is its position in the parent's `subpools`, from 1. */
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
  /** `at` is the position of the rule in the spec, for messages. */
  readonly rules: readonly { readonly at: string; readonly path: string; readonly list: ListSpec }[];
  readonly active: ReadonlyMap<string, readonly ActivePart[]>;
}

/** One pool for the kernel. */
export interface PoolPlan {
  /** Index of the pool's root in {@link PoolsPlan.roots}. */
  readonly root: number;
  /** Distinct indices into the records of the root, in list order. */
  readonly records: Uint32Array;
  /** In a finite root, Σ mass × initial quantity ≤ 2^32 − 1. In an infinite root, Σ mass ≤ 2^32 − 1. */
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
  /** The parts that `~` stands for in this call, one for each depth. An object maps the names of roots to such lists. */
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
/**
 * Maximum number of steps of all rules of a family, and of one registration. Each comparison of a rule with a pool, and
 * each record that a rule adds to a pool, is one step. Each pool that a rule applies to takes 4 steps more.
 */
export const MAX_RULE_STEPS = 2 ** 22;
/** Maximum depth of a subpool. The direct subpools of a root have depth 1. */
export const MAX_DEPTH = 32;

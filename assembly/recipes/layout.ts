// The memory of recipes. `npm run build:kernel` writes src/kernel/layout.ts from this file, for TypeScript. The numbers
// of the decisions are in docs/determinism.md.
//
//   a recipe   its head │ columns │ stats │ plan │ buffers
//   a plan     its head │ tables, conditions, groups, clamps │ program; all offsets are bytes from the plan's start
//   columns    one for each slot, each outcome, each gate, and each pair of merged columns. A gate is the roll that
//              opens a step. A gate needs no column of its own if the column of a slot shows whether the step is open
//   stats      groups of sixteen i16 stats or of eight i32 stats; the lane of a stat is its number in its group
//
// If the plan or the buffers must grow, new room is allocated for them.

import { Vectors } from "../core/vectors";
import { SPAN_WORDS } from "../core/words";

/** Number of values of a roll, 0 … 100. */
export const ROLL_SIDES: u32 = 101;

/** Maximum number of items of one call. */
export const ITEM_BATCH: u32 = 4 * SPAN_WORDS;
/** Number of extra items at the end of a column, because loops read and write whole vectors. */
const MARGIN: u32 = 16;
/** Size of a column in bytes. The items of a column are u16 or i16; those of a wide column are i32. */
export const COLUMN_BYTES: usize = (<usize>(ITEM_BATCH + MARGIN)) << 1;
export const WIDE_COLUMN_BYTES: usize = (<usize>(ITEM_BATCH + MARGIN)) << 2;

/** Number of stats in a group: narrow stats are i16, wide stats are i32. */
export const NARROW_LANES: u32 = 16;
export const WIDE_LANES: u32 = 8;
/** Size of a group's stats in bytes. Narrow and wide groups have the same size. */
export const GROUP_BYTES: usize = <usize>NARROW_LANES * COLUMN_BYTES;
/**
 * Size in bytes of a row in a group's table. A row has one number for each lane. A row of i8 has SHORT_ROW_BYTES; a row
 * of i16 or i32 has ROW_BYTES.
 */
export const SHORT_ROW_BYTES: u32 = NARROW_LANES;
export const ROW_BYTES: u32 = 2 * NARROW_LANES;

/**
 * Maximum number of candidates of a pick by masks. Each candidate takes one byte, and four vectors hold all of them.
 */
export const MASKED_VALUES: u32 = offsetof<Vectors>();
/** Stands for "not a candidate" in the `places` of a PickOtherOp. */
export const NO_PLACE: u32 = 0xffff;
/** Number of bits of a condition's fraction. */
export const FRACTION_BITS: u32 = 15;

/** How a condition changed a stat. */
export const enum ConditionOutcome {
  LOWERED,
  RAISED,
  DOUBLED,
}

/**
 * Ids of subsets of a span's items. A subset is a list (u16 each, ascending) or a mask (one byte for each item). A list
 * and a mask can have the same id.
 */
export const enum ItemPart {
  LIST_OF_ALL,
  MASK_OF_ALL,
  /** The first id that a program can use for the subsets that it makes. */
  FREE,
}

// ┌─────────────┬─────────────┬─────────────┬─────────────┬─────────────┬─────────────┐
// │ columns     │ stats       │ plan        │ planBytes   │ buffers     │ lists       │  the head of a recipe
// └─────────────┴─────────────┴─────────────┴─────────────┴─────────────┴─────────────┘
//   address       address       address       its size      address       their number
@unmanaged
export class RecipeHead {
  columns: usize;
  stats: usize;
  plan: usize;
  planBytes: u32;
  buffers: usize;
  lists: u32;
}

// ┌─────────────┬─────────────┬─────────────┬─────────────┬─────────────┐
// │ program     │ groups      │ groupsAt    │ clamps      │ clampsAt    │  the head of a plan
// └─────────────┴─────────────┴─────────────┴─────────────┴─────────────┘
//   offset        count         offset        count         offset
@unmanaged
export class RecipePlanHead {
  program: u32;
  groups: u32;
  groupsAt: u32;
  clamps: u32;
  clampsAt: u32;
}

// ┌─────────────┬─────────────┬─────────────┐
// │ width       │ adders      │ addersAt    │  a group of stats; width: size in bytes of the numbers that are summed
// └─────────────┴─────────────┴─────────────┘
@unmanaged
export class StatGroup {
  width: u32;
  adders: u32;
  addersAt: u32;
}

// ┌─────────────┬─────────────┬───────────────┬─────────────┐
// │ column      │ table       │ columnAddress │ rows        │  adds a column to a group; table: a row for each value
// └─────────────┴─────────────┴───────────────┴─────────────┘
//   number        offset        set by the kernel: addresses of the column and the table in the current span
@unmanaged
export class StatAdder {
  column: u32;
  table: u32;
  columnAddress: u32;
  rows: u32;
}

// ┌─────────────┬─────────────┬─────────────┬─────────────┬─────────────┐
// │ group       │ lane        │ narrow      │ least       │ most        │  a clamp of a stat; both ends are inclusive
// └─────────────┴─────────────┴─────────────┴─────────────┴─────────────┘
@unmanaged
export class StatClamp {
  group: u32;
  lane: u32;
  /** 1 if the stat is i16, 0 if it is i32. */
  narrow: u32;
  least: i32;
  most: i32;
}

// ┌─────────┬──────┬────────────┬────────┬─────────┬──────────┬───────┬──────┬────────┬───────┬──────────────────┐
// │ outcome │ unit │ multiplier │ addend │ divisor │ fraction │ group │ lane │ narrow │ later │ LaterAdder × later │
// └─────────┴──────┴────────────┴────────┴─────────┴──────────┴───────┴──────┴────────┴───────┴──────────────────┘
//
// A condition raises or lowers a stat by a random amount of at most round(|stat| · share). This bound is ⌊(|stat| ·
// multiplier + addend) / divisor⌋. If ⌊(|stat| · fraction + 2^14) / 2^15⌋ equals this bound for every possible value of
// the stat, the kernel uses `fraction`, which is faster. If not, `fraction` is 0.
@unmanaged
export class StatCondition {
  /** Number of the column to which the ConditionOutcome of each item is written. */
  outcome: u32;
  /** The number 1 in units of the stat's last decimal place. Example: 100 for a stat with two decimal places. */
  unit: u32;
  multiplier: u32;
  addend: u32;
  divisor: u32;
  fraction: u32;
  group: u32;
  lane: u32;
  /** 1 if the stat is i16, 0 if it is i32. */
  narrow: u32;
  /** Number of columns that add to the stat after the condition. */
  later: u32;
}

// ┌─────────────┬─────────────┐
// │ column      │ table       │  adds a column to a stat after a condition; table: an i16 or i32 for each value
// └─────────────┴─────────────┘
@unmanaged
export class LaterAdder {
  column: u32;
  table: u32;
}

// ┌─────────────┬─────────────┐
// │ values      │ count       │  the candidates for one roll of a swing, u16 each
// └─────────────┴─────────────┘
@unmanaged
export class SwingSet {
  values: u32;
  count: u32;
}

// ┌─────────────┬─────────────┬─────────────┬─────────────┬─────────────┐
// │ total       │ values      │ sums        │ guide       │ shift       │  candidates with weights
// └─────────────┴─────────────┴─────────────┴─────────────┴─────────────┘
//   T             u16 each      u32 each      u16 each
//
// sums[i] is the total weight of the candidates 0 … i, so the last sum is T. An x of 0 … T − 1 chooses the first
// candidate whose sum is > x. To find this candidate fast, all x with the same x >>> shift form a bucket. guide[bucket]
// is the candidate that the smallest x in the bucket chooses. The search begins there. There are at least as many
// buckets as candidates. So the search takes at most two steps on average (Chen and Asau, "On generating random
// variates from an empirical distribution", 1974).
@unmanaged
export class WeightedSet {
  total: u32;
  values: u32;
  sums: u32;
  guide: u32;
  shift: u32;
}

/** The codes of ops. For an empty list, an op writes no column, and SELECT makes two empty lists. */
export const enum OpCode {
  /** Ends the program. */
  END,
  /** SelectOp: splits a list by a roll. */
  SELECT,
  /** SelectOp: splits a mask by a roll. */
  SELECT_MASKED,
  /** ListOp: turns a mask into a list. */
  LIST_MASKED,
  /** PickOp: a uniform choice for each item of a list. */
  PICK,
  /** PickOp: a uniform choice for each item of a mask. Sets all other items to 0. */
  PICK_MASKED,
  /** PickOtherOp: as PICK, but never chooses the value that the item has in the column `other`. */
  PICK_OTHER,
  /** PickSwingingOp: a roll selects a set of candidates; then a uniform choice from this set. */
  PICK_SWINGING,
  /** PickWeightedOp: a choice by weights for each item of a list. */
  PICK_WEIGHTED,
  /** PickOtherWeightedOp: as PICK_WEIGHTED, but never chooses the value that the item has in the column `other`. */
  PICK_OTHER_WEIGHTED,
  /** PickSwingingOp: a roll selects a set of candidates; then a choice by weights from this set. */
  PICK_SWINGING_WEIGHTED,
  /** SetOp: sets the items of a list to one value. */
  SET,
  /** SetOp: sets the items of a mask to one value. The items must be 0 before, because the value is ORed in. */
  SET_MASKED,
  /** ClearOp: sets a whole column to 0. */
  CLEAR,
  /** MergeOp: merges two columns into one. */
  MERGE,
  /** RecipeOp: sums the stats. */
  SUM,
  /** ConditionOp: doubles, raises or lowers a stat, after the stats are summed. */
  CONDITION,
}

// ┌─────────────┬─────────────┬─────────────────────┐
// │ code        │ from        │ fields of the op …  │  an op; the next op follows it
// └─────────────┴─────────────┴─────────────────────┘
//   OpCode        list or mask
@unmanaged
export class RecipeOp {
  code: u32;
  from: u32;
}

/** Items with a roll ≥ `fails` go to `passed`, all other items to `failed`. */
@unmanaged
export class SelectOp extends RecipeOp {
  passed: u32;
  failed: u32;
  plane: u32;
  fails: u32;
}

@unmanaged
export class ListOp extends RecipeOp {
  into: u32;
}

/** `values` is the offset of `count` candidates: u16 each, or one byte each for PICK_MASKED. */
@unmanaged
export class PickOp extends RecipeOp {
  column: u32;
  plane: u32;
  count: u32;
  values: u32;
}

/**
 * `places` is the offset of an array, u16. The array maps each value of the column `other` to the index of the
 * candidate with this value, or to NO_PLACE.
 */
@unmanaged
export class PickOtherOp extends PickOp {
  other: u32;
  places: u32;
}

/** `set` is the offset of a WeightedSet. */
@unmanaged
export class PickWeightedOp extends RecipeOp {
  column: u32;
  plane: u32;
  set: u32;
}

/** `places` is the offset of an array, u16: for each value of the column `other`, its candidate's index or NO_PLACE. */
@unmanaged
export class PickOtherWeightedOp extends PickWeightedOp {
  other: u32;
  places: u32;
}

/**
 * `sets` is the offset of an array with one entry for each roll 0 … 100 on `swingPlane`. For PICK_SWINGING, the entries
 * are SwingSets. For PICK_SWINGING_WEIGHTED, they are offsets of WeightedSets.
 */
@unmanaged
export class PickSwingingOp extends RecipeOp {
  column: u32;
  swingPlane: u32;
  plane: u32;
  sets: u32;
}

@unmanaged
export class SetOp extends RecipeOp {
  column: u32;
  value: u32;
}

@unmanaged
export class ClearOp extends RecipeOp {
  column: u32;
}

/** Stores (first column) · `size` + (second column) in `into`. */
@unmanaged
export class MergeOp extends RecipeOp {
  into: u32;
  first: u32;
  second: u32;
  size: u32;
}

/** `condition` is the offset of a StatCondition. The masks `doubled` and `raised` select the outcome of each item. */
@unmanaged
export class ConditionOp extends RecipeOp {
  plane: u32;
  condition: u32;
  doubled: u32;
  raised: u32;
}

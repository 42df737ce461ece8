// The memory of recipes, for both sides of the boundary (docs/determinism.md numbers the decisions).
//
//   a recipe   its head │ columns │ stats │ plan │ buffers; a plan or buffers that must grow are allocated anew
//   a plan     its head │ tables, conditions, groups, clamps │ program; all offsets are bytes from the plan's start
//   columns    one for each slot, each outcome, each pair of merged columns, and each gate (the roll that opens a step)
//              that no slot shows
//   stats      groups of stats: sixteen of i16 or eight of i32; a lane is the number of a stat in its group

import { Vectors } from "../core/vectors";
import { SPAN_WORDS } from "../core/words";

/** Number of values of a roll, 0 … 100. */
export const ROLL_SIDES: u32 = 101;

/** Maximum number of items of one call. */
export const ITEM_BATCH: u32 = 4 * SPAN_WORDS;
/** Each column has room for this many more items, because loops read and write whole vectors. */
const MARGIN: u32 = 16;
/** Size of a column of u16 or i16, and of a column of i32, in bytes. */
export const COLUMN_BYTES: usize = (<usize>(ITEM_BATCH + MARGIN)) << 1;
export const WIDE_COLUMN_BYTES: usize = (<usize>(ITEM_BATCH + MARGIN)) << 2;

/** Number of stats in a group: narrow stats are i16, wide stats are i32. */
export const NARROW_LANES: u32 = 16;
export const WIDE_LANES: u32 = 8;
/** Size of a group's stats in bytes, equal for narrow and wide stats. */
export const GROUP_BYTES: usize = <usize>NARROW_LANES * COLUMN_BYTES;
/** Size of a row of a group's table, in bytes: one number for each lane. Sums in i8 have short rows. */
export const SHORT_ROW_BYTES: u32 = NARROW_LANES;
export const ROW_BYTES: u32 = 2 * NARROW_LANES;

/** Maximum number of candidates of a pick by masks: four vectors hold one byte for each. */
export const MASKED_VALUES: u32 = offsetof<Vectors>();
/** Stands for "not a candidate" in the places of a PickOtherOp. */
export const NO_PLACE: u32 = 0xffff;
/** Number of bits of a condition's fraction. */
export const FRACTION_BITS: u32 = 15;

/** The way in which a condition changed a stat. */
export const enum ConditionOutcome {
  LOWERED,
  RAISED,
  DOUBLED,
}

/**
 * Numbers of the parts of a span's items. A part is a list (u16 each, ascending) or a mask (a byte for each item). A
 * list and a mask can have the same number.
 */
export const enum ItemPart {
  LIST_OF_ALL,
  MASK_OF_ALL,
  /** The first number that programs can use for other parts. */
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
// round(|stat| · share) = ⌊(|stat| · multiplier + addend) / divisor⌋ = ⌊(|stat| · fraction + 2^14) / 2^15⌋. The second
// form holds for every possible value of the stat. If no fraction gives such a form, fraction is 0.
@unmanaged
export class StatCondition {
  /** Number of the column that gets a ConditionOutcome for each item. */
  outcome: u32;
  /** The number 1, in units of the stat's last decimal place. */
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
// candidate whose sum is > x. guide[x >>> shift] is the first candidate that some x of the same bucket chooses. There
// are at least as many buckets as candidates, unless each x has a bucket. So the search takes at most two steps on
// average (Chen and Asau, "On generating random variates from an empirical distribution", 1974).
@unmanaged
export class WeightedSet {
  total: u32;
  values: u32;
  sums: u32;
  guide: u32;
  shift: u32;
}

/** The kinds of ops. An op that reads a list does nothing if the list is empty. */
export const enum OpCode {
  /** Ends the program. */
  END,
  /** SelectOp: splits a list by a roll. */
  SELECT,
  /** SelectOp: splits a mask by a roll. */
  SELECT_MASKED,
  /** ListOp: turns a mask into a list. */
  LIST_MASKED,
  /** PickOp: a uniform choice for the items of a list. */
  PICK,
  /** PickOp: a uniform choice for the items of a mask; all other items get 0. */
  PICK_MASKED,
  /** PickOtherOp: a uniform choice that differs from the value of another column. */
  PICK_OTHER,
  /** PickSwingingOp: a uniform choice among the candidates that a roll selects. */
  PICK_SWINGING,
  /** PickWeightedOp: a choice by weights. */
  PICK_WEIGHTED,
  /** PickOtherWeightedOp: a choice by weights that differs from the value of another column. */
  PICK_OTHER_WEIGHTED,
  /** PickSwingingOp: a choice by weights among the candidates that a roll selects. */
  PICK_SWINGING_WEIGHTED,
  /** SetOp: sets the items of a list to one value. */
  SET,
  /** SetOp: sets the items of a mask to one value. The column must hold 0 for them, because the value is ORed in. */
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

/** Items with a roll ≥ `fails` go to `passed`, the others to `failed`. */
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
 * `places` is the offset of an array with a u16 for each value of the column `other`: the index of this value among the
 * candidates, or NO_PLACE.
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

/** `places` as in a PickOtherOp. */
@unmanaged
export class PickOtherWeightedOp extends PickWeightedOp {
  other: u32;
  places: u32;
}

/**
 * `sets` is the offset of an array with an entry for each value of the roll on `swingPlane`: a SwingSet, or for
 * PICK_SWINGING_WEIGHTED the offset of a WeightedSet.
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

/** Stores first · `size` + second in `into`. */
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

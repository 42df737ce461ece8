// The memory of recipes, as both sides of the boundary know it (docs/determinism.md numbers the decisions).
//
//   a recipe   its head │ columns │ stats │ plan │ buffers; the plan and the buffers move when they must grow
//   a plan     its head │ tables, conditions, groups, clamps │ program, by byte offsets from the plan's start
//   columns    one for each slot, each outcome, each gate that no slot shows, and each pair of merged columns
//   stats      groups of lanes: sixteen stats of i16 or eight of i32

import { Vectors } from "../core/vectors";
import { SPAN_WORDS } from "../core/words";

/** A roll is 0 … 100. */
export const ROLL_SIDES: u32 = 101;

/** The most items of one call. */
export const ITEM_BATCH: u32 = 4 * SPAN_WORDS;
/** Loops read and write whole vectors: each column has room for so many more items. */
const MARGIN: u32 = 16;
/** Bytes of a column of u16 or i16, and of one of i32. */
export const COLUMN_BYTES: usize = (<usize>(ITEM_BATCH + MARGIN)) << 1;
export const WIDE_COLUMN_BYTES: usize = (<usize>(ITEM_BATCH + MARGIN)) << 2;

/** Stats of a group: narrow ones of i16, wide ones of i32. */
export const NARROW_LANES: u32 = 16;
export const WIDE_LANES: u32 = 8;
/** Bytes of a group's stats: both kinds take the same room. */
export const GROUP_BYTES: usize = <usize>NARROW_LANES * COLUMN_BYTES;
/** Bytes of a table's row for a group: one number for each lane. Sums in i8 have short rows. */
export const SHORT_ROW_BYTES: u32 = NARROW_LANES;
export const ROW_BYTES: u32 = 2 * NARROW_LANES;

/** Candidates of a pick by masks, each of one byte: what four vectors hold. */
export const MASKED_VALUES: u32 = offsetof<Vectors>();
/** Stands for "not a candidate" among the places of a PickOtherOp. */
export const NO_PLACE: u32 = 0xffff;
/** Bits of a condition's fraction. */
export const FRACTION_BITS: u32 = 15;

/** How a condition changed a stat. */
export const enum ConditionOutcome {
  LOWERED,
  RAISED,
  DOUBLED,
}

/** Parts of a span's items: a list (u16 each, ascending) or a mask (a byte for each item). Both may use one number. */
export const enum ItemPart {
  LIST_OF_ALL,
  MASK_OF_ALL,
  /** The first number that a program may use. */
  FREE,
}

// ┌─────────────┬─────────────┬─────────────┬─────────────┬─────────────┬─────────────┐
// │ columns     │ stats       │ plan        │ planBytes   │ buffers     │ lists       │  the head of a recipe
// └─────────────┴─────────────┴─────────────┴─────────────┴─────────────┴─────────────┘
//   address       address       address       its room      address       their number
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
// │ width       │ adders      │ addersAt    │  a group of stats; width: the bytes that a word's numbers are summed in
// └─────────────┴─────────────┴─────────────┘
@unmanaged
export class StatGroup {
  width: u32;
  adders: u32;
  addersAt: u32;
}

// ┌─────────────┬─────────────┬───────────────┬─────────────┐
// │ column      │ table       │ columnAddress │ rows        │  a column that adds to a group: its table has a row for each value
// └─────────────┴─────────────┴───────────────┴─────────────┘
//   number        offset        both are addresses in the current span, which the kernel writes
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
  narrow: u32;
  least: i32;
  most: i32;
}

// ┌─────────┬──────┬────────────┬────────┬─────────┬──────────┬───────┬──────┬────────┬───────┬──────────────────┐
// │ outcome │ unit │ multiplier │ addend │ divisor │ fraction │ group │ lane │ narrow │ later │ LaterAdder × later │
// └─────────┴──────┴────────────┴────────┴─────────┴──────────┴───────┴──────┴────────┴───────┴──────────────────┘
//
// round(|stat| · share) = ⌊(|stat| · multiplier + addend) / divisor⌋ = ⌊(|stat| · fraction + 2^14) / 2^15⌋. The second form
// holds for every stat that can occur; with fraction 0 there is no such form.
@unmanaged
export class StatCondition {
  /** The column of its outcomes. */
  outcome: u32;
  /** What a whole number is in units of the stat. */
  unit: u32;
  multiplier: u32;
  addend: u32;
  divisor: u32;
  fraction: u32;
  group: u32;
  lane: u32;
  narrow: u32;
  /** Columns that add to the stat after the condition. */
  later: u32;
}

// ┌─────────────┬─────────────┐
// │ column      │ table       │  a column that adds to a stat after a condition; the table has an i16 or i32 for each value
// └─────────────┴─────────────┘
@unmanaged
export class LaterAdder {
  column: u32;
  table: u32;
}

// ┌─────────────┬─────────────┐
// │ values      │ count       │  the candidates for one value of a swing: u16 each
// └─────────────┴─────────────┘
@unmanaged
export class SwingSet {
  values: u32;
  count: u32;
}

/** What an op does. An op of a list does nothing if the list is empty. */
export const enum OpCode {
  /** Ends the program. */
  END,
  /** SelectOp: splits a list by a roll. */
  SELECT,
  /** SelectOp: splits a mask by a roll. */
  SELECT_MASKED,
  /** ListOp: makes a list of a mask. */
  LIST_MASKED,
  /** PickOp: a uniform choice for the items of a list. */
  PICK,
  /** PickOp: a uniform choice for the items of a mask; all other items get 0. */
  PICK_MASKED,
  /** PickOtherOp: a uniform choice that differs from another column's. */
  PICK_OTHER,
  /** PickSwingingOp: a uniform choice among the candidates that a roll selects. */
  PICK_SWINGING,
  /** SetOp: one value for the items of a list. */
  SET,
  /** SetOp: one value for the items of a mask; the column has 0 for them. */
  SET_MASKED,
  /** ClearOp: sets a whole column to 0. */
  CLEAR,
  /** MergeOp: makes one column of two. */
  MERGE,
  /** RecipeOp: sums the stats. */
  SUM,
  /** ConditionOp: doubles, raises or lowers a stat; the stats are summed. */
  CONDITION,
}

// ┌─────────────┬─────────────┬─────────────────────┐
// │ code        │ from        │ fields of the op …  │  an op; the next one follows it
// └─────────────┴─────────────┴─────────────────────┘
//   OpCode        list or mask
@unmanaged
export class RecipeOp {
  code: u32;
  from: u32;
}

/** Items whose roll is ≥ `fails` go to `passed`, the others to `failed`. */
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

/** `values`: the offset of `count` candidates. */
@unmanaged
export class PickOp extends RecipeOp {
  column: u32;
  plane: u32;
  count: u32;
  values: u32;
}

/** `places`: by value of the column `other`, the place of that value among the candidates, u16, or NO_PLACE. */
@unmanaged
export class PickOtherOp extends PickOp {
  other: u32;
  places: u32;
}

/** `sets`: the offset of a SwingSet for each value of the roll on `swingPlane`. */
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

/** first · `size` + second. */
@unmanaged
export class MergeOp extends RecipeOp {
  into: u32;
  first: u32;
  second: u32;
  size: u32;
}

/** `condition`: the offset of a StatCondition. The masks `doubled` and `raised` select its outcomes. */
@unmanaged
export class ConditionOp extends RecipeOp {
  plane: u32;
  condition: u32;
  doubled: u32;
  raised: u32;
}

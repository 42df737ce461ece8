// Recipes: item k is made step by step, and decision d of step s is word(recipe, 16·s + d, k).
//
// A plan is a program, eight u32 an op, and the tables that it reads. It runs over spans of 2,048 items: an op goes through
// a list of items, one plane of words beside it, and fills a column or splits the list in two. A plane is filled no further
// than its list's last item.
//
//   plan      program │ groups of stats │ clamps │ tables, by byte offset from the plan's start (recipes/sums.ts)
//   columns   u16 × BATCH          one a slot, one an outcome
//   stats     32 bytes × BATCH     a group: sixteen stats of i16 or eight of i32

import { allocate, allocateZeroed, mark, release } from "../core/memory";
import { SPAN_BLOCKS, SPAN_WORDS } from "../core/words";
import { changeStat } from "./conditions";
import { clear, merge, pick, pickOther, pickSwinging, select, set } from "./decisions";
import { listMasked, pickMasked, selectMasked, setMasked } from "./masks";
import {
  BATCH,
  COLUMN_BYTES,
  columnAt,
  countOf,
  GROUP_BYTES,
  LIST_BYTES,
  MORE_BYTES,
  openCall,
  openSpan,
  setCount,
  WIDE_BYTES,
} from "./span";
import { clampStats, sumStats } from "./sums";

const PLAN: usize = 0;
const COLUMNS: usize = 4;
const STATS: usize = 8;
const BUFFERS: usize = 12;
const RECIPE_BYTES: usize = 16;

// ── building ──

/** Room for a plan of `bytes` and what it makes; 0 when memory runs out. The caller writes the plan. */
export function createRecipe(bytes: u32, columns: u32, groups: u32, lists: u32): usize {
  const before = mark();
  const recipe = allocate(RECIPE_BYTES);
  const plan = allocate(bytes);
  const columnsAt = allocateZeroed(<usize>columns * COLUMN_BYTES);
  const statsAt = allocate(<usize>groups * GROUP_BYTES);
  // (a list that has nothing yet has the count 0)
  const buffers = allocateZeroed(MORE_BYTES + <usize>lists * LIST_BYTES);
  if (!recipe || !plan || !columnsAt || !statsAt || !buffers) {
    release(before);
    return 0;
  }
  store<u32>(recipe, <u32>plan, PLAN);
  store<u32>(recipe, <u32>columnsAt, COLUMNS);
  store<u32>(recipe, <u32>statsAt, STATS);
  store<u32>(recipe, <u32>buffers, BUFFERS);
  return recipe;
}

/** Where the caller writes the plan. */
export function recipePlan(recipe: usize): usize {
  return load<u32>(recipe, PLAN);
}

/** The most items of one call. */
export function recipeBatch(): u32 {
  return BATCH;
}

/** Where a column of the last call is, u16 an item. */
export function itemColumn(recipe: usize, column: u32): usize {
  return <usize>load<u32>(recipe, COLUMNS) + <usize>column * COLUMN_BYTES;
}

/** Where a stat of the last call is: a lane of a group, i16 an item in a narrow one, else i32. */
export function itemStat(recipe: usize, group: u32, lane: u32, narrow: u32): usize {
  const lanes = <usize>load<u32>(recipe, STATS) + <usize>group * GROUP_BYTES;
  return lanes + <usize>lane * (narrow ? COLUMN_BYTES : WIDE_BYTES);
}

// ── running ──

const OP_BYTES: usize = 32;
const CODE: usize = 0;
const FROM: usize = 4;
const A: usize = 8;
const B: usize = 12;
const C: usize = 16;
const D: usize = 20;
const E: usize = 24;
const F: usize = 28;

/** Op codes, and what A to F are. FROM is a list, or a part where the op is for those. */
const END: u32 = 0;
/** Into, others, plane, fails. */
const SELECT: u32 = 1;
/** Column, plane, n, values. */
const PICK: u32 = 2;
/** Column, plane, n, values, the other column, places. */
const PICK_OTHER: u32 = 3;
/** Column, swing's plane, plane, sets. */
const PICK_SWINGING: u32 = 4;
/** Column, value. */
const SET: u32 = 5;
/** Plane, –, condition, the doubled part, the part that goes up; stats are summed. */
const CONDITION: u32 = 6;
/** Into, a column, another, its values. */
const MERGE: u32 = 7;
/** Column; FROM is all. */
const CLEAR: u32 = 8;
/** Into, others, plane, fails; FROM is a part, and so are these. */
const SELECT_MASKED: u32 = 9;
/** Into; FROM is a part. */
const LIST_MASKED: u32 = 10;
/** Column, plane, n, values of a byte; FROM is a part. */
const PICK_MASKED: u32 = 11;
/** Column, value; FROM is a part. */
const SET_MASKED: u32 = 12;
/** Sums the stats. */
const SUM: u32 = 13;

/** Makes `count` items with the words from `offset` < 1024 of `block` on; offset + count ≤ BATCH. */
export function makeItems(recipe: usize, purpose: u32, block: u32, offset: u32, count: u32): void {
  const plan = recipePlan(recipe);
  openCall(load<u32>(recipe, COLUMNS), load<u32>(recipe, STATS), load<u32>(recipe, BUFFERS));
  for (let done: u32 = 0; done < count; ) {
    const end = min(SPAN_WORDS, offset + (count - done));
    openSpan(purpose, block, offset, end, done);
    for (let op = plan + <usize>load<u32>(plan); load<u32>(op, CODE) != END; op += OP_BYTES) run(plan, op);
    clampStats(plan);
    done += end - offset;
    offset = 0;
    block += SPAN_BLOCKS;
  }
}

function run(plan: usize, op: usize): void {
  const code = load<u32>(op, CODE);
  const from = load<u32>(op, FROM);
  const a = load<u32>(op, A);
  const b = load<u32>(op, B);
  const c = load<u32>(op, C);
  const table = plan + <usize>load<u32>(op, D);
  if (code == SELECT_MASKED) selectMasked(from, a, b, c, load<u32>(op, D));
  else if (code == LIST_MASKED) listMasked(from, a);
  else if (code == PICK_MASKED) pickMasked(from, a, b, c, table);
  else if (code == SET_MASKED) setMasked(from, a, b);
  else if (code == SUM) sumStats(plan);
  else if (countOf(from) == 0) {
    if (code == SELECT) {
      setCount(a, 0);
      setCount(b, 0);
    }
  } else if (code == SELECT) select(from, a, b, c, load<u32>(op, D));
  else if (code == PICK) pick(from, columnAt(a), b, c, table);
  else if (code == PICK_OTHER) pickOther(from, a, b, c, table, load<u32>(op, E), plan + <usize>load<u32>(op, F));
  else if (code == PICK_SWINGING) pickSwinging(from, a, b, c, table, plan);
  else if (code == SET) set(from, a, b);
  else if (code == MERGE) merge(a, b, c, load<u32>(op, D));
  else if (code == CLEAR) clear(a);
  else if (code == CONDITION) changeStat(a, plan + <usize>c, plan, load<u32>(op, D), load<u32>(op, E));
}

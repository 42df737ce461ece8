// Recipes of a plan file. The file lists the ops of a recipe's program with their tables; this file turns them into the
// plan that assembly/recipes runs. No op of a file may make a later call leave its tables:
//
//   lists     an op reads a list or a mask only after another op has written it as what it is
//   values    the bound of a column is above all values that any op writes to it, and each table that is read at the
//             value of a column has that many entries: a table of the file that is shorter is filled up
//   order     no op writes a column after a merge has read it, so the bound of the merged column is known
//   choices   a choice has at least one candidate, also without the value that it must not repeat
//   work      a program has at most MAX_PARTS ops and adders, which limits the time of an item

import { BLOCK_BITS } from "../core/layout";
import { allocate, allocateZeroed } from "../core/memory";
import {
  ClearOp,
  COLUMN_BYTES,
  ConditionOp,
  GROUP_BYTES,
  ITEM_BATCH,
  ItemPart,
  LaterAdder,
  ListOp,
  MASKED_VALUES,
  MergeOp,
  NARROW_LANES,
  NO_PLACE,
  OpCode,
  PickOp,
  PickOtherOp,
  PickOtherWeightedOp,
  PickSwingingOp,
  PickWeightedOp,
  RecipeHead,
  RecipeOp,
  RecipePlanHead,
  ROLL_SIDES,
  ROW_BYTES,
  SelectOp,
  SetOp,
  SHORT_ROW_BYTES,
  StatAdder,
  StatClamp,
  StatCondition,
  StatGroup,
  SwingSet,
  WeightedSet,
  WIDE_COLUMN_BYTES,
  WIDE_LANES,
} from "../recipes/layout";
import { createRecipe, makeItems } from "../recipes/make";
import { BUFFER_BYTES, LIST_BYTES } from "../recipes/span";
import { Noun, PlanStatus } from "./nouns";
import { at, beginChecks, check, end, has, isValid, refuse, seek, sumOf, take, word } from "./reader";
import { rows } from "./results";

const MAX_COLUMNS: u32 = 1 << 10;
const MAX_GROUPS: u32 = 1 << 6;
const MAX_LISTS: u32 = 1 << 8;
const MAX_STATS: u32 = 1 << 10;
const MAX_PARTS: u32 = 1 << 12;
/** Values of columns and indices of candidates are u16. */
const MAX_VALUES: u32 = 1 << 16;
/** No op is longer. */
const OP_BYTES: usize = offsetof<PickOtherOp>();

/** The results are the first `shown` columns of `recipe`, then a stat for each StatClamp at `stats`. */
@unmanaged
export class MadeRecipe {
  recipe: usize;
  shown: u32;
  stats: usize;
  statCount: u32;
}

// ── what is known of the lists and the columns of the program that is read ──

const LIST: u8 = 1;
const MASK: u8 = 2;
/** Flags of a column. */
const ORED: u8 = 1;
const MERGED: u8 = 2;

let columns: u32 = 0;
let lists: u32 = 0;
/** For each list, u8: LIST, MASK or 0; and for each column, u8: its flags, and u32: a number above its values. */
let states: usize = 0;
let flags: usize = 0;
let bounds: usize = 0;
let parts: u32 = 0;
let sums: u32 = 0;
let isBuilding: bool = false;
let hasMemory: bool = false;
let plan: usize = 0;

/** Returns the next word, or 0 behind the end of the section. */
function next(): u32 {
  return check(has(1)) ? word() : 0;
}

/** Returns a list that is written as `state`. */
function source(state: u8): u32 {
  const list = next();
  check(list < lists && load<u8>(states + <usize>list) == state);
  return list;
}

/** Returns a list to write, which becomes `state`. */
function target(state: u8): u32 {
  const list = next();
  if (check(list >= <u32>ItemPart.FREE && list < lists)) store<u8>(states + <usize>list, state);
  return list;
}

function columnOf(): u32 {
  const column = next();
  return check(column < columns) ? column : 0;
}

/** Returns a column to write, with values below `bound`. */
function written(column: u32, bound: u32): u32 {
  check(bound <= MAX_VALUES && !(load<u8>(flags + <usize>column) & MERGED));
  const place = bounds + ((<usize>column) << 2);
  store<u32>(place, max(load<u32>(place), bound));
  return column;
}

/** Returns a number above all values of a column. An OR can set every bit below the highest one. */
function boundOf(column: u32): u32 {
  const bound = load<u32>(bounds + ((<usize>column) << 2));
  if (!(load<u8>(flags + <usize>column) & ORED) || bound == 1) return bound;
  return 1 << (32 - clz(bound - 1));
}

function room(bytes: usize): usize {
  const address = allocateZeroed(bytes);
  if (!address) hasMemory = false;
  return address;
}

/** Returns the offset of an address from the plan, as ops have it. The kernel adds them modulo 2^32. */
function offsetOf(address: usize): u32 {
  return <u32>(address - plan);
}

// ── the section ──

/**
 * │ columns │ shown │ lists │ groups │ stats │ clamps │ ops │ each op │
 * each group: │ width │ adders │ each adder: │ column │ n │ n rows │
 * each stat: │ group │ lane │ narrow │; each clamp: │ group │ lane │ narrow │ least │ most │
 */
export function buildRecipe(noun: Noun): PlanStatus {
  const head = at;
  beginChecks();
  hasMemory = true;
  columns = next();
  const shown = next();
  lists = next();
  const groups = next();
  const stats = next();
  const clamps = next();
  const ops = next();
  check(columns > 0 && columns <= MAX_COLUMNS && shown <= columns && groups <= MAX_GROUPS && stats <= MAX_STATS);
  check(lists >= <u32>ItemPart.FREE && lists <= MAX_LISTS && clamps <= MAX_PARTS && ops <= MAX_PARTS);
  check(shown + stats > 0);
  if (!isValid) return refuse(head);
  noun.made = allocate(offsetof<MadeRecipe>());
  const recipe = createRecipe(columns, groups);
  plan = room(offsetof<RecipePlanHead>());
  const program = room(<usize>(ops + 1) * OP_BYTES);
  const buffers = room(BUFFER_BYTES + <usize>lists * LIST_BYTES);
  bounds = room((<usize>columns) << 2);
  flags = room(columns);
  states = room(lists);
  if (!noun.made || !recipe || !hasMemory) return PlanStatus.MEMORY;
  const first = at;
  for (let step = 0; step < 2; ++step) {
    seek(first, end);
    isBuilding = step == 1;
    readProgram(program, ops, groups);
    if (!hasMemory) return PlanStatus.MEMORY;
    if (!isValid) return refuse(at);
  }
  const made = changetype<MadeRecipe>(noun.made);
  made.recipe = recipe;
  made.shown = shown;
  made.statCount = stats;
  const planHead = changetype<RecipePlanHead>(plan);
  planHead.program = offsetOf(program);
  planHead.groups = groups;
  planHead.groupsAt = readGroups(groups);
  made.stats = readStats(stats, groups, false);
  planHead.clamps = clamps;
  planHead.clampsAt = offsetOf(readStats(clamps, groups, true));
  if (!hasMemory) return PlanStatus.MEMORY;
  if (!isValid) return refuse(at);
  const recipeHead = changetype<RecipeHead>(recipe);
  recipeHead.plan = plan;
  recipeHead.buffers = buffers;
  // a program that does not sum shows zeros, not what the memory held before
  memory.fill(recipeHead.stats, 0, <usize>groups * GROUP_BYTES);
  noun.width = shown + stats;
  noun.out = rows;
  return PlanStatus.OK;
}

// ── ops ──

/** Reads all ops: first only what they write, then also their tables, because those depend on the bounds of columns. */
function readProgram(program: usize, ops: u32, groups: u32): void {
  memory.fill(states, 0, lists);
  store<u8>(states + <usize>ItemPart.LIST_OF_ALL, LIST);
  store<u8>(states + <usize>ItemPart.MASK_OF_ALL, MASK);
  for (let c: usize = 0; c < <usize>columns; ++c) {
    store<u8>(flags + c, load<u8>(flags + c) & ORED);
    if (!isBuilding) store<u32>(bounds + (c << 2), 1);
  }
  parts = ops;
  sums = 0;
  for (let i: u32 = 0, op = program; i < ops && isValid && hasMemory; ++i) op = readOp(op, groups);
}

/** Reads an op to an address. Returns the address after it. */
function readOp(to: usize, groups: u32): usize {
  const op = changetype<RecipeOp>(to);
  op.code = next();
  switch (op.code) {
    case OpCode.SELECT:
    case OpCode.SELECT_MASKED:
      return readSelect(changetype<SelectOp>(to));
    case OpCode.LIST_MASKED:
      op.from = source(MASK);
      changetype<ListOp>(to).into = target(LIST);
      return to + offsetof<ListOp>();
    case OpCode.PICK:
    case OpCode.PICK_MASKED:
    case OpCode.PICK_OTHER:
      return readPick(changetype<PickOtherOp>(to));
    case OpCode.PICK_WEIGHTED:
    case OpCode.PICK_OTHER_WEIGHTED:
      return readPickWeighted(changetype<PickOtherWeightedOp>(to));
    case OpCode.PICK_SWINGING:
    case OpCode.PICK_SWINGING_WEIGHTED:
      return readSwing(changetype<PickSwingingOp>(to));
    case OpCode.SET:
    case OpCode.SET_MASKED:
      return readSet(changetype<SetOp>(to));
    case OpCode.CLEAR:
      changetype<ClearOp>(to).column = written(columnOf(), 1);
      return to + offsetof<ClearOp>();
    case OpCode.MERGE:
      return readMerge(changetype<MergeOp>(to));
    case OpCode.SUM:
      check(++sums == 1);
      return to + offsetof<RecipeOp>();
    case OpCode.CONDITION:
      return readCondition(changetype<ConditionOp>(to), groups);
  }
  check(false);
  return to;
}

/** │ from │ passed │ failed │ plane │ fails │ */
function readSelect(op: SelectOp): usize {
  const state = op.code == OpCode.SELECT ? LIST : MASK;
  op.from = source(state);
  op.passed = target(state);
  op.failed = target(state);
  op.plane = next();
  op.fails = next();
  check(op.passed != op.failed && op.passed != op.from && op.failed != op.from && op.fails <= ROLL_SIDES);
  return changetype<usize>(op) + offsetof<SelectOp>();
}

/** │ from │ column │ plane │ n │ n values │, and for PICK_OTHER: │ other │ places │ */
function readPick(op: PickOtherOp): usize {
  const isMasked = op.code == OpCode.PICK_MASKED;
  op.from = source(isMasked ? MASK : LIST);
  const column = columnOf();
  op.plane = next();
  op.count = next();
  op.column = column;
  check(op.count > 0 && (!isMasked || op.count <= MASKED_VALUES));
  op.values = isMasked ? valueBytes(column, op.count) : values(column, op.count);
  if (op.code != OpCode.PICK_OTHER) return changetype<usize>(op) + offsetof<PickOp>();
  op.other = columnOf();
  op.places = places(op.other, op.count, 0);
  return changetype<usize>(op) + offsetof<PickOtherOp>();
}

/** │ from │ column │ plane │ a set │, and for PICK_OTHER_WEIGHTED: │ other │ places │ */
function readPickWeighted(op: PickOtherWeightedOp): usize {
  op.from = source(LIST);
  op.column = columnOf();
  op.plane = next();
  const set = weightedSet(op.column);
  op.set = offsetOf(set);
  if (op.code == OpCode.PICK_WEIGHTED) return changetype<usize>(op) + offsetof<PickWeightedOp>();
  op.other = columnOf();
  op.places = places(op.other, setLength, setWeights);
  return changetype<usize>(op) + offsetof<PickOtherWeightedOp>();
}

/** │ from │ column │ swing plane │ plane │ sets │ each set: │ rolls that select it │ n │ n values │ n weights │ */
function readSwing(op: PickSwingingOp): usize {
  const isWeighted = op.code == OpCode.PICK_SWINGING_WEIGHTED;
  op.from = source(LIST);
  op.column = columnOf();
  op.swingPlane = next();
  op.plane = next();
  const table = room(<usize>ROLL_SIDES * offsetof<SwingSet>());
  op.sets = offsetOf(table);
  let roll: u32 = 0;
  for (let sets = next(); sets > 0 && isValid && hasMemory; --sets) {
    const rolls = next();
    if (!check(rolls <= ROLL_SIDES - roll)) break;
    let set: usize = 0;
    let count: u32 = 0;
    let chosen: u32 = 0;
    if (isWeighted) set = weightedSet(op.column);
    else {
      count = next();
      check(count > 0);
      chosen = values(op.column, count);
    }
    for (const to = roll + rolls; isBuilding && hasMemory && roll < to; ++roll) {
      if (isWeighted) store<u32>(table + ((<usize>roll) << 2), offsetOf(set));
      else {
        const one = changetype<SwingSet>(table + <usize>roll * offsetof<SwingSet>());
        one.values = chosen;
        one.count = count;
      }
    }
    if (!isBuilding) roll += rolls;
  }
  check(roll == ROLL_SIDES);
  return changetype<usize>(op) + offsetof<PickSwingingOp>();
}

/** │ from │ column │ value │ */
function readSet(op: SetOp): usize {
  const isMasked = op.code == OpCode.SET_MASKED;
  op.from = source(isMasked ? MASK : LIST);
  const column = columnOf();
  op.value = next();
  check(op.value < MAX_VALUES);
  op.column = written(column, min(op.value, MAX_VALUES - 1) + 1);
  if (isMasked && isValid) store<u8>(flags + <usize>column, load<u8>(flags + <usize>column) | ORED);
  return changetype<usize>(op) + offsetof<SetOp>();
}

/** │ into │ first │ second │ size │ */
function readMerge(op: MergeOp): usize {
  op.into = columnOf();
  op.first = columnOf();
  op.second = columnOf();
  op.size = next();
  if (!check(op.size < MAX_VALUES)) return 0;
  store<u8>(flags + <usize>op.first, load<u8>(flags + <usize>op.first) | MERGED);
  store<u8>(flags + <usize>op.second, load<u8>(flags + <usize>op.second) | MERGED);
  const bound = <u64>(boundOf(op.first) - 1) * op.size + boundOf(op.second);
  // the kernel multiplies modulo 2^16
  written(op.into, <u32>min<u64>(bound, MAX_VALUES));
  return changetype<usize>(op) + offsetof<MergeOp>();
}

/**
 * │ plane │ doubled │ raised │ column │ unit │ multiplier │ addend │ divisor │ fraction │ group │ lane │ narrow │ later │
 * each later adder: │ column │ n │ n numbers │
 */
function readCondition(op: ConditionOp, groups: u32): usize {
  op.plane = next();
  op.doubled = source(MASK);
  op.raised = source(MASK);
  const column = columnOf();
  const fields = take(5);
  const stat = take(3);
  const later = next();
  parts += min(later, MAX_PARTS);
  if (!check(fields != 0 && stat != 0 && parts <= MAX_PARTS) || !isStat(stat, groups)) return 0;
  const to = room(offsetof<StatCondition>() + <usize>later * offsetof<LaterAdder>());
  if (!hasMemory) return 0;
  op.condition = offsetOf(to);
  const condition = changetype<StatCondition>(to);
  condition.outcome = written(column, 3);
  memory.copy(to + offsetof<StatCondition>("unit"), fields, 20);
  memory.copy(to + offsetof<StatCondition>("group"), stat, 12);
  condition.later = later;
  check(condition.divisor != 0);
  for (let i: u32 = 0; i < later && isValid && hasMemory; ++i) {
    const adder = changetype<LaterAdder>(to + offsetof<StatCondition>() + <usize>i * offsetof<LaterAdder>());
    adder.column = columnOf();
    const n = next();
    const numbers = take(n);
    if (!check(numbers != 0) || !isBuilding) continue;
    const size: usize = condition.narrow ? 2 : 4;
    const bound = boundOf(adder.column);
    const table = room(<usize>bound * size);
    if (!table) continue;
    adder.table = offsetOf(table);
    for (let v: usize = 0, last = <usize>min(n, bound); v < last; ++v) {
      if (condition.narrow) store<i16>(table + (v << 1), <i16>load<i32>(numbers + (v << 2)));
      else store<i32>(table + (v << 2), load<i32>(numbers + (v << 2)));
    }
  }
  return changetype<usize>(op) + offsetof<ConditionOp>();
}

// ── the tables of ops ──

/** Reads n values of a column, and returns the offset of their table, u16. */
function values(column: u32, n: u32): u32 {
  const from = take(n);
  if (!check(from != 0)) return 0;
  for (let i: usize = 0; i < <usize>n && isValid; ++i) written(column, boundAt(from + (i << 2)));
  return isBuilding && isValid ? offsetOf(packed(from, n, n, 0)) : 0;
}

/** Reads n values below 2^8 of a column, and returns the offset of a table of MASKED_VALUES bytes. */
function valueBytes(column: u32, n: u32): u32 {
  const from = take(n);
  const table = isBuilding ? room(MASKED_VALUES) : 0;
  if (!check(from != 0) || !hasMemory) return 0;
  for (let i: usize = 0; i < <usize>n && isValid; ++i) {
    const value = load<u32>(from + (i << 2));
    check(value < 1 << 8);
    written(column, boundAt(from + (i << 2)));
    if (isBuilding) store<u8>(table + i, <u8>value);
  }
  return offsetOf(table);
}

/** Returns a number above a value, at most MAX_VALUES + 1, which no column can have. */
function boundAt(value: usize): u32 {
  return min(load<u32>(value), MAX_VALUES) + 1;
}

/** Copies n numbers to a table of u16 with at least `least` entries, the rest of them `other`. */
function packed(from: usize, n: u32, least: u32, other: u16): usize {
  const table = room((<usize>max(n, least)) << 1);
  if (!table) return 0;
  for (let i: usize = 0, all = <usize>max(n, least); i < all; ++i) {
    store<u16>(table + (i << 1), i < <usize>n ? <u16>load<u32>(from + (i << 2)) : other);
  }
  return table;
}

/**
 * Reads │ n │ n places │: for each value of the column `other`, its place among the candidates, or NO_PLACE. Without
 * the candidate at a place, others of a weight above 0 must be left; `weights` is 0 if all weights are 1.
 */
function places(other: u32, candidates: u32, weights: usize): u32 {
  const n = next();
  const from = take(n);
  if (!check(from != 0)) return 0;
  for (let i: usize = 0; i < <usize>n && isValid; ++i) {
    const place = load<u32>(from + (i << 2));
    if (place == NO_PLACE || !check(place < candidates)) continue;
    check(weights ? <u64>load<u32>(weights + ((<usize>place) << 2)) < setTotal : candidates > 1);
  }
  return isBuilding && isValid ? offsetOf(packed(from, n, boundOf(other), <u16>NO_PLACE)) : 0;
}

/** The last set of weights that was read. */
let setLength: u32 = 0;
let setWeights: usize = 0;
let setTotal: u64 = 0;

/** Reads │ n │ n values │ n weights │, and returns the address of a WeightedSet. */
function weightedSet(column: u32): usize {
  const n = next();
  const chosen = values(column, n);
  const weights = take(n);
  if (!check(n > 0 && n < MAX_VALUES && weights != 0)) return 0;
  setLength = n;
  setWeights = weights;
  setTotal = sumOf(weights, n);
  if (!check(setTotal > 0 && setTotal <= u32.MAX_VALUE) || !isBuilding) return 0;
  const last = <u32>setTotal - 1;
  // as in src/recipes/kernel/program.ts: the largest shift that leaves more buckets than candidates, or 0
  let shift: u32 = 0;
  while (shift < 31 && last >>> (shift + 1) >= n) ++shift;
  const buckets = (last >>> shift) + 1;
  const to = room(offsetof<WeightedSet>());
  const sumsAt = room((<usize>n) << 2);
  const guide = room((<usize>buckets) << 1);
  if (!hasMemory) return 0;
  let sum: u32 = 0;
  for (let i: usize = 0; i < <usize>n; ++i) {
    sum += load<u32>(weights + (i << 2));
    store<u32>(sumsAt + (i << 2), sum);
  }
  let first: u32 = 0;
  for (let bucket: u32 = 0; bucket < buckets; ++bucket) {
    while (load<u32>(sumsAt + ((<usize>first) << 2)) <= bucket << shift) ++first;
    store<u16>(guide + ((<usize>bucket) << 1), <u16>first);
  }
  const set = changetype<WeightedSet>(to);
  set.total = <u32>setTotal;
  set.values = chosen;
  set.sums = offsetOf(sumsAt);
  set.guide = offsetOf(guide);
  set.shift = shift;
  return to;
}

// ── stats ──

/** Whether │ group │ lane │ narrow │ is the place of a stat. */
function isStat(stat: usize, groups: u32): bool {
  const narrow = load<u32>(stat + 8);
  const lanes = narrow ? NARROW_LANES : WIDE_LANES;
  return check(narrow < 2 && load<u32>(stat) < groups && load<u32>(stat + 4) < lanes);
}

/** Reads stats or clamps, and returns the address of a StatClamp for each. */
function readStats(n: u32, groups: u32, areClamps: bool): usize {
  const table = room(<usize>n * offsetof<StatClamp>());
  const size: u32 = areClamps ? 5 : 3;
  for (let i: u32 = 0; i < n && isValid && hasMemory; ++i) {
    const from = take(size);
    if (check(from != 0) && isStat(from, groups)) {
      memory.copy(table + <usize>i * offsetof<StatClamp>(), from, (<usize>size) << 2);
    }
  }
  return table;
}

/** Reads the groups, and returns the offset of their records. */
function readGroups(n: u32): u32 {
  const table = room(<usize>n * offsetof<StatGroup>());
  for (let i: u32 = 0; i < n && isValid && hasMemory; ++i) {
    const group = changetype<StatGroup>(table + <usize>i * offsetof<StatGroup>());
    group.width = next();
    group.adders = next();
    parts += min(group.adders, MAX_PARTS);
    if (!check((group.width == 1 || group.width == 2 || group.width == 4) && parts <= MAX_PARTS)) break;
    const adders = room(<usize>group.adders * offsetof<StatAdder>());
    group.addersAt = offsetOf(adders);
    const bytes: usize = group.width == 1 ? SHORT_ROW_BYTES : ROW_BYTES;
    for (let a: u32 = 0; a < group.adders && isValid && hasMemory; ++a) {
      readAdder(changetype<StatAdder>(adders + <usize>a * offsetof<StatAdder>()), bytes);
    }
  }
  return offsetOf(table);
}

/** │ column │ n │ n rows │ */
function readAdder(adder: StatAdder, bytes: usize): void {
  adder.column = columnOf();
  const n = next();
  const from = n <= MAX_VALUES ? take(n * (<u32>bytes >>> 2)) : 0;
  if (!check(from != 0)) return;
  const bound = boundOf(adder.column);
  const table = room(<usize>bound * bytes);
  if (!table) return;
  memory.copy(table, from, <usize>min(n, bound) * bytes);
  adder.table = offsetOf(table);
}

// ── items ──

/** Makes items on the current stream, and writes their rows: the shown columns, then the stats. */
export function makeRecipe(made: MadeRecipe, width: u32, block: u32, offset: u32, count: u32): void {
  const head = changetype<RecipeHead>(made.recipe);
  const step = (<usize>width) << 2;
  for (let done: u32 = 0; done < count; ) {
    const n = min(ITEM_BATCH - offset, count - done);
    makeItems(made.recipe, block, offset, n);
    let out = rows + <usize>done * step;
    for (let c: u32 = 0; c < made.shown; ++c, out += 4) {
      const from = <usize>head.columns + <usize>c * COLUMN_BYTES;
      for (let k: usize = 0; k < <usize>n; ++k) store<u32>(out + k * step, load<u16>(from + (k << 1)));
    }
    for (let s: u32 = 0; s < made.statCount; ++s, out += 4) {
      const stat = changetype<StatClamp>(made.stats + <usize>s * offsetof<StatClamp>());
      const group = <usize>head.stats + <usize>stat.group * GROUP_BYTES;
      const from = group + <usize>stat.lane * (stat.narrow ? COLUMN_BYTES : WIDE_COLUMN_BYTES);
      for (let k: usize = 0; k < <usize>n; ++k) {
        store<i32>(out + k * step, stat.narrow ? <i32>load<i16>(from + (k << 1)) : load<i32>(from + (k << 2)));
      }
    }
    done += n;
    block += (offset + n) >>> BLOCK_BITS;
    offset = 0;
  }
}

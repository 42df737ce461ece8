// The bulk calls of a host. Each makes at most BATCH_RESULTS numbers, u32 or i32, and writes them to the window; large
// samples go to `resultsAddress`. Result k of a call has the index `from` + k.

import { rollAmounts } from "../core/amounts";
import { window, words } from "../core/buffers";
import { AmountRecord, BATCH_RESULTS, BLOCK_BITS, BLOCK_WORDS } from "../core/layout";
import { fillRange, SPAN_BLOCKS, SPAN_WORDS, useStream } from "../core/words";
import { rollDice } from "../dice/roll";
import { drawPool } from "../pools/draw";
import { PoolEntry, PoolHead } from "../pools/layout";
import { setQuantity } from "../pools/stock";
import { drawSamples } from "../samples/draw";
import { pickList } from "../weighted/pick";
import { MadeDrops, makeDrops } from "./drops";
import { poolAt, recordAt, rootAt } from "./load";
import {
  MadeList,
  MadeObjects,
  MadePool,
  MadePools,
  MadeRoot,
  MadeSampler,
  MadeTable,
  MOST_INDICES,
  madeOf,
  NounKind,
  nounAt,
  nounCount,
  nounKind,
  PlanStatus,
  refusal,
} from "./nouns";
import { makeMaker, releaseAll } from "./objects";
import { MadeRecipe, makeRecipe } from "./recipes";
import { quantities } from "./results";
import { rollCodes } from "./tables";

/** The first plane of the dice of quantities of a list (docs/determinism.md). */
const LIST_QUANTITIES: u32 = 1;

/** Selects the stream, and the place of the first word. Returns false if the call would leave the range of indices. */
function begin(key: u64, from: u64, count: u32): bool {
  if (from >= MOST_INDICES || from + count > MOST_INDICES || count > BATCH_RESULTS) return false;
  useStream(<u32>key, <u32>(key >>> 32));
  block = <u32>(from >>> BLOCK_BITS);
  offset = <u32>from & (BLOCK_WORDS - 1);
  return true;
}

let block: u32 = 0;
let offset: u32 = 0;

/** Reads words of a stream, on any plane. */
export function wordsMany(key: u64, plane: u64, from: u64, count: u32): PlanStatus {
  if (!begin(key, from, count)) return PlanStatus.RANGE;
  for (let out = window; count; ) {
    const end = min(SPAN_WORDS, offset + count);
    fillRange(plane, block, words, offset, end);
    memory.copy(out, words + ((<usize>offset) << 2), (<usize>(end - offset)) << 2);
    out += (<usize>(end - offset)) << 2;
    count -= end - offset;
    offset = 0;
    block += SPAN_BLOCKS;
  }
  return PlanStatus.OK;
}

/** Returns the numbers of each result; 0 for pools. The next two functions also return 0 if the plan has no such noun. */
export function resultWidth(noun: u32): u32 {
  return noun < nounCount() ? nounAt(noun).width : 0;
}

/** Returns where `makeMany` writes the results of a noun. */
export function resultsAddress(noun: u32): usize {
  return noun < nounCount() ? nounAt(noun).out : 0;
}

/** Returns 1 if the noun has quantities, else 0. */
export function hasQuantities(noun: u32): u32 {
  return noun < nounCount() ? nounAt(noun).hasQuantities : 0;
}

/**
 * Makes results of any noun but pools: picks, rolls, sums of dice (i32), samples or drops. `count` · `resultWidth` is at
 * most BATCH_RESULTS, or `count` is 1. With `withQuantities`, also rolls a quantity for each number of the results; the
 * noun must have some.
 */
export function makeMany(noun: u32, key: u64, from: u64, count: u32, withQuantities: u32): PlanStatus {
  const kind = nounKind(noun);
  const width = resultWidth(noun);
  if (!width) return kind ? PlanStatus.KIND : PlanStatus.NOUN;
  if (withQuantities && !hasQuantities(noun)) return PlanStatus.QUANTITIES;
  if (count > 1 && <u64>count * width > BATCH_RESULTS) return PlanStatus.RANGE;
  if (!begin(key, from, count)) return PlanStatus.RANGE;
  const made = nounAt(noun).made;
  switch (kind) {
    case NounKind.LIST:
      return pick(changetype<MadeList>(made), count, withQuantities);
    case NounKind.TABLE:
      return rollCodes(changetype<MadeTable>(made), withQuantities ? quantities : 0, block, offset, count);
    case NounKind.DICE: {
      const dice = changetype<AmountRecord>(made);
      rollDice(dice.count, dice.sides, dice.least, block, offset, count);
      return PlanStatus.OK;
    }
    case NounKind.DROPS:
      return makeDrops(changetype<MadeDrops>(made), width, key, block, offset, count, withQuantities);
    case NounKind.RECIPE:
      makeRecipe(changetype<MadeRecipe>(made), width, block, offset, count);
      return PlanStatus.OK;
    case NounKind.OBJECTS:
      makeMaker(changetype<MadeObjects>(made), width, key, from, count);
      return PlanStatus.OK;
  }
  const sampler = changetype<MadeSampler>(made);
  const out = nounAt(noun).out;
  drawSamples(sampler.order, sampler.items, width, <u32>from, <u32>(from >>> 32), count, out);
  return PlanStatus.OK;
}

function pick(list: MadeList, count: u32, withQuantities: u32): PlanStatus {
  pickList(list.alias, block, offset, count);
  if (withQuantities) rollAmounts(list.amounts, 1, quantities, LIST_QUANTITIES, 0, block, offset, count);
  return PlanStatus.OK;
}

/** Returns the index of the next draw of a family; 0 if the noun is not a family. */
export function nextDraw(noun: u32): u64 {
  const made = madeOf(noun, NounKind.POOLS);
  return made ? changetype<MadePools>(made).next : 0;
}

let drawn: u32 = 0;

/** Returns the number of records that the last `drawMany` has drawn. */
export function drawnCount(): u32 {
  return drawn;
}

/**
 * Draws records from a pool of a family, at the index after the last draw of the family. Returns EMPTY if fewer than
 * `count` were drawn, because a pool without refill is exhausted, or no record has a mass and a quantity.
 */
export function drawMany(noun: u32, pool: u32, key: u64, count: u32): PlanStatus {
  drawn = 0;
  const made = madeOf(noun, NounKind.POOLS);
  if (!made) return refusal;
  const family = changetype<MadePools>(made);
  if (pool >= family.poolCount) return PlanStatus.POOL;
  if (!begin(key, family.next, count)) return PlanStatus.RANGE;
  const from = poolAt(family, pool);
  drawn = changetype<MadeRoot>(from.root).root ? drawFinite(from, count) : drawInfinite(from, count);
  family.next += drawn;
  return drawn < count ? PlanStatus.EMPTY : PlanStatus.OK;
}

function drawFinite(from: MadePool, count: u32): u32 {
  const root = changetype<MadeRoot>(from.root);
  return drawPool(from.pool, block, offset, root.refills ? count : min(count, copiesLeft(root.root, from.pool)));
}

/** Returns how many draws a pool can make without a refill. Each copy has a mass of at least 1, so the sum fits. */
function copiesLeft(stock: usize, pool: usize): u32 {
  const head = changetype<PoolHead>(pool);
  let copies: u32 = 0;
  for (let i: u32 = 0; i < head.entryCount; ++i) {
    const entry = changetype<PoolEntry>(head.entries + <usize>i * offsetof<PoolEntry>());
    if (entry.mass) copies += recordAt(stock, entry.record).quantity;
  }
  return copies;
}

function drawInfinite(from: MadePool, count: u32): u32 {
  if (!from.pool) return 0;
  pickList(from.pool, block, offset, count);
  for (let at = window, end = window + ((<usize>count) << 2); at < end; at += 4) {
    store<u32>(at, load<u32>(from.records + ((<usize>load<u32>(at)) << 2)));
  }
  return count;
}

/** Returns the number of pools of a family; 0 if the noun is not a family. */
export function poolCount(noun: u32): u32 {
  const made = madeOf(noun, NounKind.POOLS);
  return made ? changetype<MadePools>(made).poolCount : 0;
}

/**
 * Puts all copies back into the stock of a family; its next draw has the index after the last one. Puts all artifacts of
 * an object maker back.
 */
export function restock(noun: u32): PlanStatus {
  const objects = madeOf(noun, NounKind.OBJECTS);
  if (objects) {
    releaseAll(changetype<MadeObjects>(objects));
    return PlanStatus.OK;
  }
  const made = madeOf(noun, NounKind.POOLS);
  if (!made) return refusal;
  const family = changetype<MadePools>(made);
  for (let r: u32 = 0; r < family.rootCount; ++r) {
    const records = rootAt(family, r).recordCount;
    const root = rootAt(family, r).root;
    if (root) for (let i: u32 = 0; i < records; ++i) setQuantity(root, i, recordAt(root, i).initial);
  }
  return PlanStatus.OK;
}

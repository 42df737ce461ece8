// Draws from pools. A family is all pools of one root (layout.ts). Draw n of a family picks a record of a pool by its
// weight: a prefix pick (docs/determinism.md), with word n of plane 0. The weight of a record is quantity × mass. The
// draw reduces the quantity of the picked record by 1.

import { window, words } from "../core/buffers";
import { treeTotal } from "../core/sumTree";
import { fillRange, SPAN_BLOCKS, SPAN_WORDS, selectExtraWords } from "../core/words";
import { PoolHead } from "./layout";
import { poolTotal, refreshPool, takeEntries } from "./stock";
import { drawExactly, drawSettled } from "./treeDraws";

const PLANE: u32 = 0;

let refreshes: u32 = 0;

/** Returns how many times the last call of `drawPool` refreshed its pool. */
export function refreshCount(): u32 {
  return refreshes;
}

/**
 * Makes `count` ≤ BATCH_RESULTS draws, and writes the drawn records to the window, as u32. The first draw reads the
 * word at `offset` in `block`; `offset` is < 1024. If the pool is exhausted, refreshes it before the next draw. Stops
 * if the total weight is 0 even after the refresh. Returns the number of draws made.
 */
export function drawPool(pool: usize, block: u32, offset: u32, count: u32): u32 {
  return drawRounds(pool, block, offset, count, u32.MAX_VALUE);
}

/**
 * Makes up to `count` draws that the caller can take back: refreshes the pool only before the first draw, and stops when
 * it is exhausted. Returns the number of draws made, plus 2^31 if the pool was refreshed.
 */
export function drawAhead(pool: usize, block: u32, offset: u32, count: u32): u32 {
  return drawRounds(pool, block, offset, count, u32(!poolTotal(pool))) | (refreshes << 31);
}

/** Like `drawPool`, but refreshes the pool at most `most` times. */
function drawRounds(pool: usize, block: u32, offset: u32, count: u32, most: u32): u32 {
  refreshes = 0;
  let done: u32 = 0;
  while (done < count) {
    const end = min(SPAN_WORDS, offset + (count - done));
    fillRange(PLANE, block, words, offset, end);
    while (offset < end) {
      if (!poolTotal(pool)) {
        if (refreshes == most) return done;
        refreshPool(pool);
        if (!poolTotal(pool)) return done;
        ++refreshes;
      }
      const out = window + ((<usize>done) << 2);
      const drawn = drawEntries(pool, block, offset, end - offset, out);
      offset += drawn;
      done += drawn;
      const isRefreshedNext = done < count && refreshes != most && !poolTotal(pool);
      takeEntries(pool, out, drawn, isRefreshedNext);
    }
    offset = 0;
    block += SPAN_BLOCKS;
  }
  return done;
}

/**
 * Draws until all `count` words are used or the pool is exhausted. Writes the drawn entries to `out`. Returns the
 * number of draws made.
 */
function drawEntries(pool: usize, block: u32, offset: u32, count: u32, out: usize): u32 {
  const tree = changetype<PoolHead>(pool).tree;
  const entries = changetype<PoolHead>(pool).entries;
  const falls = changetype<PoolHead>(pool).falls;
  const own = words + ((<usize>offset) << 2);
  let done = drawSettled(tree, falls, own, count, out);
  while (done < count && treeTotal(tree)) {
    const at = (<usize>done) << 2;
    selectExtraWords(PLANE, block, offset + done);
    store<u32>(out + at, drawExactly(tree, entries, load<u32>(own + at)));
    ++done;
    done += drawSettled(tree, falls, own + at + 4, count - done, out + at + 4);
  }
  return done;
}

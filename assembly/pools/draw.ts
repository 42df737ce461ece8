// Draws from pools. Draw n of a family is a prefix pick (docs/determinism.md) with word(family, 0, n) over the records
// of a pool, each weighted by quantity × mass. A draw reduces the quantity of the drawn record by 1.

import { window, words } from "../core/buffers";
import { treeTotal } from "../core/sumTree";
import { fillSpan, SPAN_BLOCKS, SPAN_WORDS, selectExtraWords } from "../core/words";
import { PoolHead } from "./layout";
import { poolTotal, refreshPool, takeEntries } from "./stock";
import { drawExactly, drawSettled } from "./treeDraws";

const PLANE: u32 = 0;

let refreshes: u32 = 0;

/** Number of times that the last call of `drawPool` refreshed its pool. */
export function refreshCount(): u32 {
  return refreshes;
}

/**
 * Draws `count` ≤ BATCH_RESULTS times, starting at word `offset` < 1024 of `block`, and writes the records to the
 * window, u32. Before a draw from an exhausted pool, refreshes the pool; stops if its total weight is still 0. Returns
 * the number of draws made.
 */
export function drawPool(pool: usize, block: u32, offset: u32, count: u32): u32 {
  refreshes = 0;
  let done: u32 = 0;
  while (done < count) {
    const end = min(SPAN_WORDS, offset + (count - done));
    fillSpan(PLANE, block, words, end);
    while (offset < end) {
      if (!poolTotal(pool)) {
        refreshPool(pool);
        if (!poolTotal(pool)) return done;
        ++refreshes;
      }
      const out = window + ((<usize>done) << 2);
      const drawn = drawEntries(pool, block, offset, end - offset, out);
      takeEntries(pool, out, drawn);
      offset += drawn;
      done += drawn;
    }
    offset = 0;
    block += SPAN_BLOCKS;
  }
  return done;
}

/**
 * Draws until the words are used up or the pool is exhausted, and writes the entries to `out`. Returns the number of
 * draws made.
 */
function drawEntries(pool: usize, block: u32, offset: u32, count: u32, out: usize): u32 {
  const tree = changetype<PoolHead>(pool).tree;
  const entries = changetype<PoolHead>(pool).entries;
  const own = words + ((<usize>offset) << 2);
  let done = drawSettled(tree, entries, own, count, out);
  while (done < count && treeTotal(tree)) {
    const at = (<usize>done) << 2;
    selectExtraWords(PLANE, block, offset + done);
    store<u32>(out + at, drawExactly(tree, entries, load<u32>(own + at)));
    ++done;
    done += drawSettled(tree, entries, own + at + 4, count - done, out + at + 4);
  }
  return done;
}

// Pools: draw n of a family is a prefix pick with word(family, 0, n) over a pool's records, weighted by quantity × mass.
// Quantities belong to the root and are shared by every pool that lists the record; masses are a pool's own.
//
//   root + RECORDS   12 bytes a record and one more: what is left │ what a refresh brings it back to │ its first listing
//        + LISTINGS  8 bytes a listing: pool │ entry, whoever must hear when the quantity changes
//
//   pool + ENTRIES   8 bytes an entry: record │ mass           pool + TREE   prefix sums of the weights
//
// What one draw touches of a record, and of an entry, is one cache line each.

import { below } from "./kernel/below";
import { window, words } from "./kernel/buffers";
import { allocate, allocateZeroed, mark, release } from "./kernel/memory";
import { addWeight, buildTree, createTree, findEntry, leaves, treeTotal } from "./kernel/sumtree";
import { fillSpan, SPAN_BLOCKS, SPAN_WORDS, standAt } from "./kernel/words";

const PLANE: u32 = 0;

const RECORD_COUNT: usize = 0;
const RECORDS: usize = 4;
const LISTINGS: usize = 8;
const FIRST_POOL: usize = 12;
const ROOT_BYTES: usize = 16;

const QUANTITY: usize = 0;
const INITIAL: usize = 4;
const FIRST_LISTING: usize = 8;
const RECORD_BYTES: usize = 12;
const NEXT_FIRST_LISTING: usize = FIRST_LISTING + RECORD_BYTES;

const ROOT: usize = 0;
const ENTRY_COUNT: usize = 4;
const TREE: usize = 8;
const ENTRIES: usize = 12;
const NEXT_POOL: usize = 16;
const POOL_BYTES: usize = 32;

const ENTRY_RECORD: usize = 0;
const ENTRY_MASS: usize = 4;
const ENTRY_BITS: usize = 3;

const LISTING_POOL: usize = 0;
const LISTING_ENTRY: usize = 4;
const LISTING_BITS: usize = 3;

// ── building ──

/** Room for a root of `records` records; 0 when memory runs out. The caller writes them. */
export function createRoot(records: u32): usize {
  const before = mark();
  const root = allocateZeroed(ROOT_BYTES);
  const at = allocateZeroed((<usize>records + 1) * RECORD_BYTES);
  if (!root || !at) {
    release(before);
    return 0;
  }
  store<u32>(root, records, RECORD_COUNT);
  store<u32>(root, <u32>at, RECORDS);
  return root;
}

/** Where the caller writes the records, three u32 each: what is left, what a refresh brings it back to, 0. */
export function rootRecords(root: usize): usize {
  return load<u32>(root, RECORDS);
}

/** Room for a pool of n ≥ 1 entries under a root; 0 when memory runs out. The caller writes them. */
export function createPool(root: usize, n: u32): usize {
  const before = mark();
  const pool = allocate(POOL_BYTES);
  const tree = createTree(n);
  const entries = allocate((<usize>n) << ENTRY_BITS);
  if (!pool || !tree || !entries) {
    release(before);
    return 0;
  }
  store<u32>(pool, <u32>root, ROOT);
  store<u32>(pool, n, ENTRY_COUNT);
  store<u32>(pool, <u32>tree, TREE);
  store<u32>(pool, <u32>entries, ENTRIES);
  store<u32>(pool, load<u32>(root, FIRST_POOL), NEXT_POOL);
  store<u32>(root, <u32>pool, FIRST_POOL);
  return pool;
}

/** Where the caller writes the entries, two u32 each: record, mass. */
export function poolEntries(pool: usize): usize {
  return load<u32>(pool, ENTRIES);
}

/** Sums every pool of a root, and lists for each record where it stands. 0 when memory runs out. */
export function buildRoot(root: usize): u32 {
  let count: usize = 0;
  for (let pool = <usize>load<u32>(root, FIRST_POOL); pool; pool = load<u32>(pool, NEXT_POOL)) {
    weighPool(root, pool);
    count += load<u32>(pool, ENTRY_COUNT);
  }
  const listings = allocate(count << LISTING_BITS);
  if (!listings) return 0;
  store<u32>(root, <u32>listings, LISTINGS);
  // the counts become ends, and each listing then goes before the end of its record's
  const records = rootRecords(root);
  const last = records + <usize>load<u32>(root, RECORD_COUNT) * RECORD_BYTES;
  let end: u32 = 0;
  for (let record = records; record <= last; record += RECORD_BYTES) {
    end += load<u32>(record, FIRST_LISTING);
    store<u32>(record, end, FIRST_LISTING);
  }
  for (let pool = <usize>load<u32>(root, FIRST_POOL); pool; pool = load<u32>(pool, NEXT_POOL))
    listPool(root, pool, listings);
  return 1;
}

/** Sums a pool, and counts its listings. */
function weighPool(root: usize, pool: usize): void {
  const tree = <usize>load<u32>(pool, TREE);
  const weights = leaves(tree);
  for (let i: u32 = 0, n = load<u32>(pool, ENTRY_COUNT); i < n; ++i) {
    const entry = entryAt(pool, i);
    const record = recordAt(root, load<u32>(entry, ENTRY_RECORD));
    store<u32>(weights + ((<usize>i) << 2), load<u32>(entry, ENTRY_MASS) * load<u32>(record, QUANTITY));
    store<u32>(record, load<u32>(record, FIRST_LISTING) + 1, FIRST_LISTING);
  }
  buildTree(tree);
}

function listPool(root: usize, pool: usize, listings: usize): void {
  for (let i: u32 = 0, n = load<u32>(pool, ENTRY_COUNT); i < n; ++i) {
    const record = recordAt(root, load<u32>(entryAt(pool, i), ENTRY_RECORD));
    const place = load<u32>(record, FIRST_LISTING) - 1;
    const listing = listings + ((<usize>place) << LISTING_BITS);
    store<u32>(record, place, FIRST_LISTING);
    store<u32>(listing, <u32>pool, LISTING_POOL);
    store<u32>(listing, i, LISTING_ENTRY);
  }
}

function recordAt(root: usize, record: u32): usize {
  return rootRecords(root) + <usize>record * RECORD_BYTES;
}

function entryAt(pool: usize, entry: u32): usize {
  return poolEntries(pool) + ((<usize>entry) << ENTRY_BITS);
}

/** What is left of a record. */
export function quantityOf(root: usize, record: u32): u32 {
  return load<u32>(recordAt(root, record), QUANTITY);
}

/** The sum of a pool's weights. */
export function poolTotal(pool: usize): u32 {
  return treeTotal(load<u32>(pool, TREE));
}

// ── changing ──

/** Sets what is left of a record, in every pool that lists it; no total may pass 2^32 − 1. */
export function setQuantity(root: usize, record: u32, quantity: u32): void {
  const at = recordAt(root, record);
  const d = quantity - load<u32>(at, QUANTITY);
  if (d == 0) return;
  store<u32>(at, quantity, QUANTITY);
  changeListed(root, at, d, 0);
}

/** Changes the weight of a record by d quantities in every pool that lists it, but for `except`. */
function changeListed(root: usize, record: usize, d: u32, except: usize): void {
  const listings = <usize>load<u32>(root, LISTINGS);
  const end = listings + ((<usize>load<u32>(record, NEXT_FIRST_LISTING)) << LISTING_BITS);
  let listing = listings + ((<usize>load<u32>(record, FIRST_LISTING)) << LISTING_BITS);
  for (; listing < end; listing += 1 << LISTING_BITS) {
    const pool = <usize>load<u32>(listing, LISTING_POOL);
    if (pool == except) continue;
    const entry = load<u32>(listing, LISTING_ENTRY);
    addWeight(load<u32>(pool, TREE), entry, load<u32>(entryAt(pool, entry), ENTRY_MASS) * d);
  }
}

/** Brings the quantities of exactly this pool's records back to their initial ones. */
export function refreshPool(pool: usize): void {
  const root = <usize>load<u32>(pool, ROOT);
  for (let i: u32 = 0, n = load<u32>(pool, ENTRY_COUNT); i < n; ++i) {
    const record = load<u32>(entryAt(pool, i), ENTRY_RECORD);
    setQuantity(root, record, load<u32>(recordAt(root, record), INITIAL));
  }
}

// ── drawing ──

let refreshes: u32 = 0;

/** How often the last call of `drawPool` refreshed its pool. */
export function refreshCount(): u32 {
  return refreshes;
}

/**
 * Draws `count` ≤ WINDOW_RESULTS times, from word `offset` < 1024 of `block` on; the records go to the window, u32. An
 * exhausted pool is refreshed before a draw. Returns the draws made: fewer where a refresh leaves the total at 0.
 */
export function drawPool(pool: usize, purpose: u32, block: u32, offset: u32, count: u32): u32 {
  refreshes = 0;
  let done: u32 = 0;
  while (done < count) {
    const end = min(SPAN_WORDS, offset + (count - done));
    fillSpan(purpose, PLANE, block, words, end);
    for (let i = offset; i < end; ++i, ++done) {
      const record = drawOne(pool, purpose, block, i);
      if (record == NOTHING) return done;
      store<u32>(window + ((<usize>done) << 2), record);
    }
    offset = 0;
    block += SPAN_BLOCKS;
  }
  return done;
}

const NOTHING: u32 = 0xffffffff;

function drawOne(pool: usize, purpose: u32, block: u32, i: u32): u32 {
  const tree = <usize>load<u32>(pool, TREE);
  let total = treeTotal(tree);
  if (!total) {
    refreshPool(pool);
    total = treeTotal(tree);
    if (!total) return NOTHING;
    ++refreshes;
  }
  const word = load<u32>(words + ((<usize>i) << 2));
  standAt(purpose, PLANE, block, i);
  const drawn = findEntry(tree, below(word, total));
  const entry = entryAt(pool, drawn);
  const index = load<u32>(entry, ENTRY_RECORD);
  const root = <usize>load<u32>(pool, ROOT);
  const record = recordAt(root, index);
  addWeight(tree, drawn, <u32>0 - load<u32>(entry, ENTRY_MASS));
  store<u32>(record, load<u32>(record, QUANTITY) - 1, QUANTITY);
  // listed by this pool alone, as most are in a root without subpools: nobody else to tell
  if (load<u32>(record, NEXT_FIRST_LISTING) - load<u32>(record, FIRST_LISTING) > 1)
    changeListed(root, record, <u32>-1, pool);
  return index;
}

// The stock of pools: what is left of each record, and the weights that follow from it in every pool that lists it.

import { allocate, allocateZeroed, mark, release } from "../core/memory";
import { buildTree, createTree, LANE_MASK, leaves, treeTotal } from "../core/sumTree";
import { PoolEntry, PoolHead, PoolRecord, PoolRoot } from "./layout";
import { addWeight } from "./treeDraws";

/**
 * One place where a record is listed; a change of its quantity goes there.
 *
 *   │ 0: pool │ 4: entry │
 */
@unmanaged
class PoolListing {
  pool: usize;
  /** Index of the entry in that pool. */
  entry: u32;
}

// ── building ──

/**
 * Allocates a root of `records` records; 0 when memory runs out. The caller writes `quantity` and `initial` of each.
 */
export function createRoot(records: u32): usize {
  const before = mark();
  const root = allocateZeroed(offsetof<PoolRoot>());
  const at = allocateZeroed((<usize>records + 1) * offsetof<PoolRecord>());
  if (!root || !at) {
    release(before);
    return 0;
  }
  changetype<PoolRoot>(root).recordCount = records;
  changetype<PoolRoot>(root).records = at;
  return root;
}

/** Allocates a pool of n ≥ 1 entries under a root; 0 when memory runs out. The caller writes the entries. */
export function createPool(root: usize, n: u32): usize {
  const before = mark();
  const pool = allocateZeroed(offsetof<PoolHead>());
  const tree = createTree(n);
  const entries = allocate(<usize>((n + LANE_MASK) & ~LANE_MASK) * offsetof<PoolEntry>());
  if (!pool || !tree || !entries) {
    release(before);
    return 0;
  }
  const head = changetype<PoolHead>(pool);
  head.root = root;
  head.entryCount = n;
  head.tree = tree;
  head.entries = entries;
  head.nextPool = changetype<PoolRoot>(root).firstPool;
  changetype<PoolRoot>(root).firstPool = pool;
  return pool;
}

/** Sums the weights of every pool of a root, and lists the places of each record. 0 when memory runs out. */
export function buildRoot(root: usize): u32 {
  const head = changetype<PoolRoot>(root);
  let count: usize = 0;
  for (let pool = head.firstPool; pool; pool = changetype<PoolHead>(pool).nextPool) {
    sumPool(root, pool);
    count += countListings(root, pool);
  }
  const listings = allocate(count * offsetof<PoolListing>());
  if (!listings) return 0;
  head.listings = listings;
  // a counting sort: the counts become ends, and each listing is written before the end of its record's
  let end: u32 = 0;
  for (let i: u32 = 0; i <= head.recordCount; ++i) {
    const record = recordAt(root, i);
    end += record.firstListing;
    record.firstListing = end;
  }
  for (let pool = head.firstPool; pool; pool = changetype<PoolHead>(pool).nextPool) listPool(root, pool);
  return 1;
}

/** Sums the weights of a pool. */
function sumPool(root: usize, pool: usize): void {
  const head = changetype<PoolHead>(pool);
  const weights = leaves(head.tree);
  for (let i: u32 = 0, n = head.entryCount; i < n; ++i) {
    const entry = entryAt(pool, i);
    store<u32>(weights + ((<usize>i) << 2), entry.mass * recordAt(root, entry.record).quantity);
  }
  buildTree(head.tree);
}

/** Counts the listings of each record in its firstListing; returns those of the pool. */
function countListings(root: usize, pool: usize): u32 {
  const n = changetype<PoolHead>(pool).entryCount;
  for (let i: u32 = 0; i < n; ++i) {
    const record = recordOf(root, pool, i);
    record.firstListing = record.firstListing + 1;
  }
  return n;
}

function listPool(root: usize, pool: usize): void {
  for (let i: u32 = 0, n = changetype<PoolHead>(pool).entryCount; i < n; ++i) {
    const record = recordOf(root, pool, i);
    const place = record.firstListing - 1;
    const listing = changetype<PoolListing>(listingAt(root, place));
    record.firstListing = place;
    listing.pool = pool;
    listing.entry = i;
  }
}

function recordAt(root: usize, record: u32): PoolRecord {
  return changetype<PoolRecord>(changetype<PoolRoot>(root).records + <usize>record * offsetof<PoolRecord>());
}

function entryAt(pool: usize, entry: u32): PoolEntry {
  return changetype<PoolEntry>(changetype<PoolHead>(pool).entries + <usize>entry * offsetof<PoolEntry>());
}

function recordOf(root: usize, pool: usize, entry: u32): PoolRecord {
  return recordAt(root, entryAt(pool, entry).record);
}

function listingAt(root: usize, listing: u32): usize {
  return changetype<PoolRoot>(root).listings + <usize>listing * offsetof<PoolListing>();
}

/** The end of a record's listings: the first of the next record. */
function listingsEnd(record: PoolRecord): u32 {
  return changetype<PoolRecord>(changetype<usize>(record) + offsetof<PoolRecord>()).firstListing;
}

/** The total weight of a pool. */
export function poolTotal(pool: usize): u32 {
  return treeTotal(changetype<PoolHead>(pool).tree);
}

// ── changing ──

/** Sets the quantity of a record in every pool that lists it. No total may exceed 2^32 − 1. */
export function setQuantity(root: usize, record: u32, quantity: u32): void {
  const at = recordAt(root, record);
  const d = quantity - at.quantity;
  if (d == 0) return;
  at.quantity = quantity;
  changeWeights(root, at, d, 0);
}

/** Sets the quantities of exactly this pool's records back to their initial ones. */
export function refreshPool(pool: usize): void {
  const root = changetype<PoolHead>(pool).root;
  const n = changetype<PoolHead>(pool).entryCount;
  for (let i: u32 = 0; i < n; ++i) announceChange(root, recordOf(root, pool, i), pool);
  for (let i: u32 = 0; i < n; ++i) {
    const record = recordOf(root, pool, i);
    const d = record.initial - record.quantity;
    record.quantity = record.initial;
    if (changed && d) changeWeights(root, record, d, pool);
  }
  sumPool(root, pool);
  sumChanged(root);
}

/**
 * Takes drawn entries off the stock. Their pool's weights are up to date already; the other pools that list the records
 * change here. Replaces each entry at `drawn` by its record.
 */
export function takeEntries(pool: usize, drawn: usize, count: u32): void {
  const root = changetype<PoolHead>(pool).root;
  const end = drawn + ((<usize>count) << 2);
  for (let at = drawn; at < end; at += 4) {
    const index = entryAt(pool, load<u32>(at)).record;
    const record = recordAt(root, index);
    store<u32>(at, index);
    record.quantity = record.quantity - 1;
    announceChange(root, record, pool);
  }
  if (!changed) return;
  for (let at = drawn; at < end; at += 4) changeWeights(root, recordAt(root, load<u32>(at)), <u32>-1, pool);
  sumChanged(root);
}

// Many quantities change in three rounds. First every other pool that lists one of the records counts the changes that
// are about to reach it. Then a pool with few changes takes them one by one. A pool with many is summed again instead,
// which costs less.

/** The first pool that changes are about to reach; 0 without any. */
let changed: usize = 0;

/** Counts a change of a record in every pool that lists it, except in one. */
function announceChange(root: usize, record: PoolRecord, except: usize): void {
  const first = record.firstListing;
  const end = listingsEnd(record);
  // a record of one pool alone
  if (end - first <= 1) return;
  const last = listingAt(root, end);
  for (let at = listingAt(root, first); at < last; at += offsetof<PoolListing>()) {
    const pool = changetype<PoolListing>(at).pool;
    if (pool == except) continue;
    const head = changetype<PoolHead>(pool);
    const before = head.changes;
    head.changes = before + 1;
    if (before) continue;
    head.nextChanged = changed;
    changed = pool;
  }
}

/**
 * Changes the weight of a record by d quantities in every pool that lists it, except in one and in those summed again.
 */
function changeWeights(root: usize, record: PoolRecord, d: u32, except: usize): void {
  const last = listingAt(root, listingsEnd(record));
  for (let at = listingAt(root, record.firstListing); at < last; at += offsetof<PoolListing>()) {
    const pool = changetype<PoolListing>(at).pool;
    if (pool == except || isSummedAgain(pool)) continue;
    const entry = changetype<PoolListing>(at).entry;
    addWeight(changetype<PoolHead>(pool).tree, entry, entryAt(pool, entry).mass * d);
  }
}

/** Ends a round of changes: sums the pools with many, and clears all counts. */
function sumChanged(root: usize): void {
  for (; changed; changed = changetype<PoolHead>(changed).nextChanged) {
    if (isSummedAgain(changed)) sumPool(root, changed);
    changetype<PoolHead>(changed).changes = 0;
  }
}

function isSummedAgain(pool: usize): bool {
  const head = changetype<PoolHead>(pool);
  return head.changes > FEW + (head.entryCount >>> 3);
}

/** So few changes go one by one, however small the pool is. */
const FEW: u32 = 4;

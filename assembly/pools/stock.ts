// The stock of pools. Each record has a quantity: the number of copies left. If a quantity changes, the record's weight
// changes in every pool that lists the record.

import { allocate, allocateZeroed, mark, release } from "../core/memory";
import { buildTree, createTree, LANE_MASK, leaves, treeTotal } from "../core/sumTree";
import { PoolEntry, PoolHead, PoolRecord, PoolRoot } from "./layout";
import { addWeight } from "./treeDraws";

/**
 * One pool that lists a record, and the record's entry in this pool. If the quantity of the record changes, the weight
 * of the entry changes too.
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
 * Allocates a root with `records` records. The caller then writes `quantity` and `initial` of each record. Returns 0 if
 * memory runs out.
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

/** Allocates a pool of n ≥ 1 entries under a root. The caller then writes the entries. Returns 0 if memory runs out. */
export function createPool(root: usize, n: u32): usize {
  const before = mark();
  const pool = allocateZeroed(offsetof<PoolHead>());
  const tree = createTree(n);
  const room = <usize>((n + LANE_MASK) & ~LANE_MASK);
  const entries = allocate(room * offsetof<PoolEntry>());
  const falls = allocateZeroed(room << 2);
  if (!pool || !tree || !entries || !falls) {
    release(before);
    return 0;
  }
  const head = changetype<PoolHead>(pool);
  head.root = root;
  head.entryCount = n;
  head.tree = tree;
  head.entries = entries;
  head.falls = falls;
  head.nextPool = changetype<PoolRoot>(root).firstPool;
  changetype<PoolRoot>(root).firstPool = pool;
  return pool;
}

/**
 * Sums the weights of every pool of a root, and builds the listings of all records. Returns 1, or 0 if memory runs out.
 */
export function buildRoot(root: usize): u32 {
  const head = changetype<PoolRoot>(root);
  let count: usize = 0;
  for (let pool = head.firstPool; pool; pool = changetype<PoolHead>(pool).nextPool) {
    sumPool(root, pool);
    writeFalls(pool);
    count += countListings(root, pool);
  }
  const listings = allocate(count * offsetof<PoolListing>());
  if (!listings) return 0;
  head.listings = listings;
  // a counting sort. At first, firstListing is the number of the record's listings. This loop sets firstListing to the
  // index after the record's last listing. Then listPool writes the listings of the record, the last one first. Before
  // each listing, it subtracts 1 from firstListing. So in the end, firstListing is the index of the first listing
  let end: u32 = 0;
  for (let i: u32 = 0; i <= head.recordCount; ++i) {
    const record = recordAt(root, i);
    end += record.firstListing;
    record.firstListing = end;
  }
  for (let pool = head.firstPool; pool; pool = changetype<PoolHead>(pool).nextPool) listPool(root, pool);
  for (let pool = head.firstPool; pool; pool = changetype<PoolHead>(pool).nextPool) findShared(root, pool);
  return 1;
}

/** Computes the weights of all entries of a pool from the quantities, and builds the tree anew. */
function sumPool(root: usize, pool: usize): void {
  const head = changetype<PoolHead>(pool);
  const weights = leaves(head.tree);
  for (let i: u32 = 0, n = head.entryCount; i < n; ++i) {
    const entry = entryAt(pool, i);
    store<u32>(weights + ((<usize>i) << 2), entry.mass * recordAt(root, entry.record).quantity);
  }
  buildTree(head.tree);
}

function writeFalls(pool: usize): void {
  const falls = changetype<PoolHead>(pool).falls;
  let next: u32 = 0;
  for (let entry = changetype<PoolHead>(pool).entryCount; entry > 0; ) {
    const mass = entryAt(pool, --entry).mass;
    const isLast = (entry & LANE_MASK) == LANE_MASK;
    store<u32>(falls + ((<usize>entry) << 2), isLast ? mass : mass - next);
    next = mass;
  }
}

/**
 * Adds 1 to the firstListing of a record for each entry of the pool that lists the record. Returns the number of
 * entries.
 */
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

/** Sets `isShared` of a pool. */
function findShared(root: usize, pool: usize): void {
  for (let i: u32 = 0, n = changetype<PoolHead>(pool).entryCount; i < n; ++i) {
    if (isShared(recordOf(root, pool, i))) changetype<PoolHead>(pool).isShared = 1;
  }
}

/** Whether several pools list a record. */
function isShared(record: PoolRecord): bool {
  return listingsEnd(record) - record.firstListing > 1;
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

/** Returns the index after a record's last listing. The listings of the next record begin there. */
function listingsEnd(record: PoolRecord): u32 {
  return changetype<PoolRecord>(changetype<usize>(record) + offsetof<PoolRecord>()).firstListing;
}

export function poolTotal(pool: usize): u32 {
  return treeTotal(changetype<PoolHead>(pool).tree);
}

// ── changing ──

/**
 * Sets a record's quantity, and updates the record's weight in every pool that lists the record. The caller keeps all
 * totals ≤ 2^32 − 1.
 */
export function setQuantity(root: usize, record: u32, quantity: u32): void {
  const at = recordAt(root, record);
  const d = quantity - at.quantity;
  if (d == 0) return;
  at.quantity = quantity;
  changeWeights(root, at, d, 0);
}

/** Sets the quantities of this pool's records back to their initial values. Other records keep their quantities. */
export function refreshPool(pool: usize): void {
  const root = changetype<PoolHead>(pool).root;
  const n = changetype<PoolHead>(pool).entryCount;
  if (changetype<PoolHead>(pool).isShared) {
    for (let i: u32 = 0; i < n; ++i) announceChange(root, recordOf(root, pool, i), pool);
  }
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
 * Subtracts drawn entries from the stock. The draws have already changed the weights of `pool`. This function changes
 * the weights in the other pools that list the same records. Replaces each entry at `drawn` by its record.
 * `isRefreshedNext` says that a refresh of `pool` follows, which sets the quantities anyway.
 */
export function takeEntries(pool: usize, drawn: usize, count: u32, isRefreshedNext: bool): void {
  const root = changetype<PoolHead>(pool).root;
  const isShared = changetype<PoolHead>(pool).isShared;
  const end = drawn + ((<usize>count) << 2);
  replaceByRecords(changetype<PoolHead>(pool).entries, drawn, end);
  if (isRefreshedNext && !isShared) return;
  const records = changetype<PoolRoot>(root).records;
  for (let at = drawn; at < end; at += 4) {
    const record = changetype<PoolRecord>(records + <usize>load<u32>(at) * offsetof<PoolRecord>());
    record.quantity = record.quantity - 1;
  }
  if (!isShared) return;
  for (let at = drawn; at < end; at += 4) announceChange(root, recordAt(root, load<u32>(at)), pool);
  for (let at = drawn; at < end; at += 4) changeWeights(root, recordAt(root, load<u32>(at)), <u32>-1, pool);
  sumChanged(root);
}

/** Replaces the entries at `drawn` … `end` by their records. */
function replaceByRecords(entries: usize, drawn: usize, end: usize): void {
  for (let at = drawn; at < end; at += 4) {
    const entry = changetype<PoolEntry>(entries + <usize>load<u32>(at) * offsetof<PoolEntry>());
    store<u32>(at, entry.record);
  }
}

// A draw or refresh can change many quantities at once. So each affected pool first counts the changes that it will
// receive. If there are few changes, they are applied one by one. If there are many, all weights of the pool are summed
// again, which costs less.

/** Address of the first pool that will receive changes, or 0. */
let changed: usize = 0;

/** Adds 1 to `changes` of every pool that lists a record. Skips the pool `except`. */
function announceChange(root: usize, record: PoolRecord, except: usize): void {
  if (!isShared(record)) return;
  const last = listingAt(root, listingsEnd(record));
  for (let at = listingAt(root, record.firstListing); at < last; at += offsetof<PoolListing>()) {
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
 * Updates a record's weight in every pool that lists the record, after the record's quantity has changed by d. Skips
 * the pool `except`, and pools that will be summed again.
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

/** Ends the changes: sums pools with many changes again, and sets `changes` of all changed pools to 0. */
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

/** Up to this many changes are applied one by one, even to a small pool. */
const FEW: u32 = 4;

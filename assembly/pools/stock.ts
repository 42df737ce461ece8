// What is left in pools. Quantities belong to the root and are shared by every pool that lists the record; masses are a
// pool's own. A record weighs quantity × mass in a pool.
//
//   root + RECORDS   12 bytes a record and one more: what is left │ what a refresh brings it back to │ its first listing
//        + LISTINGS  8 bytes a listing: pool │ entry, whoever must hear when the quantity changes
//
//   pool + ENTRIES   8 bytes an entry: record │ mass           pool + TREE   prefix sums of the weights
//
// What one draw touches of a record, and of an entry, is one cache line each.

import { allocate, allocateZeroed, mark, release } from "../core/memory";
import { buildTree, createTree, LANE_MASK, leaves, treeTotal } from "../core/sumTree";
import { addWeight } from "./draws";

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
const EXPECTED: usize = 20;
const NEXT_EXPECTING: usize = 24;
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
  const pool = allocateZeroed(POOL_BYTES);
  const tree = createTree(n);
  const entries = allocate((<usize>((n + LANE_MASK) & ~LANE_MASK)) << ENTRY_BITS);
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
    count += countListings(root, pool);
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

/** Sums a pool. */
function weighPool(root: usize, pool: usize): void {
  const tree = <usize>load<u32>(pool, TREE);
  const weights = leaves(tree);
  for (let i: u32 = 0, n = load<u32>(pool, ENTRY_COUNT); i < n; ++i) {
    const entry = entryAt(pool, i);
    const record = recordAt(root, load<u32>(entry, ENTRY_RECORD));
    store<u32>(weights + ((<usize>i) << 2), load<u32>(entry, ENTRY_MASS) * load<u32>(record, QUANTITY));
  }
  buildTree(tree);
}

function countListings(root: usize, pool: usize): u32 {
  const n = load<u32>(pool, ENTRY_COUNT);
  for (let i: u32 = 0; i < n; ++i) {
    const record = recordOf(root, pool, i);
    store<u32>(record, load<u32>(record, FIRST_LISTING) + 1, FIRST_LISTING);
  }
  return n;
}

function listPool(root: usize, pool: usize, listings: usize): void {
  for (let i: u32 = 0, n = load<u32>(pool, ENTRY_COUNT); i < n; ++i) {
    const record = recordOf(root, pool, i);
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

function recordOf(root: usize, pool: usize, entry: u32): usize {
  return recordAt(root, load<u32>(entryAt(pool, entry), ENTRY_RECORD));
}

/** Whether a record stands in more pools than one. */
function isShared(record: usize): bool {
  return load<u32>(record, NEXT_FIRST_LISTING) - load<u32>(record, FIRST_LISTING) > 1;
}

function firstListing(root: usize, record: usize): usize {
  return <usize>load<u32>(root, LISTINGS) + ((<usize>load<u32>(record, FIRST_LISTING)) << LISTING_BITS);
}

function listingsEnd(root: usize, record: usize): usize {
  return <usize>load<u32>(root, LISTINGS) + ((<usize>load<u32>(record, NEXT_FIRST_LISTING)) << LISTING_BITS);
}

function entryAt(pool: usize, entry: u32): usize {
  return poolEntries(pool) + ((<usize>entry) << ENTRY_BITS);
}

/** What is left of a record. */
export function quantityOf(root: usize, record: u32): u32 {
  return load<u32>(recordAt(root, record), QUANTITY);
}

/** A pool's prefix sums. */
export function treeOf(pool: usize): usize {
  return load<u32>(pool, TREE);
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
  tellOthers(root, at, d, 0);
}

/** Brings the quantities of exactly this pool's records back to their initial ones. */
export function refreshPool(pool: usize): void {
  const root = <usize>load<u32>(pool, ROOT);
  const n = load<u32>(pool, ENTRY_COUNT);
  for (let i: u32 = 0; i < n; ++i) expectChange(root, recordOf(root, pool, i), pool);
  for (let i: u32 = 0; i < n; ++i) {
    const record = recordOf(root, pool, i);
    const initial = load<u32>(record, INITIAL);
    const d = initial - load<u32>(record, QUANTITY);
    store<u32>(record, initial, QUANTITY);
    if (expecting && d) tellOthers(root, record, d, pool);
  }
  weighPool(root, pool);
  weighExpecting(root);
}

/** Replaces entries drawn, which their pool knows of, by their records, which the other pools that list them lose too. */
export function takeEntries(pool: usize, drawn: usize, count: u32): void {
  const root = <usize>load<u32>(pool, ROOT);
  const end = drawn + ((<usize>count) << 2);
  for (let at = drawn; at < end; at += 4) {
    const index = load<u32>(entryAt(pool, load<u32>(at)), ENTRY_RECORD);
    const record = recordAt(root, index);
    store<u32>(at, index);
    store<u32>(record, load<u32>(record, QUANTITY) - 1, QUANTITY);
    expectChange(root, record, pool);
  }
  if (!expecting) return;
  for (let at = drawn; at < end; at += 4) tellOthers(root, recordAt(root, load<u32>(at)), <u32>-1, pool);
  weighExpecting(root);
}

// A change of many quantities has three rounds: the pools concerned, but for the one that it comes from, count what is to
// come; each change is told to those that expect few; those that expect many are summed anew, which costs them less.

/** Pools that expect changes, linked. */
let expecting: usize = 0;

function expectChange(root: usize, record: usize, except: usize): void {
  if (!isShared(record)) return;
  const end = listingsEnd(root, record);
  for (let listing = firstListing(root, record); listing < end; listing += 1 << LISTING_BITS) {
    const pool = <usize>load<u32>(listing, LISTING_POOL);
    if (pool == except) continue;
    const expected = load<u32>(pool, EXPECTED);
    store<u32>(pool, expected + 1, EXPECTED);
    if (expected) continue;
    store<u32>(pool, <u32>expecting, NEXT_EXPECTING);
    expecting = pool;
  }
}

/** Changes the weight of a record by d quantities in every pool that lists it, but for `except`. */
function tellOthers(root: usize, record: usize, d: u32, except: usize): void {
  const end = listingsEnd(root, record);
  for (let listing = firstListing(root, record); listing < end; listing += 1 << LISTING_BITS) {
    const pool = <usize>load<u32>(listing, LISTING_POOL);
    if (pool == except || isSummedAnew(pool)) continue;
    const entry = load<u32>(listing, LISTING_ENTRY);
    addWeight(load<u32>(pool, TREE), entry, load<u32>(entryAt(pool, entry), ENTRY_MASS) * d);
  }
}

function weighExpecting(root: usize): void {
  for (; expecting; expecting = load<u32>(expecting, NEXT_EXPECTING)) {
    if (isSummedAnew(expecting)) weighPool(root, expecting);
    store<u32>(expecting, 0, EXPECTED);
  }
}

function isSummedAnew(pool: usize): bool {
  return load<u32>(pool, EXPECTED) > FEW + (load<u32>(pool, ENTRY_COUNT) >>> 3);
}

/** So many changes are told, however small the pool. */
const FEW: u32 = 4;

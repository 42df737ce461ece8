// Memory of pools. Quantities belong to the root, and every pool that lists a record shares them; masses belong to one
// pool. In a pool a record weighs quantity × mass.
//
//   PoolRoot ── records ──▶ PoolRecord × (recordCount + 1)          what is left of each record
//      │  └──── listings ─▶ PoolListing …                           the pools that list each record
//      └─────── firstPool ▶ PoolHead ── nextPool ▶ PoolHead …
//                              ├────── entries ─▶ PoolEntry …       the records that the pool lists
//                              └────── tree ────▶ SumTree           prefix sums of their weights
//
// A draw touches one cache line of the record and one of the entry.

/**
 * The head of a finite root:
 *
 *   │ 0: recordCount │ 4: records │ 8: listings │ 12: firstPool │
 */
@unmanaged
export class PoolRoot {
  recordCount: u32;
  /** Address of the first PoolRecord. */
  records: usize;
  /** Address of the first listing. */
  listings: usize;
  /** Address of the pool that was created last; 0 without pools. */
  firstPool: usize;
}

/**
 * The stock of one record. One more record follows the last one: its firstListing ends the list of the last.
 *
 *   │ 0: quantity │ 4: initial │ 8: firstListing │
 */
@unmanaged
export class PoolRecord {
  /** What is left. */
  quantity: u32;
  /** The quantity after a refresh. */
  initial: u32;
  /** Index of the record's first listing; the next record's firstListing ends them. */
  firstListing: u32;
}

/**
 * The head of a finite pool:
 *
 *   │ 0: root │ 4: entryCount │ 8: tree │ 12: entries │ 16: nextPool │ 20: changes │ 24: nextChanged │
 */
@unmanaged
export class PoolHead {
  root: usize;
  entryCount: u32;
  /** Address of the prefix sums of its weights. */
  tree: usize;
  /** Address of the first PoolEntry; there is room for whole leaf nodes of the tree. */
  entries: usize;
  /** The next pool of the root; 0 at the last. */
  nextPool: usize;
  /** Changes of quantities that are about to reach this pool. */
  changes: u32;
  /** The next pool that changes are about to reach; 0 at the last. */
  nextChanged: usize;
}

/**
 * One record in the list of a pool:
 *
 *   │ 0: record │ 4: mass │
 */
@unmanaged
export class PoolEntry {
  /** Index of the record in its root. */
  record: u32;
  mass: u32;
}

// The memory of pools. A root owns records, their quantities, and the pools that list them. Pools that list the same
// record share its quantity, but each pool has its own mass for the record: the weight of one copy. So the weight of a
// record in a pool is quantity × mass.
//
//   PoolRoot ── records ──▶ PoolRecord × (recordCount + 1)          the quantity left of each record
//      │  └──── listings ─▶ PoolListing …                           the pools that list each record
//      └─────── firstPool ▶ PoolHead ── nextPool ▶ PoolHead …
//                              ├────── entries ─▶ PoolEntry …       the records that the pool lists
//                              ├────── falls ───▶ u32 …             differences of their masses
//                              └────── tree ────▶ SumTree           prefix sums of their weights

/**
 * The head of a root.
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
  /** Address of the pool that was created last; 0 if the root has no pools. */
  firstPool: usize;
}

/**
 * The stock of one record. After the last record, the array has one extra record: its firstListing is the end of all
 * listings.
 *
 *   │ 0: quantity │ 4: initial │ 8: firstListing │
 */
@unmanaged
export class PoolRecord {
  /** Number of copies left. */
  quantity: u32;
  /** The quantity after a refresh. */
  initial: u32;
  /** Index of this record's first listing. This record's listings end at the firstListing of the next record. */
  firstListing: u32;
}

/**
 * The head of a pool.
 *
 *   │ 0: root │ 4: entryCount │ 8: tree │ 12: entries │ 16: nextPool │ 20: changes │ 24: nextChanged │ 28: falls │ …
 *
 *   … 32: isShared │
 */
@unmanaged
export class PoolHead {
  root: usize;
  entryCount: u32;
  /** Address of the SumTree of the pool's weights. */
  tree: usize;
  /** Address of the first PoolEntry. The array's room is rounded up to whole leaf nodes of the tree. */
  entries: usize;
  /** Address of the next pool of the root; 0 in the last pool. */
  nextPool: usize;
  /** Number of quantity changes that the pool's weights do not include yet. */
  changes: u32;
  /**
   * The pools of the root whose `changes` is above 0 form a list. Address of the next pool in this list; 0 in the last
   * pool.
   */
  nextChanged: usize;
  /**
   * Address of the falls, a u32 for each entry: the entry's mass minus the mass of the next entry, modulo 2^32. The room
   * is rounded up as that of the entries. All entries after the last have mass 0. So the mass of an entry is the sum of
   * its fall and of the falls after it in the same leaf node of the tree, whose last entry has no next one.
   */
  falls: usize;
  /** 1 if another pool lists one of the pool's records, 0 if not. */
  isShared: u32;
}

/**
 * One record that a pool lists.
 *
 *   │ 0: record │ 4: mass │
 */
@unmanaged
export class PoolEntry {
  /** Index of the record in its root. */
  record: u32;
  mass: u32;
}

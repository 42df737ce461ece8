// The memory of walks. `npm run build:kernel` writes src/kernel/layout.ts from this file, for TypeScript.

/** The shape of the grid that a walk runs on. */
export const enum GridKind {
  UNBOUNDED,
  BOUNDED,
  TORUS,
}

/** The two cell sets of a map. */
export const enum CellSetKind {
  /** Cells that no walker enters. */
  CLOSED,
  /** Cells on which walkers end. */
  ENDS,
}

/**
 * The heading of a walker that rested in its last step. All other headings are the direction of the last step: 0 NW … 5
 * W, clockwise.
 */
export const RESTING: u32 = 6;

/** Number of rows of a chunk, and also of its columns. A power of two. A map is copied out of the kernel in chunks. */
export const CHUNK_SIDE: i32 = 64;
export const CHUNK_CELLS: i32 = CHUNK_SIDE * CHUNK_SIDE;

/** Number of rows of a large tile, and also of its columns. A power of two. */
export const LARGE_TILE_SIDE: i32 = 256;

/** Maximum number of walkers of a {@link WalkerGroup}. */
export const MOST_SEATS: u32 = 4096;

/** Maximum number of places that `placesAhead` finds. `fillRange` has cached words for so many. */
export const MOST_PLACES_AHEAD: u32 = 256;

/** Stands for "no first visit". */
export const NEVER: u32 = 0xffffffff;

/**
 * A chunk in the window: this head, then the visits of its cells, row by row. If the map keeps first visits, the first
 * visits of the cells follow, also row by row.
 *
 *   0     4     8                 8 + 4·CHUNK_CELLS
 *   ├─ row ─┼─ col ─┼─ visits, u32 … ─┼─ first visits, u32 … ─┤
 */
@unmanaged
export class ChunkHead {
  /** The first cell of the chunk is (CHUNK_SIDE · row, CHUNK_SIDE · col). */
  row: i32;
  col: i32;
}

/**
 * A walker in the window.
 *
 *   0     4     8         12      16         20          24
 *   ├─ row ─┼─ col ─┼─ heading ─┼─ ended ─┼─ stepsLow ─┼─ stepsHigh ─┤
 */
@unmanaged
export class WalkerPlace {
  row: i32;
  col: i32;
  heading: u32;
  /** 1 if the walker has ended, 0 if not. */
  ended: u32;
  /** Number of steps until the walker ended, stepsHigh · 2^32 + stepsLow. 0 if the walker has not ended. */
  stepsLow: u32;
  stepsHigh: u32;
}

/**
 * The place of a walker, or its place after a step that it has not taken yet, in the window.
 *
 *   0     4     8         12     16
 *   ├─ row ─┼─ col ─┼─ heading ─┼─ cell ─┤
 */
@unmanaged
export class PlaceAhead {
  row: i32;
  col: i32;
  heading: u32;
  /** Address of the count of the cell. */
  cell: usize;
}

/**
 * Totals of a map's ended walkers, in the window.
 *
 *   0         4          8           12
 *   ├─ walkers ─┼─ stepsLow ─┼─ stepsHigh ─┤
 */
@unmanaged
export class Endings {
  /** Number of ended walkers. */
  walkers: u32;
  /** Sum of the steps of the ended walkers, stepsHigh · 2^32 + stepsLow. */
  stepsLow: u32;
  stepsHigh: u32;
}

/**
 * One walker.
 *
 *   0      4      8       12
 *   ├─ tile ─┼─ cell ─┼─ state ─┤
 */
@unmanaged
export class Walker {
  /** Address of the tile that the walker is on. */
  tile: usize;
  /** Address of the count of the walker's cell. */
  cell: usize;
  /** The heading · 8, plus 1 if the walker has ended. A step shifts by heading · 8 bits (tensor.ts). */
  state: u32;
}

/**
 * The plan of a scattered layer, which TypeScript writes.
 *
 *   0     4        8      12     16     20        24      28         32             36       40
 *   ├─ map ─┼─ tensor ─┼─ key0 ─┼─ key1 ─┼─ side ─┼─ walkers ─┼─ steps ─┼─ headings ─┼─ headingCount ─┼─ starts ─┤ …
 *
 *     40       44            48     52          56      60             64      68      72
 *   … ├─ closed ─┼─ closedCount ─┼─ open ─┼─ openCount ─┼─ until ─┼─ untilOutside ─┼─ seats ─┼─ density ─┤
 */
@unmanaged
export class ScatterPlan {
  /** The map of the layer. In the beginning, its set of closed cells has only the cells that the spec lists. */
  map: usize;
  tensor: usize;
  /** The key of the layer. */
  key0: u32;
  key1: u32;
  /** Number of rows of a region, and also of its columns. */
  side: u32;
  /** Number of walkers of a region. Not used if `density` is not 0. */
  walkers: u32;
  steps: u32;
  /** Address of an array of start headings, u8. Walker i of a region starts with heading i mod headingCount of it. */
  headings: usize;
  headingCount: u32;
  /** Address of a map: walkers start on its visited cells. If 0, they start on any cell of the region. */
  starts: usize;
  /** Address of an array of maps, usize. Visited cells of these maps are closed. */
  closed: usize;
  closedCount: u32;
  /**
   * Address of an array of maps, usize. If `openCount` is above 0, only cells with visits in at least one of these maps
   * are open.
   */
  open: usize;
  openCount: u32;
  /** Address of a map: walkers end on its visited cells, or outside these cells. If 0, walkers never end early. */
  until: usize;
  /** 1 if walkers end outside the visited cells of `until`, 0 if they end on these cells. */
  untilOutside: u32;
  /** Maximum number of walkers of a {@link WalkerGroup}, 1 … MOST_SEATS. */
  seats: u32;
  /** Address of a {@link Share}: each start cell for which it holds sends a walker. 0 if `walkers` start. */
  density: usize;
}

/**
 * How the walkers of a layer with a slope choose their steps.
 *
 *   0      4       8      12         16     20       24      28
 *   ├─ down ─┼─ level ─┼─ up ─┼─ steepness ─┼─ ends ─┼─ stuck ─┼─ values ─┤
 */
@unmanaged
export class SlopePlan {
  /** The factors of a neighbour that is lower than the walker's cell, as high, and higher. */
  down: u32;
  level: u32;
  up: u32;
  /** For each 256 by which a neighbour is lower, its factor is greater by this number. */
  steepness: u32;
  /** 1 if a walker ends when no neighbour has a weight. 0 if it rests. */
  ends: u32;
  /** Address of a map, which counts the walkers that ended in this way; or 0. */
  stuck: usize;
  /** Address of the values of the field, which `createValues` returned. */
  values: usize;
}

/**
 * The head of a group: consecutive walkers that start in one region of a scattered layer. A walker takes only the steps
 * that are needed, so each walker has its own number of taken steps. The records of the walkers follow this head
 * (groups.ts).
 *
 *   0       4       8      12     16     20     24      32
 *   ├─ count ─┼─ first ─┼─ left ─┼─ key0 ─┼─ key1 ─┼─ next ─┼─ (pad) ─┤
 */
@unmanaged
export class WalkerGroup {
  count: u32;
  /** Index of the group's first walker among the walkers of its region. */
  first: u32;
  /** Number of walkers that can take further steps. 0 if the group is finished. */
  left: u32;
  /** The key of the region. */
  key0: u32;
  key1: u32;
  /** In the list of free groups: the address of the next free group, or 0. */
  next: usize;
  pad0: u32;
  pad1: u32;
}

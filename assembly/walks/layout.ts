// The memory of walks, for both sides of the boundary. `npm run build:kernel` writes src/kernel/layout.ts from it.

/** The shape of the grid that a walk runs on. */
export const enum GridKind {
  UNBOUNDED,
  BOUNDED,
  TORUS,
}

/** The heading after a rest. Otherwise a heading is the direction of the last step: 0 NW … 5 W, clockwise. */
export const RESTING: u32 = 6;

/** Rows and columns of a chunk: a map is copied out of the kernel in chunks. A power of two. */
export const CHUNK_SIDE: i32 = 64;
export const CHUNK_CELLS: i32 = CHUNK_SIDE * CHUNK_SIDE;

/** Stands for "no first visit". */
export const NEVER: u32 = 0xffffffff;

/**
 * A chunk in the window: this head, then the visits of its cells, row by row, then their first visits if the map keeps
 * them.
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
 * The position and heading of a walker, as the kernel writes it to the window.
 *
 *   0     4     8         12
 *   ├─ row ─┼─ col ─┼─ heading ─┤
 */
@unmanaged
export class WalkerPlace {
  row: i32;
  col: i32;
  heading: u32;
}

/**
 * A walker.
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
  /** Heading · 8: the number of bits to shift a map by. */
  state: u32;
}

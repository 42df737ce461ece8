// What both sides of the boundary know of walks. `npm run build:kernel` writes src/kernel/layout.ts from this file.

/** The ground of a walk. */
export const enum GridKind {
  UNBOUNDED,
  BOUNDED,
  TORUS,
}

/** A heading is the direction of the last step, 0 NW … 5 W clockwise, or this number after a rest. */
export const RESTING: u32 = 6;

/** Rows and columns of a chunk, the piece in which a map crosses the boundary: a power of two. */
export const CHUNK_SIDE: i32 = 64;
export const CHUNK_CELLS: i32 = CHUNK_SIDE * CHUNK_SIDE;

/** The first visit of a cell that no walker reached. */
export const NEVER: u32 = 0xffffffff;

/**
 * A chunk in the window: this head, then the visits of its cells, row by row, then their first visits if the map has them.
 *
 *   0     4     8                 8 + 4·CHUNK_CELLS
 *   ├─ row ─┼─ col ─┼─ visits, u32 … ─┼─ first visits, u32 … ─┤
 */
@unmanaged
export class ChunkHead {
  /** The chunk begins at cell (CHUNK_SIDE · row, CHUNK_SIDE · col). */
  row: i32;
  col: i32;
}

/**
 * A walker's place as the window gives it.
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
  /** Address of its tile. */
  tile: usize;
  /** Address of its cell's count. */
  cell: usize;
  /** Heading · 8, which is a shift by bytes. */
  state: u32;
}

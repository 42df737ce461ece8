/** Corners of a rectangle of cells, inclusive. */
export type CellBounds = readonly [row0: number, col0: number, row1: number, col1: number];

/** What the writers need of a map: 64 × 64 cells a chunk, row by row, element 64·r + c at (64·chunkRow + r, 64·chunkCol + c). */
export interface MapSource {
  /** The smallest rectangle around the visited cells; null where there is none. */
  readonly bounds: CellBounds | null;
  chunks(): Iterable<{ readonly chunkRow: number; readonly chunkCol: number; readonly visits: Uint32Array }>;
}

/** Rows and columns of a chunk. */
export const CHUNK_SIDE = 64;

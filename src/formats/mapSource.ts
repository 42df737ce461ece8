import { error, fail } from "../errors/index.js";

/** First and last row and column of a rectangle of cells, inclusive. */
export type CellBounds = readonly [row0: number, col0: number, row1: number, col1: number];

/** A square of cells. Element side·r + c of `visits` is the cell (side·chunkRow + r, side·chunkCol + c). */
export interface CellChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /** A number for each cell, 0 for an unvisited cell. Its length is side², and all chunks have the same side. */
  readonly visits: Uint32Array;
}

/** A map that has a number for each cell, such as the map of a walk's layer. Pictures and arrays are made from it. */
export interface MapSource {
  /** The smallest rectangle that contains all cells that are not 0; null if all cells are 0. */
  readonly bounds: CellBounds | null;
  /** Returns chunks that contain every cell that is not 0. */
  chunks(): Iterable<CellChunk>;
}

/**
 * Returns the number of cells along each side of a chunk.
 *
 * @throws RollmillError `argument.range` if the number of cells is not a square number.
 */
export function sideOf({ visits }: CellChunk): number {
  const side = Math.sqrt(visits.length);
  if (Number.isInteger(side) && side > 0) return side;
  const expected = "a square number of cells, such as 4096";
  return fail(
    error("argument.range", { problem: "a chunk has a wrong number of cells", got: visits.length, expected }),
  );
}

import { error, fail } from "../errors/index.js";

/** Corners of a rectangle of cells, inclusive. */
export type CellBounds = readonly [row0: number, col0: number, row1: number, col1: number];

/** A square of cells, row by row: element side·r + c is the cell (side·chunkRow + r, side·chunkCol + c). */
export interface CellChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /** A number for each cell, 0 for none. Its length is the square of the side, which is the same in all chunks. */
  readonly visits: Uint32Array;
}

/** Cells with numbers, as the writers of pictures and arrays take them: a layer's map, for instance. */
export interface MapSource {
  /** The smallest rectangle around the cells that are not 0; null if there are none. */
  readonly bounds: CellBounds | null;
  chunks(): Iterable<CellChunk>;
}

/**
 * Cells along each side of a chunk.
 *
 * @throws RollmillError `argument.range` for a number of cells that is not a square.
 */
export function sideOf({ visits }: CellChunk): number {
  const side = Math.sqrt(visits.length);
  if (Number.isInteger(side) && side > 0) return side;
  const expected = "a square number of cells";
  return fail(error("argument.range", { problem: "a chunk is not a square", got: visits.length, expected }));
}

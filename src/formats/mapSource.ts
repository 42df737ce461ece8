import { error, fail, reading } from "../errors/index.js";
import { checkInteger, readEntries, refuseArgument } from "../spec/index.js";

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

/** A chunk that {@link readChunks} has checked, with the number of cells along each side. */
export interface ReadChunk extends CellChunk {
  readonly side: number;
}

/** Maximum number of chunks of a map. */
const MOST_CHUNKS = 2 ** 22;
/** Chunks lie so that the coordinates of their cells are exact as doubles, and so is their product with a side. */
const MOST_ROW = 2 ** 31;

/**
 * Reads the chunks of a map, which may come from plain JavaScript. The chunks are copied; their arrays are not.
 *
 * Cost: O(chunks).
 *
 * @throws RollmillError `argument.type` for anything but a map; `argument.range` for coordinates outside
 * −2^31 … 2^31 − 1, more than 2^22 chunks, or if the number of cells is not a square number.
 */
export function readChunks(map: MapSource): ReadChunk[] {
  const chunks = reading("the map", () => map.chunks());
  return readEntries("chunks", chunks, { of: "chunks", most: MOST_CHUNKS }).map((chunk, i) =>
    reading(`chunk ${i} of the map`, () => readChunk(chunk, i)),
  );
}

function readChunk({ chunkRow, chunkCol, visits }: CellChunk, i: number): ReadChunk {
  // also of another realm: a test runner may give its sandbox other globals
  if (!ArrayBuffer.isView(visits) || Object.prototype.toString.call(visits) !== "[object Uint32Array]") {
    refuseArgument(`chunks[${i}].visits`, visits, "a Uint32Array");
  }
  const side = Math.sqrt(visits.length);
  if (!Number.isInteger(side) || side === 0) {
    const expected = "a square number of cells, such as 4096";
    const problem = "a chunk has a wrong number of cells";
    fail(error("argument.range", { problem, got: visits.length, expected }));
  }
  const most = Math.floor(MOST_ROW / side);
  checkInteger(`chunks[${i}].chunkRow`, chunkRow, -most, most - 1);
  checkInteger(`chunks[${i}].chunkCol`, chunkCol, -most, most - 1);
  return { chunkRow, chunkCol, visits, side };
}

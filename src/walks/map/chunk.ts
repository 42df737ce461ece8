import type { Watch } from "../../calls/index.js";
import { error, fail, readFields } from "../../errors/index.js";
import type { CellBounds, CellChunk } from "../../formats/index.js";
import * as kernel from "../../kernel/layout.js";
import { arrayType, checkInteger, readEntries, refuseArgument } from "../../spec/index.js";

/** A chunk has this many rows, and this many columns: 64. */
export const CHUNK_SIDE = kernel.CHUNK_SIDE;
/** Number of cells of a chunk: 4096. */
export const CHUNK_CELLS = kernel.CHUNK_CELLS;
/** Value in `firstVisit` that marks an unvisited cell: 2³² − 1. */
export const NEVER = kernel.NEVER;

/**
 * A square of 64 × 64 cells, row by row: element 64·r + c belongs to cell (64·chunkRow + r, 64·chunkCol + c). chunkRow
 * and chunkCol are −2²⁵ … 2²⁵ − 1. A map and its chunks share the same arrays, so do not write to them.
 */
export interface MapChunk extends CellChunk {
  /** For each cell, the smallest step at which a walker visited it (0 for a start cell), or {@link NEVER}. */
  readonly firstVisit?: Uint32Array;
}

/** A chunk in which a visit count may take 1 or 2 bytes in place of 4. */
export type NarrowChunk = Omit<MapChunk, "visits"> & { readonly visits: Uint8Array | Uint16Array | Uint32Array };

/**
 * Tells which cells of one chunk are in a set. `bits` is a bitmap of 512 bytes: bit i mod 8 of byte ⌊i / 8⌋ is 1 if
 * cell i is in the set.
 */
export interface SetChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  readonly bits: Uint8Array;
}

/** A rectangle of cells: [row0, col0, row1, col1], both corners inclusive. */
export type Bounds = CellBounds;

/** Chunk rows and chunk columns are −HALF … HALF − 1. */
const HALF = 2 ** 25;

/**
 * Returns a number that identifies the place of a chunk, or NaN if the place is out of range. It has 26 bits for the
 * row and 26 bits for the column, so a double stores it exactly.
 */
export function placeKey(chunkRow: number, chunkCol: number): number {
  const inside = chunkRow >= -HALF && chunkRow < HALF && chunkCol >= -HALF && chunkCol < HALF;
  return inside ? (chunkRow + HALF) * (2 * HALF) + (chunkCol + HALF) : Number.NaN;
}

/** A sector has this many rows, and this many columns: 1024. This number is a multiple of {@link CHUNK_SIDE}. */
export const SECTOR_SIDE = 1024;
/** Number of chunks along each side of a sector. */
const SECTOR_CHUNKS = SECTOR_SIDE / CHUNK_SIDE;

/** The place of a chunk. */
export type ChunkPlace = Pick<MapChunk, "chunkRow" | "chunkCol">;

/** Converts a chunk row to a sector row, or a chunk column to a sector column. */
export function sectorIndex(chunk: number): number {
  return Math.floor(chunk / SECTOR_CHUNKS);
}

/** Sorts chunks by sector row, then by sector column, then by chunk row, then by chunk column. */
export function bySector(a: ChunkPlace, b: ChunkPlace): number {
  return (
    sectorIndex(a.chunkRow) - sectorIndex(b.chunkRow) ||
    sectorIndex(a.chunkCol) - sectorIndex(b.chunkCol) ||
    a.chunkRow - b.chunkRow ||
    a.chunkCol - b.chunkCol
  );
}

/** Maximum number of chunks of a map. The visits of so many chunks take 64 GiB. */
export const MOST_CHUNKS = 2 ** 22;

const CHUNK_KEYS = ["chunkRow", "chunkCol", "visits", "firstVisit"] as const;

/** Copies the caller's chunk object, so that a getter or a later change has no effect. Does not copy its arrays. */
function readChunk(chunk: MapChunk, i: number): MapChunk {
  const { chunkRow, chunkCol, visits, firstVisit } = readFields(`chunk ${i}`, chunk, CHUNK_KEYS);
  const arrays: readonly unknown[] = firstVisit === undefined ? [visits] : [visits, firstVisit];
  if (
    typeof chunkRow !== "number" ||
    typeof chunkCol !== "number" ||
    !arrays.every((array) => arrayType(array) === "Uint32Array")
  ) {
    refuseArgument(`chunks[${i}]`, chunk, "an object with chunkRow, chunkCol, and visits in a Uint32Array");
  }
  return firstVisit === undefined ? { chunkRow, chunkCol, visits } : { chunkRow, chunkCol, visits, firstVisit };
}

/** Converts a cell's row to a chunk row, or a cell's column to a chunk column. */
export function chunkIndex(coordinate: number): number {
  return Math.floor(coordinate / CHUNK_SIDE);
}

/**
 * Checks that the coordinates of a cell are −2^31 … 2^31 − 1.
 *
 * @throws RollmillError `argument.range`.
 */
export function checkCell(row: number, col: number): void {
  checkInteger("row", row, -(2 ** 31), 2 ** 31 - 1);
  checkInteger("col", col, -(2 ** 31), 2 ** 31 - 1);
}

/** The index of a cell in its chunk's arrays. */
export function cellIndex(row: number, col: number): number {
  return (row & (CHUNK_SIDE - 1)) * CHUNK_SIDE + (col & (CHUNK_SIDE - 1));
}

/**
 * Sorts chunks by row, then column.
 *
 * @param watch - Checks the abort signal of the call.
 * @throws RollmillError `argument.type` for anything but chunks. `argument.range` for an array of a wrong length, a
 * place out of range, or two chunks at one place.
 */
export function sortChunks(chunks: Iterable<MapChunk>, watch?: Watch): MapChunk[] {
  const sorted = readEntries("chunks", chunks, { of: "chunks", most: MOST_CHUNKS })
    .map((chunk, i) => {
      watch?.look();
      return readChunk(chunk, i);
    })
    .sort((a, b) => a.chunkRow - b.chunkRow || a.chunkCol - b.chunkCol);
  for (const [i, { chunkRow, chunkCol, visits, firstVisit = visits }] of sorted.entries()) {
    const again = i > 0 && sorted[i - 1].chunkRow === chunkRow && sorted[i - 1].chunkCol === chunkCol;
    const sized = visits.length === CHUNK_CELLS && firstVisit.length === CHUNK_CELLS;
    const placed = Number.isInteger(chunkRow) && Number.isInteger(chunkCol) && placeKey(chunkRow, chunkCol) >= 0;
    if (sized && placed && !again) continue;
    const place = `(${chunkRow}, ${chunkCol})`;
    const flaw = placed ? `an array of chunk ${place} has a wrong length` : `chunk ${place} is out of range`;
    const problem = again ? `two chunks are at ${place}` : flaw;
    const expected = `arrays of ${CHUNK_CELLS} numbers, and each chunk at a different place, from −2^25 to 2^25 − 1`;
    fail(error("argument.range", { problem, expected }));
  }
  return sorted;
}

/**
 * Sorts the rows of all chunks. If the rows are read in the returned order, their cells come sorted by row, then by
 * column. An entry `64·i + r` stands for row r of chunk i: the cells 64·r … 64·r + 63 of the chunk's arrays. The chunks
 * must be sorted. The result has 256 bytes for each chunk.
 */
export function rowOrder(chunks: readonly Pick<MapChunk, "chunkRow">[]): Uint32Array {
  const order = new Uint32Array(chunks.length * CHUNK_SIDE);
  let length = 0;
  for (let from = 0, to = 0; from < chunks.length; from = to) {
    while (to < chunks.length && chunks[to].chunkRow === chunks[from].chunkRow) to++;
    for (let r = 0; r < CHUNK_SIDE; r++) {
      for (let i = from; i < to; i++) order[length++] = i * CHUNK_SIDE + r;
    }
  }
  return order;
}

export class MapTotals {
  cells = 0;
  visits = 0;
  maxVisits = 0;
  bounds: Bounds | null = null;

  /** Adds the cells of a chunk to the totals. Returns false if the chunk has no visits. */
  add({ chunkRow, chunkCol, visits }: MapChunk): boolean {
    let [cells, sum, most] = [0, 0, 0];
    let [row0, row1, col0, col1] = [CHUNK_SIDE, -1, CHUNK_SIDE, -1];
    for (let i = 0; i < CHUNK_CELLS; i++) {
      const count = visits[i];
      if (count === 0) continue;
      cells++;
      sum += count;
      if (count > most) most = count;
      const col = i & (CHUNK_SIDE - 1);
      if (col < col0) col0 = col;
      if (col > col1) col1 = col;
      row1 = (i / CHUNK_SIDE) | 0;
      if (row0 > row1) row0 = row1;
    }
    if (cells === 0) return false;
    this.cells += cells;
    this.visits += sum;
    this.maxVisits = Math.max(this.maxVisits, most);
    const [top, left] = [chunkRow * CHUNK_SIDE, chunkCol * CHUNK_SIDE];
    this.bounds = union(this.bounds, [top + row0, left + col0, top + row1, left + col1]);
    return true;
  }
}

function union(a: Bounds | null, b: Bounds): Bounds {
  if (a === null) return b;
  return [Math.min(a[0], b[0]), Math.min(a[1], b[1]), Math.max(a[2], b[2]), Math.max(a[3], b[3])];
}

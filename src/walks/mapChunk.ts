import { error, fail } from "../errors/index.js";
import type { CellBounds, CellChunk } from "../formats/index.js";

/** Rows and columns of a chunk. */
export const CHUNK_SIDE = 64;
/** Cells of a chunk. */
export const CHUNK_CELLS = CHUNK_SIDE * CHUNK_SIDE;
/** What `firstVisit` holds for a cell that no walker reached. */
export const NEVER = 0xffff_ffff;

/**
 * 64 × 64 cells, row by row: cell (r, c) of the chunk is element 64·r + c and stands at (64·chunkRow + r, 64·chunkCol + c).
 * chunkRow and chunkCol are −2²⁵ … 2²⁵ − 1. Arrays are shared with the map: read, do not write.
 */
export interface MapChunk extends CellChunk {
  /** Least step at which a walker stood on the cell (start = 0); {@link NEVER} where none did. */
  readonly firstVisit?: Uint32Array;
}

/** Corners of a rectangle of cells, inclusive. */
export type Bounds = CellBounds;

const HALF = 2 ** 25;

/** A number of its own for each place of a chunk (2 × 26 bits, exact in a double); NaN for one outside i32's cells. */
export function placeKey(chunkRow: number, chunkCol: number): number {
  const inside = chunkRow >= -HALF && chunkRow < HALF && chunkCol >= -HALF && chunkCol < HALF;
  return inside ? (chunkRow + HALF) * (2 * HALF) + (chunkCol + HALF) : Number.NaN;
}

/** The chunk's row (or column) in which a cell's row (or column) lies. */
export function chunkIndex(coordinate: number): number {
  return Math.floor(coordinate / CHUNK_SIDE);
}

/** The element of a chunk's arrays that holds a cell. */
export function cellIndex(row: number, col: number): number {
  return (row & (CHUNK_SIDE - 1)) * CHUNK_SIDE + (col & (CHUNK_SIDE - 1));
}

/** Orders chunks by row, then column, and refuses bad sizes, bad places and a place that comes twice. */
export function sortChunks(chunks: Iterable<MapChunk>): MapChunk[] {
  const sorted = [...chunks].sort((a, b) => a.chunkRow - b.chunkRow || a.chunkCol - b.chunkCol);
  for (const [i, { chunkRow, chunkCol, visits, firstVisit = visits }] of sorted.entries()) {
    const again = i > 0 && sorted[i - 1].chunkRow === chunkRow && sorted[i - 1].chunkCol === chunkCol;
    const sized = visits.length === CHUNK_CELLS && firstVisit.length === CHUNK_CELLS;
    const placed = Number.isInteger(chunkRow) && Number.isInteger(chunkCol) && placeKey(chunkRow, chunkCol) >= 0;
    if (sized && placed && !again) continue;
    const problem = again ? "a chunk comes twice" : "a chunk is not usable";
    const got = `(${chunkRow}, ${chunkCol}) with ${visits.length} cells`;
    fail(error("argument.range", { problem, got, expected: `each place once, with ${CHUNK_CELLS} cells` }));
  }
  return sorted;
}

/**
 * The order of cells by row, then column, over sorted chunks: entry `64·i + r` stands for row r of chunk i, the 64 cells
 * from `chunks[i].visits[64·r]` on. 256 bytes a chunk.
 */
export function rowOrder(chunks: readonly MapChunk[]): Uint32Array {
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

/** Running totals over chunks. */
export class MapTotals {
  cells = 0;
  visits = 0;
  maxVisits = 0;
  bounds: Bounds | null = null;

  /** Adds a chunk; false where it has no visit. */
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

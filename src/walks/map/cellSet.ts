import { type CellRectangle, regionsNear } from "../rectangles.js";
import type { Cell } from "../types.js";
import {
  byPlace,
  CHUNK_CELLS,
  CHUNK_SIDE,
  type ChunkPlace,
  cellIndex,
  chunkIndex,
  placeKey,
  rowOrder,
} from "./chunk.js";
import type { LayerMap } from "./layerMap.js";

/** The cells of one chunk that are in a set: bit i mod 8 of byte ⌊i / 8⌋ is 1 if cell i is in the set. */
type SetChunk = ChunkPlace & { readonly bits: Uint8Array };

/** A set of cells. Only a chunk that is partly in the set has a bitmap, of 512 bytes. */
export class CellSet {
  /** Whether the set contains all cells of the chunks that have no bitmap. */
  readonly elsewhere: boolean;
  readonly #chunks = new Map<number, SetChunk>();

  constructor(elsewhere: boolean) {
    this.elsewhere = elsewhere;
  }

  get isEmpty(): boolean {
    return this.#chunks.size === 0 && !this.elsewhere;
  }

  chunks(): IterableIterator<SetChunk> {
    return this.#chunks.values();
  }

  chunkAt(chunkRow: number, chunkCol: number): SetChunk | undefined {
    return this.#chunks.get(placeKey(chunkRow, chunkCol));
  }

  has(row: number, col: number): boolean {
    const chunk = this.chunkAt(chunkIndex(row), chunkIndex(col));
    return chunk === undefined ? this.elsewhere : hasBit(chunk.bits, cellIndex(row, col));
  }

  /** Adds cells, given as row, col, row, col, … */
  addCells(cells: Int32Array): void {
    for (let i = 0; i < cells.length; i += 2) {
      const cell = cellIndex(cells[i], cells[i + 1]);
      const bits = this.#bitsToSet(chunkIndex(cells[i]), chunkIndex(cells[i + 1]), true);
      if (bits !== undefined) setBit(bits, cell, true);
    }
  }

  /** Adds the cells that a map visited. If `isIn` is false, removes them instead; `elsewhere` must then be true. */
  setVisited(map: LayerMap, isIn: boolean): void {
    for (const { chunkRow, chunkCol, visits } of map.chunks()) {
      const bits = this.#bitsToSet(chunkRow, chunkCol, isIn);
      if (bits === undefined) continue;
      for (let i = 0; i < CHUNK_CELLS; i++) if (visits[i] !== 0) setBit(bits, i, isIn);
    }
  }

  /** Returns a set with the cells of this set and of `other`. `elsewhere` of this set must be true. */
  with(other: CellSet): CellSet {
    const set = new CellSet(true);
    for (const { chunkRow, chunkCol, bits } of this.chunks()) {
      const added = other.chunkAt(chunkRow, chunkCol)?.bits;
      const both = set.#addChunk(chunkRow, chunkCol);
      for (let i = 0; i < bits.length; i++) both[i] = bits[i] | (added?.[i] ?? (other.elsewhere ? 0xff : 0));
    }
    return set;
  }

  /** Returns a chunk's bitmap, to set its bits to `isIn`. Undefined if the whole chunk already has this value. */
  #bitsToSet(chunkRow: number, chunkCol: number, isIn: boolean): Uint8Array | undefined {
    const chunk = this.chunkAt(chunkRow, chunkCol);
    return chunk !== undefined || this.elsewhere === isIn ? chunk?.bits : this.#addChunk(chunkRow, chunkCol);
  }

  #addChunk(chunkRow: number, chunkCol: number): Uint8Array {
    const bits = new Uint8Array(CHUNK_CELLS / 8).fill(this.elsewhere ? 0xff : 0);
    this.#chunks.set(placeKey(chunkRow, chunkCol), { chunkRow, chunkCol, bits });
    return bits;
  }
}

function hasBit(bits: Uint8Array, i: number): boolean {
  return ((bits[i >> 3] >> (i & 7)) & 1) !== 0;
}

function setBit(bits: Uint8Array, i: number, isIn: boolean): void {
  if (isIn) bits[i >> 3] |= 1 << (i & 7);
  else bits[i >> 3] &= ~(1 << (i & 7));
}

/** Returns `cells` and all cells visited in `closed`. If `open` has maps, adds all cells that none of them visited. */
export function closedCells(
  cells: Int32Array,
  closed: Iterable<LayerMap> = [],
  open: readonly LayerMap[] = [],
): CellSet {
  const set = new CellSet(open.length > 0);
  for (const map of open) set.setVisited(map, false);
  set.addCells(cells);
  for (const map of closed) set.setVisited(map, true);
  return set;
}

export function endCells(map: LayerMap, kind: "on" | "outside"): CellSet {
  return kind === "on" ? closedCells(NO_CELLS, [map]) : closedCells(NO_CELLS, [], [map]);
}

const NO_CELLS = new Int32Array(0);

/**
 * Numbers the open cells of a rectangle from 0, by row, then column.
 *
 * Cost: depends only on the chunks in the rectangle that have a bitmap. Building takes O(cells of these chunks), and
 * 768 bytes for each of them. A lookup is a binary search and a scan of at most 64 cells.
 */
export class OpenCells {
  /** The number of open cells, exact up to 2⁵³. */
  readonly count: number;
  readonly #rectangle: CellRectangle;
  readonly #chunks: readonly SetChunk[];
  readonly #order: Uint32Array;
  /** The number of open cells in the rectangle before each entry of `#order`. */
  readonly #before: Float64Array;

  constructor(closed: CellSet, rectangle: CellRectangle) {
    this.#rectangle = rectangle;
    const { row0, rows, cols } = rectangle;
    const { i0, j0, i1, j1 } = regionsNear(rectangle, { side: CHUNK_SIDE });
    this.#chunks = [...closed.chunks()]
      .filter(({ chunkRow: i, chunkCol: j }) => i >= i0 && i <= i1 && j >= j0 && j <= j1)
      .sort(byPlace);
    this.#order = rowOrder(this.#chunks).filter((entry) => {
      const row = this.#rowOf(entry);
      return row >= row0 && row < row0 + rows;
    });
    this.#before = new Float64Array(this.#order.length);
    // the cells between two entries have no bitmap, so all of them are open or all are closed
    const openBetween = (from: number, to: number) => (closed.elsewhere ? 0 : to - from);
    let [count, end] = [0, 0];
    for (let s = 0; s < this.#order.length; s++) {
      const { bits, cell, index, length } = this.#segment(s);
      count += openBetween(end, index);
      this.#before[s] = count;
      for (let i = cell; i < cell + length; i++) if (!hasBit(bits, i)) count++;
      end = index + length;
    }
    this.count = count + openBetween(end, rows * cols);
  }

  cellAt(rank: number): Cell {
    // the cell is in the last entry with `before` ≤ rank, or between this entry and the next entry
    let low = 0;
    let high = this.#before.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#before[middle] <= rank) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return this.#cell(rank);
    const { bits, cell, row, col, index, length } = this.#segment(low - 1);
    let remaining = rank - this.#before[low - 1];
    for (let i = 0; i < length; i++) {
      if (hasBit(bits, cell + i)) continue;
      // uses `row` and `col`, because `index` is not exact if the rectangle has more than 2⁵³ cells
      if (remaining === 0) return [row, col + i];
      remaining--;
    }
    return this.#cell(index + length + remaining);
  }

  #rowOf(entry: number): number {
    return this.#chunks[Math.floor(entry / CHUNK_SIDE)].chunkRow * CHUNK_SIDE + (entry % CHUNK_SIDE);
  }

  #cell(index: number): Cell {
    const { row0, col0, cols } = this.#rectangle;
    return [row0 + Math.floor(index / cols), col0 + (index % cols)];
  }

  /**
   * Entry `s` is a run of `length` cells. The first, (row, col), is cell `cell` of the chunk, `index` of the rectangle.
   */
  #segment(s: number) {
    const entry = this.#order[s];
    const { row0, col0, cols } = this.#rectangle;
    const { bits, chunkCol } = this.#chunks[Math.floor(entry / CHUNK_SIDE)];
    const left = chunkCol * CHUNK_SIDE;
    const [first, end] = [Math.max(col0, left), Math.min(col0 + cols, left + CHUNK_SIDE)];
    const row = this.#rowOf(entry);
    const index = (row - row0) * cols + first - col0;
    const cell = (entry % CHUNK_SIDE) * CHUNK_SIDE + first - left;
    return { bits, cell, row, col: first, index, length: end - first };
  }
}

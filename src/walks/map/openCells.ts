import { type CellRectangle, regionsNear } from "../rectangles.js";
import type { Cell } from "../types.js";
import { type CellSet, hasBit } from "./cellSet.js";
import { CHUNK_SIDE, rowOrder, type SetChunk } from "./chunk.js";

/**
 * Numbers the open cells of a rectangle from 0, by row, then column.
 *
 * Cost: depends only on the chunks in the rectangle that have a bitmap. Building takes O(cells of these chunks), and
 * 768 bytes for each of them. A lookup is a binary search and a scan of at most 64 cells.
 */
export class OpenCells {
  /** Exact up to 2⁵³. */
  readonly count: number;
  readonly #rectangle: CellRectangle;
  readonly #chunks: readonly SetChunk[];
  /** As in {@link rowOrder}. */
  readonly #order: Uint32Array;
  /** The number of open cells in the rectangle before each entry of `#order`. */
  readonly #before: Float64Array;

  constructor(closed: CellSet, rectangle: CellRectangle) {
    this.#rectangle = rectangle;
    const { row0, rows, cols } = rectangle;
    const { i0, j0, i1, j1 } = regionsNear(rectangle, { side: CHUNK_SIDE });
    this.#chunks = [...closed.chunks()]
      .filter(({ chunkRow: i, chunkCol: j }) => i >= i0 && i <= i1 && j >= j0 && j <= j1)
      .sort((a, b) => a.chunkRow - b.chunkRow || a.chunkCol - b.chunkCol);
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
    // the cell is in the last entry with `before` ≤ rank, or between this entry and the next
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

  /** The `length` cells of an entry from (row, col), which is cell `cell` of its chunk and `index` of the rectangle. */
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

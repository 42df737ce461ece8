import { error, fail } from "../../errors/index.js";
import type { Cell } from "../types.js";
import { CHUNK_SIDE, type MapChunk, rowOrder } from "./chunk.js";
import type { LayerMap } from "./layerMap.js";

/**
 * Numbers the visited cells of a map from 0, by row, then column. Finds the cell with a given number. A layer whose
 * walkers start on the cells of an earlier layer draws such a number for each walker.
 *
 * Cost: O(cells of the chunks) to build, and 768 bytes for each chunk. A lookup is a binary search and a scan of at
 * most 64 cells.
 */
export class CellRanks {
  readonly count: number;
  readonly #chunks: readonly MapChunk[];
  /** One entry for each row of each chunk, sorted as in {@link rowOrder}. */
  readonly #order: Uint32Array;
  /**
   * Element s is the number of visited cells in entries 0 … s − 1 of `#order`. These numbers are stored as doubles,
   * because a map can have 2³² cells or more.
   */
  readonly #before: Float64Array;

  constructor(map: LayerMap) {
    this.count = map.cells;
    this.#chunks = [...map.chunks()];
    this.#order = rowOrder(this.#chunks);
    this.#before = new Float64Array(this.#order.length);
    let before = 0;
    for (let s = 0; s < this.#order.length; s++) {
      this.#before[s] = before;
      const { visits, start } = this.#segment(s);
      for (let i = start; i < start + CHUNK_SIDE; i++) if (visits[i] !== 0) before++;
    }
  }

  /**
   * Returns the visited cell with a number.
   *
   * @param rank - The number, 0 … count − 1.
   * @throws RollmillError `argument.range`.
   */
  cellAt(rank: number): Cell {
    if (!Number.isInteger(rank) || rank < 0 || rank >= this.count) {
      const expected = this.count === 0 ? "a map with visited cells" : `an integer from 0 to ${this.count - 1}`;
      fail(error("argument.range", { problem: "no visited cell has this number", got: rank, expected }));
    }
    // the last entry with `before` ≤ rank contains the cell
    let low = 0;
    let high = this.#before.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (this.#before[middle] <= rank) low = middle;
      else high = middle - 1;
    }
    const { visits, start, row, col0 } = this.#segment(low);
    let left = rank - this.#before[low];
    let c = 0;
    while (visits[start + c] === 0 || left-- > 0) c++;
    return [row, col0 + c];
  }

  /**
   * Entry s of `#order` is a row of 64 cells in a chunk. The first of these cells is (row, col0). Its index in the
   * chunk's `visits` is `start`.
   */
  #segment(s: number): { visits: Uint32Array; start: number; row: number; col0: number } {
    const { visits, chunkRow, chunkCol } = this.#chunks[Math.floor(this.#order[s] / CHUNK_SIDE)];
    const r = this.#order[s] % CHUNK_SIDE;
    return { visits, start: r * CHUNK_SIDE, row: chunkRow * CHUNK_SIDE + r, col0: chunkCol * CHUNK_SIDE };
  }
}

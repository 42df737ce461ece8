import { type Address, BATCH_RESULTS, type Kernel, type KernelExports, Status, within } from "../../kernel/index.js";
import { CHUNK_CELLS, ChunkHead, GridKind } from "../../kernel/layout.js";
import type { NarrowChunk } from "../map/chunk.js";
import { FULL_BYTE, type LargeCounts } from "../map/narrowCounts.js";
import type { CellRectangle } from "../map/openCells.js";

/** Settings of a {@link CellMap}. */
interface CellMapSetup {
  readonly kernel: Kernel;
  /** The name of the layer, for messages. */
  readonly name: string;
  /** Whether the map keeps first visits. */
  readonly firstVisits: boolean;
  /**
   * Whether a count takes one byte in place of four. Visits beyond 255 are counted elsewhere, which is slower. A narrow
   * map cannot store chunks.
   */
  readonly isNarrow: boolean;
  /**
   * Number of rows of a tile, and also of its columns: CHUNK_SIDE. It can also be LARGE_TILE_SIDE if the map will have
   * no closed cells, and no cells on which walkers end.
   */
  readonly tileSide: number;
}

/**
 * The target of a copy: the first cell goes to `out[at]`, and each row begins `stride` elements after the row before
 * it.
 */
export interface CellTarget {
  readonly out: Uint32Array;
  readonly at: number;
  readonly stride: number;
}

/**
 * The target of a copy of visits in their short form. `out` gets a byte for each count. `large` gets the counts of 255
 * and more, by their index in `out`.
 */
export interface NarrowTarget extends Omit<CellTarget, "out"> {
  readonly out: Uint8Array;
  readonly large: LargeCounts;
}

type Copy = (exports: KernelExports, rectangle: CellRectangle, out: Address) => void;

/**
 * The visits of one layer on an unbounded map. One kernel can hold the maps of several layers. A scattered layer adds
 * its visits region by region. A layer that is not scattered already has a finished map: the caller stores those chunks
 * of the finished map that are needed.
 *
 * In all methods, the first cell of a rectangle must be in the range of coordinates. Cells beyond the range have no
 * visits.
 */
export class CellMap {
  /** The address of the map in the kernel. */
  readonly address: Address;
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #copyVisits: Copy;
  readonly #copyFirstVisits: Copy;

  /** @throws RollmillError `kernel.memory`. */
  constructor({ kernel, name, firstVisits, isNarrow, tileSide }: CellMapSetup) {
    this.#kernel = kernel;
    this.#name = name;
    const made = kernel.call((exports) =>
      exports.createMap(GridKind.UNBOUNDED, 0, 0, Number(firstVisits), 0, Number(isNarrow), tileSide),
    );
    const map = kernel.taken(made, `the map of layer ${name}`);
    this.address = map;
    this.#copyVisits = (exports, { row0, col0, rows, cols }, out) =>
      exports.copyVisits(map, row0, col0, rows, cols, out);
    this.#copyFirstVisits = (exports, { row0, col0, rows, cols }, out) =>
      exports.copyFirstVisits(map, row0, col0, rows, cols, out);
  }

  /**
   * Stores a chunk of a finished map. Also stores its first visits, if this map keeps first visits. Store each chunk
   * only once.
   *
   * @throws RollmillError `kernel.memory`.
   */
  loadChunk({ chunkRow, chunkCol, visits, firstVisit }: NarrowChunk): void {
    const { window } = this.#kernel;
    this.#kernel.write(window, ChunkHead, { row: chunkRow, col: chunkCol });
    const cells = this.#kernel.u32(within(window, ChunkHead.bytes), 2 * CHUNK_CELLS);
    cells.set(visits);
    if (firstVisit !== undefined) cells.set(firstVisit, CHUNK_CELLS);
    const status = this.#kernel.call((exports) => exports.storeChunk(this.address));
    if (status !== Status.OK) this.#kernel.outOfMemory(`the map of layer ${this.#name}`);
  }

  /** Returns the visits of a cell, which has one row and one column. */
  visitsAt({ row0, col0 }: CellRectangle): number {
    return this.#kernel.call((exports) => exports.visitsAt(this.address, row0, col0)) >>> 0;
  }

  /** Writes the visits of the cells of a rectangle to an array. See {@link CellTarget} and {@link NarrowTarget}. */
  visitsInto(rectangle: CellRectangle, target: CellTarget | NarrowTarget): void {
    this.#readInto(rectangle, this.#copyVisits, target);
  }

  /**
   * Writes the first visits as {@link visitsInto} writes visits. A cell without visits gets 2³² − 1. The map must
   * keep first visits.
   */
  firstVisitsInto(rectangle: CellRectangle, target: CellTarget): void {
    this.#readInto(rectangle, this.#copyFirstVisits, target);
  }

  /** Copies the numbers of the cells through the kernel's window, in parts that fit into the window. */
  #readInto({ row0, col0, rows, cols }: CellRectangle, copy: Copy, target: CellTarget | NarrowTarget): void {
    const { at, stride } = target;
    const width = Math.min(cols, BATCH_RESULTS);
    const height = Math.floor(BATCH_RESULTS / width);
    for (let row = 0; row < rows; row += height) {
      const partRows = Math.min(height, rows - row);
      for (let col = 0; col < cols; col += width) {
        const part = { row0: row0 + row, col0: col0 + col, rows: partRows, cols: Math.min(width, cols - col) };
        this.#kernel.call((exports) => copy(exports, part, this.#kernel.window));
        this.#takeWindow(part, { ...target, at: at + row * stride + col });
      }
    }
  }

  /** Copies the numbers in the kernel's window to their target. The window has `rows` × `cols` cells. */
  #takeWindow({ rows, cols }: CellRectangle, target: CellTarget | NarrowTarget): void {
    const { out, at, stride } = target;
    const kernel = this.#kernel;
    let numbers: Uint8Array | Uint32Array = kernel.windowView;
    if ("large" in target) {
      // the usual case: no count is large, and the kernel converts all counts to bytes
      const isNarrow = kernel.call((exports) => exports.narrowWindow(rows * cols, FULL_BYTE)) !== 0;
      if (!isNarrow) {
        target.large.write(kernel.windowView, target.out, { rows, cols, at, stride });
        return;
      }
      numbers = kernel.u8(kernel.window, rows * cols);
    }
    // rows that follow one another in `out` without a gap are copied together
    const pieces = stride === cols ? 1 : rows;
    const length = (rows * cols) / pieces;
    for (let p = 0; p < pieces; p++) out.set(numbers.subarray(p * length, (p + 1) * length), at + p * stride);
  }
}

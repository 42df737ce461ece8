import { type Address, BATCH_RESULTS, type Kernel, type KernelExports, Status } from "../../kernel/index.js";
import { GridKind } from "../../kernel/layout.js";
import type { NarrowChunk } from "../map/chunk.js";
import { FULL_BYTE, NarrowCounts } from "../map/narrowCounts.js";
import type { CellRectangle } from "../rectangles.js";
import { putChunk } from "./uploads.js";

interface CellMapSetup {
  readonly kernel: Kernel;
  readonly name: string;
  readonly firstVisits: boolean;
  /** Whether a count takes one byte in place of four. A narrow map cannot store chunks. */
  readonly isNarrow: boolean;
  /** CHUNK_SIDE, or LARGE_TILE_SIDE for a map without closed cells and cells on which walkers end. */
  readonly tileSide: number;
}

/** The first cell goes to `out[at]`, and each row `stride` elements further. */
interface CellTarget {
  readonly out: Uint32Array | NarrowCounts;
  readonly at: number;
  readonly stride: number;
}

type Copy = (exports: KernelExports, rectangle: CellRectangle, out: Address) => void;

/**
 * The visits of one layer on an unbounded map. One kernel can hold the maps of several layers. The first cell of a
 * rectangle must be in the range of coordinates. Cells beyond the range have no visits.
 */
export class CellMap {
  readonly address: Address;
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #copyVisits: Copy;
  readonly #copyFirstVisits: Copy;

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

  /** Store each chunk only once. */
  loadChunk(chunk: NarrowChunk): void {
    putChunk(this.#kernel, chunk);
    const status = this.#kernel.call((exports) => exports.storeChunk(this.address));
    if (status !== Status.OK) this.#kernel.outOfMemory(`the map of layer ${this.#name}`);
  }

  visitsAt({ row0, col0 }: CellRectangle): number {
    return this.#kernel.call((exports) => exports.visitsAt(this.address, row0, col0)) >>> 0;
  }

  visitsInto(rectangle: CellRectangle, target: CellTarget): void {
    this.#readInto(rectangle, this.#copyVisits, target);
  }

  /** A cell without visits gets 2³² − 1. The map must keep first visits. */
  firstVisitsInto(rectangle: CellRectangle, target: CellTarget): void {
    this.#readInto(rectangle, this.#copyFirstVisits, target);
  }

  #readInto({ row0, col0, rows, cols }: CellRectangle, copy: Copy, target: CellTarget): void {
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

  #takeWindow({ rows, cols }: CellRectangle, target: CellTarget): void {
    const { out, at, stride } = target;
    const kernel = this.#kernel;
    if (!(out instanceof NarrowCounts)) copyRows(kernel.windowView, out, { rows, cols, at, stride });
    // the usual case: no count is large, and the kernel converts all counts to bytes
    else if (kernel.call((exports) => exports.narrowWindow(rows * cols, FULL_BYTE)) !== 0) {
      copyRows(kernel.u8(kernel.window, rows * cols), out.bytes, { rows, cols, at, stride });
    } else out.write(kernel.windowView, { rows, cols, at, stride });
  }
}

function copyRows(
  from: Uint8Array | Uint32Array,
  to: Uint8Array | Uint32Array,
  { rows, cols, at, stride }: Pick<CellRectangle, "rows" | "cols"> & Pick<CellTarget, "at" | "stride">,
): void {
  // rows that follow one another in `to` without a gap are copied together
  const pieces = stride === cols ? 1 : rows;
  const length = (rows * cols) / pieces;
  for (let p = 0; p < pieces; p++) to.set(from.subarray(p * length, (p + 1) * length), at + p * stride);
}

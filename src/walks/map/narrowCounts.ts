import { allocateResults } from "../../calls/index.js";

/** A byte with this value stands for a count of 255 or more. */
export const FULL_BYTE = 255;

/** Counts in a short form. It saves memory, because most counts are small enough for a byte. */
export interface NarrowCounts {
  /** A byte for each count; 255 for counts of 255 and more. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The counts of 255 and more, in order. */
  readonly large: Uint32Array<ArrayBuffer>;
}

/** Cells of an array: `rows` × `cols`. The first is at index `at`, and each row begins `stride` after the one before. */
interface ArrayCells {
  readonly rows: number;
  readonly cols: number;
  readonly at: number;
  readonly stride: number;
}

/** Collects the counts of 255 and more of some cells. The cells may come in any order, and more than once. */
export class LargeCounts {
  readonly #cells: number;
  /** The count of each cell that has a large one. Undefined until a large count is found: most rectangles have none. */
  #counts: Uint32Array<ArrayBuffer> | undefined;

  /** @param cells - The number of cells. */
  constructor(cells: number) {
    this.#cells = cells;
  }

  /** Writes counts to `out` as bytes, and keeps the large ones. `counts` has the cells row by row. */
  write(counts: Uint32Array, out: Uint8Array, { rows, cols, at, stride }: ArrayCells): void {
    this.#counts ??= allocateResults(this.#cells, 4, (length) => new Uint32Array(length));
    const all = this.#counts;
    for (let r = 0, k = 0; r < rows; r++) {
      for (let to = at + r * stride, c = 0; c < cols; c++, k++, to++) {
        const count = counts[k];
        out[to] = Math.min(count, FULL_BYTE);
        if (count >= FULL_BYTE) all[to] = count;
      }
    }
  }

  /**
   * Returns the large counts, sorted by cell.
   *
   * @param bytes - The bytes of all cells. They tell which counts are large.
   */
  inOrder(bytes: Uint8Array): Uint32Array<ArrayBuffer> {
    const counts = this.#counts;
    if (counts === undefined) return new Uint32Array();
    const large = new Uint32Array(fullBytesIn(bytes));
    for (let cell = 0, next = 0; next < large.length; cell++) {
      if (bytes[cell] === FULL_BYTE) large[next++] = counts[cell];
    }
    return large;
  }
}

/** Returns how many bytes stand for large counts. */
export function fullBytesIn(bytes: Uint8Array): number {
  // a loop, because an `indexOf` for each byte takes longer where many counts are large
  let count = 0;
  for (let k = 0; k < bytes.length; k++) count += Number(bytes[k] === FULL_BYTE);
  return count;
}

/** Converts counts from the short form to u32. `large` must have one count for each byte of 255. */
export function widened({
  bytes,
  large,
}: {
  readonly bytes: Uint8Array;
  readonly large: Uint32Array;
}): Uint32Array<ArrayBuffer> {
  const counts = new Uint32Array(bytes);
  let next = 0;
  for (let at = bytes.indexOf(FULL_BYTE); at >= 0; at = bytes.indexOf(FULL_BYTE, at + 1)) counts[at] = large[next++];
  return counts;
}

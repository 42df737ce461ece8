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

/** {@link narrowed} checks counts in blocks of this many, and skips a block without large counts. */
const BLOCK = 4096;

/** Converts counts to their short form. Cost: O(counts). Skips blocks of counts that are all small. */
export function narrowed(counts: Uint32Array): NarrowCounts {
  // keeps the low byte of each count
  const bytes = new Uint8Array(counts);
  const large: number[] = [];
  for (let from = 0; from < counts.length; from += BLOCK) {
    const to = Math.min(from + BLOCK, counts.length);
    let bits = 0;
    for (let c = from; c < to; c++) bits |= counts[c];
    // `bits` is the bitwise OR of all counts of the block, so no count exceeds it
    if (bits >>> 0 < FULL_BYTE) continue;
    for (let c = from; c < to; c++) {
      if (counts[c] < FULL_BYTE) continue;
      bytes[c] = FULL_BYTE;
      large.push(counts[c]);
    }
  }
  return { bytes, large: Uint32Array.from(large) };
}

/** Collects the counts of 255 and more of some cells. The cells may come in any order, and more than once. */
export class LargeCounts {
  readonly #cells: number;
  /** The count of each cell, or 0 if it is not large. Undefined until a large count is found: most windows have none. */
  #counts: Uint32Array<ArrayBuffer> | undefined;

  /** @param cells - The number of cells. */
  constructor(cells: number) {
    this.#cells = cells;
  }

  /**
   * Converts the counts of some cells to bytes, and keeps the large ones.
   *
   * @param cellOf - Returns the number of the cell to which `counts[k]` belongs.
   */
  bytesOf(counts: Uint32Array, cellOf: (k: number) => number): Uint8Array<ArrayBuffer> {
    const { bytes, large } = narrowed(counts);
    if (large.length === 0) return bytes;
    this.#counts ??= allocateResults(this.#cells, 4, (length) => new Uint32Array(length));
    let next = 0;
    for (let k = bytes.indexOf(FULL_BYTE); k >= 0; k = bytes.indexOf(FULL_BYTE, k + 1)) {
      this.#counts[cellOf(k)] = large[next++];
    }
    return bytes;
  }

  /** Returns the counts, sorted by cell. */
  inOrder(): Uint32Array<ArrayBuffer> {
    return this.#counts?.filter((count) => count > 0) ?? new Uint32Array();
  }
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

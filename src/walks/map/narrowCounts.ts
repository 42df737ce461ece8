import { allocateResults } from "../../calls/index.js";

/** A byte with this value stands for a count of 255 or more. */
export const FULL_BYTE = 255;

/** The first cell is at index `at`, and each row begins `stride` after the one before. */
interface ArrayCells {
  readonly rows: number;
  readonly cols: number;
  readonly at: number;
  readonly stride: number;
}

/** Counts in a short form: most fit in a byte. */
export class NarrowCounts {
  /** A byte for each count; 255 for counts of 255 and more. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For each byte of 255, its count. */
  #counts: Uint32Array<ArrayBuffer> | undefined;
  #large: Uint32Array<ArrayBuffer> | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

  /** Writes counts, given row by row. */
  write(counts: Uint32Array, { rows, cols, at, stride }: ArrayCells): void {
    const { bytes } = this;
    this.#counts ??= allocateResults(bytes.length, 4, (length) => new Uint32Array(length));
    const all = this.#counts;
    for (let r = 0, k = 0; r < rows; r++) {
      for (let to = at + r * stride, c = 0; c < cols; c++, k++, to++) {
        const count = counts[k];
        bytes[to] = Math.min(count, FULL_BYTE);
        if (count >= FULL_BYTE) all[to] = count;
      }
    }
  }

  /** The counts of 255 and more, in order. Read them after all counts have been written. */
  get large(): Uint32Array<ArrayBuffer> {
    this.#large ??= this.#inOrder();
    return this.#large;
  }

  #inOrder(): Uint32Array<ArrayBuffer> {
    const counts = this.#counts;
    if (counts === undefined) return new Uint32Array();
    const large = new Uint32Array(fullBytesIn(this.bytes));
    for (let cell = 0, next = 0; next < large.length; cell++) {
      if (this.bytes[cell] === FULL_BYTE) large[next++] = counts[cell];
    }
    return large;
  }
}

export function fullBytesIn(bytes: Uint8Array): number {
  // a loop, because an `indexOf` for each byte takes longer where many counts are large
  let count = 0;
  for (let k = 0; k < bytes.length; k++) count += Number(bytes[k] === FULL_BYTE);
  return count;
}

/** Converts counts to u32. `large` must have one count for each byte of 255. */
export function widened({ bytes, large }: { readonly bytes: Uint8Array; readonly large: Uint32Array }) {
  const counts = new Uint32Array(bytes);
  let next = 0;
  for (let at = bytes.indexOf(FULL_BYTE); at >= 0; at = bytes.indexOf(FULL_BYTE, at + 1)) counts[at] = large[next++];
  return counts;
}

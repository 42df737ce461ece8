/** A byte with this value stands for this number and for all greater numbers. */
const FULL_BYTE = 255;

/** Counts in a short form: most counts are small. */
interface NarrowCounts {
  /** A byte for each count; 255 for counts of 255 and more. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The counts of 255 and more, in order. */
  readonly large: Uint32Array<ArrayBuffer>;
}

/** Converts counts to their short form. `length` is the number of all counts. Cost: O(length). */
export function narrowed(pieces: Iterable<Uint32Array>, length: number): NarrowCounts {
  const bytes = new Uint8Array(length);
  const large: number[] = [];
  let at = 0;
  for (const counts of pieces) {
    for (let c = 0; c < counts.length; c++) {
      const count = counts[c];
      bytes[at++] = Math.min(count, FULL_BYTE);
      if (count >= FULL_BYTE) large.push(count);
    }
  }
  return { bytes, large: Uint32Array.from(large) };
}

import { allocateResults } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { bySector, CHUNK_CELLS, type ChunkPlace, type MapChunk, type NarrowChunk, placeKey } from "./chunk.js";

/*
 * Stored chunks, one after another, in the order of bySector. All numbers are little-endian.
 *
 *   0           4           8       12      16
 *   ├─ chunkRow ─┼─ chunkCol ─┼─ width ─┼─ keeps ─┼─ visits ─┼─ first visits ─┤      2 i32, 2 u32
 *
 * The 4096 visits take `width` bytes each: 1, 2 or 4, as few as the largest of them needs. If `keeps` is 1, 4096
 * first visits follow as u32. The file that contains stored chunks has a version and a checksum.
 */

const HEAD_BYTES = 16;

/** The arrays are views of a file's bytes or of the kernel's memory. */
export interface StoredChunk extends ChunkPlace {
  /** The visits, with 1, 2 or 4 bytes for each cell. */
  readonly visitBytes: Uint8Array;
  /** The first visits, as u32. */
  readonly firstVisitBytes?: Uint8Array;
}

/** Encodes chunks. The next chunks reuse the memory of the returned bytes. */
export class ChunkWriter {
  #bytes = new Uint8Array(2 ** 16);
  #length = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Appends a chunk. Add the chunks in the order of {@link bySector}. */
  add({ chunkRow, chunkCol, visitBytes, firstVisitBytes }: StoredChunk): void {
    const keeps = Number(firstVisitBytes !== undefined);
    this.#append(new Uint8Array(Int32Array.of(chunkRow, chunkCol, visitBytes.length / CHUNK_CELLS, keeps).buffer));
    this.#append(visitBytes);
    if (firstVisitBytes !== undefined) this.#append(firstVisitBytes);
  }

  finish(): Uint8Array<ArrayBuffer> {
    const bytes = this.#bytes.subarray(0, this.#length);
    this.clear();
    return bytes;
  }

  clear(): void {
    this.#length = 0;
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#bytes.length) {
      const larger = allocateResults(2 * length, 1, (count) => new Uint8Array(count));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(bytes, this.#length);
    this.#length = length;
  }
}

/** Returns views of the bytes, without a check of the visits: any bytes are valid visits. */
export function storedChunksIn(bytes: Uint8Array): StoredChunk[] {
  const chunks: StoredChunk[] = [];
  for (let at = 0; at < bytes.length; ) {
    // not `slice`, which copies nothing if the bytes are a Buffer
    const head = new Uint8Array(bytes.subarray(at, at + HEAD_BYTES));
    const [chunkRow, chunkCol, width, keeps] = head.length < HEAD_BYTES ? [] : new Int32Array(head.buffer);
    const last = chunks.at(-1);
    const isRight =
      (width === 1 || width === 2 || width === 4) &&
      (keeps === 0 || keeps === 1) &&
      placeKey(chunkRow, chunkCol) >= 0 &&
      (last === undefined || bySector(last, { chunkRow, chunkCol }) < 0);
    if (!isRight) damaged(`chunk ${chunks.length}, at byte ${at}, has the head ${head.join(" ")}`);
    const visitsEnd = at + HEAD_BYTES + width * CHUNK_CELLS;
    const end = visitsEnd + keeps * 4 * CHUNK_CELLS;
    if (end > bytes.length) damaged(`chunk ${chunks.length} ends at byte ${end} of ${bytes.length}`);
    const chunk = { chunkRow, chunkCol, visitBytes: bytes.subarray(at + HEAD_BYTES, visitsEnd) };
    chunks.push(keeps === 0 ? chunk : { ...chunk, firstVisitBytes: bytes.subarray(visitsEnd, end) });
    at = end;
  }
  return chunks;
}

/** Decodes a chunk. The result shares the memory of the stored chunk if its bytes are aligned. */
export function narrowChunkOf({ chunkRow, chunkCol, visitBytes, firstVisitBytes }: StoredChunk): NarrowChunk {
  const visits = numbersIn(visitBytes, visitBytes.length / CHUNK_CELLS);
  if (firstVisitBytes === undefined) return { chunkRow, chunkCol, visits };
  // the cast is safe: first visits have four bytes each
  return { chunkRow, chunkCol, visits, firstVisit: numbersIn(firstVisitBytes, 4) as Uint32Array<ArrayBuffer> };
}

export function decodeChunks(bytes: Uint8Array): MapChunk[] {
  return storedChunksIn(bytes).map((stored) => {
    const { visits, firstVisit, ...place } = narrowChunkOf(stored);
    const chunk = { ...place, visits: new Uint32Array(visits) };
    return firstVisit === undefined ? chunk : { ...chunk, firstVisit: firstVisit.slice() };
  });
}

/** Copies the bytes only if they are not aligned. */
function numbersIn(bytes: Uint8Array, width: number): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset } = bytes.byteOffset % width === 0 ? bytes : new Uint8Array(bytes);
  if (width === 1) return new Uint8Array(buffer, byteOffset, CHUNK_CELLS);
  if (width === 2) return new Uint16Array(buffer, byteOffset, CHUNK_CELLS);
  return new Uint32Array(buffer, byteOffset, CHUNK_CELLS);
}

function damaged(what: string): never {
  const problem = `the stored chunks are damaged: ${what}`;
  const remedy = "Pass the unchanged bytes, or store the chunks again";
  return fail(error("snapshot.invalid", { problem, expected: "stored chunks", remedy }));
}

/** A byte with this value means that the count is 255 or more. */
export const FULL_BYTE = 255;

/** Cells in an array: the first cell has the index `at`, and rows begin `stride` elements apart. */
export type ArrayCells = Readonly<Record<"rows" | "cols" | "at" | "stride", number>>;

/** Counts in a short form: most fit in a byte. */
export class NarrowCounts {
  /** A byte for each count; 255 for counts of 255 and more. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** If byte i is 255, element i is the count. All other elements are unused. */
  #counts: Uint32Array<ArrayBuffer> | undefined;
  #large: Uint32Array<ArrayBuffer> | undefined;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.bytes = bytes;
  }

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
    const [bytes, counts] = [this.bytes, this.#counts];
    if (this.#large !== undefined || counts === undefined) return this.#large ?? new Uint32Array();
    const large = new Uint32Array(fullBytesIn(bytes));
    for (let cell = 0, next = 0; next < large.length; cell++)
      if (bytes[cell] === FULL_BYTE) large[next++] = counts[cell];
    this.#large = large;
    return large;
  }
}

export function fullBytesIn(bytes: Uint8Array): number {
  // a loop, because an `indexOf` for each byte takes longer where many counts are large
  let count = 0;
  for (let k = 0; k < bytes.length; k++) count += Number(bytes[k] === FULL_BYTE);
  return count;
}

/** Converts counts to u32. `large` must have one count for each byte that is 255. */
export function widened({ bytes, large }: { readonly bytes: Uint8Array; readonly large: Uint32Array }) {
  const counts = new Uint32Array(bytes);
  let next = 0;
  for (let at = bytes.indexOf(FULL_BYTE); at >= 0; at = bytes.indexOf(FULL_BYTE, at + 1)) counts[at] = large[next++];
  return counts;
}

import { allocateResults } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { arrayType, refuseArgument } from "../../spec/index.js";
import { bySector, CHUNK_CELLS, type MapChunk, MOST_CHUNKS, type NarrowChunk, placeKey, sectorIndex } from "./chunk.js";

/*
 * Stored chunks. All numbers are little-endian.
 *
 *   0          4096 · pages                −16
 *   ├─ data, in pages ─┼─ index: one record for each chunk ─┼─ footer ─┤
 *
 * Data: for each chunk, its 4096 visits as u8, u16 or u32: the smallest type that can hold all of them. If the chunks
 * keep first visits, the chunk's 4096 first visits follow as u32. So the data of a chunk are 1, 2 or 4 pages of 4096
 * bytes, and 4 more pages with first visits.
 *
 *   0           4           8       12       16
 *   ├─ chunkRow ─┼─ chunkCol ─┼─ page ─┼─ width ─┤      a record: 2 i32, 2 u32
 *   ├─ RMCK ─────┼─ version ──┼─ keeps ─┼─ chunks ─┤    the footer: 4 u32
 *
 * `page` is the number of pages before the chunk's data, and `width` the bytes of a visit count. `keeps` is 1 if the
 * chunks keep first visits, and 0 if not. `chunks` is the number of chunks. Chunks are sorted by sector row, sector
 * column, chunk row and chunk column. So the data of a sector are one range of bytes.
 *
 * The index follows the data. So a writer can write each chunk as soon as the chunk is known, and needs memory only for
 * the index. Stored chunks have no checksum of their own, because the file that contains them has one.
 */

const MAGIC = 0x4b434d52;
const VERSION = 1;
/** Size of a page. With one byte for each visit count, a chunk takes one page. */
const PAGE_BYTES = CHUNK_CELLS;
const FIRST_VISIT_BYTES = 4 * CHUNK_CELLS;
const RECORD_WORDS = 4;
const RECORD_BYTES = 4 * RECORD_WORDS;
/** Size of the footer in bytes. {@link locateIndex} reads the footer from the end of stored chunks. */
export const FOOTER_BYTES = RECORD_BYTES;

/** The place of a chunk's data. */
interface ChunkRecord {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /** Number of bytes before the data. */
  readonly byteOffset: number;
  /** Number of bytes of a visit count: 1, 2 or 4. */
  readonly width: number;
}

/**
 * The stored chunks of one sector, a square of 16 × 16 chunks. `byteOffset` and `byteLength` give the place of the data
 * of all these chunks, in bytes.
 */
interface SectorRecord {
  readonly sectorRow: number;
  readonly sectorCol: number;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly chunks: readonly ChunkRecord[];
}

/** The place of the index, and the fields of the footer. */
interface IndexPlace {
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly firstVisits: boolean;
}

/** The places of all stored chunks. */
interface ChunkIndex {
  /** Whether the chunks keep first visits. False if there are no chunks. */
  readonly firstVisits: boolean;
  /** The sectors that have chunks, by sector row, then sector column. */
  readonly sectors: readonly SectorRecord[];
}

/**
 * A chunk with its numbers as bytes. The two arrays are views of a file's bytes or of the kernel's memory, so do not
 * write to them.
 */
export interface StoredChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /**
   * The 4096 visit counts, each with the same width of 1, 2 or 4 bytes. So the width is the length of this array /
   * 4096.
   */
  readonly visitBytes: Uint8Array;
  /** The 4096 first visits, u32. */
  readonly firstVisitBytes?: Uint8Array;
}

// ── encoding ──

/**
 * Writes stored chunks to memory. After {@link finish} or {@link clear}, uses the same memory again. Cost: O(bytes).
 */
export class ChunkWriter {
  #bytes = new Uint8Array(2 ** 16);
  #length = 0;
  /** The records of the chunks. */
  #index: number[] = [];
  #last: StoredChunk | undefined;

  /** Whether no chunk was added since the last {@link finish} or {@link clear}. */
  get isEmpty(): boolean {
    return this.#last === undefined;
  }

  /**
   * Copies a chunk. Add the chunks in the order of {@link bySector}.
   *
   * @throws RollmillError `argument.range` for a chunk that is not in this order; `walk.mismatch` if only some chunks
   * have first visits; `kernel.memory`.
   */
  add(chunk: StoredChunk): void {
    const { chunkRow, chunkCol, visitBytes, firstVisitBytes } = chunk;
    checkNext(this.#last, chunk);
    this.#last = chunk;
    this.#index.push(chunkRow, chunkCol, this.#length / PAGE_BYTES, visitBytes.length / CHUNK_CELLS);
    this.#append(visitBytes);
    if (firstVisitBytes !== undefined) this.#append(firstVisitBytes);
  }

  /**
   * Returns all chunks that were added, with their index. A chunk takes 4, 8 or 16 KiB, and 16 KiB more with first
   * visits. The next {@link add} begins anew and overwrites the returned bytes.
   */
  finish(): Uint8Array<ArrayBuffer> {
    const keeps = this.#last?.firstVisitBytes === undefined ? 0 : 1;
    this.#index.push(MAGIC, VERSION, keeps, this.#index.length / RECORD_WORDS);
    this.#append(new Uint8Array(Int32Array.from(this.#index).buffer));
    const bytes = this.#bytes.subarray(0, this.#length);
    this.clear();
    return bytes;
  }

  /** Drops the chunks that were added. The memory keeps its size. */
  clear(): void {
    this.#length = 0;
    this.#index = [];
    this.#last = undefined;
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

function checkNext(before: StoredChunk | undefined, chunk: StoredChunk): void {
  if (before === undefined) return;
  if (bySector(before, chunk) >= 0) {
    const problem = `chunk (${chunk.chunkRow}, ${chunk.chunkCol}) follows (${before.chunkRow}, ${before.chunkCol})`;
    fail(error("argument.range", { problem, expected: "different chunks, sorted by sector" }));
  }
  if ((before.firstVisitBytes === undefined) === (chunk.firstVisitBytes === undefined)) return;
  const problem = "only some chunks have first visits";
  fail(error("walk.mismatch", { problem, expected: "chunks of one layer" }));
}

// ── decoding ──

/**
 * Decodes all chunks. Does not check the visits, because any bytes are valid visits. Cost: O(cells of the chunks).
 *
 * @throws RollmillError `argument.type` for anything but bytes; `snapshot.invalid` for bytes that are not stored
 * chunks, or are damaged; `snapshot.version` for another version of the format.
 */
export function decodeChunks(bytes: Uint8Array): MapChunk[] {
  return storedChunksIn(bytes).map(chunkOf);
}

/**
 * Returns all chunks with their numbers as bytes. Copies nothing.
 *
 * @throws The errors of {@link decodeChunks}.
 */
export function storedChunksIn(bytes: Uint8Array): StoredChunk[] {
  checkBytes(bytes);
  const place = locateIndex(bytes.subarray(-FOOTER_BYTES), bytes.length);
  const { sectors } = decodeIndex(bytes.subarray(place.byteOffset, -FOOTER_BYTES), place);
  return sectors.flatMap((sector) => {
    const data = bytes.subarray(sector.byteOffset, sector.byteOffset + sector.byteLength);
    return decodeSector(data, sector);
  });
}

/**
 * Returns where the index of stored chunks is.
 *
 * @param footer - The last {@link FOOTER_BYTES} bytes.
 * @param size - Number of all bytes, including the footer.
 * @throws The errors of {@link decodeChunks}.
 */
export function locateIndex(footer: Uint8Array, size: number): IndexPlace {
  checkBytes(footer);
  const words = footer.length === FOOTER_BYTES ? numbersOf(footer) : new Int32Array(RECORD_WORDS);
  const [magic, version, keeps, chunks] = words;
  if (magic !== MAGIC) damaged("the bytes do not end with the footer of stored chunks");
  if (version !== VERSION) {
    const problem = "the stored chunks have a different format version";
    const remedy = "Use the version of Rollmill that stored the chunks";
    fail(error("snapshot.version", { problem, got: version >>> 0, expected: String(VERSION), remedy }));
  }
  const byteLength = (chunks >>> 0) * RECORD_BYTES;
  const byteOffset = size - FOOTER_BYTES - byteLength;
  const isRight = keeps >>> 0 <= 1 && chunks >>> 0 <= MOST_CHUNKS && byteOffset >= 0 && byteOffset % PAGE_BYTES === 0;
  if (!isRight) damaged(`the footer has the numbers ${words.join(", ")}, which do not agree with ${size} bytes`);
  return { byteOffset, byteLength, firstVisits: keeps === 1 };
}

/**
 * Decodes the index.
 *
 * @param bytes - The bytes of the index, without the footer.
 * @throws The errors of {@link decodeChunks}.
 */
export function decodeIndex(
  bytes: Uint8Array,
  { byteOffset: dataBytes, byteLength, firstVisits }: IndexPlace,
): ChunkIndex {
  checkBytes(bytes);
  if (bytes.length !== byteLength) damaged(`the index has ${bytes.length} bytes, not ${byteLength}`);
  const sectors: (SectorRecord & { byteLength: number; readonly chunks: ChunkRecord[] })[] = [];
  const words = numbersOf(bytes);
  let before: ChunkRecord | undefined;
  let byteOffset = 0;
  for (let at = 0; at < words.length; at += RECORD_WORDS) {
    const [chunkRow, chunkCol, page, width] = words.subarray(at, at + RECORD_WORDS);
    const chunk = { chunkRow, chunkCol, byteOffset, width };
    const isRight =
      page >>> 0 === byteOffset / PAGE_BYTES &&
      (width === 1 || width === 2 || width === 4) &&
      placeKey(chunkRow, chunkCol) >= 0 &&
      (before === undefined || bySector(before, chunk) < 0);
    if (!isRight)
      damaged(`record ${at / RECORD_WORDS} of the index is ${[chunkRow, chunkCol, page, width].join(", ")}`);
    before = chunk;
    const bytesOfChunk = width * CHUNK_CELLS + (firstVisits ? FIRST_VISIT_BYTES : 0);
    const [sectorRow, sectorCol] = [sectorIndex(chunkRow), sectorIndex(chunkCol)];
    const last = sectors.at(-1);
    if (last?.sectorRow === sectorRow && last.sectorCol === sectorCol) {
      last.chunks.push(chunk);
      last.byteLength += bytesOfChunk;
    } else sectors.push({ sectorRow, sectorCol, byteOffset, byteLength: bytesOfChunk, chunks: [chunk] });
    byteOffset += bytesOfChunk;
  }
  if (byteOffset !== dataBytes) damaged(`the data have ${dataBytes} bytes, and the index needs ${byteOffset}`);
  return { firstVisits, sectors };
}

/**
 * Decodes the chunks of one sector. Copies nothing.
 *
 * @param data - The bytes of the sector, from its `byteOffset` on.
 * @throws The errors of {@link decodeChunks}.
 */
export function decodeSector(data: Uint8Array, sector: SectorRecord): StoredChunk[] {
  checkBytes(data);
  const { sectorRow, sectorCol, byteOffset, byteLength, chunks } = sector;
  if (data.length !== byteLength) {
    damaged(`sector (${sectorRow}, ${sectorCol}) has ${data.length} bytes, not ${byteLength}`);
  }
  return chunks.map((chunk, i) => {
    const { chunkRow, chunkCol, width } = chunk;
    const from = chunk.byteOffset - byteOffset;
    const to = i + 1 < chunks.length ? chunks[i + 1].byteOffset - byteOffset : byteLength;
    const visitBytes = data.subarray(from, from + width * CHUNK_CELLS);
    if (from + visitBytes.length === to) return { chunkRow, chunkCol, visitBytes };
    return { chunkRow, chunkCol, visitBytes, firstVisitBytes: data.subarray(from + visitBytes.length, to) };
  });
}

/** Converts a stored chunk to a chunk of a map. If possible, the result shares the memory of the stored chunk. */
export function narrowChunkOf({ chunkRow, chunkCol, visitBytes, firstVisitBytes }: StoredChunk): NarrowChunk {
  const visits = numbersIn(visitBytes, visitBytes.length / CHUNK_CELLS);
  if (firstVisitBytes === undefined) return { chunkRow, chunkCol, visits };
  // the cast is safe: four bytes for each number
  return { chunkRow, chunkCol, visits, firstVisit: numbersIn(firstVisitBytes, 4) as Uint32Array<ArrayBuffer> };
}

/** Converts a stored chunk to a chunk of a map. Copies its numbers. */
function chunkOf(stored: StoredChunk): MapChunk {
  const { visits, firstVisit, ...place } = narrowChunkOf(stored);
  const wide = new Uint32Array(visits);
  return firstVisit === undefined
    ? { ...place, visits: wide }
    : { ...place, visits: wide, firstVisit: firstVisit.slice() };
}

/** Reads bytes as 4096 numbers of `width` bytes: 1, 2 or 4. Copies the bytes only if they are not aligned. */
function numbersIn(bytes: Uint8Array, width: number): Uint8Array | Uint16Array | Uint32Array {
  const { buffer, byteOffset } = bytes.byteOffset % width === 0 ? bytes : bytes.slice();
  if (width === 1) return new Uint8Array(buffer, byteOffset, CHUNK_CELLS);
  if (width === 2) return new Uint16Array(buffer, byteOffset, CHUNK_CELLS);
  return new Uint32Array(buffer, byteOffset, CHUNK_CELLS);
}

/** Returns a copy of the bytes as i32. */
function numbersOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(new Uint8Array(bytes).buffer);
}

function checkBytes(bytes: unknown): void {
  if (arrayType(bytes) !== "Uint8Array") refuseArgument("bytes", bytes, "a Uint8Array");
}

function damaged(what: string): never {
  const problem = `the stored chunks are damaged: ${what}`;
  const remedy = "Pass the unchanged bytes, or store the chunks again";
  return fail(error("snapshot.invalid", { problem, expected: "stored chunks", remedy }));
}

import { allocateResults } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { refuseArgument } from "../../spec/index.js";
import { bySector, CHUNK_CELLS, type MapChunk, MOST_CHUNKS, placeKey, sectorIndex } from "./chunk.js";

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
 * The index follows the data, so that a writer can write each chunk at once and keeps only the index. Stored chunks
 * have no checksum of their own, because the file that contains them has one.
 */

const MAGIC = 0x4b434d52;
const VERSION = 1;
/** Size of a page. With one byte for each visit count, a chunk takes one page. */
const PAGE_BYTES = CHUNK_CELLS;
const FIRST_VISIT_BYTES = 4 * CHUNK_CELLS;
const RECORD_WORDS = 4;
const RECORD_BYTES = 4 * RECORD_WORDS;
/** Number of bytes at the end of stored chunks that {@link locateIndex} reads. */
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

/** The chunks of one sector, which has 16 × 16 chunks. Their data are `byteLength` bytes from `byteOffset` on. */
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

/** A chunk with its numbers as bytes. The bytes are part of the given ones, so do not write to them. */
export interface StoredChunk {
  readonly chunkRow: number;
  readonly chunkCol: number;
  /** The 4096 visits. Their number of bytes is 4096 times the width of a count. */
  readonly visitBytes: Uint8Array;
  /** The 4096 first visits, u32. */
  readonly firstVisitBytes?: Uint8Array;
}

// ── encoding ──

/**
 * Encodes chunks, in any order. Cost: O(bytes). The result has 4, 8 or 16 KiB for each chunk, and 16 KiB more with
 * first visits.
 *
 * @throws RollmillError `walk.mismatch` if only some chunks have first visits; `argument.range` for two chunks at one
 * place; `kernel.memory`.
 */
export function encodeChunks(chunks: Iterable<MapChunk>): Uint8Array<ArrayBuffer> {
  const pieces = [...chunkPieces([...chunks].sort(bySector))];
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
  const bytes = allocateResults(length, 1, (count) => new Uint8Array(count));
  let at = 0;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/**
 * Yields the bytes of {@link encodeChunks} piece by piece, to write them to a file. Keeps 16 bytes for each chunk.
 *
 * @param chunks - Chunks in the order of {@link bySector}.
 * @throws RollmillError `argument.range` for chunks in another order; `walk.mismatch` if only some chunks have first
 * visits.
 */
export function* chunkPieces(chunks: Iterable<MapChunk>): Generator<Uint8Array<ArrayBuffer>, void> {
  const index: number[] = [];
  let [page, keeps] = [0, 0];
  let before: MapChunk | undefined;
  for (const chunk of chunks) {
    checkNext(before, chunk);
    before = chunk;
    const width = widthOf(chunk.visits);
    keeps = chunk.firstVisit === undefined ? 0 : 1;
    index.push(chunk.chunkRow, chunk.chunkCol, page, width);
    const data = dataOf(chunk, width);
    page += data.length / PAGE_BYTES;
    yield data;
  }
  index.push(MAGIC, VERSION, keeps, index.length / RECORD_WORDS);
  yield new Uint8Array(Int32Array.from(index).buffer);
}

function checkNext(before: MapChunk | undefined, chunk: MapChunk): void {
  if (before === undefined) return;
  if (bySector(before, chunk) >= 0) {
    const problem = `chunk (${chunk.chunkRow}, ${chunk.chunkCol}) follows (${before.chunkRow}, ${before.chunkCol})`;
    fail(error("argument.range", { problem, expected: "different chunks, sorted by sector" }));
  }
  if ((before.firstVisit === undefined) === (chunk.firstVisit === undefined)) return;
  const problem = "only some chunks have first visits";
  fail(error("walk.mismatch", { problem, expected: "chunks of one layer" }));
}

/** Returns the smallest number of bytes that holds each of the counts: 1, 2 or 4. */
function widthOf(visits: Uint32Array): number {
  let bits = 0;
  for (let i = 0; i < CHUNK_CELLS; i++) bits |= visits[i];
  return bits >>> 8 === 0 ? 1 : bits >>> 16 === 0 ? 2 : 4;
}

function dataOf({ visits, firstVisit }: MapChunk, width: number): Uint8Array<ArrayBuffer> {
  const data = new Uint8Array(width * CHUNK_CELLS + (firstVisit === undefined ? 0 : FIRST_VISIT_BYTES));
  arrayOf(data.buffer, width).set(visits);
  if (firstVisit !== undefined) new Uint32Array(data.buffer, width * CHUNK_CELLS).set(firstVisit);
  return data;
}

/** Returns the counts at the start of a buffer. */
function arrayOf(buffer: ArrayBuffer, width: number): Uint8Array | Uint16Array | Uint32Array {
  if (width === 1) return new Uint8Array(buffer, 0, CHUNK_CELLS);
  return width === 2 ? new Uint16Array(buffer, 0, CHUNK_CELLS) : new Uint32Array(buffer, 0, CHUNK_CELLS);
}

// ── decoding ──

/**
 * Decodes all chunks. Cost: O(cells of the chunks).
 *
 * @throws RollmillError `argument.type` for anything but bytes; `snapshot.invalid` for bytes that are not stored
 * chunks, or are damaged; `snapshot.version` for another version of the format. Any data are valid visits.
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

/** Converts a stored chunk to a chunk of a map. */
function chunkOf({ chunkRow, chunkCol, visitBytes, firstVisitBytes }: StoredChunk): MapChunk {
  // the copies are aligned
  const visits = new Uint32Array(arrayOf(new Uint8Array(visitBytes).buffer, visitBytes.length / CHUNK_CELLS));
  if (firstVisitBytes === undefined) return { chunkRow, chunkCol, visits };
  return { chunkRow, chunkCol, visits, firstVisit: new Uint32Array(new Uint8Array(firstVisitBytes).buffer) };
}

/** Returns a copy of the bytes as i32. */
function numbersOf(bytes: Uint8Array): Int32Array {
  return new Int32Array(new Uint8Array(bytes).buffer);
}

// Not `instanceof`, because the array may come from another realm.
function checkBytes(bytes: unknown): void {
  if (ArrayBuffer.isView(bytes) && Object.prototype.toString.call(bytes) === "[object Uint8Array]") return;
  refuseArgument("bytes", bytes, "a Uint8Array");
}

function damaged(what: string): never {
  const problem = `the stored chunks are damaged: ${what}`;
  const remedy = "Pass the unchanged bytes, or store the chunks again";
  return fail(error("snapshot.invalid", { problem, expected: "bytes that encodeChunks returned", remedy }));
}

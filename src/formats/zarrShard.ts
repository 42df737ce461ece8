import { error, fail } from "../errors/index.js";
import { arrayType, readOptions, refuseArgument } from "../spec/index.js";
import { checkCells, checkLength } from "./cellArrays.js";
import { crc32c } from "./crc.js";
import { joined } from "./joined.js";
import {
  type CheckedShards,
  readDataType,
  readShards,
  type ZarrArray,
  type ZarrDataType,
  type ZarrShards,
  ZSTD_LEVEL,
} from "./zarr.js";

/** Options of {@link readZarrShard}. Pass the same values as when the shard was written. */
export interface ZarrShardOptions extends ZarrShards, Pick<ZarrArray, "dataType"> {
  /** The file's name, for messages. */
  readonly file?: string | undefined;
}

/** The array of the cells of a shard. */
export type ZarrCells<T extends ZarrDataType> = T extends "uint8" ? Uint8Array : Uint32Array;

/*
 * A shard:
 *
 *     ┌─────────┬─────────┬ … ┬───────────────────────────────────────────┬────────┐
 *     │ chunk 0 │ chunk 1 │   │ index: an entry for each chunk, row by row│ CRC-32C│
 *     └─────────┴─────────┴ … ┴───────────────────────────────────────────┴────────┘
 *
 * An entry has the chunk's first byte and its number of bytes, both u64. Both are 2⁶⁴ − 1 if the chunk is left out. A
 * chunk is a zstd frame, followed by its CRC-32C.
 */
const ENTRY_BYTES = 16;
const CRC_BYTES = 4;
const ABSENT = 0xffff_ffff;
const ZSTD_MAGIC = 0xfd2f_b528;

const IS_LITTLE_ENDIAN = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1;

/**
 * Writes a shard of a Zarr array, in the format that `zarrArray` describes. Chunks whose cells all have the fill value
 * are left out. The same cells give the same bytes on every platform, because the compressor is a WebAssembly module
 * and not a part of the platform.
 *
 * Cost: O(cells). Memory: the bytes of the file, and one chunk. The first call loads the compressor.
 *
 * @param cells - the cells, row by row: `shardSide`² of them. At the edge of the array, fill the rest with the fill
 * value.
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed cells or options.
 */
export async function zarrShard(cells: Uint8Array | Uint32Array, options: ZarrShards = {}): Promise<Uint8Array> {
  const type = arrayType(cells);
  if (type !== "Uint8Array" && type !== "Uint32Array") refuseArgument("cells", cells, "a Uint8Array or a Uint32Array");
  const given = readOptions("zarrShard", options, ["shardSide", "chunkSide", "fillValue"]);
  const shards = readShards(given, type === "Uint8Array" ? "uint8" : "uint32");
  checkLength("cells", cells.length, shards.shardSide ** 2);
  const zstd = await compressor();
  const perSide = shards.shardSide / shards.chunkSide;
  const index = new DataView(new ArrayBuffer(perSide ** 2 * ENTRY_BYTES));
  const scratch =
    type === "Uint8Array" ? new Uint8Array(shards.chunkSide ** 2) : new Uint32Array(shards.chunkSide ** 2);
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (let k = 0; k < perSide ** 2; k++) {
    copyChunk(cells, scratch, k, shards);
    if (isFilled(scratch, shards.fillValue)) {
      setEntry(index, k, undefined);
      continue;
    }
    const chunk = await zstd.encode(bytesOf(scratch));
    pieces.push(chunk, checksumOf(chunk));
    setEntry(index, k, { from: end, bytes: chunk.length + CRC_BYTES });
    end += chunk.length + CRC_BYTES;
  }
  const indexBytes = new Uint8Array(index.buffer);
  pieces.push(indexBytes, checksumOf(indexBytes));
  return joined(pieces);
}

/**
 * Reads a shard that `zarrShard` wrote, and verifies the checksums of its index and its chunks.
 *
 * Cost: O(cells). Memory: the cells, and one chunk. The first call loads the compressor.
 *
 * @returns the cells, row by row: a Uint8Array or a Uint32Array with `shardSide`² cells.
 * @throws RollmillError `snapshot.invalid` if the bytes are not such a shard, are damaged or incomplete;
 * `argument.type`, `argument.range`, `argument.option` for malformed options.
 */
export async function readZarrShard<T extends ZarrDataType>(
  bytes: Uint8Array,
  options: ZarrShardOptions & { readonly dataType: T },
): Promise<ZarrCells<T>> {
  checkCells("bytes", bytes, { type: "Uint8Array" });
  const known = ["dataType", "shardSide", "chunkSide", "fillValue", "file"];
  const given = readOptions("readZarrShard", options, known);
  const dataType = readDataType(given.dataType);
  const shards = readShards(given, dataType);
  const { shardSide, chunkSide, fillValue } = shards;
  // the caller may change its bytes while the compressor is loaded
  const shard = bytes.slice();
  const index = readIndex(shard, shards, given.file);
  const zstd = await compressor();
  const cells = dataType === "uint8" ? new Uint8Array(shardSide ** 2) : new Uint32Array(shardSide ** 2);
  if (fillValue !== 0) cells.fill(fillValue);
  const chunkBytes = chunkSide ** 2 * cells.BYTES_PER_ELEMENT;
  for (const [k, place] of index.entries()) {
    if (place === undefined) continue;
    const where = { file: given.file, path: `chunk ${k}` };
    const stored = shard.subarray(place.from, place.from + place.bytes);
    const frame = stored.subarray(0, -CRC_BYTES);
    if (frameContent(frame) !== chunkBytes || checksumIn(stored) !== crc32c(frame)) refuseDamage("a chunk", where);
    let chunk: Uint8Array;
    try {
      chunk = await zstd.decode(frame);
    } catch (cause) {
      refuseDamage("a chunk", where, cause);
    }
    if (chunk.length !== chunkBytes) refuseDamage("a chunk", where);
    pasteChunk(cellsOf(chunk, dataType), cells, k, shards);
  }
  // the cast is safe: the type of `cells` is chosen by `dataType`
  return cells as ZarrCells<T>;
}

type Place = { readonly from: number; readonly bytes: number } | undefined;

function readIndex(shard: Uint8Array, { shardSide, chunkSide }: CheckedShards, file: string | undefined): Place[] {
  const count = (shardSide / chunkSide) ** 2;
  const start = shard.length - count * ENTRY_BYTES - CRC_BYTES;
  if (start < 0) refuseDamage("the index", { file });
  const index = shard.subarray(start, -CRC_BYTES);
  if (checksumIn(shard) !== crc32c(index)) refuseDamage("the index", { file });
  const view = new DataView(index.buffer, index.byteOffset, index.length);
  return Array.from({ length: count }, (_, k) => {
    const word = (i: number) => view.getUint32(k * ENTRY_BYTES + 4 * i, true);
    if ([0, 1, 2, 3].every((i) => word(i) === ABSENT)) return undefined;
    const [from, bytes] = [word(0) + word(1) * 2 ** 32, word(2) + word(3) * 2 ** 32];
    if (bytes <= CRC_BYTES || from + bytes > start) refuseDamage("the index", { file, path: `chunk ${k}` });
    return { from, bytes };
  });
}

/**
 * Returns the size in bytes that the header of a zstd frame states (RFC 8878, section 3.1.1). It is checked before
 * decompression, because a damaged frame could state 2⁶⁴ bytes, which would be allocated.
 */
function frameContent(frame: Uint8Array): number | undefined {
  // a header has at most 18 bytes
  const header = new Uint8Array(18);
  header.set(frame.subarray(0, header.length));
  const view = new DataView(header.buffer);
  const descriptor = header[4];
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3];
  if (view.getUint32(0, true) !== ZSTD_MAGIC) return undefined;
  switch (descriptor >>> 6) {
    case 0:
      return isSingle ? header[at] : undefined;
    case 1:
      return 256 + view.getUint16(at, true);
    case 2:
      return view.getUint32(at, true);
    default:
      return Number(view.getBigUint64(at, true));
  }
}

function refuseDamage(
  what: string,
  where: { readonly file?: string | undefined; readonly path?: string },
  cause?: unknown,
): never {
  const problem = `${what} of a shard is damaged or incomplete`;
  const expected = "bytes that zarrShard wrote, with the same type, sides and fill value";
  return fail(error("snapshot.invalid", { problem, expected, remedy: "Write the shard again", where }), cause);
}

function setEntry(index: DataView, k: number, place: Place): void {
  const words = place === undefined ? [ABSENT, ABSENT, ABSENT, ABSENT] : [place.from, 0, place.bytes, 0];
  for (const [i, word] of words.entries()) index.setUint32(k * ENTRY_BYTES + 4 * i, word, true);
}

function copyChunk(cells: Uint8Array | Uint32Array, chunk: Uint8Array | Uint32Array, k: number, shards: CheckedShards) {
  const { chunkSide } = shards;
  for (let row = 0; row < chunkSide; row++) {
    const from = rowStart(k, row, shards);
    chunk.set(cells.subarray(from, from + chunkSide), row * chunkSide);
  }
}

function pasteChunk(
  chunk: Uint8Array | Uint32Array,
  cells: Uint8Array | Uint32Array,
  k: number,
  shards: CheckedShards,
) {
  const { chunkSide } = shards;
  for (let row = 0; row < chunkSide; row++) {
    cells.set(chunk.subarray(row * chunkSide, (row + 1) * chunkSide), rowStart(k, row, shards));
  }
}

function rowStart(k: number, row: number, { shardSide, chunkSide }: CheckedShards): number {
  const perSide = shardSide / chunkSide;
  return (Math.floor(k / perSide) * chunkSide + row) * shardSide + (k % perSide) * chunkSide;
}

function isFilled(cells: Uint8Array | Uint32Array, value: number): boolean {
  for (let i = 0; i < cells.length; i++) if (cells[i] !== value) return false;
  return true;
}

function bytesOf(cells: Uint8Array | Uint32Array): Uint8Array {
  if (cells.BYTES_PER_ELEMENT === 1 || IS_LITTLE_ENDIAN) {
    return new Uint8Array(cells.buffer, cells.byteOffset, cells.byteLength);
  }
  const bytes = new Uint8Array(cells.byteLength);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < cells.length; i++) view.setUint32(4 * i, cells[i], true);
  return bytes;
}

function cellsOf(bytes: Uint8Array, dataType: ZarrDataType): Uint8Array | Uint32Array {
  if (dataType === "uint8") return bytes;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  if (IS_LITTLE_ENDIAN && bytes.byteOffset % 4 === 0) {
    return new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
  }
  return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => view.getUint32(4 * i, true));
}

function checksumOf(bytes: Uint8Array): Uint8Array {
  const sum = new Uint8Array(CRC_BYTES);
  new DataView(sum.buffer).setUint32(0, crc32c(bytes), true);
  return sum;
}

function checksumIn(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(bytes.length - CRC_BYTES, true);
}

/** Loads half a megabyte of WebAssembly, which nothing else of the library needs. */
async function compressor() {
  const { default: zstd } = await import("numcodecs/zstd");
  return zstd.fromConfig({ id: "zstd", level: ZSTD_LEVEL });
}

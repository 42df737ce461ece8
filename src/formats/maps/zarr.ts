import { error, fail, type Where } from "../../errors/index.js";
import { checkInteger, checkText, readOptions, refuseArgument } from "../../spec/index.js";
import { crc32c, joined, littleEndian } from "../bytes.js";
import { checkCells, checkChoice, checkLength, checkNumbers } from "../checks.js";
import { ZSTD_LEVEL, zstdCodec } from "../zstd.js";

/** The type of an array's cells: bytes, or unsigned 32-bit integers. */
export type ZarrDataType = "uint8" | "uint32";

/** How the cells of an array are divided into files and chunks. */
export interface ZarrShards {
  /** Number of cells along each side of a shard. A shard is one file. Default 1024, at most 4096. */
  readonly shardSide?: number | undefined;
  /** Number of cells along each side of a chunk: a divisor of `shardSide`. Default 256, at most `shardSide`. */
  readonly chunkSide?: number | undefined;
  /** The value of cells that are not stored. Default 0. */
  readonly fillValue?: number | undefined;
}

/** Describes an array of two dimensions for {@link zarrArray}. */
export interface ZarrArray extends ZarrShards {
  /** Number of rows and columns. Shards at the edge may extend beyond the array. */
  readonly shape: readonly [rows: number, cols: number];
  readonly dataType: ZarrDataType;
  /** Names of the two dimensions. Default: row, col. */
  readonly dimensionNames?: readonly [rows: string, cols: string] | undefined;
  /** Values that readers show with the array, such as `{ origin: [row0, col0] }`. JSON must be able to contain them. */
  readonly attributes?: ZarrAttributes | undefined;
}

/** The attributes of a group or an array: an object that JSON can contain. */
export type ZarrAttributes = Readonly<Record<string, unknown>>;

const SHARD_SIDE = 1024;
const CHUNK_SIDE = 256;
const MAX_SIDE = 4096;
const MAX_ROWS = 2 ** 32;
const MAX_DEPTH = 32;
const MAX_TEXT = 2 ** 20;

/**
 * Returns the text of the file `zarr.json` of a group, a folder that contains arrays.
 *
 * @throws RollmillError `argument.type` for attributes that JSON cannot contain; `argument.range` if they are too long.
 */
export function zarrGroup(attributes: ZarrAttributes = {}): string {
  return document({ zarr_format: 3, node_type: "group", attributes: readAttributes(attributes) });
}

/**
 * Returns the text of the file `zarr.json` of an array with two dimensions, whose shards {@link zarrShard} writes. A
 * shard contains chunks and ends with an index of the chunks. A chunk is compressed with zstd and has a CRC-32C.
 *
 * The shard whose first cell is (`shardSide` · row, `shardSide` · col) is the file {@link zarrShardPath} beside
 * `zarr.json`. An array has no negative indices: store the row and column of its element [0, 0] in the attributes.
 *
 * Source: zarr-specs.readthedocs.io, Zarr core version 3 and the codecs sharding-indexed, zstd and crc32c.
 *
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed options.
 */
export function zarrArray(array: ZarrArray): string {
  const known = ["shape", "dataType", "shardSide", "chunkSide", "fillValue", "dimensionNames", "attributes"];
  const read = readOptions("zarrArray", array, known);
  const dataType = readDataType(read.dataType);
  const { shardSide, chunkSide, fillValue } = readShards(read, dataType);
  const shape = pairOf("shape", read.shape, "[rows, columns]");
  for (const length of shape) checkInteger("shape", length, 1, MAX_ROWS);
  const names = pairOf("dimensionNames", read.dimensionNames ?? ["row", "col"], "two names");
  for (const name of names) checkText("dimensionNames", name);
  const bytes = { name: "bytes", configuration: { endian: "little" } };
  const checksum = { name: "crc32c" };
  const zstd = { name: "zstd", configuration: { level: ZSTD_LEVEL, checksum: false } };
  return document({
    zarr_format: 3,
    node_type: "array",
    shape,
    data_type: dataType,
    chunk_grid: { name: "regular", configuration: { chunk_shape: [shardSide, shardSide] } },
    chunk_key_encoding: { name: "default", configuration: { separator: "/" } },
    fill_value: fillValue,
    codecs: [
      {
        name: "sharding_indexed",
        configuration: {
          chunk_shape: [chunkSide, chunkSide],
          // cells of one byte need no byte order
          codecs: [dataType === "uint8" ? { name: "bytes" } : bytes, zstd, checksum],
          index_codecs: [bytes, checksum],
          index_location: "end",
        },
      },
    ],
    dimension_names: names,
    attributes: readAttributes(read.attributes ?? {}),
  });
}

/**
 * Returns the path of a shard's file in the folder of the array, such as c/0/2.
 *
 * @param row - The row of the shard's first cell, divided by the side of a shard.
 * @param col - The column of the shard's first cell, divided by the side of a shard.
 * @throws RollmillError `argument.range` for anything but integers from 0.
 */
export function zarrShardPath(row: number, col: number): string {
  checkInteger("row", row, 0, MAX_ROWS);
  checkInteger("col", col, 0, MAX_ROWS);
  return `c/${row}/${col}`;
}

type CheckedShards = { readonly [K in keyof ZarrShards]-?: number };

function readShards(given: ZarrShards, dataType: ZarrDataType): CheckedShards {
  const { shardSide = SHARD_SIDE, fillValue = 0 } = given;
  checkInteger("shardSide", shardSide, 1, MAX_SIDE);
  const { chunkSide = Math.min(CHUNK_SIDE, shardSide) } = given;
  checkInteger("chunkSide", chunkSide, 1, shardSide);
  if (shardSide % chunkSide !== 0) {
    const expected = `a divisor of the side of a shard, ${shardSide}`;
    fail(error("argument.range", { problem: 'invalid option "chunkSide"', got: chunkSide, expected }));
  }
  checkInteger("fillValue", fillValue, 0, dataType === "uint8" ? 2 ** 8 - 1 : 2 ** 32 - 1);
  return { shardSide, chunkSide, fillValue };
}

function readDataType(given: unknown): ZarrDataType {
  checkChoice('option "dataType"', given, ["uint8", "uint32"]);
  return given;
}

function pairOf(name: string, given: unknown, expected: string): [unknown, unknown] {
  if (!Array.isArray(given) || given.length !== 2) return refuseArgument(name, given, expected);
  return [given[0], given[1]];
}

function document(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

export function readAttributes(given: ZarrAttributes): ZarrAttributes {
  const isPlain = (value: unknown) => Object.prototype.toString.call(value) === "[object Object]";
  // counts values, because JSON repeats an object at each place that refers to it
  let count = 0;
  const check = (value: unknown, path: string, depth: number): void => {
    count += typeof value === "string" || Array.isArray(value) ? value.length + 1 : 1;
    if (count > MAX_TEXT) refuseLength();
    if (value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value)) return;
    const isList = Array.isArray(value);
    if (typeof value !== "object" || !(isList || isPlain(value)) || depth === MAX_DEPTH) refuseJson(value, path);
    for (const [key, entry] of Object.entries(value)) check(entry, path + (isList ? `[${key}]` : `.${key}`), depth + 1);
  };
  if (!isPlain(given)) refuseArgument("attributes", given, "an object");
  check(given, "attributes", 0);
  return JSON.stringify(given).length <= MAX_TEXT ? given : refuseLength();
}

function refuseLength(): never {
  const expected = `at most ${MAX_TEXT} characters of JSON`;
  return fail(error("argument.range", { problem: "the attributes are too long", expected }));
}

function refuseJson(got: unknown, path: string): never {
  const values = "null, a text, a finite number, true, false, or lists and objects of these";
  const expected = `${values}, nested at most ${MAX_DEPTH} deep`;
  return fail(error("argument.type", { problem: "invalid attribute", got, expected, where: { path } }));
}

/** Options of {@link readZarrShard}. Pass the same values as when the shard was written. */
export interface ZarrShardOptions extends ZarrShards, Pick<ZarrArray, "dataType"> {
  /** The file's name, for messages. */
  readonly file?: string | undefined;
}

/** The array type for the cells of a shard. */
export type ZarrCells<T extends ZarrDataType> = T extends "uint8" ? Uint8Array : Uint32Array;

/*
 * A shard:
 *
 *     ┌─────────┬─────────┬ … ┬───────────────────────────────────────────┬────────┐
 *     │ chunk 0 │ chunk 1 │   │ index: an entry for each chunk, row by row│ CRC-32C│
 *     └─────────┴─────────┴ … ┴───────────────────────────────────────────┴────────┘
 *
 * An entry has two u64: the offset and the length of the chunk in bytes. Both are 2⁶⁴ − 1 if the chunk is left out. A
 * chunk is a zstd frame, followed by its CRC-32C.
 */
const ENTRY_BYTES = 16;
const CRC_BYTES = 4;
const ABSENT = 0xffff_ffff_ffff_ffffn;
const ZSTD_MAGIC = 0xfd2f_b528;

/**
 * Writes a shard in the format that {@link zarrArray} describes, without the chunks whose cells all have the fill
 * value. The same cells give the same bytes on every platform. The first call loads the compressor, a WebAssembly
 * module.
 *
 * Cost: O(cells). Memory: the bytes of the file, and one chunk.
 *
 * @param cells - `shardSide`² cells, row by row. At the edge of the array, fill the rest with the fill value.
 * @throws RollmillError `argument.type`, `argument.range`, `argument.option` for malformed cells or options.
 */
export async function zarrShard(cells: Uint8Array | Uint32Array, options: ZarrShards = {}): Promise<Uint8Array> {
  checkNumbers("cells", cells);
  const dataType = cells.BYTES_PER_ELEMENT === 1 ? "uint8" : "uint32";
  const given = readOptions("zarrShard", options, ["shardSide", "chunkSide", "fillValue"]);
  const shards = readShards(given, dataType);
  checkLength("cells", cells.length, shards.shardSide ** 2);
  const zstd = await zstdCodec();
  const perSide = shards.shardSide / shards.chunkSide;
  // an entry whose bits are all 1 means that its chunk is left out
  const index = new Uint8Array(perSide ** 2 * ENTRY_BYTES).fill(0xff);
  const entries = new DataView(index.buffer);
  const scratch = newCells(dataType, shards.chunkSide ** 2);
  const pieces: Uint8Array[] = [];
  let end = 0;
  for (let k = 0; k < perSide ** 2; k++) {
    for (const [from, to] of rowsOf(k, shards)) scratch.set(cells.subarray(from, from + shards.chunkSide), to);
    if (isFilled(scratch, shards.fillValue)) continue;
    const chunk = await zstd.encode(littleEndian(scratch));
    const bytes = chunk.length + CRC_BYTES;
    pieces.push(chunk, checksumOf(chunk));
    entries.setBigUint64(k * ENTRY_BYTES, BigInt(end), true);
    entries.setBigUint64(k * ENTRY_BYTES + 8, BigInt(bytes), true);
    end += bytes;
  }
  return joined([...pieces, index, checksumOf(index)]);
}

/**
 * Reads a shard that {@link zarrShard} wrote, and verifies the checksums of its index and its chunks.
 *
 * Cost: O(cells). Memory: the cells, and one chunk. The first call loads the compressor.
 *
 * @returns `shardSide`² cells, row by row.
 * @throws RollmillError `snapshot.invalid` if the bytes are not such a shard, or are damaged or incomplete;
 * `argument.type`, `argument.range`, `argument.option` for malformed options.
 */
export async function readZarrShard<T extends ZarrDataType>(
  bytes: Uint8Array,
  options: ZarrShardOptions & { readonly dataType: T },
): Promise<ZarrCells<T>> {
  checkCells("bytes", bytes, "Uint8Array");
  const known = ["dataType", "shardSide", "chunkSide", "fillValue", "file"];
  const given = readOptions("readZarrShard", options, known);
  const dataType = readDataType(given.dataType);
  const shards = readShards(given, dataType);
  const { shardSide, chunkSide, fillValue } = shards;
  // copies the bytes, because the caller may change them while the compressor loads
  const shard = bytes.slice();
  const index = readIndex(shard, shards, given.file);
  const zstd = await zstdCodec();
  const cells = newCells(dataType, shardSide ** 2).fill(fillValue);
  const chunkBytes = chunkSide ** 2 * cells.BYTES_PER_ELEMENT;
  for (const [k, place] of index.entries()) {
    if (place === undefined) continue;
    const where = { file: given.file, path: `chunk ${k}` };
    const stored = shard.subarray(place.from, place.from + place.bytes);
    const frame = stored.subarray(0, -CRC_BYTES);
    if (frameContent(frame) !== chunkBytes || checksumIn(stored) !== crc32c(frame)) refuseDamage("a chunk", where);
    const chunk = await zstd.decode(frame).catch((cause: unknown) => refuseDamage("a chunk", where, cause));
    if (chunk.length !== chunkBytes) refuseDamage("a chunk", where);
    const read = cellsOf(chunk, dataType);
    for (const [to, from] of rowsOf(k, shards)) cells.set(read.subarray(from, from + chunkSide), to);
  }
  // the cast is safe: the type of `cells` is chosen by `dataType`
  return cells as ZarrCells<T>;
}

function newCells(dataType: ZarrDataType, length: number): Uint8Array | Uint32Array {
  return dataType === "uint8" ? new Uint8Array(length) : new Uint32Array(length);
}

function readIndex(shard: Uint8Array, { shardSide, chunkSide }: CheckedShards, file: string | undefined) {
  const count = (shardSide / chunkSide) ** 2;
  const start = shard.length - count * ENTRY_BYTES - CRC_BYTES;
  if (start < 0) refuseDamage("the index", { file });
  const index = shard.subarray(start, -CRC_BYTES);
  if (checksumIn(shard) !== crc32c(index)) refuseDamage("the index", { file });
  const view = new DataView(index.buffer, index.byteOffset, index.length);
  return Array.from({ length: count }, (_, k) => {
    const entry = [0, 8].map((offset) => view.getBigUint64(k * ENTRY_BYTES + offset, true));
    if (entry.every((part) => part === ABSENT)) return undefined;
    const [from, bytes] = entry.map(Number);
    if (bytes <= CRC_BYTES || from + bytes > start) refuseDamage("the index", { file, path: `chunk ${k}` });
    return { from, bytes };
  });
}

/** Returns the content size in a frame's header (RFC 8878, 3.1.1). A wrong size could make zstd allocate 2⁶⁴ bytes. */
function frameContent(frame: Uint8Array): number | undefined {
  // a header has at most 18 bytes
  const header = new Uint8Array(18);
  header.set(frame.subarray(0, header.length));
  const view = new DataView(header.buffer);
  const descriptor = header[4];
  const isSingle = (descriptor & 0x20) !== 0;
  const at = 5 + (isSingle ? 0 : 1) + [0, 1, 2, 4][descriptor & 3];
  if (view.getUint32(0, true) !== ZSTD_MAGIC) return undefined;
  const code = descriptor >>> 6;
  if (code === 0) return isSingle ? header[at] : undefined;
  if (code === 1) return 256 + view.getUint16(at, true);
  return code === 2 ? view.getUint32(at, true) : Number(view.getBigUint64(at, true));
}

function refuseDamage(what: string, where: Where, cause?: unknown): never {
  const problem = `${what} of a shard is damaged or incomplete`;
  const expected = "bytes that zarrShard wrote, with the same type, sides and fill value";
  return fail(error("snapshot.invalid", { problem, expected, remedy: "Write the shard again", where }), cause);
}

/** For each row of chunk k, yields the indices of the row's first cell in the shard and in the chunk. */
function* rowsOf(k: number, { shardSide, chunkSide }: CheckedShards): Generator<readonly [number, number]> {
  const perSide = shardSide / chunkSide;
  const first = Math.floor(k / perSide) * chunkSide * shardSide + (k % perSide) * chunkSide;
  for (let row = 0; row < chunkSide; row++) yield [first + row * shardSide, row * chunkSide];
}

function cellsOf(bytes: Uint8Array, dataType: ZarrDataType): Uint8Array | Uint32Array {
  if (dataType === "uint8") return bytes;
  // copies the bytes, because a Uint32Array needs an offset that is a multiple of 4
  const numbers = new Uint32Array(bytes.slice().buffer);
  return new Uint32Array(littleEndian(numbers).buffer);
}

function isFilled(cells: Uint8Array | Uint32Array, value: number): boolean {
  for (let i = 0; i < cells.length; i++) if (cells[i] !== value) return false;
  return true;
}

function checksumOf(bytes: Uint8Array): Uint8Array {
  return littleEndian(Uint32Array.of(crc32c(bytes)));
}

function checksumIn(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length).getUint32(bytes.length - CRC_BYTES, true);
}

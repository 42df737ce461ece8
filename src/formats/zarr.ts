import { error, fail, reading } from "../errors/index.js";
import { checkInteger, checkText, copyList, readOptions, refuseArgument } from "../spec/index.js";

/** The type of an array's cells: bytes, or unsigned 32-bit integers. */
export type ZarrDataType = "uint8" | "uint32";

/** How the cells of an array are divided into files and chunks. */
export interface ZarrShards {
  /** Number of cells along each side of a shard. A shard is one file. Default 1024, at most 4096. */
  readonly shardSide?: number | undefined;
  /** Number of cells along each side of a chunk. A chunk is compressed alone. Must divide `shardSide`. Default 256. */
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

/** On maps, higher levels take longer and save less than 1 %. */
export const ZSTD_LEVEL = 1;
const SHARD_SIDE = 1024;
const CHUNK_SIDE = 256;
const MAX_SIDE = 4096;
const MAX_ROWS = 2 ** 32;
const MAX_DEPTH = 32;
const MAX_TEXT = 2 ** 20;

/**
 * Returns the text of the file `zarr.json` of a group: a folder that contains arrays.
 *
 * @throws RollmillError `argument.type` for attributes that JSON cannot contain; `argument.range` if they are too long.
 */
export function zarrGroup(attributes: ZarrAttributes = {}): string {
  return document({ zarr_format: 3, node_type: "group", attributes: readAttributes(attributes) });
}

/**
 * Returns the text of the file `zarr.json` of an array with two dimensions. The text describes the shards that
 * {@link zarrShard} writes. A shard contains chunks and ends with an index of the chunks. A chunk is compressed with
 * zstd and has a CRC-32C.
 *
 * A shard whose first cell is (`shardSide` · row, `shardSide` · col) is the file `c/<row>/<col>` beside `zarr.json`.
 * {@link zarrShardPath} returns this path.
 *
 * A Zarr array has no negative indices, but a map can have negative rows and columns. So store the row and the column
 * of the map's cell that is element [0, 0] in the attributes.
 *
 * Source: zarr-specs.readthedocs.io, Zarr core specification version 3 and the codecs sharding-indexed, zstd and
 * crc32c.
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
 * Returns the path of a shard's file, relative to the folder of the array.
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

export type CheckedShards = { readonly [K in keyof ZarrShards]-?: number };

export function readShards(given: ZarrShards, dataType: ZarrDataType): CheckedShards {
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

export function readDataType(given: unknown): ZarrDataType {
  if (given === "uint8" || given === "uint32") return given;
  const problem = 'invalid option "dataType"';
  return fail(error("argument.range", { problem, got: given, expected: '"uint8" or "uint32"' }));
}

function pairOf(name: string, given: unknown, expected: string): [unknown, unknown] {
  const list = reading(name, () => (Array.isArray(given) ? (copyList(given, 2) ?? []) : []));
  if (list.length !== 2) refuseArgument(name, given, expected);
  return [list[0], list[1]];
}

function document(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readAttributes(given: ZarrAttributes): unknown {
  const copy = reading("the attributes", () => {
    if (Object.prototype.toString.call(given) !== "[object Object]") {
      refuseArgument("attributes", given, "an object");
    }
    return new JsonCopier().copyOf(given, "attributes", 0);
  });
  return JSON.stringify(copy).length <= MAX_TEXT ? copy : refuseLength();
}

class JsonCopier {
  #characters = 0;

  copyOf(value: unknown, path: string, depth: number): unknown {
    this.#add(typeof value === "string" ? value.length + 2 : 1);
    if (isJsonScalar(value)) return value;
    if (typeof value !== "object" || depth === MAX_DEPTH) return refuseJson(value, path);
    if (Array.isArray(value)) {
      const list = copyList(value, MAX_TEXT) ?? refuseJson(value, path);
      return list.map((entry, i) => this.copyOf(entry, `${path}[${i}]`, depth + 1));
    }
    if (Object.prototype.toString.call(value) !== "[object Object]") return refuseJson(value, path);
    const entries = Object.keys(value).map((key) => {
      this.#add(key.length + 3);
      return [key, this.copyOf(Reflect.get(value, key), `${path}.${key}`, depth + 1)];
    });
    return Object.fromEntries(entries);
  }

  #add(characters: number): void {
    this.#characters += characters;
    if (this.#characters > MAX_TEXT) refuseLength();
  }
}

function isJsonScalar(value: unknown): value is string | number | boolean | null {
  return value === null || typeof value === "string" || typeof value === "boolean" || Number.isFinite(value);
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

import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import { error, fail } from "../../errors/index.js";
import { checkInteger, readOptions } from "../../spec/index.js";
import { joined } from "../bytes.js";
import { type Column, checkSameColumns, type DecimalColumn, isLong, readBatches, type WordColumn } from "./columns.js";
import { DistinctTexts } from "./parquetTexts.js";
import { snappyBytes } from "./snappy.js";
import { type TextCells, textCells } from "./textCells.js";

/** The values of a column in one row group, as the uncompressed pages of a Parquet file. */
interface EncodedColumn {
  /** The distinct values in PLAIN encoding. Undefined if `data` has the values themselves, not indices. */
  readonly dictionary: { readonly count: number; readonly bytes: Uint8Array } | undefined;
  /** Values in PLAIN encoding, or indices into `dictionary` in RLE_DICTIONARY encoding. Nulls are left out. */
  readonly data: Uint8Array;
  /** For each row, 0 if it is null, otherwise 1; in RLE encoding. Empty if the column cannot contain nulls. */
  readonly levels: Uint8Array;
  readonly nulls: number;
  /** The least value; texts are compared by their UTF-8 bytes. Undefined if all values are null. */
  readonly least: string | number | undefined;
  readonly greatest: string | number | undefined;
}

/** A column gets a dictionary if dictionary and indices need at most this share of the bytes of PLAIN encoding. */
const DICTIONARY_SHARE = 0.5;
/** DICTIONARY_SHARE for texts: higher, because texts have more bytes than integers and take longer to compress. */
const TEXT_DICTIONARY_SHARE = 0.75;
/** Maximum length of the array that maps integers to indices of the dictionary. */
const MAX_SPAN = 2 ** 16;

/** Encodes the rows `from` … `to` − 1. Cost: O(rows + words). Encodes each word once, even if many rows have it. */
function encodeColumn(column: Column, from: number, to: number): EncodedColumn {
  switch (column.kind) {
    case "text":
    case "phrase":
      return encodeTexts(textCells(column, from, to), to - from);
    case "word":
      return encodeWords(column, from, to);
    case "integer":
      return encodeIntegers(new Float64Array(column.values.subarray(from, to)), isLong(column) ? 8 : 4);
    case "decimal":
      return encodeIntegers(new Float64Array(column.values.subarray(from, to)), decimalType(column).bytes);
  }
}

/** Integers with this many decimal digits always fit into 32 or 64 bits. */
const DIGITS_32 = 9;
const DIGITS_64 = 18;

function decimalType({ values, decimals }: DecimalColumn): { readonly precision: number; readonly bytes: 4 | 8 } {
  const digits = [0, 3, 5, 0, 10][values.BYTES_PER_ELEMENT];
  const precision = Math.min(DIGITS_64, Math.max(digits, decimals));
  return { precision, bytes: precision <= DIGITS_32 ? 4 : 8 };
}

const REQUIRED = { levels: new Uint8Array(0), nulls: 0 } as const;

/** Two values of `places` are not indices. UNUSED: no earlier row has the word. NULL: the word is null. */
const UNUSED = -1;
const NULL = -2;

function encodeWords({ name, words, indices }: WordColumn, from: number, to: number): EncodedColumn {
  const cells = textCells({ kind: "text", name, values: words.map((word) => word ?? "") }, 0, words.length);
  const texts = new DistinctTexts();
  const places = Int32Array.from(words, (word) => (word === null ? NULL : UNUSED));
  // copies the indices to a Uint32Array, because V8 compiles faster code for loops over a single array type
  const own = new Uint32Array(indices.subarray(from, to));
  const present = new Uint32Array(own.length);
  let count = 0;
  for (let row = 0; row < own.length; row++) {
    const index = own[row];
    if (places[index] === NULL) continue;
    if (places[index] === UNUSED) places[index] = texts.indexOf(cells, index);
    own[count++] = places[index];
    present[row] = 1;
  }
  const encoded = encodeIds(texts, own.subarray(0, count));
  if (!words.includes(null)) return encoded;
  return { ...encoded, levels: packed(present, 1), nulls: own.length - count };
}

function encodeTexts(cells: TextCells, rows: number): EncodedColumn {
  const texts = new DistinctTexts();
  const ids = new Uint32Array(rows);
  for (let row = 0; row < rows; row++) ids[row] = texts.indexOf(cells, row);
  const encoded = encodeIds(texts, ids);
  const indexed = texts.bytes().length + encoded.data.length;
  if (indexed <= TEXT_DICTIONARY_SHARE * texts.bytesOf(ids)) return encoded;
  return { ...encoded, dictionary: undefined, data: texts.repeated(ids) };
}

function encodeIds(texts: DistinctTexts, ids: Uint32Array): EncodedColumn {
  const dictionary = { count: texts.count, bytes: texts.bytes() };
  return { ...REQUIRED, dictionary, data: indexPage(ids, texts.count), ...texts.bounds() };
}

/** Accepts only doubles, because V8 compiles faster code for loops over a single array type. */
function encodeIntegers(values: Float64Array, bytes: 4 | 8): EncodedColumn {
  if (values.length === 0)
    return { ...REQUIRED, dictionary: undefined, data: new Uint8Array(0), least: undefined, greatest: undefined };
  let [least, greatest] = [values[0], values[0]];
  for (let i = 1; i < values.length; i++) {
    if (values[i] < least) least = values[i];
    else if (values[i] > greatest) greatest = values[i];
  }
  const found = greatest - least < MAX_SPAN ? distinct(values, least, greatest - least + 1) : undefined;
  if (found === undefined || !isWorth(found.values.length, values.length, bytes)) {
    return { ...REQUIRED, dictionary: undefined, data: plainIntegers(values, bytes), least, greatest };
  }
  const dictionary = { count: found.values.length, bytes: plainIntegers(found.values, bytes) };
  return { ...REQUIRED, dictionary, data: indexPage(found.ids, found.values.length), least, greatest };
}

/** Returns the distinct values in the order of their first rows and, for each row, the index of its value. */
function distinct(values: Float64Array, least: number, span: number) {
  const places = new Int32Array(span).fill(-1);
  const found: number[] = [];
  const ids = new Uint32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    const value = values[i] - least;
    if (places[value] < 0) places[value] = found.push(values[i]) - 1;
    ids[i] = places[value];
  }
  return { values: found, ids };
}

function isWorth(distinctValues: number, rows: number, bytes: number): boolean {
  const indexed = distinctValues * bytes + (rows * bitsOf(distinctValues)) / 8;
  return indexed <= rows * bytes * DICTIONARY_SHARE;
}

function plainIntegers(values: ArrayLike<number>, bytes: 4 | 8): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * bytes));
  for (let i = 0; i < values.length; i++) {
    view.setInt32(i * bytes, values[i], true);
    if (bytes === 8) view.setInt32(i * bytes + 4, Math.floor(values[i] / 2 ** 32), true);
  }
  return new Uint8Array(view.buffer);
}

function bitsOf(count: number): number {
  return count <= 1 ? 0 : 32 - Math.clz32(count - 1);
}

/** Returns a page of indices. Its first byte is the number of bits in each index. */
function indexPage(ids: Uint32Array, count: number): Uint8Array {
  const bits = bitsOf(count);
  const indices = packed(ids, bits);
  const page = new Uint8Array(indices.length + 1);
  page[0] = bits;
  page.set(indices, 1);
  return page;
}

/**
 * Encodes values in Parquet's RLE / bit-packing hybrid, lowest bit first. Writes a single run: bit-packed groups of 8
 * values or, if `bits` is 0, a run of zeros.
 */
function packed(values: Uint32Array, bits: number): Uint8Array {
  if (values.length === 0) return new Uint8Array(0);
  if (bits === 0) return Uint8Array.from(variableLength(values.length * 2));
  const groups = Math.ceil(values.length / 8);
  const head = variableLength(groups * 2 + 1);
  const bytes = new Uint8Array(head.length + groups * bits);
  bytes.set(head);
  let at = head.length;
  let [buffer, filled] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    // 31 bits are enough: at most 7 bits remain from the previous index, and an index has at most 24 bits
    buffer |= values[i] << filled;
    for (filled += bits; filled >= 8; filled -= 8) {
      bytes[at++] = buffer;
      buffer >>>= 8;
    }
  }
  if (filled > 0) bytes[at] = buffer;
  return bytes;
}

/** Encodes an integer in groups of 7 bits, lowest first. The top bit of a byte is 1 if more bytes follow. */
function variableLength(value: number): number[] {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return [...bytes, rest];
}

/** Options of {@link toParquet} and {@link parquetChunks}. */
export interface ParquetOptions {
  /** Maximum number of rows in a row group, 1 … 2²⁴. The writer keeps one row group in memory. Default 2¹⁷ rows. */
  readonly rowGroup?: number;
}

type FileMetadata = Parameters<typeof writeMetadata>[1];
type RowGroup = FileMetadata["row_groups"][number];
type ColumnChunk = RowGroup["columns"][number];
type SchemaElement = FileMetadata["schema"][number];

/** "PAR1": the first and the last four bytes of a file. */
const MAGIC = 0x31524150;
const ROW_GROUP = 2 ** 17;
const MAX_ROW_GROUP = 2 ** 24;

/**
 * Writes columns as a Parquet file with Snappy compression (github.com/apache/parquet-format, LogicalTypes.md):
 *
 * - texts, words and phrases are strings;
 * - a column of words is OPTIONAL if its `words` contain null. All other columns are REQUIRED;
 * - integers are INT32; only the integers of a Uint32Array or a Float64Array are INT64;
 * - decimals are DECIMAL(precision, scale) on INT32 or INT64. A file stores decimal · 10^scale, so nothing is rounded.
 *
 * Cost: the cost of {@link parquetChunks}, and memory for the whole file.
 *
 * @throws The errors of {@link parquetChunks}.
 */
export function toParquet(columns: readonly Column[], options: ParquetOptions = {}): Uint8Array {
  return joined([...parquetChunks([columns], options)]);
}

/**
 * Writes batches of rows as a Parquet file, in the format of {@link toParquet}. Yields the bytes lazily. All batches
 * must have the columns of the first batch. A batch becomes one row group, or several if it has more than `rowGroup`
 * rows. At least one batch is required; it may be empty.
 *
 * Cost: O(values). Memory: one batch, one row group, and about 200 bytes for each column of each finished row group.
 *
 * @throws RollmillError `argument.type` for anything but columns; `argument.range` if columns of a batch differ in
 * length or have the same name, batches differ or are missing, or `rowGroup` is out of range.
 */
export function* parquetChunks(
  batches: Iterable<readonly Column[]>,
  options: ParquetOptions = {},
): Generator<Uint8Array, void> {
  const { rowGroup = ROW_GROUP } = readOptions("parquetChunks", options, ["rowGroup"]);
  checkInteger("rowGroup", rowGroup, 1, MAX_ROW_GROUP);
  const bytes = new ByteWriter();
  bytes.appendUint32(MAGIC);
  const groups: RowGroup[] = [];
  let first: readonly Column[] | undefined;
  for (const { columns, rows } of readBatches(batches)) {
    first ??= columns;
    checkSameColumns(first, columns);
    for (let from = 0; from < rows; from += rowGroup) {
      groups.push(writeGroup(bytes, columns, from, Math.min(rows, from + rowGroup)));
      yield taken(bytes);
    }
  }
  if (first === undefined)
    fail(error("argument.range", { problem: "there is no batch to write", expected: "at least one batch" }));
  writeMetadata(bytes, {
    version: 2,
    created_by: "rollmill",
    schema: [{ name: "root", num_children: first.length }, ...first.map(elementOf)],
    num_rows: groups.reduce((sum, { num_rows: rows }) => sum + rows, 0n),
    row_groups: groups,
    // hyparquet-writer ignores this number and writes the real length
    metadata_length: 0,
  });
  bytes.appendUint32(MAGIC);
  yield taken(bytes);
}

// Removes and returns the bytes of the buffer, but keeps `bytes.offset`, the position in the file.
function taken(bytes: ByteWriter): Uint8Array {
  const chunk = bytes.getBytes().slice();
  bytes.index = 0;
  return chunk;
}

function elementOf(column: Column): SchemaElement {
  const { name } = column;
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
  switch (column.kind) {
    case "text":
    case "phrase":
      return { name, repetition_type: "REQUIRED", ...text };
    case "word":
      return { name, repetition_type: column.words.includes(null) ? "OPTIONAL" : "REQUIRED", ...text };
    case "integer":
      return { name, repetition_type: "REQUIRED", type: isLong(column) ? "INT64" : "INT32" };
    case "decimal": {
      const [scale, { precision, bytes }] = [column.decimals, decimalType(column)];
      const type = { type: bytes === 4 ? "INT32" : "INT64", converted_type: "DECIMAL", scale, precision } as const;
      return { name, repetition_type: "REQUIRED", ...type, logical_type: { type: "DECIMAL", scale, precision } };
    }
  }
}

function writeGroup(bytes: ByteWriter, columns: readonly Column[], from: number, to: number): RowGroup {
  const begin = bytes.offset;
  const chunks = columns.map((one) => writeChunk(bytes, elementOf(one), encodeColumn(one, from, to), to - from));
  return {
    columns: chunks,
    total_byte_size: chunks.reduce((sum, { meta_data: data }) => sum + (data?.total_uncompressed_size ?? 0n), 0n),
    num_rows: BigInt(to - from),
    total_compressed_size: BigInt(bytes.offset - begin),
  };
}

function writeChunk(writer: ByteWriter, element: SchemaElement, encoded: EncodedColumn, rows: number): ColumnChunk {
  const begin = writer.offset;
  const { dictionary, data, levels, nulls } = encoded;
  let uncompressed = 0;
  if (dictionary !== undefined) {
    const compressed = snappyBytes(dictionary.bytes);
    writePageHeader(writer, {
      type: "DICTIONARY_PAGE",
      uncompressed_page_size: dictionary.bytes.length,
      compressed_page_size: compressed.length,
      dictionary_page_header: { num_values: dictionary.count, encoding: "PLAIN", is_sorted: false },
    });
    writer.appendBytes(compressed);
    uncompressed += writer.offset - begin - compressed.length + dictionary.bytes.length;
  }
  const dataOffset = writer.offset;
  const encoding = dictionary === undefined ? "PLAIN" : "RLE_DICTIONARY";
  const compressed = snappyBytes(data);
  writePageHeader(writer, {
    type: "DATA_PAGE_V2",
    uncompressed_page_size: levels.length + data.length,
    compressed_page_size: levels.length + compressed.length,
    data_page_header_v2: {
      num_values: rows,
      num_nulls: nulls,
      num_rows: rows,
      encoding,
      definition_levels_byte_length: levels.length,
      repetition_levels_byte_length: 0,
      is_compressed: true,
    },
  });
  writer.appendBytes(levels);
  writer.appendBytes(compressed);
  uncompressed += writer.offset - dataOffset - compressed.length + data.length;
  return {
    meta_data: {
      type: element.type ?? "BYTE_ARRAY",
      encodings: dictionary === undefined ? [encoding] : ["PLAIN", encoding],
      path_in_schema: [element.name],
      codec: "SNAPPY",
      num_values: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - begin),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataOffset),
      ...(dictionary !== undefined && { dictionary_page_offset: BigInt(begin) }),
      statistics: statisticsOf(element, encoded),
    },
    file_offset: BigInt(begin),
  };
}

function statisticsOf(element: SchemaElement, { least, greatest, nulls }: EncodedColumn) {
  const counted = { null_count: BigInt(nulls) };
  if (least === undefined || greatest === undefined) return counted;
  // hyparquet-writer multiplies a number by 10^scale, but stores a bigint unchanged; these bounds are scaled already
  const isStored = element.type === "INT64" || element.converted_type === "DECIMAL";
  const bound = (value: string | number) => (typeof value === "number" && isStored ? BigInt(value) : value);
  return { ...counted, min_value: bound(least), max_value: bound(greatest) };
}

import { ByteWriter } from "hyparquet-writer/src/bytewriter.js";
import { writePageHeader } from "hyparquet-writer/src/datapage.js";
import { writeMetadata } from "hyparquet-writer/src/metadata.js";
import { error, fail } from "../../errors/index.js";
import { checkInteger, readOptions } from "../../spec/index.js";
import { joined } from "../bytes.js";
import { type Column, checkSameColumns, type DecimalColumn, isLong, readBatches } from "./columns.js";
import { decimalBytes, decimalPrecision, type EncodedColumn, encodeColumn } from "./parquetPages.js";
import { snappyBytes } from "./snappy.js";

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
 * Writes columns as a Parquet file with Snappy compression:
 *
 * - texts, words and phrases are strings;
 * - a column of words is OPTIONAL if its list contains null. All other columns are REQUIRED;
 * - integers are INT32; only the integers of a Uint32Array or a Float64Array are INT64;
 * - decimals are DECIMAL(precision, scale) on INT32 or INT64. The file stores value · 10^scale as an integer, so
 *   nothing is rounded.
 *
 * Source: github.com/apache/parquet-format, LogicalTypes.md.
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
 * length, have the same name, or differ from those of the first batch, there is no batch, or `rowGroup` is out of
 * range.
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
    // the package writes the length itself
    metadata_length: 0,
  });
  bytes.appendUint32(MAGIC);
  yield taken(bytes);
}

// Empties the buffer, but keeps `bytes.offset`, the position in the file.
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
    case "decimal":
      return { name, repetition_type: "REQUIRED", ...decimalType(column) };
  }
}

function decimalType({ values, decimals: scale }: DecimalColumn): Omit<SchemaElement, "name"> {
  const precision = decimalPrecision(values, scale);
  const type = decimalBytes(values, scale) === 4 ? "INT32" : "INT64";
  return { type, converted_type: "DECIMAL", scale, precision, logical_type: { type: "DECIMAL", scale, precision } };
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
  // the package reads a number as a value before scaling, and a bigint as the integer that the file stores
  const isStored = element.type === "INT64" || element.converted_type === "DECIMAL";
  const bound = (value: string | number) => (typeof value === "number" && isStored ? BigInt(value) : value);
  return { ...counted, min_value: bound(least), max_value: bound(greatest) };
}

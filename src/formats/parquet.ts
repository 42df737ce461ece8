import { ByteWriter, ParquetWriter, type SchemaElement } from "hyparquet-writer";
import { error, fail } from "../errors/index.js";
import { checkInteger, readOptions } from "../spec/index.js";
import {
  type Column,
  checkSameColumns,
  type DecimalColumn,
  type IntegerValues,
  isUnsigned32,
  readBatches,
} from "./columns.js";

/** Options of {@link toParquet} and {@link parquetChunks}. */
export interface ParquetOptions {
  /** Maximum number of rows in a row group, 1 … 2²⁴. The writer keeps one row group in memory. Default 2¹⁷. */
  readonly rowGroup?: number;
}

const ROW_GROUP = 2 ** 17;
const MAX_ROW_GROUP = 2 ** 24;
/** Largest numbers of decimal digits that always fit into 32 bits and into 64 bits. */
const [DIGITS_32, DIGITS_64] = [9, 18];

/**
 * Writes columns as a Parquet file with Snappy compression:
 *
 * - texts and words are strings;
 * - a column of words is OPTIONAL if its list contains null, and all other columns are REQUIRED;
 * - integers are INT32, except that integers of a Uint32Array are INT64;
 * - decimals are DECIMAL(precision, scale) on INT32 or INT64, which store value · 10^scale as an integer, so nothing is
 *   rounded.
 *
 * Source: github.com/apache/parquet-format, LogicalTypes.md.
 *
 * Cost: the cost of {@link parquetChunks}, and memory for the whole file.
 *
 * @throws The errors of {@link parquetChunks}.
 */
export function toParquet(columns: readonly Column[], options: ParquetOptions = {}): Uint8Array {
  const chunks = [...parquetChunks([columns], options)];
  const file = new Uint8Array(chunks.reduce((bytes, chunk) => bytes + chunk.length, 0));
  let end = 0;
  for (const chunk of chunks) {
    file.set(chunk, end);
    end += chunk.length;
  }
  return file;
}

/**
 * Writes batches of rows as a Parquet file, in the format of {@link toParquet}. Yields the bytes lazily, in chunks. All
 * batches must have the columns of the first batch. A batch becomes one row group, or several if it has more rows than
 * `rowGroup`. At least one batch is required; it may be empty.
 *
 * Cost: O(values). Needs memory for one batch, one row group, and about 200 bytes for each column of each row group.
 *
 * @throws RollmillError `argument.type` for anything but columns; `argument.range` for columns of a batch that differ in length or have the same name, a batch
 * with other columns than the first batch, no batch, or a `rowGroup` out of range.
 */
export function* parquetChunks(
  batches: Iterable<readonly Column[]>,
  options: ParquetOptions = {},
): Generator<Uint8Array, void> {
  const { rowGroup = ROW_GROUP } = readOptions("parquetChunks", options, ["rowGroup"]);
  checkInteger("rowGroup", rowGroup, 1, MAX_ROW_GROUP);
  const bytes = new ByteWriter();
  let file: ParquetWriter | undefined;
  let first: readonly Column[] | undefined;
  for (const { columns, rows } of readBatches(batches)) {
    first ??= columns;
    checkSameColumns(first, columns);
    file ??= new ParquetWriter({ writer: bytes, schema: schemaOf(columns), createdBy: "rollmill" });
    for (let from = 0; from < rows; from += rowGroup) {
      const to = Math.min(rows, from + rowGroup);
      const columnData = columns.map((column) => ({ name: column.name, data: valuesOf(column, from, to) }));
      file.write({ columnData, rowGroupSize: rowGroup });
      yield taken(bytes);
    }
  }
  if (file === undefined)
    fail(error("argument.range", { problem: "there is no batch to write", expected: "at least one batch" }));
  file.finish();
  yield taken(bytes);
}

// Copies the bytes in the buffer, and empties it for the next bytes. The writer's offset in the file is not reset.
function taken(bytes: ByteWriter): Uint8Array {
  const chunk = bytes.getBytes().slice();
  bytes.index = 0;
  return chunk;
}

function schemaOf(columns: readonly Column[]): SchemaElement[] {
  return [{ name: "root", num_children: columns.length }, ...columns.map(elementOf)];
}

function elementOf(column: Column): SchemaElement {
  const { name } = column;
  const text = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
  switch (column.kind) {
    case "text":
      return { name, repetition_type: "REQUIRED", ...text };
    case "word":
      return { name, repetition_type: column.words.includes(null) ? "OPTIONAL" : "REQUIRED", ...text };
    case "integer":
      return { name, repetition_type: "REQUIRED", type: isUnsigned32(column) ? "INT64" : "INT32" };
    case "decimal":
      return { name, repetition_type: "REQUIRED", ...decimalType(column) };
  }
}

/**
 * Returns the type DECIMAL. Its precision is the number of digits that the array's integers can have, but at least
 * `decimals`.
 */
function decimalType({ values, decimals: scale }: DecimalColumn): Omit<SchemaElement, "name"> {
  const digits = [0, 3, 5, 0, 10][values.BYTES_PER_ELEMENT];
  const precision = Math.min(DIGITS_64, Math.max(digits, scale));
  const type = precision <= DIGITS_32 ? "INT32" : "INT64";
  return { type, converted_type: "DECIMAL", scale, precision, logical_type: { type: "DECIMAL", scale, precision } };
}

type Values = (string | null)[] | bigint[] | Int32Array;

function valuesOf(column: Column, from: number, to: number): Values {
  switch (column.kind) {
    case "text":
      return column.values.slice(from, to);
    case "word":
      return Array.from(column.indices.subarray(from, to), (index) => column.words[index]);
    case "integer":
      if (isUnsigned32(column)) return integers(column.values.subarray(from, to));
      return Int32Array.from(column.values.subarray(from, to));
    case "decimal":
      return integers(column.values.subarray(from, to));
  }
}

/**
 * Converts integers to bigints. The writer stores bigints unchanged, but multiplies numbers by the scale in floating
 * point.
 */
function integers(values: IntegerValues): bigint[] {
  const known = new Map<number, bigint>();
  return Array.from(values, (value) => {
    const found = known.get(value) ?? BigInt(value);
    if (known.size < 2 ** 16) known.set(value, found);
    return found;
  });
}

import { type Field, type Fields, type Parsed, SpecReader } from "../../spec/index.js";
import {
  type ColumnInput,
  columnOf,
  MAX_WEIGHT,
  type RowSpec,
  type TableSpec,
  type Target,
  type Weight,
} from "../types.js";

/** Reads a table from an untrusted object. */
export function parseTableObject(source: object, file: string | undefined): Parsed<TableSpec> {
  const reader = new SpecReader({ noun: "table", code: "argument.type", file });
  return reader.run(source, (root) => {
    const rows = reader.list(reader.fields(root, ["rows"]).get("rows"), { of: "rows" });
    return { file, rows: rows.map((row) => readRow(reader, row, rows.length)) };
  });
}

/** Replaces an invalid row, so that reading can continue. The reader then returns no spec. */
const NO_ROW: RowSpec = { label: undefined, columns: [], line: undefined, places: undefined };

function readRow(reader: SpecReader, at: Field, rowCount: number): RowSpec {
  const row = objectAt(reader, at, ["label", "columns"]);
  if (row === undefined) return NO_ROW;
  const label = row.get("label");
  if (label.value !== undefined && typeof label.value !== "string") {
    reader.report(label, { problem: "a label must be text", got: label.value, expected: "a string, or no label" });
  }
  const columns = reader.list(row.get("columns"), { of: "columns" });
  return {
    label: typeof label.value === "string" ? label.value : undefined,
    columns: columns.map((column) => readColumn(reader, column, rowCount)),
    line: undefined,
    places: undefined,
  };
}

/** Replaces an invalid column, so that reading can continue. The reader then returns no spec. */
const NO_COLUMN: ColumnInput = { result: "", weight: 0 };

function readColumn(reader: SpecReader, at: Field, rowCount: number): ColumnInput {
  const column = objectAt(reader, at, ["result", "jump", "weight"]);
  if (column === undefined) return NO_COLUMN;
  const target = readTarget(reader, { at, column, rowCount });
  return columnOf(target, readWeight(reader, column.get("weight")));
}

function readTarget(
  reader: SpecReader,
  { at, column, rowCount }: { readonly at: Field; readonly column: Fields; readonly rowCount: number },
): Target {
  if (column.has("result") === column.has("jump")) {
    const problem = column.has("result")
      ? "a column has both a result and a jump"
      : "a column has no result and no jump";
    const expected = 'either the key "result" with a string, or the key "jump" with the number of a row';
    reader.report(at, { problem, got: at.value, expected }, "table.result");
    return NO_COLUMN;
  }
  if (column.has("jump")) {
    return { jump: reader.integer(column.get("jump"), { least: 0, most: rowCount - 1, code: "table.jump" }) };
  }
  const result = column.get("result");
  if (typeof result.value === "string") return { result: result.value };
  reader.report(result, { problem: "a result must be text", got: result.value, expected: "a string" }, "table.result");
  return NO_COLUMN;
}

const WEIGHT_KEYS = ["script"] as const;
const WEIGHT_BOUNDS = { least: 0, most: MAX_WEIGHT, code: "table.weight" } as const;

function readWeight(reader: SpecReader, at: Field): Weight {
  const { value } = at;
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return { script: reader.integer(reader.fields(at, WEIGHT_KEYS).get("script"), WEIGHT_BOUNDS) };
  }
  return reader.integer(at, WEIGHT_BOUNDS);
}

/** Returns the fields of an object. Reports any other value and returns undefined. */
function objectAt(reader: SpecReader, at: Field, known: readonly string[]): Fields | undefined {
  const before = reader.errors;
  const fields = reader.fields(at, known);
  return reader.errors > before && fields.keys.length === 0 ? undefined : fields;
}

import { type RatioInput, ratioOf, scaleToIntegers } from "../../decimals.js";
import { type Field, type Fields, type Parsed, SpecReader } from "../../spec/index.js";
import {
  type ColumnSpec,
  columnOf,
  MAX_WEIGHT,
  type RowSpec,
  type TableSpec,
  type Target,
  type Weight,
} from "../types.js";

/** Reads a table from an untrusted object. */
export function parseTableObject(source: object, file: string | undefined): Parsed<TableSpec> {
  const reader = new SpecReader({ noun: "table", code: "argument.type", file, isDocument: true });
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
    columns: scaled(
      reader,
      columns.map((column) => readColumn(reader, column, rowCount)),
    ),
    line: undefined,
    places: undefined,
  };
}

/** Replaces an invalid column, so that reading can continue. The reader then returns no spec. */
const NO_TARGET: Target = { result: "" };

/** A column whose weight is not scaled yet. */
interface ReadColumn {
  readonly target: Target;
  readonly weight: Weight | RatioInput;
  readonly at: Field;
}

function readColumn(reader: SpecReader, at: Field, rowCount: number): ReadColumn {
  const column = objectAt(reader, at, ["result", "jump", "weight"]);
  if (column === undefined) return { target: NO_TARGET, weight: 0, at };
  const target = readTarget(reader, { at, column, rowCount });
  const weight = column.get("weight");
  return { target, weight: readWeight(reader, weight), at: weight };
}

/** Multiplies the weights of a row by the smallest integer that makes fractions integers. */
function scaled(reader: SpecReader, columns: readonly ReadColumn[]): readonly ColumnSpec[] {
  const ratios = columns.filter(({ weight }) => isRatio(weight));
  if (ratios.length === 0) return columns.map(({ target, weight }) => columnOf(target, weight as Weight));
  const scripted = columns.some(({ weight }) => typeof weight === "object" && "script" in weight);
  if (scripted) {
    const problem = "a row with scripts cannot have fractions, because the weights of scripts are integers";
    reader.report(ratios[0].at, { problem, got: ratios[0].weight, expected: "an integer" }, "table.weight");
    return [];
  }
  // the reader has reported an invalid weight, which is NaN
  const weights = columns.map(({ weight }) => (Number.isNaN(weight) ? 0 : weight));
  const { scaled: result, issues } = scaleToIntegers(weights, {
    ratios: true,
    path: (i) => columns[i].at.path,
    whole: ratios[0].at.parent?.parent?.path,
    file: reader.file,
  });
  for (const issue of issues) reader.add(issue);
  return columns.map(({ target }, i) => columnOf(target, result?.integers[i] ?? 0));
}

function isRatio(weight: Weight | RatioInput): weight is RatioInput {
  return typeof weight === "string" || (typeof weight === "object" && "n" in weight);
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
    return NO_TARGET;
  }
  if (column.has("jump")) {
    return { jump: reader.integer(column.get("jump"), { least: 0, most: rowCount - 1, code: "table.jump" }) };
  }
  const result = column.get("result");
  if (typeof result.value === "string") return { result: result.value };
  reader.report(result, { problem: "a result must be text", got: result.value, expected: "a string" }, "table.result");
  return NO_TARGET;
}

const WEIGHT_KEYS = ["script"] as const;
const WEIGHT_BOUNDS = { least: 0, most: MAX_WEIGHT, code: "table.weight" } as const;

function readWeight(reader: SpecReader, at: Field): Weight | RatioInput {
  const { value } = at;
  const ratio = ratioOf(value);
  if (ratio !== undefined) return { n: Number(ratio.numerator), d: Number(ratio.denominator) };
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

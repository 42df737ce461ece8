import { NO_RESULT, QUANTITY } from "../../amounts/index.js";
import { RATIO, type RatioInput, ratioOf } from "../../decimals.js";
import {
  type Field,
  type InputOf,
  integer,
  isObject,
  list,
  namedValues,
  optional,
  record,
  type Shape,
  type SpecOf,
  type SpecReader,
  shape,
} from "../../spec/index.js";

/** The largest allowed weight of a column, and the largest allowed total of a row: 2³² − 1. */
export const MAX_WEIGHT = 0xffff_ffff;
const WEIGHT_BOUNDS = { least: 0, most: MAX_WEIGHT, code: "table.weight" } as const;
const SCRIPT_NAME = /^[A-Za-z_]\w{0,255}$/;
export const SCRIPT_NAMES = "a name of letters, digits and _ that does not begin with a digit";

export function isScriptName(text: string): boolean {
  return SCRIPT_NAME.test(text);
}

/** An integer 0 … 2³² − 1, or a name of letters, digits and `_` that does not begin with a digit. */
export type ScriptId = number | string;
const SCRIPT_NUMBER = integer(WEIGHT_BOUNDS);
const SCRIPT_ID: Shape<ScriptId, ScriptId> = shape(readScriptId, {
  oneOf: [SCRIPT_NUMBER, { type: "string", pattern: SCRIPT_NAME.source }],
});
export const SCRIPT = record({
  /** The id of the script: a number, or a name of letters, digits and `_`. */
  script: SCRIPT_ID,
});
/** The id of a script that returns the weight. */
export interface ScriptWeight extends InputOf<typeof SCRIPT> {}
/** A fixed weight, or the id of a script that returns the weight. Weights are integers 0 … 2³² − 1. */
export type Weight = number | ScriptWeight;
/** Also reads fractions and decimals, because all weights of a row are scaled together afterwards. */
const WEIGHT: Shape<Weight | RatioInput, Weight | RatioInput> = shape(readWeight, {
  oneOf: [{ type: "number", minimum: 0, maximum: MAX_WEIGHT }, RATIO, SCRIPT],
});

const RESULT = record({
  /** The result: a text, or null for nothing. */
  result: shape<string | null, string | null>(readResult, { type: ["string", "null"] }),
  /** The quantity of the result: dice "2d6+1", a range "2-5" or an integer. It must not be negative. Default 1. */
  quantity: optional(QUANTITY),
});
/** A result: a text, or null for nothing. If the result has a quantity, a roll returns `{ result, quantity }`. */
export interface ResultInput extends InputOf<typeof RESULT> {}

const JUMP = record({
  /**
   * Instead of a result, the row on which the roll continues: its number from 0, its label, or a row of another file.
   */
  jump: shape<number | string, Field>((_, at) => at, { oneOf: [{ type: "integer", minimum: 0 }, { type: "string" }] }),
});
/**
 * A jump to a row: a number from 0, a label, or a row of another file. "gems.csv" is the first row of this file, and
 * "gems.csv#Rare" its row with the label "Rare". Paths are relative to the folder of the first file.
 */
export interface JumpInput extends InputOf<typeof JUMP> {}

const WEIGHTED = record({
  /**
   * How often a roll picks the column, in proportion to the other weights of the row: an integer, or `{ "script": id
   * }`. In a row without scripts also a decimal or a fraction, `{ "n": 1, "d": 3 }` or "1/3".
   */
  weight: WEIGHT,
});
/**
 * One column of a row. If no column of the row has a script, weights may also be decimals or fractions, such as "1/3"
 * or `{ n: 1, d: 3 }`. All weights of the row are then multiplied by the smallest number that makes them integers.
 */
export type ColumnInput = (ResultInput | JumpInput) & InputOf<typeof WEIGHTED>;
export const COLUMN = record(
  {
    result: optional(RESULT.fields.result),
    jump: optional(JUMP.fields.jump),
    ...WEIGHTED.fields,
    quantity: RESULT.fields.quantity,
  },
  {
    oneOf: [{ required: ["result"] }, { required: ["jump"] }],
    dependencies: { quantity: { required: ["result"], properties: { result: { type: "string" } } } },
  },
);
/** A column after reading. A jump is still a {@link Field}, because the row that it leads to may not be read yet. */
export interface ColumnFields extends SpecOf<typeof COLUMN> {}
export const COLUMNS: Shape<readonly ColumnInput[], readonly ColumnFields[]> = shape(
  (reader, at) => reader.list(at, { of: "columns" }).map((column) => readColumn(reader, column)),
  { type: "array", items: COLUMN },
);

export const ROW = record({
  /** A name of the row. */
  label: optional(shape<string, string | undefined>(readLabel, { type: "string" })),
  /** The columns of the row. A roll that visits a row without columns ends without a result. */
  columns: COLUMNS,
});
/** One row of a table object. A roll on it picks one of its columns. */
export interface RowInput extends InputOf<typeof ROW> {}

const ROWS = list<RowInput, unknown>(ROW, { of: "rows" });
export const TABLE = record({
  rows: shape<TableObject["rows"] | LabelledTable["rows"], Field>((_, at) => at, {
    oneOf: [ROWS, namedValues(COLUMNS)],
  }),
});
/**
 * A table as an object. Rows are numbered from 0.
 *
 * @example
 * { rows: [{ label: "Start", columns: [{ result: "gold", weight: 10 }, { jump: 1, weight: { script: 2 } }] }, {
 * columns: [] }] }
 */
export interface TableObject {
  /** The rows, numbered from 0: a list or, in the other form, an object that maps each row's label to its columns. */
  readonly rows: readonly RowInput[];
}

/**
 * A table as an object that maps the label of each row to its columns. The first row is row 0. As in every JavaScript
 * object, labels that are integers, such as "10", come first, in ascending order.
 *
 * @example
 * { rows: { Start: [{ result: "gold", weight: 10 }, { jump: "Gems", weight: 1 }], Gems: [{ result: "ruby", weight: 1 }]
 * } }
 */
export interface LabelledTable {
  readonly rows: Readonly<Record<string, readonly ColumnInput[]>>;
}

export function jumpQuantity(got: unknown) {
  const remedy = "Remove the quantity, or give it to the results of the row that the jump leads to";
  return { problem: "a jump has a quantity", got, remedy };
}

/** Replaces an invalid column. Its values do not matter, because the reader returns no spec after an error. */
const NO_COLUMN: ColumnFields = { result: "", weight: 0 };

function readColumn(reader: SpecReader, at: Field): ColumnFields {
  const before = reader.errors;
  const fields = reader.fields(at, COLUMN.keys);
  if (reader.errors > before && fields.keys.length === 0) return NO_COLUMN;
  const hasJump = fields.has("jump");
  if (fields.has("result") === hasJump) {
    const problem = hasJump ? "a column has both a result and a jump" : "a column has no result and no jump";
    const expected = 'either the key "result" with a text or null, or the key "jump" with a row';
    reader.report(at, { problem, got: at.value, expected }, "table.result");
    return { ...NO_COLUMN, weight: WEIGHT.read(reader, fields.get("weight")) };
  }
  const column = COLUMN.values(reader, fields);
  const quantity = fields.get("quantity");
  if (column.result === null && fields.has("quantity")) reader.report(quantity, NO_RESULT, "amount.invalid");
  if (hasJump && fields.has("quantity")) reader.report(quantity, jumpQuantity(quantity.value), "amount.invalid");
  return column;
}

function readResult(reader: SpecReader, at: Field): string | null {
  const { value } = at;
  if (typeof value === "string" || value === null) return value;
  const finding = { problem: "a result must be text, or null for nothing", got: value, expected: "a string or null" };
  reader.report(at, finding, "table.result");
  return "";
}

function readLabel(reader: SpecReader, at: Field): string | undefined {
  if (typeof at.value === "string") return at.value;
  reader.report(at, { problem: "a label must be text", got: at.value, expected: "a string, or no label" });
  return undefined;
}

function readWeight(reader: SpecReader, at: Field): Weight | RatioInput {
  const { value } = at;
  const ratio = ratioOf(value);
  if (ratio !== undefined) return { n: Number(ratio.numerator), d: Number(ratio.denominator) };
  if (isObject(value) && !Array.isArray(value) && !("n" in value || "d" in value)) return SCRIPT.read(reader, at);
  if (typeof value !== "string" && !isObject(value)) return reader.number(at, WEIGHT_BOUNDS);
  const expected =
    'a number of 0 or more, a fraction such as "1/3" or { n: 1, d: 3 } with d above 0, or { script: id }';
  reader.report(at, { problem: "invalid weight", got: value, expected }, "table.weight");
  return 0;
}

function readScriptId(reader: SpecReader, at: Field): ScriptId {
  if (typeof at.value !== "string") return SCRIPT_NUMBER.read(reader, at);
  if (isScriptName(at.value)) return at.value;
  const finding = { problem: "invalid name of a script", got: at.value, expected: `a number, or ${SCRIPT_NAMES}` };
  reader.report(at, finding, "table.weight");
  return 0;
}

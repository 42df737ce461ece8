import { readQuantity } from "../../amounts/index.js";
import { type RatioInput, ratioOf, scaleToIntegers } from "../../decimals.js";
import { type Finding, type Issue, warning } from "../../errors/index.js";
import { type Field, type Fields, SpecReader } from "../../spec/index.js";
import { AMBIGUOUS, labelsOf } from "../labels.js";
import {
  type ColumnSpec,
  columnOf,
  MAX_WEIGHT,
  type RowSpec,
  type ScriptId,
  type Target,
  type Weight,
} from "../types.js";
import { isScriptName, jumpQuantity, type Link, type ReadTable, SCRIPT_NAMES, UNRESOLVED } from "./read.js";

export function readTableObject(source: object, file: string | undefined): ReadTable {
  const reader = new ObjectReader(file);
  const { spec, issues } = reader.run(source);
  return { rows: reader.rows, links: reader.links, issues, isWhole: spec !== undefined };
}

/** Placeholders for invalid input, so that reading can continue. After an error, the reader returns no spec. */
const NO_ROW: RowSpec = { label: undefined, columns: [], line: undefined, places: undefined };
const NO_TARGET: Target = { result: "" };

interface ReadColumn {
  readonly target: Target;
  readonly weight: Weight | RatioInput;
  readonly at: Field;
}

interface Place {
  readonly row: number;
  readonly rows: number;
}

class ObjectReader {
  readonly links: Link[] = [];
  /** Set even if some rows have errors: jumps can still find the labels of the valid rows. */
  rows: readonly RowSpec[] = [];
  readonly #file: string | undefined;
  readonly #reader: SpecReader;

  constructor(file: string | undefined) {
    this.#file = file;
    this.#reader = new SpecReader({ noun: "table rows", code: "argument.type", file, isDocument: true });
  }

  run(source: object) {
    return this.#reader.run(source, (root) => {
      this.rows = this.#rows(this.#reader.fields(root, ["rows"]).get("rows"));
      return { rows: this.rows };
    });
  }

  #rows(at: Field): readonly RowSpec[] {
    const { value } = at;
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      const fields = this.#reader.record(at);
      const { keys } = fields;
      return keys.map((label, row) => this.#row(label, fields.get(label), { row, rows: keys.length }));
    }
    const rows = this.#reader.list(at, { of: "rows" });
    const read = rows.map((field, row) => this.#listedRow(field, { row, rows: rows.length }));
    for (const [label, row] of labelsOf(read.map((one) => one.label))) {
      if (row === AMBIGUOUS) this.#reader.add(sameLabel(label, at, this.#file));
    }
    return read;
  }

  #listedRow(at: Field, place: Place): RowSpec {
    const row = this.#objectAt(at, ["label", "columns"]);
    if (row === undefined) return NO_ROW;
    const label = row.get("label");
    if (label.value !== undefined && typeof label.value !== "string") {
      const finding = { problem: "a label must be text", got: label.value, expected: "a string, or no label" };
      this.#reader.report(label, finding);
    }
    return this.#row(typeof label.value === "string" ? label.value : undefined, row.get("columns"), place);
  }

  #row(label: string | undefined, columns: Field, place: Place): RowSpec {
    const read = this.#reader.list(columns, { of: "columns" }).map((column, i) => this.#column(column, place, i));
    return { label, columns: this.#scaled(read), line: undefined, places: undefined };
  }

  #column(at: Field, place: Place, index: number): ReadColumn {
    const column = this.#objectAt(at, ["result", "jump", "weight", "quantity"]);
    if (column === undefined) return { target: NO_TARGET, weight: 0, at };
    const weight = column.get("weight");
    return { target: this.#target(at, column, { ...place, index }), weight: this.#weight(weight), at: weight };
  }

  #scaled(columns: readonly ReadColumn[]): readonly ColumnSpec[] {
    const broken = columns.find(({ weight }) => isBroken(weight));
    if (broken === undefined) return columns.map(({ target, weight }) => columnOf(target, weight as Weight));
    if (columns.some(({ weight }) => typeof weight === "object" && "script" in weight)) {
      const problem =
        "a row with scripts cannot have decimals and fractions, because the weights of scripts are integers";
      this.#reader.report(broken.at, { problem, got: broken.weight, expected: "an integer" }, "table.weight");
      return [];
    }
    // NaN stands for an invalid weight, which was already reported
    const weights = columns.map(({ weight }) => (Number.isNaN(weight) ? 0 : weight));
    const { scaled, issues } = scaleToIntegers(weights, {
      ratios: true,
      path: (i) => columns[i].at.path,
      whole: broken.at.parent?.parent?.path,
      file: this.#file,
    });
    for (const issue of issues) this.#reader.add(issue);
    return columns.map(({ target }, i) => columnOf(target, scaled?.integers[i] ?? 0));
  }

  #target(at: Field, column: Fields, { row, rows, index }: Place & { readonly index: number }): Target {
    const reader = this.#reader;
    if (column.has("result") === column.has("jump")) {
      const both = column.has("result");
      const problem = both ? "a column has both a result and a jump" : "a column has no result and no jump";
      const expected = 'either the key "result" with a text or null, or the key "jump" with a row';
      reader.report(at, { problem, got: at.value, expected }, "table.result");
      return NO_TARGET;
    }
    const quantity = column.get("quantity");
    if (column.has("result")) return this.#result(column.get("result"), quantity);
    if (quantity.value !== undefined) {
      reader.report(quantity, jumpQuantity(quantity.value), "amount.invalid");
    }
    const jump = column.get("jump");
    if (typeof jump.value !== "string") {
      return { jump: reader.integer(jump, { least: 0, most: rows - 1, code: "table.jump" }) };
    }
    this.links.push({ row, column: index, target: jump.value, where: { file: this.#file, path: jump.path } });
    return { jump: UNRESOLVED };
  }

  #result(at: Field, quantity: Field): Target {
    const { value } = at;
    if (typeof value === "string" || value === null) {
      const report = (finding: Finding) => this.#reader.report(quantity, finding, "amount.invalid");
      return { result: value, quantity: readQuantity(quantity.value, value === null, report) };
    }
    const finding = { problem: "a result must be text, or null for nothing", got: value, expected: "a string or null" };
    this.#reader.report(at, finding, "table.result");
    return NO_TARGET;
  }

  #weight(at: Field): Weight | RatioInput {
    const { value } = at;
    const ratio = ratioOf(value);
    if (ratio !== undefined) return { n: Number(ratio.numerator), d: Number(ratio.denominator) };
    if (typeof value === "string") return this.#invalidWeight(at, value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) {
      return this.#reader.number(at, WEIGHT_BOUNDS);
    }
    if ("n" in value || "d" in value) return this.#invalidWeight(at, value);
    return { script: this.#scriptId(this.#reader.fields(at, WEIGHT_KEYS).get("script")) };
  }

  #invalidWeight(at: Field, got: unknown): number {
    const expected =
      'a number of 0 or more, a fraction such as "1/3" or { n: 1, d: 3 } with d above 0, or { script: id }';
    this.#reader.report(at, { problem: "invalid weight", got, expected }, "table.weight");
    return 0;
  }

  #scriptId(at: Field): ScriptId {
    if (typeof at.value !== "string") return this.#reader.integer(at, WEIGHT_BOUNDS);
    if (isScriptName(at.value)) return at.value;
    const finding = { problem: "invalid name of a script", got: at.value, expected: `a number, or ${SCRIPT_NAMES}` };
    this.#reader.report(at, finding, "table.weight");
    return 0;
  }

  #objectAt(at: Field, known: readonly string[]): Fields | undefined {
    const before = this.#reader.errors;
    const fields = this.#reader.fields(at, known);
    return this.#reader.errors > before && fields.keys.length === 0 ? undefined : fields;
  }
}

function sameLabel(label: string, { path }: Field, file: string | undefined): Issue {
  const problem = "two rows have the same label, so only their numbers can name them";
  return warning("table.jump", { problem, got: label, remedy: "Give each row its own label", where: { path, file } });
}

const WEIGHT_KEYS = ["script"] as const;
const WEIGHT_BOUNDS = { least: 0, most: MAX_WEIGHT, code: "table.weight" } as const;

function isBroken(weight: Weight | RatioInput): boolean {
  if (typeof weight === "number") return !Number.isNaN(weight) && !Number.isInteger(weight);
  return typeof weight === "string" || "n" in weight;
}

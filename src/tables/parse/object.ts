import { type RatioInput, scaleToIntegers } from "../../decimals.js";
import { Field, isObject, SpecReader } from "../../spec/index.js";
import { AMBIGUOUS, labelsOf } from "../issues.js";
import { COLUMNS, type ColumnFields, ROW, TABLE, type Weight } from "./input.js";
import { columnOf, type Link, type ReadRow, type ReadTable, type ReadTarget } from "./read.js";

export function readTableObject(source: object, file: string | undefined): ReadTable {
  return new ObjectReader(file).read(source);
}

class ObjectReader {
  readonly #links: Link[] = [];
  readonly #reader: SpecReader;

  constructor(file: string | undefined) {
    this.#reader = new SpecReader({ noun: "table rows", code: "argument.type", file, isDocument: true });
  }

  read(source: object): ReadTable {
    // `rows` is set even if some rows have errors, so that jumps still find the labels of the valid rows
    let rows: readonly ReadRow[] = [];
    const { spec, issues } = this.#reader.run(source, (root) => {
      rows = this.#readRows(TABLE.read(this.#reader, root).rows);
      return { rows };
    });
    return { rows, links: this.#links, issues, isWhole: spec !== undefined };
  }

  #readRows(at: Field): readonly ReadRow[] {
    if (isObject(at.value)) {
      const fields = this.#reader.record(at);
      const { keys } = fields;
      return keys.map((label) => {
        const columns = fields.get(label);
        return this.#row(label, COLUMNS.read(this.#reader, columns), columns, keys.length);
      });
    }
    const entries = this.#reader.list(at, { of: "rows" });
    const rows = entries.map((entry) => {
      const { label, columns } = ROW.read(this.#reader, entry);
      return this.#row(label, columns, new Field(undefined, entry, "columns"), entries.length);
    });
    for (const [got, row] of labelsOf(rows.map(({ label }) => label))) {
      if (row !== AMBIGUOUS) continue;
      const problem = "two rows have the same label, so only their numbers can name them";
      this.#reader.warn(at, { problem, got, remedy: "Give each row its own label" }, "table.jump");
    }
    return rows;
  }

  #row(label: string | undefined, read: readonly ColumnFields[], at: Field, rows: number): ReadRow {
    const weights = this.#scaled(read, at);
    const columns = read.map(({ result = "", quantity, jump }, i) => {
      return columnOf(jump === undefined ? { result, quantity } : this.#jump(jump, rows), weights[i] ?? 0);
    });
    return { label, columns, line: undefined, places: undefined };
  }

  #jump(at: Field, rows: number): ReadTarget {
    const { value: target, path } = at;
    if (typeof target !== "string") {
      return { jump: this.#reader.integer(at, { least: 0, most: rows - 1, code: "table.jump" }) };
    }
    const jump = { target, where: { file: this.#reader.file, path } };
    this.#links.push(jump);
    return { jump };
  }

  #scaled(columns: readonly ColumnFields[], at: Field): readonly Weight[] {
    const weights = columns.map(({ weight }) => weight);
    const broken = weights.findIndex(isBroken);
    if (broken < 0) return weights as readonly Weight[];
    const field = (i: number) => new Field(weights[i], new Field(undefined, at, i), "weight");
    if (weights.some((weight) => typeof weight === "object" && "script" in weight)) {
      const problem =
        "a row with scripts cannot have decimals or fractions, because the weights of scripts are integers";
      const finding = { problem, got: weights[broken], expected: "an integer" };
      this.#reader.report(field(broken), finding, "table.weight");
      return [];
    }
    const { scaled, issues } = scaleToIntegers(
      // NaN stands for an invalid weight, which was already reported
      weights.map((weight) => (Number.isNaN(weight) ? 0 : weight)),
      { ratios: true, path: (i) => field(i).path, whole: at.path, file: this.#reader.file },
    );
    for (const issue of issues) this.#reader.add(issue);
    return scaled?.integers ?? [];
  }
}

function isBroken(weight: Weight | RatioInput): boolean {
  if (typeof weight === "number") return !Number.isNaN(weight) && !Number.isInteger(weight);
  return typeof weight === "string" || "n" in weight;
}

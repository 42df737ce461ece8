import { type Amount, boundsOf, ONE_ITEM, readQuantity } from "../../amounts/index.js";
import { type Finding, issueWithin } from "../../errors/index.js";
import { type Field, isParsed, type Parsed, readOptions, SpecReader } from "../../spec/index.js";
import { compileTable } from "../compile.js";
import { type ParseTableOptions, parseTable } from "../parse.js";
import type { TableSpec } from "../types.js";
import type { AlwaysSpec, DropsPlan, DropsSpec } from "./types.js";

/** Maximum number of rolls of a drop. */
export const MAX_ROLLS = 1000;
const MAX_ALWAYS = 1000;

/**
 * Reads drops.
 *
 * Error cases:
 * - The errors of `parseTable`, with paths inside the table.
 * - `amount.invalid`: an invalid quantity, or a number of rolls outside 0 … 1,000.
 * - `table.result`: a result that is not a text.
 * - `argument.type`: input that is not an object, or an unknown key.
 */
export function parseDrops<const Input>(input: Input, options: ParseTableOptions = {}): Parsed<DropsSpec<Input>> {
  const { file, files } = readOptions("parseDrops", options, ["file", "files"]);
  const reader = new SpecReader({ noun: "drops", code: "argument.type", file });
  return reader.run(input, (root) => {
    const fields = reader.fields(root, ["always", "rolls", "table"]);
    const always = reader.list(fields.get("always"), { most: MAX_ALWAYS, optional: true, of: "results" });
    const rolls = readRolls(reader, fields.get("rolls"));
    const table = readTable(reader, fields.get("table"), { file, files });
    return { always: always.map((entry) => readAlways(reader, entry)), rolls, table };
  });
}

export function compileDrops({ always, rolls, table: spec }: DropsSpec, options: { readonly name: string }): DropsPlan {
  const table = compileTable(spec, options);
  const labels = [...always.map(({ result }) => result), ...table.results.filter((result) => result !== null)];
  const hasQuantities = table.quantities !== undefined || always.some(({ quantity }) => quantity !== undefined);
  return { always, rolls, table, results: [...new Set(labels)], hasQuantities };
}

function readTable(reader: SpecReader, at: Field, options: ParseTableOptions): TableSpec {
  if (isParsed("table", at.value)) return at.value as TableSpec;
  const { spec, issues } = parseTable(at.value, options);
  for (const issue of issues) reader.add(issue.where.path === undefined ? issue : issueWithin("table", issue));
  return spec ?? { file: options.file, rows: [] };
}

function readAlways(reader: SpecReader, at: Field): AlwaysSpec {
  const fields = reader.fields(at, ["result", "quantity"]);
  const quantity = fields.get("quantity");
  const report = (finding: Finding) => reader.report(quantity, finding, "amount.invalid");
  return {
    result: reader.text(fields.get("result"), "table.result"),
    quantity: readQuantity(quantity.value, false, report),
  };
}

function readRolls(reader: SpecReader, at: Field): Amount {
  const report = (finding: Finding) => reader.report(at, finding, "amount.invalid");
  const rolls = readQuantity(at.value, false, report) ?? ONE_ITEM;
  if (boundsOf(rolls)[1] > MAX_ROLLS) {
    report({ problem: "too many rolls", got: at.value, expected: `values from 0 to ${MAX_ROLLS}` });
  }
  return rolls;
}

import { ONE_ITEM, QUANTITY, quantity } from "../../amounts/index.js";
import { issueWithin } from "../../errors/index.js";
import {
  type Field,
  type InputOf,
  isParsed,
  list,
  optional,
  type Parsed,
  readOptions,
  record,
  SpecReader,
  shape,
  text,
} from "../../spec/index.js";
import { compileTable } from "../compile.js";
import { TABLE } from "../parse/input.js";
import { parseTable } from "../parse.js";
import type { ParseTableOptions, TableSource, TableSpec } from "../types.js";
import type { AlwaysSpec, DropsSpec } from "./types.js";

/** Maximum number of rolls of a drop. */
export const MAX_ROLLS = 1000;
const MAX_ALWAYS = 1000;

export const ALWAYS = record({
  /** The result, a text of 1 to 256 characters. */
  result: text("table.result"),
  /** The quantity of the result: dice "2d6+1", a range "2-5" or an integer. It must not be negative. Default 1. */
  quantity: optional(QUANTITY),
});
/** A result that every drop has. */
export interface AlwaysInput extends InputOf<typeof ALWAYS> {}

export const DROPS = record({
  /** At most 1,000 fixed results, which every drop has. Default: no fixed results. */
  always: optional(list<AlwaysInput, AlwaysSpec>(ALWAYS, { most: MAX_ALWAYS, of: "results" }), []),
  /** How many times the table is rolled, 0 … 1,000: dice "1d3", a range "2-5" or an integer. Default 1. */
  rolls: optional(quantity(MAX_ROLLS), ONE_ITEM),
  /** The table: an object, the text of a file, or what `parseTable` returned. On the command line also a path. */
  table: shape<TableSource, Field>((_, at) => at, { oneOf: [TABLE, { type: "string" }] }),
});
/** Drops: fixed results, and several rolls of a table. */
export interface DropsInput extends InputOf<typeof DROPS> {}

/**
 * Reads drops. Error cases: those of `parseTable`, with paths inside the table; `amount.invalid` (a quantity, or a
 * number of rolls outside 0 … 1,000), `table.result`, `argument.type`.
 */
export function parseDrops<const Input>(input: Input, options: ParseTableOptions = {}): Parsed<DropsSpec<Input>> {
  const { file, files } = readOptions("parseDrops", options, ["file", "files"]);
  const reader = new SpecReader({ noun: "drops", code: "argument.type", file, isDocument: true });
  return reader.run(input, (root) => {
    const { always, rolls = ONE_ITEM, table } = DROPS.read(reader, root);
    return { always, rolls, table: readTable(reader, table, { file, files }) };
  });
}

export interface DropsPlan extends ReturnType<typeof compileDrops> {}

/** In the plan, `results` has the distinct results of `always`, then those of the table, without null. */
export function compileDrops({ always, rolls, table: spec }: DropsSpec, options: { readonly name: string }) {
  const table = compileTable(spec, options);
  const labels = [...always.map(({ result }) => result), ...table.results.filter((result) => result !== null)];
  const hasQuantities = table.quantities !== undefined || always.some(({ quantity }) => quantity !== undefined);
  const results: readonly string[] = [...new Set(labels)];
  return { always, rolls, table, results, hasQuantities };
}

function readTable(reader: SpecReader, at: Field, options: ParseTableOptions): TableSpec {
  if (isParsed("table", at.value)) return at.value as TableSpec;
  const { spec, issues } = parseTable(at.value, options);
  for (const issue of issues) reader.add(issue.where.path === undefined ? issue : issueWithin("table", issue));
  return spec ?? { file: options.file, rows: [] };
}

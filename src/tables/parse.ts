import { error, type Issue } from "../errors/index.js";
import { parseTableObject } from "./parseObject.js";
import { parseTableText } from "./parseText.js";
import type { TableSpec } from "./types.js";

/** What messages call the table and its file. */
export interface ParseTableOptions {
  readonly name?: string | undefined;
  readonly file?: string | undefined;
}

/** A spec, or none where an issue is an error; warnings come with a spec. */
export interface ParsedTable {
  readonly spec: TableSpec | undefined;
  /** Every issue found, each with line and column (text) or a path (object). */
  readonly issues: readonly Issue[];
}

/**
 * Reads a table from 2DA text or from a {@link TableObject}, whatever the input: what is wrong with it comes back as
 * issues. Cost: O(characters), or O(columns). Source: the seed's page on DRDT.
 */
export function parseTable(source: unknown, { name, file }: ParseTableOptions = {}): ParsedTable {
  const about = { name, file };
  if (typeof source === "string") return parseTableText(source, about);
  if (typeof source === "object" && source !== null) return parseTableObject(source, about);
  const issue = error("argument.type", {
    problem: "this is no table",
    got: source,
    expected: "the text of a 2DA file, or an object with rows",
    where: { file },
  });
  return { spec: undefined, issues: [issue] };
}

import { error } from "../errors/index.js";
import type { Parsed } from "../spec/index.js";
import { parseTableObject } from "./parse/object.js";
import { parseTableText } from "./parse/text.js";
import type { TableSpec } from "./types.js";

/** Options of {@link parseTable}. */
export interface ParseTableOptions {
  /** The file that the source came from, for messages. */
  readonly file?: string | undefined;
}

/**
 * Reads a table from 2DA text or from a {@link TableObject}. Accepts any input: everything wrong with it is an issue,
 * with line and column (text) or a path (object). `mill.table` takes the spec and does not parse it again.
 *
 * Cost: O(characters), or O(columns). Source: the DRDT page of NWAngband, 2006 (docs/formats.md).
 *
 * Error cases: `twoda.*` (the text is not a 2DA file), `table.columns`, `table.result`, `table.jump`, `table.weight`,
 * `argument.type` (a value of the wrong kind, an unknown key). Warnings: `table.gap`, `table.columns`, `twoda.*`.
 */
export function parseTable(source: unknown, { file }: ParseTableOptions = {}): Parsed<TableSpec> {
  if (typeof source === "string") return parseTableText(source, file);
  if (typeof source === "object" && source !== null && !Array.isArray(source)) return parseTableObject(source, file);
  const issue = error("argument.type", {
    problem: "not a table",
    got: source,
    expected: "the text of a 2DA file, or an object with rows",
    where: { file },
  });
  return { spec: undefined, issues: [issue] };
}

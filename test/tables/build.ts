import { specOf as parsedSpecOf } from "../../src/spec/index.js";
import { compileTable } from "../../src/tables/compile.js";
import { parseTable, type TableObject, type TableSpec } from "../../src/tables/index.js";
import type { TablePlan } from "../../src/tables/types.js";

/** A spec from text or an object that has no errors. */
export function specOf(source: string | TableObject, { file }: { name?: string; file?: string } = {}): TableSpec {
  return parsedSpecOf(parseTable(source, { file }));
}

/** A plan from text or an object that has no errors. */
export function planOf(source: string | TableObject, options: { name?: string; file?: string } = {}): TablePlan {
  return compileTable(specOf(source, options), options);
}

/** The text of a 2DA file of pairs: `pairs[row]` is "r0 10 1 s2" and so on; `****` fills the rest. */
export function twoDaOf(rows: readonly string[], pairs = 5): string {
  const names = Array.from({ length: pairs }, (_, n) => `Random${n} Random${n}Weight`);
  const lines = rows.map((row, r) => `${r} Row${r} ${row}`.trim());
  return ["2DA V2.0", "", `Label ${names.join(" ")}`, ...lines].join("\n");
}

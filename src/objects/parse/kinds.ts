import type { EditFile } from "../../formats/read/editFile.js";
import { NO_TVAL } from "../law/tvals.js";
import type { BaseSpec, KindSpec } from "../types.js";
import type { FlagTable } from "./flags.js";
import {
  allocationLine,
  blankKind,
  completeKinds,
  itemRules,
  type KindDraft,
  type KindRecord,
  oldPval,
} from "./items.js";
import { hasLine, keptLines, type LineRules, line, readHeads, readRecords, type UnusedLines } from "./lines.js";
import { readNoun } from "./nouns.js";
import type { FileReport } from "./report.js";
import type { TypeTable } from "./tvals.js";
import { randomValue, readSval } from "./values.js";

interface KindContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly bases: readonly BaseSpec[];
  /** Counts lines without an effect. Set only for the last form of version 4. */
  readonly last: UnusedLines | undefined;
}

/** Reads object.txt of version 4. */
export function parseKinds(report: FileReport, file: EditFile, context: KindContext): readonly KindSpec[] {
  const kinds = completeKinds(report, readKinds(report, file, context), context);
  context.last?.warn();
  return [...kinds].sort((a, b) => a.number - b.number);
}

/** Reads the records. Skips records that name no kind, or the same kind as an earlier record. */
function* readKinds(report: FileReport, file: EditFile, context: KindContext): Generator<KindRecord, void> {
  const taken = new Map<string, number>();
  const records = readRecords(report, readHeads(report, file, readNoun), kindRules(context), blankKind);
  for (const each of records) {
    if (hasLine(report, each.record, "I", FORM) && isFirst(report, each, taken, context.last)) yield each;
  }
}

const FORM = "I:tval or its word:sval";

function kindRules({ flags, types, last }: KindContext): LineRules<KindDraft> {
  return {
    I: line(
      FORM,
      [types.wordOrNumber, readSval],
      (draft, [type, sval]) => Object.assign(draft, { type, tval: type.tval, sval }),
      [oldPval],
    ),
    A: allocationLine("A"),
    ...itemRules(flags, randomValue, last),
    ...keptLines(["G", "C", "M", "E", "D"]),
  };
}

/**
 * Whether no earlier kind has the same tval and sval. Reports the kind otherwise. The game's own files in the last form
 * of version 4 have two such kinds: in this form, both are kept and the report has a warning. An artifact with this
 * tval and sval gets the first of them.
 */
function isFirst(
  report: FileReport,
  { record, draft: { tval, sval } }: KindRecord,
  taken: Map<string, number>,
  last: UnusedLines | undefined,
): boolean {
  const own = record.lines.find(({ type }) => type === "I");
  const key = `${tval}:${sval}`;
  const earlier = taken.get(key);
  if (own === undefined || earlier === undefined || tval === NO_TVAL) {
    if (own !== undefined) taken.set(key, own.line);
    return true;
  }
  const place = { line: own.line, column: own.fields[1].column };
  const finding = {
    problem: "two kinds have this tval and sval",
    got: key,
    expected: `a tval and an sval that differ from those in line ${earlier}`,
    remedy: "Give the kind a different sval",
  };
  if (last === undefined) report.add("object.duplicate", place, finding);
  else report.warn("object.duplicate", place, finding);
  return last !== undefined;
}

import type { EditFile } from "../../formats/read/editFile.js";
import type { KindSpec } from "../types.js";
import {
  allocationLine,
  blankKind,
  completeKinds,
  itemRules,
  type KindDraft,
  oldPval,
  type Version4Context,
} from "./items.js";
import { byNumber, keptLines, type LineRule, line, readHeads, readRecords } from "./lines.js";
import { readNoun } from "./nouns.js";
import type { FileReport } from "./report.js";
import { NO_TVAL } from "./tvals.js";
import { randomValue, readSval } from "./values.js";

export function parseKinds(report: FileReport, file: EditFile, context: Version4Context): readonly KindSpec[] {
  const rules = {
    I: identity(context),
    A: allocationLine("A"),
    ...itemRules(context, randomValue),
    ...keptLines(["G", "C", "M", "E", "D"]),
  };
  const drafts = readRecords(report, readHeads(report, file, readNoun), rules, blankKind, "I");
  return completeKinds(report, drafts, context).sort(byNumber);
}

/** Two kinds with one tval and sval are a warning in the last form of version 4: the game has such kinds. */
function identity({ types, isLast }: Version4Context): LineRule<KindDraft> {
  const taken = new Map<string, number>();
  return line(
    "I:tval or its word:sval",
    [types.wordOrNumber, readSval],
    (draft, [type, sval], at) => {
      Object.assign(draft, { type, tval: type.tval, sval });
      const key = `${type.tval}:${sval}`;
      const earlier = taken.get(key) ?? at.line;
      taken.set(key, earlier);
      if (earlier === at.line || type.tval === NO_TVAL) return;
      at.report[isLast ? "warn" : "add"](
        "object.duplicate",
        { line: at.line, column: at.fields[1].column },
        {
          problem: "two kinds have this tval and sval",
          got: key,
          expected: `a tval and an sval that differ from those in line ${earlier}`,
          remedy: "Give the kind a different sval",
        },
      );
    },
    [oldPval],
  );
}

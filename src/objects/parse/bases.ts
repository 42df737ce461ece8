import type { EditFile, EditLine, EditRecord } from "../../formats/editFile.js";
import { type FileReport, placeOf } from "../show/report.js";
import type { BaseSpec } from "../types.js";
import type { FlagTable } from "./flags.js";
import { flagRule, hasCount, type LineRule, readLines, readName } from "./records.js";
import { readTvalWord } from "./tvals.js";
import { readInteger } from "./values.js";

/** Reads object_base.txt: `D:B:breakage` sets what the records without a `B` line have. */
export function parseBases(report: FileReport, file: EditFile, flags: FlagTable): readonly BaseSpec[] {
  const breakage = readDefaults(report, file.before);
  const lines = new Map<number, number>();
  const bases: BaseSpec[] = [];
  for (const record of file.records) {
    const head = readBaseHead(report, record.head);
    const base = readBody(report, record, { breakage, flags });
    if (head === undefined) continue;
    const earlier = lines.get(head.tval);
    if (earlier === undefined) {
      lines.set(head.tval, record.head.line);
      bases.push({ ...head, ...base });
    } else {
      report.add("object.duplicate", record.head, {
        problem: "two records are of this type",
        got: record.head.rest,
        expected: `another than that of line ${earlier}`,
        remedy: "Join the two",
      });
    }
  }
  return bases.sort((a, b) => a.tval - b.tval);
}

function readDefaults(report: FileReport, lines: readonly EditLine[]): number {
  let breakage = 0;
  readLines(report, lines, {
    D: {
      form: "D:B:breakage",
      count: [2, 2],
      read: (at, [what, value], line) => {
        if (what.text === "B") breakage = readInteger(at, value, BREAKAGE) ?? 0;
        else
          report.add("object.line", line, {
            problem: "there is no such default",
            got: what.text,
            expected: "D:B:breakage",
            remedy: "Say it in each record",
          });
      },
    },
  });
  return breakage;
}

const BREAKAGE = { what: "the breakage", least: 0, most: 100 };

function readBaseHead(report: FileReport, line: EditLine): Pick<BaseSpec, "tval" | "name" | "place"> | undefined {
  if (!hasCount(report, line, { form: "N:tval word:name", count: [2, 2] })) return undefined;
  const at = { report, line: line.line };
  const tval = readTvalWord(at, line.fields[0]);
  const name = readName(at, line.fields[1]);
  return tval === undefined || name === undefined ? undefined : { tval, name, place: placeOf(report, line) };
}

function readBody(
  report: FileReport,
  record: EditRecord,
  { breakage, flags }: { readonly breakage: number; readonly flags: FlagTable },
): Pick<BaseSpec, "breakage" | "flags"> {
  const base = { breakage, flags: [] as string[] };
  const ownBreakage: LineRule = {
    form: "B:breakage",
    count: [1, 1],
    read: (at, [value]) => {
      base.breakage = readInteger(at, value, BREAKAGE) ?? 0;
    },
  };
  readLines(report, record.lines, { B: ownBreakage, F: flagRule(flags, base.flags) });
  return base;
}

import { didYouMean } from "../../errors/index.js";
import type { EditField, EditFile } from "../../formats/read/editFile.js";
import { comparable, TYPES } from "../law/tvals.js";
import type { BaseSpec, TypeGroup } from "../types.js";
import type { FlagTable } from "./flags.js";
import { flagLines } from "./items.js";
import {
  anyField,
  breakage,
  type Draft,
  FIRST_FREE_TVAL,
  hasCount,
  integer,
  isNew,
  type LineRule,
  type LineRules,
  line,
  oneField,
  placeOf,
  readLines,
  readName,
  reportExcess,
  TypeTable,
} from "./lines.js";
import { readNoun } from "./names.js";
import { type FileReport, type LineAt, type Place, reportAt } from "./report.js";

const GROUPS: readonly TypeGroup[] = ["weapon", "launcher", "ammunition", "armour", "other"];

export type BaseHead = Pick<BaseSpec, "word" | "name" | "place">;

export type BaseDraft = Draft<Pick<BaseSpec, "breakage" | "flags">> & {
  tval: number | undefined;
  group: TypeGroup | undefined;
};

const MERGE = { of: "records", remedy: "Merge the two records, or change one of them" };

export function readBases(
  report: FileReport,
  file: EditFile,
  formOf: {
    defaults: LineRules<{ breakage: number }>;
    head(at: LineAt): BaseHead | undefined;
    rules: LineRules<BaseDraft>;
  },
) {
  const usual = { breakage: 0 };
  readLines(report, file.before, formOf.defaults, usual);
  reportExcess(report, file);
  const [words, numbers] = [new Map<string, number>(), new Map<string, number>()];
  let free = FIRST_FREE_TVAL;
  const bases: BaseSpec[] = [];
  for (const { head, lines: own } of file.records) {
    const named = formOf.head({ ...head, report });
    const draft: BaseDraft = { breakage: usual.breakage, tval: undefined, group: undefined, flags: [] };
    readLines(report, own, formOf.rules, draft);
    if (named === undefined) continue;
    const { word, name, place } = named;
    if (!isNew(report, words, place, { ...MERGE, what: "type", key: comparable(word) })) continue;
    // a missing number or group comes from the built-in type with this word, or else (only the group) with this number
    const known = TYPES.find((type) => type.word === comparable(word));
    const tval = draft.tval ?? known?.tval ?? free++;
    const group = draft.group ?? (known ?? TYPES.find((type) => type.tval === tval))?.group ?? "other";
    const { breakage, flags } = draft;
    if (!isNew(report, numbers, place, { ...MERGE, what: "type number", key: String(tval) })) continue;
    bases.push({ tval, word, group, name, place, breakage, flags: [...new Set(flags)] });
  }
  bases.sort((a, b) => a.tval - b.tval);
  return { bases, types: new TypeTable(bases) };
}

export function reportDefault(at: LineAt, field: EditField, expected: string): void {
  reportAt(at, field, "object.line", { problem: "unknown default", expected, remedy: "Set the value in each record" });
}

/** Reads object_base.txt of version 4. A line `D:B:breakage` sets the breakage of records without a `B` line. */
export function parseBases(report: FileReport, file: EditFile, flags: FlagTable) {
  return readBases(report, file, { defaults: { D: DEFAULT }, head: readHead, rules: baseRules(flags) });
}

const DEFAULT: LineRule<{ breakage: number }> = line(
  "D:B:breakage",
  [anyField, anyField],
  (draft, [what, value], at) => {
    if (what.text !== "B") reportDefault(at, { ...what, column: at.column }, 'B, as in "D:B:breakage"');
    else draft.breakage = breakage(at, value) ?? 0;
  },
);

function baseRules(flags: FlagTable): LineRules<BaseDraft> {
  return {
    I: line(
      `I:tval[:${GROUPS.join(" or ")}]`,
      [integer("the number of the type", 1, 255)],
      (draft, [tval, group]) => Object.assign(draft, { tval, group }),
      [readGroup],
    ),
    B: oneField("B:breakage", "breakage", breakage),
    F: flagLines("F", flags),
  };
}

function readGroup(at: Place, field: EditField): TypeGroup | undefined {
  const finding = {
    problem: "unknown group of types",
    expected: `one of ${GROUPS.join(", ")}`,
    ...didYouMean(field.text, GROUPS, "Write one of these"),
  };
  return GROUPS.find((known) => known === field.text) ?? reportAt(at, field, "object.name", finding);
}

function readHead(at: LineAt): BaseHead | undefined {
  if (!hasCount(at, { form: "N:tval word:name", count: [2, 2] })) return undefined;
  const word = readWord(at, at.fields[0]);
  const name = readNoun(at, at.fields[1]);
  return word === undefined || name === undefined ? undefined : { word, name, place: placeOf(at) };
}

/** Refuses a number as a word, because lines of object.txt use numbers as tvals. */
function readWord(at: LineAt, field: EditField): string | undefined {
  if (!/^\d+$/.test(field.text)) return readName(at, field);
  return reportAt(at, field, "object.line", {
    problem: "the word of the type is a number",
    expected: "a word, such as sword",
    remedy: 'Write a word here, and the number in a line "I:number"',
  });
}

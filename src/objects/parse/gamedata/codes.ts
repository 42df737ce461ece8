import { didYouMean } from "../../../errors/index.js";
import type { EditFile } from "../../../formats/read/editFile.js";
import type { FlagSpec } from "../../types.js";
import {
  anyField,
  type LineRule,
  type LineRules,
  lines,
  oneField,
  readLines,
  reportExcess,
  reportStray,
  restOf,
  unusedLines,
  wholeLine,
  wholeLines,
} from "../lines.js";
import { type FileReport, type Read, reportAt, reportUnknown } from "../report.js";
import { integer } from "../values.js";

/** One of the files whose records the lines of other files name by code. */
export interface CodeSort {
  readonly what: "slay" | "brand" | "curse";
  /** The name of a flag is this prefix, then the code in capital letters. */
  readonly prefix: string;
  readonly type: string;
  readonly head: "code" | "name";
  readonly unused: readonly string[];
  readonly why: string;
}

const FIGHTING = {
  unused: "o-multiplier power verb melee-verb range-verb race-flag base resist-flag vuln-flag".split(" "),
  why: "They belong to fighting; Rollmill only makes objects",
};
const CURSE_LINES =
  "type weight combat effect effect-yx dice expr time flags values msg desc conflict conflict-flags".split(" ");

export const SLAYS: CodeSort = { what: "slay", prefix: "SLAY_", type: "SLAY", head: "code", ...FIGHTING };
export const BRANDS: CodeSort = { what: "brand", prefix: "BRAND_", type: "BRAND", head: "code", ...FIGHTING };
export const CURSES: CodeSort = {
  what: "curse",
  prefix: "CURSE_",
  type: "CURSE",
  head: "name",
  unused: CURSE_LINES,
  why: "Rollmill adds no random curses, and a curse of an object is only a flag",
};

/** Returns the flag of a code: `anti-teleportation` becomes `CURSE_ANTI_TELEPORTATION`. */
function flagOf({ prefix }: CodeSort, code: string): string {
  return prefix + code.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}

export function parseCodes(report: FileReport, file: EditFile, sort: CodeSort): readonly FlagSpec[] {
  reportStray(report, file.before, `a line "${sort.head}:…"`);
  reportExcess(report, file);
  const rules = { ...unusedLines(sort.unused, sort.why), ...(sort.head === "code" ? MEANING : {}) };
  const flags = new Map<string, FlagSpec>();
  for (const { head, lines: own } of file.records) {
    const draft: Meaning = { name: "", multiplier: undefined };
    readLines(report, own, rules, draft);
    const code = restOf(head);
    const name = flagOf(sort, code.text);
    const isNew = code.text !== "" && !flags.has(name);
    if (isNew) flags.set(name, { name, type: sort.type, ...meaningOf(sort, draft) });
    else {
      reportAt({ report, line: head.line }, code, code.text === "" ? "object.line" : "object.duplicate", {
        problem: code.text === "" ? `the ${sort.what} has no code` : `two records of ${sort.what}.txt have this code`,
        expected: "a different code for each record",
        remedy: "Write another code",
      });
    }
  }
  return [...flags.values()];
}

interface Meaning {
  name: string;
  multiplier: number | undefined;
}

const MEANING: LineRules<Meaning> = {
  name: wholeLine("name:name", anyField, (draft, { text }) => {
    draft.name = text;
  }),
  multiplier: oneField("multiplier:number", "multiplier", integer("the multiplier", 0, 255)),
};

function meaningOf({ what }: CodeSort, { name, multiplier }: Meaning): Pick<FlagSpec, "meaning"> {
  if (multiplier === undefined || name === "") return {};
  return { meaning: `×${multiplier} damage ${what === "slay" ? "against" : "by"} ${name}` };
}

/** Returns a flag for each code that the texts use, if the file of the codes is missing. */
export function codesIn(texts: readonly string[], sort: CodeSort): readonly FlagSpec[] {
  const lines = new RegExp(`^[ \\t]*${sort.what}[ \\t]*:[ \\t]*([^:\\r\\n]*)`, "gm");
  const names = texts.flatMap((text) => [...text.matchAll(lines)].map(([, code]) => flagOf(sort, code.trim())));
  return [...new Set(names)].map((name) => ({ name, type: sort.type }));
}

/** Returns rules for lines that use codes. The power of a curse has no effect. */
export function codeRules(specs: readonly FlagSpec[]): LineRules<{ readonly flags: string[] }> {
  const known = new Set(specs.map(({ name }) => name));
  const codeOf =
    (sort: CodeSort): Read<string> =>
    (at, code) => {
      const name = flagOf(sort, code.text);
      if (known.has(name)) return name;
      return reportUnknown(at, code, {
        problem: `unknown ${sort.what}`,
        expected: `a code of ${sort.what}.txt`,
        ...didYouMean(name, known, `Add the ${sort.what} to ${sort.what}.txt`),
      });
    };
  const simple = (sort: CodeSort): LineRule<{ readonly flags: string[] }> =>
    wholeLines(`${sort.what}:code`, codeOf(sort), ({ flags }, name) => flags.push(name));
  const curse: LineRule<{ readonly flags: string[] }> = lines(
    "curse:name:power",
    [anyField, integer("the power", 0, 32_767)],
    ({ flags }, [field, power], at) => {
      if (power === 0) return;
      at.report.unused(at, "the powers of curses have no effect", "A curse of an object is only a flag");
      const name = codeOf(CURSES)(at, field);
      if (name !== undefined) flags.push(name);
    },
  );
  return { slay: simple(SLAYS), brand: simple(BRANDS), curse };
}

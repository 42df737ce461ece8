import { didYouMean } from "../../../errors/index.js";
import type { EditField, EditFile } from "../../../formats/read/editFile.js";
import type { FlagSpec } from "../../types.js";
import { type LineRule, type LineRules, readInteger, readLines, reportExcess, reportStray } from "../records.js";
import { type FileReport, type Place, reportAt, reportUnknown } from "../report.js";
import { UnusedLines } from "../unused.js";
import { repeated, restOf, wholeRule } from "./lines.js";

/**
 * Describes one of the files slay.txt, brand.txt and curse.txt. Lines of all other files refer to the records of these
 * three files by code or name.
 */
export interface CodeSort {
  /** For example "slay": slay.txt defines the slays, and `slay:…` lines in other files use them. */
  readonly what: "slay" | "brand" | "curse";
  /** The name of a flag is this prefix, then the code in capital letters. */
  readonly prefix: string;
  readonly type: string;
  /** The word that begins the first line of each record: "code" or "name". */
  readonly head: string;
}

export const SLAYS: CodeSort = { what: "slay", prefix: "SLAY_", type: "SLAY", head: "code" };
export const BRANDS: CodeSort = { what: "brand", prefix: "BRAND_", type: "BRAND", head: "code" };
export const CURSES: CodeSort = { what: "curse", prefix: "CURSE_", type: "CURSE", head: "name" };

/** Returns the flag of a code: `anti-teleportation` becomes `CURSE_ANTI_TELEPORTATION`. */
function flagOf({ prefix }: CodeSort, code: string): string {
  return prefix + code.toUpperCase().replace(/[^A-Z0-9]+/g, "_");
}

const FIGHTING = "They belong to fighting; Rollmill only makes objects";
const CURSING = "Rollmill adds no random curses, and a curse of an object is only a flag";

/** Reads slay.txt, brand.txt or curse.txt. Returns a flag for each code. */
export function parseCodes(report: FileReport, file: EditFile, sort: CodeSort): readonly FlagSpec[] {
  reportStray(report, file.before, `a line "${sort.head}:…"`);
  reportExcess(report, file);
  const unused = new UnusedLines(report);
  const rules = rulesOf(sort, unused);
  const flags = new Map<string, FlagSpec>();
  for (const { head, lines } of file.records) {
    const draft: Draft = { name: "", multiplier: undefined };
    readLines(report, lines, rules, draft);
    const code = restOf(head);
    const name = flagOf(sort, code.text);
    if (code.text === "" || flags.has(name)) reportCode({ report, line: head.line }, code, sort);
    else flags.set(name, { name, type: sort.type, ...meaningOf(sort, draft) });
  }
  unused.warn();
  return [...flags.values()];
}

interface Draft {
  name: string;
  multiplier: number | undefined;
}

function rulesOf({ what }: CodeSort, unused: UnusedLines): LineRules<Draft> {
  if (what === "curse") {
    const types = ["type", "weight", "combat", "effect", "effect-yx", "dice", "expr", "time", "flags", "values", "msg"];
    const others = ["desc", "conflict", "conflict-flags"];
    return unused.rules(Object.fromEntries([...types, ...others].map((type) => [type, CURSING])));
  }
  const name: LineRule<Draft> = wholeRule("name:name", (draft, _, { text }) => {
    draft.name = text;
  });
  const multiplier: LineRule<Draft> = {
    form: "multiplier:number",
    count: [1, 1],
    read: (draft, at, [number]) => {
      draft.multiplier = readInteger(at, number, { what: "the multiplier", least: 0, most: 255 });
    },
  };
  const types = ["o-multiplier", "power", "verb", "melee-verb", "range-verb", "race-flag", "base"];
  const others = ["resist-flag", "vuln-flag"];
  return {
    ...unused.rules(Object.fromEntries([...types, ...others].map((type) => [type, FIGHTING]))),
    name,
    multiplier,
  };
}

function meaningOf({ what }: CodeSort, { name, multiplier }: Draft): Pick<FlagSpec, "meaning"> {
  if (multiplier === undefined || name === "") return {};
  return { meaning: `×${multiplier} damage ${what === "slay" ? "against" : "by"} ${name}` };
}

function reportCode(at: Place, code: EditField, { what }: CodeSort): void {
  reportAt(at, code, code.text === "" ? "object.line" : "object.duplicate", {
    problem: code.text === "" ? `the ${what} has no code` : `two records of ${what}.txt have this code`,
    got: code.text,
    expected: "a different code for each record",
    remedy: "Write another code",
  });
}

/**
 * Returns a flag for each code that the texts use. Called instead of {@link parseCodes} if slay.txt, brand.txt or
 * curse.txt is missing.
 */
export function codesIn(texts: readonly string[], sort: CodeSort): readonly FlagSpec[] {
  const lines = new RegExp(`^[ \\t]*${sort.what}[ \\t]*:[ \\t]*([^:\\r\\n]*)`, "gm");
  const names = texts.flatMap((text) => [...text.matchAll(lines)].map(([, code]) => flagOf(sort, code.trim())));
  return [...new Set(names)].map((name) => ({ name, type: sort.type }));
}

/** The flags of all codes, and the rules for lines that use codes. */
export class CodeTable {
  readonly #flags: ReadonlySet<string>;

  constructor(flags: readonly FlagSpec[]) {
    this.#flags = new Set(flags.map(({ name }) => name));
  }

  /** Rules for `slay`, `brand` and `curse` lines. The power of a curse has no effect. A warning reports this. */
  rules(unused: UnusedLines): LineRules<{ readonly flags: Set<string> }> {
    const simple = (sort: CodeSort): LineRule<{ readonly flags: Set<string> }> =>
      repeated(wholeRule(`${sort.what}:code`, (draft, at, code) => this.#add(draft.flags, at, [code, sort])));
    const curse: LineRule<{ readonly flags: Set<string> }> = {
      form: "curse:name:power",
      count: [2, 2],
      repeats: true,
      read: (draft, at, [name, strength], line) => {
        const power = readInteger(at, strength, { what: "the power", least: 0, most: 32_767 });
        if (power === undefined || power === 0) return;
        unused.add(line, "the powers of curses have no effect", "A curse of an object is only a flag");
        this.#add(draft.flags, at, [name, CURSES]);
      },
    };
    return { slay: simple(SLAYS), brand: simple(BRANDS), curse };
  }

  #add(flags: Set<string>, at: Place, [code, sort]: readonly [EditField, CodeSort]): void {
    const name = flagOf(sort, code.text);
    if (this.#flags.has(name)) {
      flags.add(name);
      return;
    }
    const known = [...this.#flags].filter((flag) => flag.startsWith(sort.prefix));
    reportUnknown(at, code, {
      code: "object.name",
      problem: `unknown ${sort.what}`,
      describe: () => ({
        expected: `a code of ${sort.what}.txt`,
        ...didYouMean(name, known, `Add the ${sort.what} to ${sort.what}.txt`),
      }),
    });
  }
}

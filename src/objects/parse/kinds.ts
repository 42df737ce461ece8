import type { EditField, EditFile, EditLine, EditRecord } from "../../formats/read/editFile.js";
import { FlagBits } from "../compile/flagBits.js";
import type { BaseSpec, KindSpec, PvalSpec, RandomValue, TypeSpec } from "../types.js";
import type { FlagTable } from "./flags.js";
import { readNoun, withNoun } from "./nouns.js";
import {
  constant,
  flagRule,
  type Head,
  type Headed,
  hasCount,
  type LineRule,
  type LineRules,
  MAX_DEPTH,
  MAX_SVAL,
  NO_HEAD,
  readDepths,
  readDice,
  readHeads,
  readInteger,
  readLines,
  readName,
  readRandomValue,
  reportExcess,
  textRules,
} from "./records.js";
import { type FileReport, type Place, placeOf, reportAt } from "./report.js";
import { comparable, completed, GROUPS, NO_TYPE, readGroup, type StatedType, TypeTable } from "./tvals.js";
import type { UnusedLines } from "./unused.js";

export const MAX_AMOUNT = 32_767;
/** In tenths of a pound. */
export const MAX_WEIGHT = 65_535;
export const MAX_CHANCE = 65_535;
export const MAX_COST = 2 ** 31 - 1;
/**
 * Maximum number of flags in all kinds together. Each kind inherits the flags of its type, so a short file could
 * otherwise need gigabytes.
 */
export const MAX_KIND_FLAGS = 2 ** 22;

/** Maximum number of fields of a P line in the last form of version 4. Balance and heft are two of the fields. */
export const MOST_POWERS = 7;
/**
 * The problem and the explanation in the warning about balance and heft. Only lines in the last form of version 4 have
 * these two fields.
 */
export const BALANCE = ["balance and heft have no effect", "Rollmill computes no blows"] as const;

type Draft = { -readonly [K in keyof Omit<KindSpec, keyof Lists | "fullName">]: KindSpec[K] } & Lists;

interface Lists {
  readonly flags: Set<string>;
  readonly pvals: PvalSpec[];
  readonly text: Record<string, string[]>;
}

interface KindContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly bases: readonly BaseSpec[];
  /** Counts lines without an effect. Set only for the last form of version 4. */
  readonly last: UnusedLines | undefined;
}

export function parseKinds(
  report: FileReport,
  file: EditFile,
  { flags, types, bases, last }: KindContext,
): readonly KindSpec[] {
  const bits = new FlagBits(flags.specs);
  const baseOf = new Map(bases.map((base) => [base.tval, base]));
  const taken = new Map<string, number>();
  const rules = kindRules(flags, types, last);
  const kinds: KindSpec[] = [];
  let flagCount = 0;
  for (const headed of readHeads(report, file, { readName: readNoun })) {
    const { head, record } = headed;
    const draft = readRecord(report, headed, rules);
    if (!isIdentified(report, record, "I:tval:sval") || !isFirst(report, record, draft, { taken, last })) continue;
    const base = baseOf.get(draft.tval);
    flagCount += draft.flags.size + (base?.flags.length ?? 0);
    if (flagCount > MAX_KIND_FLAGS) return reportFlags(report, record.head, flagCount);
    const all = new Set([...draft.flags, ...(base?.flags ?? [])]);
    const fullName = withNoun(draft.name, base);
    if (head !== undefined) kinds.push({ ...draft, fullName, flags: bits.withoutContradictions([...all]) });
  }
  last?.warn();
  return kinds.sort((a, b) => a.number - b.number);
}

/**
 * Reports that all kinds together have too many flags. `head` is the line of the kind at which they exceed the limit.
 * Returns an empty list.
 */
export function reportFlags(report: FileReport, head: EditLine, count: number): readonly KindSpec[] {
  report.add("object.files", head, {
    problem: "the kinds have too many flags in total, including the flags of their types",
    got: count,
    expected: `at most ${MAX_KIND_FLAGS} flags up to this kind`,
    remedy: "Remove flags from the types in object_base.txt",
  });
  return [];
}

export function isIdentified(report: FileReport, { head, lines }: EditRecord, form: string): boolean {
  if (lines.some(({ type }) => type === "I")) return true;
  report.add("object.line", head, {
    problem: "the record has no I line",
    expected: `a line of the form "${form}"`,
    remedy: "Add the line",
  });
  return false;
}

/**
 * Rules for the lines that kinds and artifacts share: `W` (level, weight and cost), `F` (flags without a value) and `L`
 * (flags with a value).
 */
export function sharedRules(
  flags: FlagTable,
  last?: UnusedLines,
): LineRules<Pick<Draft, "level" | "weight" | "cost"> & Pick<Lists, "flags" | "pvals">> {
  const worth: LineRule<Pick<Draft, "level" | "weight" | "cost">> = {
    form: "W:level:rarity:weight:cost",
    count: [4, last === undefined ? 4 : 5],
    read: (draft, at, [level, rarity, weight, cost, more], line) => {
      if (more !== undefined) last?.add(line, "the fifth field of W lines has no effect", "No artifact is randomised");
      draft.level = readInteger(at, level, { what: "the level", least: 0, most: MAX_DEPTH }) ?? 0;
      readInteger(at, rarity, { what: "the rarity", least: 0, most: MAX_CHANCE });
      draft.weight = readInteger(at, weight, { what: "the weight", least: 0, most: MAX_WEIGHT }) ?? 0;
      draft.cost = readInteger(at, cost, { what: "the cost", least: 0, most: MAX_COST }) ?? 0;
    },
  };
  const valued: LineRule<Pick<Lists, "pvals">> = {
    form: "L:pval:flag | flag",
    count: [2, 2],
    repeats: true,
    read: (draft, at, [pval, list]) => {
      const value = readRandomValue(at, pval, "the pval");
      const names = flags.readFlags(at, list, "valued");
      if (value !== undefined) draft.pvals.push({ value, least: undefined, flags: names });
    },
  };
  return { W: worth, F: flagRule(flags), L: valued };
}

/** Returns a kind's draft with default values. The caller adds the head. */
export function blankKind(): Omit<Draft, keyof typeof NO_HEAD> {
  const none = constant(0);
  return {
    type: NO_TYPE,
    tval: NO_TYPE.tval,
    sval: 0,
    level: 0,
    weight: 0,
    cost: 0,
    ac: 0,
    dice: 0,
    sides: 0,
    toHit: none,
    toDam: none,
    toAc: none,
    allocation: undefined,
    flags: new Set(),
    pvals: [],
    text: {},
  };
}

function readRecord(report: FileReport, { head, record }: Headed<Head>, rules: LineRules<Draft>): Draft {
  const draft: Draft = { ...(head ?? NO_HEAD), ...blankKind() };
  readLines(report, record.lines, rules, draft);
  return draft;
}

function kindRules(flags: FlagTable, types: TypeTable, last: UnusedLines | undefined): LineRules<Draft> {
  return {
    I: {
      form: "I:tval or its word:sval",
      // in older files, the third field is a pval
      count: [2, 3],
      read: (draft, at, [tval, sval, pval]) => {
        if (pval !== undefined) readOldPval(at, pval);
        const type = types.readAny(at, tval);
        const sort = readInteger(at, sval, { what: "the sval", least: 0, most: MAX_SVAL });
        if (type !== undefined && sort !== undefined) Object.assign(draft, { type, tval: type.tval, sval: sort });
      },
    },
    P: powers(last),
    A: allocationRule("A"),
    ...sharedRules(flags, last),
    ...textRules(["G", "C", "M", "E", "D"]),
  };
}

/**
 * Reads the third field of an `I` line. In older files, this field is a pval. It must be 0 here, because `L` lines give
 * the values of flags.
 */
export function readOldPval(at: Place, field: EditField): void {
  readInteger(at, field, {
    what: "the third field",
    least: 0,
    most: 0,
    remedy: "Write 0, and write the pval in an L line",
  });
}

function powers(last: UnusedLines | undefined): LineRule<Draft> {
  return {
    form: "P:ac:dice:to-hit:to-dam:to-ac",
    count: [5, last === undefined ? 5 : MOST_POWERS],
    // if a record has several P lines, the last one counts
    repeats: true,
    read: (draft, at, [ac, dice, ...values], line) => {
      const rest = values.slice(0, 3);
      if (values.length > rest.length) last?.add(line, ...BALANCE);
      draft.ac = readInteger(at, ac, { what: "the armour class", least: 0, most: MAX_AMOUNT }) ?? 0;
      const isNone = last !== undefined && dice.text === "0";
      const { dice: count, sides } = (isNone ? undefined : readDice(at, dice)) ?? { dice: 0, sides: 0 };
      const names = ["to-hit", "to-dam", "to-ac"];
      const read: (RandomValue | undefined)[] = rest.map((field, i) => readRandomValue(at, field, names[i]));
      const [toHit = constant(0), toDam = constant(0), toAc = constant(0)] = read;
      Object.assign(draft, { dice: count, sides, toHit, toDam, toAc });
    },
  };
}

/** The rule for lines of this type. They set the commonness and the depths of a record. */
export function allocationRule(type: string): LineRule<{ allocation: KindSpec["allocation"] }> {
  return {
    form: `${type}:commonness:min to max`,
    count: [2, 2],
    read: (draft, at, [often, range]) => {
      const commonness = readInteger(at, often, { what: "the commonness", least: 0, most: MAX_CHANCE });
      const depths = readDepths(at, range);
      if (commonness !== undefined && depths !== undefined) draft.allocation = { ...depths, commonness };
    },
  };
}

/**
 * If an earlier kind has the same tval and sval, reports an error and returns false: the kind must be dropped. In the
 * last form of version 4, reports only a warning and returns true: the kind is kept. Kinds without a type are never
 * reported.
 */
function isFirst(
  report: FileReport,
  { lines }: EditRecord,
  kind: Draft,
  { taken, last }: { readonly taken: Map<string, number>; readonly last: UnusedLines | undefined },
): boolean {
  const line = lines.find(({ type }) => type === "I");
  if (line === undefined) return true;
  const key = `${kind.tval}:${kind.sval}`;
  const earlier = taken.get(key);
  if (earlier === undefined || kind.tval === 0) {
    taken.set(key, line.line);
    return true;
  }
  const place = { line: line.line, column: line.fields[1].column };
  const finding = {
    problem: "two kinds have this tval and sval",
    got: key,
    expected: `a tval and an sval that differ from those in line ${earlier}`,
    remedy: "Give the kind a different sval",
  };
  // the game's own files in the last form of version 4 have two kinds with one tval and sval. An artifact with this
  // tval and sval gets the first of these kinds
  if (last !== undefined) report.warn("object.duplicate", place, finding);
  else report.add("object.duplicate", place, finding);
  return last !== undefined;
}

interface Bases {
  readonly bases: readonly BaseSpec[];
  readonly types: TypeTable;
}

/** Reads object_base.txt. A line `D:B:breakage` before the records sets the breakage of records without a `B` line. */
export function parseBases(report: FileReport, file: EditFile, flags: FlagTable): Bases {
  const breakage = readDefaults(report, file.before);
  const rules: LineRules<BaseDraft> = { I: IDENTITY, B: OWN_BREAKAGE, F: flagRule(flags) };
  reportExcess(report, file);
  const stated: (StatedType & Pick<BaseSpec, "name" | "place" | "breakage" | "flags">)[] = [];
  for (const record of file.records) {
    const head = readBaseHead(report, record.head);
    const draft: BaseDraft = { breakage, tval: undefined, group: undefined, flags: new Set() };
    readLines(report, record.lines, rules, draft);
    if (head !== undefined) stated.push({ ...head, ...draft, flags: [...draft.flags] });
  }
  const words = new Map<string, number>();
  const once = stated.filter((base) => isNew(report, words, { base, key: comparable(base.word), what: "type" }));
  const numbers = new Map<string, number>();
  const bases = completed(once)
    .map((type, i): BaseSpec => {
      const { name, place, breakage: own, flags: names } = once[i];
      return { ...type, name, place, breakage: own, flags: names };
    })
    .filter((base) => isNew(report, numbers, { base, key: String(base.tval), what: "number of a type" }));
  return { bases: bases.sort((a, b) => a.tval - b.tval), types: new TypeTable(bases) };
}

/** Whether the key is new. Reports the base if an earlier base has the same key. */
export function isNew(
  report: FileReport,
  lines: Map<string, number>,
  { base, key, what }: { readonly base: Pick<BaseSpec, "place">; readonly key: string; readonly what: string },
): boolean {
  const earlier = lines.get(key);
  if (earlier === undefined) lines.set(key, base.place.line);
  else {
    report.add("object.duplicate", base.place, {
      problem: `two records have this ${what}`,
      got: key,
      expected: `a ${what} that differs from the one in line ${earlier}`,
      remedy: "Merge the two records, or change one of them",
    });
  }
  return earlier === undefined;
}

function readDefaults(report: FileReport, lines: readonly EditLine[]): number {
  const defaults = { breakage: 0 };
  const rule: LineRule<{ breakage: number }> = {
    form: "D:B:breakage",
    count: [2, 2],
    read: (draft, at, [what, value], line) => {
      if (what.text === "B") draft.breakage = readInteger(at, value, BREAKAGE) ?? 0;
      else
        report.add("object.line", line, {
          problem: "unknown default",
          got: what.text,
          expected: 'B, as in "D:B:breakage"',
          remedy: "Set the value in each record",
        });
    },
  };
  readLines(report, lines, { D: rule }, defaults);
  return defaults.breakage;
}

const BREAKAGE = { what: "the breakage", least: 0, most: 100 };

function readBaseHead(report: FileReport, line: EditLine): Pick<BaseSpec, "word" | "name" | "place"> | undefined {
  if (!hasCount(report, line, { form: "N:tval word:name", count: [2, 2] })) return undefined;
  const at = { report, line: line.line };
  const word = readWord(at, line.fields[0]);
  const name = readNoun(at, line.fields[1]);
  return word === undefined || name === undefined ? undefined : { word, name, place: placeOf(report, line) };
}

/**
 * Reads the word that names a type. Reports a word that is a number, because lines of object.txt use numbers as tvals.
 */
function readWord(at: Place, field: EditField): string | undefined {
  if (!/^\d+$/.test(field.text)) return readName(at, field);
  reportAt(at, field, "object.line", {
    problem: "the word of the type is a number",
    got: field.text,
    expected: "a word, such as sword",
    remedy: "Write a word here, and the number in a line I:number",
  });
  return undefined;
}

interface BaseDraft {
  breakage: number;
  tval: number | undefined;
  group: TypeSpec["group"] | undefined;
  readonly flags: Set<string>;
}

const MAX_TVAL = 255;

const IDENTITY: LineRule<BaseDraft> = {
  form: `I:tval[:${GROUPS.join(" or ")}]`,
  count: [1, 2],
  read: (draft, at, [tval, group]) => {
    draft.tval = readInteger(at, tval, { what: "the number of the type", least: 1, most: MAX_TVAL });
    if (group !== undefined) draft.group = readGroup(at, group);
  },
};

const OWN_BREAKAGE: LineRule<BaseDraft> = {
  form: "B:breakage",
  count: [1, 1],
  read: (draft, at, [value]) => {
    draft.breakage = readInteger(at, value, BREAKAGE) ?? 0;
  },
};

import type { EditField, EditFile, EditLine, EditRecord } from "../../formats/editFile.js";
import { FlagBits } from "../compile/flagBits.js";
import type { BaseSpec, KindSpec, PvalSpec, RandomValue } from "../types.js";
import type { FlagTable } from "./flags.js";
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
  textRules,
} from "./records.js";
import { type FileReport, type Place, placeOf } from "./report.js";
import { readTvalNumber, readTvalWord } from "./tvals.js";

/** The largest armour class, and the largest absolute value of a modifier. */
export const MAX_AMOUNT = 32_767;
/** The largest weight, in tenths of a pound. */
const MAX_WEIGHT = 65_535;
/** The largest commonness or probability. */
export const MAX_CHANCE = 65_535;
const MAX_COST = 2 ** 31 - 1;

type Draft = { -readonly [K in keyof Omit<KindSpec, keyof Lists>]: KindSpec[K] } & Lists;

/** The lists of a draft. Each line of a record can add entries to them. */
interface Lists {
  readonly flags: Set<string>;
  readonly pvals: PvalSpec[];
  readonly text: Record<string, string[]>;
}

/** Reads object.txt. Kinds inherit the flags of their bases. */
export function parseKinds(
  report: FileReport,
  file: EditFile,
  { flags, bases }: { readonly flags: FlagTable; readonly bases: readonly BaseSpec[] },
): readonly KindSpec[] {
  const bits = new FlagBits(flags.specs);
  const inherited = new Map(bases.map((base) => [base.tval, base.flags]));
  const taken = new Map<string, number>();
  const rules = kindRules(flags);
  const kinds: KindSpec[] = [];
  for (const headed of readHeads(report, file)) {
    const { head, record } = headed;
    const draft = readRecord(report, headed, rules);
    if (!isIdentified(report, record, "I:tval:sval") || !isFirst(report, record, draft, taken)) continue;
    const all = new Set([...draft.flags, ...(inherited.get(draft.tval) ?? [])]);
    if (head !== undefined) kinds.push({ ...draft, flags: bits.withoutContradictions([...all]) });
  }
  return kinds.sort((a, b) => a.number - b.number);
}

/** Whether a record has an `I` line. Reports a record that has no such line. */
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
 * The rules for the lines that both kinds and artifacts can have: `W` (level, weight and cost), `F` (flags without a
 * value) and `L` (flags with a value).
 */
export function sharedRules(
  flags: FlagTable,
): LineRules<Pick<Draft, "level" | "weight" | "cost"> & Pick<Lists, "flags" | "pvals">> {
  const worth: LineRule<Pick<Draft, "level" | "weight" | "cost">> = {
    form: "W:level:rarity:weight:cost",
    count: [4, 4],
    read: (draft, at, [level, rarity, weight, cost]) => {
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

function readRecord(report: FileReport, { head, record }: Headed<Head>, rules: LineRules<Draft>): Draft {
  const none = constant(0);
  const draft: Draft = {
    ...(head ?? NO_HEAD),
    tval: 0,
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
  readLines(report, record.lines, rules, draft);
  return draft;
}

function kindRules(flags: FlagTable): LineRules<Draft> {
  return {
    I: {
      form: "I:tval:sval",
      // in older files, the third field is a pval
      count: [2, 3],
      read: (draft, at, [tval, sval, pval]) => {
        if (pval !== undefined) readOldPval(at, pval);
        const type = readTvalNumber(at, tval);
        const sort = readInteger(at, sval, { what: "the sval", least: 0, most: MAX_SVAL });
        if (type !== undefined && sort !== undefined) [draft.tval, draft.sval] = [type, sort];
      },
    },
    P: powers(),
    A: allocation(),
    ...sharedRules(flags),
    ...textRules(["G", "C", "M", "E", "D"]),
  };
}

/**
 * Reads the third field of an I line, a pval in older files. It must be 0, because values of flags belong in L lines.
 */
export function readOldPval(at: Place, field: EditField): void {
  readInteger(at, field, {
    what: "the third field",
    least: 0,
    most: 0,
    remedy: "Write 0, and write the pval in an L line",
  });
}

function powers(): LineRule<Draft> {
  return {
    form: "P:ac:dice:to-hit:to-dam:to-ac",
    count: [5, 5],
    // the last of several P lines counts
    repeats: true,
    read: (draft, at, [ac, dice, ...rest]) => {
      draft.ac = readInteger(at, ac, { what: "the armour class", least: 0, most: MAX_AMOUNT }) ?? 0;
      const { dice: count, sides } = readDice(at, dice) ?? { dice: 0, sides: 0 };
      const names = ["to-hit", "to-dam", "to-ac"];
      const values: (RandomValue | undefined)[] = rest.map((field, i) => readRandomValue(at, field, names[i]));
      const [toHit = constant(0), toDam = constant(0), toAc = constant(0)] = values;
      Object.assign(draft, { dice: count, sides, toHit, toDam, toAc });
    },
  };
}

function allocation(): LineRule<Draft> {
  return {
    form: "A:commonness:min to max",
    count: [2, 2],
    read: (draft, at, [often, range]) => {
      const commonness = readInteger(at, often, { what: "the commonness", least: 0, most: MAX_CHANCE });
      const depths = readDepths(at, range);
      if (commonness !== undefined && depths !== undefined) draft.allocation = { ...depths, commonness };
    },
  };
}

/** Whether a kind is the first with its tval and sval. Reports a kind that is not, unless it has no type. */
function isFirst(report: FileReport, { lines }: EditRecord, kind: Draft, taken: Map<string, number>): boolean {
  const line = lines.find(({ type }) => type === "I");
  if (line === undefined) return true;
  const key = `${kind.tval}:${kind.sval}`;
  const earlier = taken.get(key);
  if (earlier === undefined || kind.tval === 0) {
    taken.set(key, line.line);
    return true;
  }
  report.add(
    "object.duplicate",
    { line: line.line, column: line.fields[1].column },
    {
      problem: "two kinds have this tval and sval",
      got: key,
      expected: `a tval and an sval that differ from those in line ${earlier}`,
      remedy: "Give the kind a different sval",
    },
  );
  return false;
}

/** Reads object_base.txt. A line `D:B:breakage` before the records sets the breakage of records without a `B` line. */
export function parseBases(report: FileReport, file: EditFile, flags: FlagTable): readonly BaseSpec[] {
  const breakage = readDefaults(report, file.before);
  const rules: LineRules<BaseDraft> = { B: OWN_BREAKAGE, F: flagRule(flags) };
  const lines = new Map<number, number>();
  const bases: BaseSpec[] = [];
  for (const record of file.records) {
    const head = readBaseHead(report, record.head);
    const base = readBaseBody(report, record, { breakage, rules });
    if (head === undefined) continue;
    const earlier = lines.get(head.tval);
    if (earlier === undefined) {
      lines.set(head.tval, record.head.line);
      bases.push({ ...head, ...base });
    } else {
      report.add("object.duplicate", record.head, {
        problem: "two records have this type",
        got: record.head.rest,
        expected: `a type that differs from the type in line ${earlier}`,
        remedy: "Merge the two records",
      });
    }
  }
  return bases.sort((a, b) => a.tval - b.tval);
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

function readBaseHead(report: FileReport, line: EditLine): Pick<BaseSpec, "tval" | "name" | "place"> | undefined {
  if (!hasCount(report, line, { form: "N:tval word:name", count: [2, 2] })) return undefined;
  const at = { report, line: line.line };
  const tval = readTvalWord(at, line.fields[0]);
  const name = readName(at, line.fields[1]);
  return tval === undefined || name === undefined ? undefined : { tval, name, place: placeOf(report, line) };
}

interface BaseDraft {
  breakage: number;
  readonly flags: Set<string>;
}

const OWN_BREAKAGE: LineRule<BaseDraft> = {
  form: "B:breakage",
  count: [1, 1],
  read: (draft, at, [value]) => {
    draft.breakage = readInteger(at, value, BREAKAGE) ?? 0;
  },
};

function readBaseBody(
  report: FileReport,
  record: EditRecord,
  { breakage, rules }: { readonly breakage: number; readonly rules: LineRules<BaseDraft> },
): Pick<BaseSpec, "breakage" | "flags"> {
  const draft: BaseDraft = { breakage, flags: new Set() };
  readLines(report, record.lines, rules, draft);
  return { breakage: draft.breakage, flags: [...draft.flags] };
}

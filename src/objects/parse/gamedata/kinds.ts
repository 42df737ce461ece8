import type { EditFile, EditLine } from "../../../formats/read/editFile.js";
import { FlagBits } from "../../compile/flagBits.js";
import type { BaseSpec, KindSpec, PvalSpec } from "../../types.js";
import type { FlagTable } from "../flags.js";
import {
  allocationRule,
  blankKind,
  isNew,
  MAX_AMOUNT,
  MAX_COST,
  MAX_KIND_FLAGS,
  MAX_WEIGHT,
  reportFlags,
} from "../kinds.js";
import { readNoun } from "../nouns.js";
import {
  type Head,
  type Headed,
  type LineRule,
  type LineRules,
  MAX_DEPTH,
  MAX_SVAL,
  readDice,
  readInteger,
  readLines,
  reportExcess,
  textRule,
} from "../records.js";
import { type FileReport, type Place, placeOf, reportAt } from "../report.js";
import { completeKind } from "../specialKinds.js";
import { comparable, completed, NO_TYPE, type StatedType, TypeTable } from "../tvals.js";
import { UnusedLines } from "../unused.js";
import type { CodeTable } from "./codes.js";
import { flagsRule, hasLine, headOr, readAmount, readNames, valuesRule, wholeRule } from "./lines.js";

const NO_TYPE_WORD = "none";

// ── object_base.txt ──

interface BaseDraft {
  breakage: number;
  readonly flags: Set<string>;
}

/** Reads object_base.txt. A line `default:break-chance:number` sets the breakage of records without a `break` line. */
export function parseGamedataBases(
  report: FileReport,
  file: EditFile,
  flags: FlagTable,
): { readonly bases: readonly BaseSpec[]; readonly types: TypeTable } {
  reportExcess(report, file);
  const unused = new UnusedLines(report);
  const breakage = readDefaults(report, file.before, unused);
  const rules: LineRules<BaseDraft> = {
    break: {
      form: "break:chance",
      count: [1, 1],
      read: (draft, at, [chance]) => {
        draft.breakage = readInteger(at, chance, BREAKAGE) ?? 0;
      },
    },
    flags: flagsRule(flags),
    ...unused.rules({ graphics: "They belong to the screen", "max-stack": STACKING }),
  };
  const words = new Map<string, number>();
  const stated: (StatedType & Pick<BaseSpec, "name" | "place" | "breakage" | "flags">)[] = [];
  for (const { head, lines } of file.records) {
    const own = readBaseHead(report, head);
    const draft: BaseDraft = { breakage, flags: new Set() };
    readLines(report, lines, rules, draft);
    if (own === undefined || !isNew(report, words, { base: own, key: comparable(own.word), what: "type" })) continue;
    stated.push({ ...own, breakage: draft.breakage, tval: undefined, group: undefined, flags: [...draft.flags] });
  }
  unused.warn();
  const bases = completed(stated).map((type, i): BaseSpec => {
    const { name, place, breakage: chance, flags: names } = stated[i];
    return { ...type, name, place, breakage: chance, flags: names };
  });
  return { bases: bases.sort((a, b) => a.tval - b.tval), types: new TypeTable(bases) };
}

const BREAKAGE = { what: "the breakage", least: 0, most: 100 };
const STACKING = "Rollmill makes one object at a time";

function readDefaults(report: FileReport, lines: readonly EditLine[], unused: UnusedLines): number {
  const defaults = { breakage: 0 };
  const rule: LineRule<{ breakage: number }> = {
    form: "default:break-chance:number",
    count: [2, 2],
    repeats: true,
    read: (draft, at, [what, value], line) => {
      if (what.text === "break-chance") draft.breakage = readInteger(at, value, BREAKAGE) ?? 0;
      else if (what.text === "max-stack") unused.add(line, "the default max-stack has no effect", STACKING);
      else {
        reportAt(at, what, "object.line", {
          problem: "unknown default",
          got: what.text,
          expected: "break-chance or max-stack",
          remedy: "Set the value in each record",
        });
      }
    },
  };
  readLines(report, lines, { default: rule }, defaults);
  return defaults.breakage;
}

function readBaseHead(report: FileReport, line: EditLine): Pick<BaseSpec, "word" | "name" | "place"> | undefined {
  const at = { report, line: line.line };
  const [word, noun] = line.fields;
  // gold has no noun
  const name = noun === undefined ? "" : readNoun(at, noun);
  const isWord = /^\p{Letter}[\p{Letter} -]{0,79}$/u.test(word.text);
  if (name !== undefined && isWord && line.fields.length <= 2)
    return { word: word.text, name, place: placeOf(report, line) };
  if (name !== undefined) {
    reportAt(at, word, "object.line", {
      problem: "invalid type of objects",
      got: line.rest,
      expected: "a word of letters and its noun, such as name:sword:Sword~",
      remedy: "Write the word of the type, a colon and the noun",
    });
  }
  return undefined;
}

// ── object.txt ──

type Draft = { -readonly [K in keyof Omit<KindSpec, keyof Lists | "fullName">]: KindSpec[K] } & Lists;

interface Lists {
  readonly flags: Set<string>;
  readonly pvals: PvalSpec[];
  readonly text: Record<string, string[]>;
}

export interface GamedataContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly bases: readonly BaseSpec[];
  readonly codes: CodeTable;
}

/** Types of lines that are only stored as text. Kinds and artifacts can have them. */
const TEXTS = ["graphics", "desc", "msg", "vis-msg", "effect", "effect-yx", "dice", "expr", "time", "act", "power"];

export function itemRules(
  { flags, codes }: Pick<GamedataContext, "flags" | "codes">,
  unused: UnusedLines,
): LineRules<Pick<Draft, "level" | "weight" | "cost"> & Lists> {
  const keep = (type: string) =>
    textRule<Lists>(`${type}:text`, ({ text }, line) => {
      const own = text[type];
      if (own === undefined) text[type] = [line];
      else own.push(line);
    });
  const number = (
    name: "level" | "weight" | "cost",
    most: number,
  ): LineRule<Pick<Draft, "level" | "weight" | "cost">> => ({
    form: `${name}:number`,
    count: [1, 1],
    read: (draft, at, [value]) => {
      draft[name] = readInteger(at, value, { what: `the ${name}`, least: 0, most }) ?? 0;
    },
  });
  return {
    level: number("level", MAX_DEPTH),
    weight: number("weight", MAX_WEIGHT),
    cost: number("cost", MAX_COST),
    flags: flagsRule(flags),
    values: valuesRule(flags),
    ...codes.rules(unused),
    ...Object.fromEntries(TEXTS.map((type) => [type, keep(type)])),
  };
}

/**
 * Reads object.txt. Kinds inherit the flags of their types. The number of a kind is its position in the file. The sval
 * of a kind is its position among the kinds of its type. Both count from 1.
 */
export function parseGamedataKinds(report: FileReport, file: EditFile, context: GamedataContext): readonly KindSpec[] {
  const { flags, types, bases } = context;
  const bits = new FlagBits(flags.specs);
  const baseOf = new Map(bases.map((base) => [base.tval, base]));
  const unused = new UnusedLines(report);
  const rules = kindRules(types, itemRules(context, unused), { unused, svals: new Map() });
  const kinds: KindSpec[] = [];
  let flagCount = 0;
  for (const headed of readNames(report, file, readNoun)) {
    const { head, record } = headed;
    const draft = readRecord(report, headed, rules);
    if (!hasLine(report, record, ["type", "type:word"]) || head === undefined) continue;
    const base = baseOf.get(draft.tval);
    flagCount += draft.flags.size + (base?.flags.length ?? 0);
    if (flagCount > MAX_KIND_FLAGS) return reportFlags(report, record.head, flagCount);
    kinds.push(completeKind(draft, base, bits));
  }
  unused.warn();
  return kinds;
}

function readRecord(report: FileReport, { head, record }: Headed<Head>, rules: LineRules<Draft>): Draft {
  const draft: Draft = { ...headOr(head), ...blankKind() };
  readLines(report, record.lines, rules, draft);
  return draft;
}

function kindRules(
  types: TypeTable,
  shared: LineRules<Draft>,
  { unused, svals }: { readonly unused: UnusedLines; readonly svals: Map<number, number> },
): LineRules<Draft> {
  return {
    type: wholeRule("type:word", (draft, at, word) => {
      const type = word.text === NO_TYPE_WORD ? NO_TYPE : types.readWord(at, word);
      if (type === undefined) return;
      const sval = type === NO_TYPE ? 0 : (svals.get(type.tval) ?? 0) + 1;
      svals.set(type.tval, sval);
      if (sval <= MAX_SVAL) Object.assign(draft, { type, tval: type.tval, sval });
      else reportSvals(at, word.column);
    }),
    attack: {
      form: "attack:dice:to-hit:to-dam",
      count: [3, 3],
      read: (draft, at, [dice, hit, dam]) => {
        Object.assign(draft, readDice(at, dice));
        draft.toHit = readAmount(at, hit, "to-hit") ?? draft.toHit;
        draft.toDam = readAmount(at, dam, "to-dam") ?? draft.toDam;
      },
    },
    armor: {
      form: "armor:ac:to-ac",
      count: [2, 2],
      read: (draft, at, [ac, toAc]) => {
        draft.ac = readInteger(at, ac, { what: "the armour class", least: 0, most: MAX_AMOUNT }) ?? 0;
        draft.toAc = readAmount(at, toAc, "to-ac") ?? draft.toAc;
      },
    },
    alloc: allocationRule("alloc"),
    ...shared,
    ...unused.rules({
      charges: "Rollmill rolls no charges",
      pile: STACKING,
      pval: "Rollmill rolls no food values, no fuel and no multipliers of launchers",
    }),
  };
}

function reportSvals(at: Place, column: number): void {
  reportAt(at, { text: "", column }, "object.files", {
    problem: "too many kinds have this type",
    expected: `at most ${MAX_SVAL} kinds of a type`,
    remedy: "Divide the kinds between two types",
  });
}

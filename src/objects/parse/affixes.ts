import { didYouMean } from "../../errors/index.js";
import { type EditField, type EditFile, type EditLine, splitFields } from "../../formats/read/editFile.js";
import type { AffixSpec, AffixTarget, ThemeSpec } from "../types.js";
import type { FlagTable } from "./flags.js";
import { BALANCE, flagLines, type Version4Context } from "./items.js";
import {
  anyField,
  byNumber,
  type Draft,
  depths,
  descriptionLines,
  type Head,
  type Headed,
  hasCount,
  headsOf,
  integer,
  isNew,
  type LineRule,
  type LineRules,
  line,
  lines,
  MAX_CHANCE,
  MAX_NUMBER,
  MAX_SVAL,
  minimum,
  NO_POWERS,
  oneField,
  placeOf,
  randomValue,
  readHead,
  readLines,
  readName,
  readRecords,
  type TypeTable,
} from "./lines.js";
import { affixReader } from "./names.js";
import { type FileReport, type Place, type Read, reportAt, reportUnknown } from "./report.js";

interface NamedHead extends Head {
  readonly kind: "prefix" | "suffix";
  /** One of {@link AFFIX_CLASSES}; undefined if the line says only "prefix" or "suffix". */
  readonly affixClass?: string;
}

/** Classes of prefixes in the last form of version 4. An object gets at most one affix of each class. */
const AFFIX_CLASSES: readonly string[] = ["quality", "make", "material"];

/** Reads N lines of affixes, or of themes if `affix` is undefined. Only affixes may share numbers or have a class. */
function readNamedHeads(
  report: FileReport,
  file: EditFile,
  affix?: Pick<Version4Context, "isLast">,
): readonly Headed<NamedHead>[] {
  const numbers = new Map<number, number>();
  return headsOf<NamedHead>(report, file, "an N line", (at) => {
    if (!hasCount(at, { form: "N:number:prefix or suffix:name", count: [3, 3] })) return undefined;
    const [number, kind, name] = at.fields;
    const head = readHead(at, [number, name], affix === undefined ? numbers : new Map());
    if (kind.text === "prefix" || kind.text === "suffix") return head && { ...head, kind: kind.text };
    if (affix?.isLast && AFFIX_CLASSES.includes(kind.text))
      return head && { ...head, kind: "prefix", affixClass: kind.text };
    return reportAt(at, kind, "object.line", {
      problem: 'the second field is neither "prefix" nor "suffix"',
      expected: '"prefix" or "suffix"',
      ...didYouMean(kind.text, ["prefix", "suffix"], 'Write "prefix" or "suffix"'),
    });
  });
}

const leastSval = integer("the least sval", 0, MAX_SVAL);
const mostSval = integer("the greatest sval", 0, MAX_SVAL);

function areInOrder(at: Place, field: EditField, least: number, most: number): boolean {
  if (least <= most) return true;
  reportAt(at, field, "object.number", {
    problem: "the svals are reversed",
    got: `${least}:${most}`,
    expected: "the lesser sval first",
    remedy: "Swap the two svals",
  });
  return false;
}

/** The description is a list until all its lines are read. */
type AffixBody = Draft<Omit<AffixSpec, keyof NamedHead | "description">> & { readonly description: string[] };

export function parseAffixes(report: FileReport, file: EditFile, context: Version4Context) {
  const levels = readLevels(report, file.before);
  const named = distinct(report, readNamedHeads(report, { ...file, before: [] }, context));
  const readAffix = affixReader(named.flatMap(({ head }) => head ?? []));
  const classes = classMembers(report, named);
  const drafts = [...readRecords(report, named, affixRules(report, context, readAffix, levels), blankAffix)];
  const affixes = drafts.map(({ affixClass = "", ...affix }) => ({
    ...affix,
    flags: [...new Set(affix.flags)],
    excludes: [...affix.excludes, ...(classes.get(affixClass) ?? [])],
    description: affix.description.join(" "),
  }));
  return { affixes: affixes.sort(byNumber), readAffix, levels };
}

/** Maximum number of affixes in a class. Each affix stores all numbers of its class: memory grows with the square. */
const MAX_OF_CLASS = 1024;

function classMembers(report: FileReport, records: readonly Headed<NamedHead>[]) {
  const members = new Map<string, number[]>();
  for (const { head, record } of records) {
    if (head?.affixClass === undefined) continue;
    const own = members.get(head.affixClass) ?? [];
    members.set(head.affixClass, own);
    if (own.length < MAX_OF_CLASS) own.push(head.number);
    else {
      report.add("object.files", record.head, {
        problem: `too many affixes have the class ${head.affixClass}`,
        expected: `at most ${MAX_OF_CLASS} affixes`,
        remedy: 'Write "prefix" instead of the class in some of these affixes',
      });
      return members;
    }
  }
  return members;
}

/** The affix levels of files without a line `D:levels`. No object rolls the last level; callers must request it. */
export const LEVELS: readonly string[] = ["good", "great", "uber", "artifact"];

/** Maximum number of affix levels. A plan stores a level in one byte, the kernel in 16 bits. */
const MAX_LEVELS = 255;

function readLevels(report: FileReport, before: readonly EditLine[]): readonly string[] {
  const draft: { levels: readonly string[] } = { levels: LEVELS };
  const rule: LineRule<typeof draft> = line(
    "D:levels:lowest | … | highest",
    [anyField, anyField],
    (own, [what, list], at) => {
      if (what.text === "levels") own.levels = readLevelNames(at, list) ?? own.levels;
      else {
        reportAt(at, what, "object.line", {
          problem: "unknown default",
          expected: 'levels, as in "D:levels:good | great"',
          ...didYouMean(what.text, ["levels"], "Move the line into a record, or remove it"),
        });
      }
    },
  );
  readLines(report, before, { D: rule }, draft);
  return draft.levels;
}

function readLevelNames(at: Place, list: EditField): readonly string[] | undefined {
  const fields = splitFields(list.text, "|", list.column);
  if (fields.length > MAX_LEVELS) {
    return reportAt(at, list, "object.files", {
      problem: "the file has too many affix levels",
      got: fields.length,
      expected: `at most ${MAX_LEVELS} levels`,
      remedy: "Remove some levels",
    });
  }
  const names = new Set<string>();
  for (const field of fields) {
    const name = readName(at, field);
    if (name === undefined) return undefined;
    if (names.has(name)) {
      reportAt(at, field, "object.duplicate", {
        problem: "this affix level is listed twice",
        expected: "each level once",
        remedy: "Remove one of the two",
      });
    }
    names.add(name);
  }
  return [...names];
}

/** Warns of repeated numbers (real files have them): each becomes the greatest number + 1. Refuses repeated names. */
function distinct(report: FileReport, records: readonly Headed<NamedHead>[]): readonly Headed<NamedHead>[] {
  const lineOf = new Map<string, number>();
  const taken = new Set<number>();
  let greatest = records.reduce((most, { head }) => Math.max(most, head?.number ?? 0), 0);
  return records.map(({ head, record }) => {
    if (head === undefined) return { head, record };
    const { line: own, fields } = record.head;
    const name = { what: "name", of: "affixes", key: head.name, remedy: "Rename the affix" };
    if (!isNew(report, lineOf, { line: own, column: fields[2].column }, name)) return { head: undefined, record };
    if (!taken.has(head.number)) {
      taken.add(head.number);
      return { head, record };
    }
    greatest++;
    const isFree = greatest <= MAX_NUMBER;
    const place = { line: own, column: fields[0].column };
    report[isFree ? "warn" : "add"]("object.duplicate", place, {
      problem: `two affixes have this number${isFree ? "" : ", and no larger number is free"}`,
      got: head.number,
      expected: "a different number for each affix",
      remedy: `Renumber the affix${isFree ? `. Until then, its number is ${greatest}` : ""}`,
    });
    return { head: isFree ? { ...head, number: greatest } : undefined, record };
  });
}

export function blankAffix(): AffixBody {
  return {
    ...NO_POWERS,
    acPercent: 0,
    weightPercent: 0,
    dice: 0,
    sides: 0,
    least: { toHit: undefined, toDam: undefined, toAc: undefined },
    flags: [],
    removes: [],
    pvals: [],
    randomFlags: [],
    randomPvals: [],
    targets: [],
    excludes: [],
    colour: undefined,
    description: [],
  };
}

function affixRules(
  report: FileReport,
  { flags, types, isLast }: Version4Context,
  readAffix: Read<number>,
  levels: readonly string[],
): LineRules<AffixBody> {
  return {
    C: combat(isLast),
    M: minimumLine("M"),
    ...valueLines(flags),
    T: targetLine(report, { types, isLast }, levels),
    X: lines("X:affix", [readAffix], ({ excludes }, [affix]) => excludes.push(affix)),
    G: oneField("G:colour", "colour", readColour),
    D: descriptionLines("D"),
  };
}

function combat(isLast: boolean): LineRule<AffixBody> {
  const percent = (what: string) => integer(what, -100, 1000);
  const added = (what: string) => integer(what, -255, 255);
  const balance = isLast ? [anyField, anyField] : [];
  return line(
    "C:to-hit:to-dam:to-ac[:base ac %[:weight %[:dice[:sides]]]]",
    [randomValue("to-hit"), randomValue("to-dam"), randomValue("to-ac")],
    (draft, [toHit, toDam, toAc, acPercent = 0, weightPercent = 0, dice = 0, sides = 0, ...more], at) => {
      if (more.length > 0) at.report.unused(at, ...BALANCE);
      Object.assign(draft, { toHit, toDam, toAc, acPercent, weightPercent, dice, sides });
    },
    [percent("the base ac %"), percent("the weight %"), added("the dice"), added("the sides"), ...balance],
  );
}

export function minimumLine(type: string): LineRule<Pick<AffixBody, "least">> {
  return line(
    `${type}:least to-hit:least to-dam:least to-ac`,
    [minimum("the least to-hit"), minimum("the least to-dam"), minimum("the least to-ac")],
    (draft, [hit, dam, ac]) => {
      draft.least = { toHit: hit.least, toDam: dam.least, toAc: ac.least };
    },
  );
}

function valueLines(flags: FlagTable): LineRules<AffixBody> {
  const count = integer("the number of flags", 1, 255);
  const value = randomValue("the pval");
  const least = minimum("the least pval");
  const random = (form: string, list: Read<readonly string[]>): LineRule<AffixBody> =>
    lines(form, [count, list], ({ randomFlags }, [many, names]) => randomFlags.push({ count: many, flags: names }));
  return {
    F: flagLines("F", flags),
    L: lines("L:pval:least:flag | flag", [value, least, flags.list("valued")], ({ pvals }, [pval, low, names]) =>
      pvals.push({ value: pval, ...low, flags: names }),
    ),
    R: random("R:count:flag type | flag type", flags.ofTypes("plain")),
    R2: random("R2:count:flag | flag", flags.list("plain")),
    Z: lines(
      "Z:count:pval:least:flag type | flag type",
      [count, value, least, flags.ofTypes("valued")],
      ({ randomPvals }, [many, pval, low, names]) =>
        randomPvals.push({ count: many, value: pval, ...low, flags: names }),
    ),
  };
}

/** Limits the work: each `T` line is compared with the others of its affix, at each depth and for each sval range. */
const MAX_TARGETS = 2 ** 16;

/** Returns a function that adds a target, and reports the first one beyond {@link MAX_TARGETS}. */
export function targetCounter(report: FileReport, what: string) {
  let count = 0;
  return <T>(targets: T[], target: T, at: EditLine): void => {
    count++;
    if (count <= MAX_TARGETS) targets.push(target);
    else if (count === MAX_TARGETS + 1) {
      report.add("object.files", at, {
        problem: `the file has too many ${what}`,
        got: count,
        expected: `at most ${MAX_TARGETS} lines`,
        remedy: `Remove this line and the ${what} after it`,
      });
    }
  };
}

/** Levels that T lines can name in the last form of version 4. No object has so low a level. */
const LOW_LEVELS = ["bad", "average"];

function targetLine(
  report: FileReport,
  { types, isLast }: Pick<Version4Context, "types" | "isLast">,
  levels: readonly string[],
): LineRule<AffixBody> {
  const add = targetCounter(report, "T lines");
  const affixLevel: Read<number> = (at, field) => {
    const known = levels.indexOf(field.text);
    if (known >= 0) return known;
    if (isLast && LOW_LEVELS.includes(field.text)) {
      const why = "Objects never have this level, so the line gets the lowest affix level";
      at.report.unused(at, `the level ${field.text} has no effect`, why);
      return 0;
    }
    return reportUnknown(at, field, {
      problem: "unknown affix level",
      expected: `one of ${levels.join(", ")}`,
      ...didYouMean(field.text, levels, 'Write one of these, or add the level to the line "D:levels"'),
    });
  };
  return lines(
    `T:tval word:least sval:greatest sval:${levels.join(" or ")}:probability:min to max`,
    [types.word, leastSval, mostSval, affixLevel, integer("the probability", 0, MAX_CHANCE), depths],
    ({ targets }, [{ tval }, low, high, own, probability, range], at) => {
      if (!areInOrder(at, at.fields[2], low, high)) return;
      const place = placeOf(at);
      const line: AffixTarget = { place, tval, leastSval: low, mostSval: high, level: own, probability, ...range };
      add(targets, line, at);
    },
  );
}

const readColour: Read<string> = (at, field) =>
  /^\p{Letter}[\p{Letter} -]{0,31}$/u.test(field.text)
    ? field.text
    : reportAt(at, field, "object.line", {
        problem: "invalid colour",
        expected: "a letter, or a name of up to 32 letters, blanks and hyphens",
        remedy: 'Write a colour such as "v" or "light blue"',
      });

/** Maximum weight of a line of a theme. The sum of a theme's weights must fit in 32 bits in the kernel. */
const MAX_THEME_WEIGHT = 1000;

type ThemeBody = Draft<Omit<ThemeSpec, keyof NamedHead | "description">> & { readonly description: string[] };

export function parseThemes(
  report: FileReport,
  file: EditFile,
  context: Parameters<typeof themeRules>[0],
): readonly ThemeSpec[] {
  const blank = (): ThemeBody => ({ targets: [], parts: [], description: [] });
  const drafts = [...readRecords(report, readNamedHeads(report, file), themeRules(context), blank)];
  return drafts.map((draft) => ({ ...draft, description: draft.description.join(" ") })).sort(byNumber);
}

function themeRules({ types, readAffix }: { types: TypeTable; readAffix: Read<number> }): LineRules<ThemeBody> {
  return {
    T: lines(
      "T:tval word:least sval:greatest sval:min to max",
      [types.word, leastSval, mostSval, depths],
      ({ targets }, [{ tval }, low, high, range], at) => {
        if (!areInOrder(at, at.fields[2], low, high)) return;
        targets.push({ place: placeOf(at), tval, leastSval: low, mostSval: high, ...range });
      },
    ),
    A: lines(
      "A:affix:weight[:chance %]",
      [readAffix, integer("the weight", 0, MAX_THEME_WEIGHT)],
      ({ parts }, [affix, weight, chance = 100], at) => parts.push({ place: placeOf(at), affix, weight, chance }),
      [integer("the chance %", 0, 100)],
    ),
    D: descriptionLines("D"),
  };
}

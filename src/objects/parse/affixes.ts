import { didYouMean } from "../../errors/index.js";
import {
  type EditField,
  type EditFile,
  type EditLine,
  type EditRecord,
  splitFields,
} from "../../formats/read/editFile.js";
import type {
  AffixSpec,
  AffixTarget,
  PvalSpec,
  RandomFlags,
  RandomPvals,
  ThemePart,
  ThemeSpec,
  ThemeTarget,
} from "../types.js";
import type { FlagTable } from "./flags.js";
import { BALANCE, MAX_CHANCE } from "./kinds.js";
import {
  addRead,
  constant,
  flagRule,
  type Headed,
  type LineRule,
  type LineRules,
  MAX_NUMBER,
  type NamedHead,
  NO_NAMED_HEAD,
  readDepths,
  readInteger,
  readLeast,
  readLines,
  readName,
  readNamedHeads,
  readRandomValue,
  readSvals,
  textRule,
} from "./records.js";
import { type FileReport, type Place, placeOf, reportAt, reportUnknown } from "./report.js";
import type { TypeTable } from "./tvals.js";
import type { UnusedLines } from "./unused.js";

interface AffixContext {
  readonly flags: FlagTable;
  readonly types: TypeTable;
  readonly levels: readonly string[];
  /** Counts lines without an effect. Set only for the last form of version 4. */
  readonly last: UnusedLines | undefined;
}

type Draft = { -readonly [K in keyof Omit<AffixSpec, keyof Lists>]: AffixSpec[K] } & Lists;

interface Lists {
  readonly flags: Set<string>;
  readonly removes: string[];
  readonly pvals: PvalSpec[];
  readonly randomFlags: RandomFlags[];
  readonly randomPvals: RandomPvals[];
  readonly targets: AffixTarget[];
  readonly excludes: number[];
  readonly description: string[];
}

export function parseAffixes(
  report: FileReport,
  file: EditFile,
  shared: Omit<AffixContext, "levels">,
): { readonly affixes: readonly AffixSpec[]; readonly names: AffixNames; readonly levels: readonly string[] } {
  const levels = readLevels(report, file.before);
  const context = { ...shared, levels };
  const heads = readAffixHeads(report, file, shared.last !== undefined);
  const records = withNumbersOnce(report, withNamesOnce(report, heads));
  const names = new AffixNames(records.flatMap(({ head }) => head ?? []));
  const rules = affixRules(report, { ...context, names });
  const classes = classMembers(report, records);
  const affixes: AffixSpec[] = [];
  for (const headed of records) {
    const { affixClass, ...affix } = readRecord(report, headed, rules);
    const rivals = classes.get(affixClass ?? "") ?? [];
    if (headed.head !== undefined) affixes.push({ ...affix, excludes: [...affix.excludes, ...rivals] });
  }
  shared.last?.warn();
  return { affixes: affixes.sort((a, b) => a.number - b.number), names, levels };
}

function readAffixHeads(report: FileReport, file: EditFile, hasClasses: boolean): readonly Headed<NamedHead>[] {
  return readNamedHeads(report, { ...file, before: [] }, { mayShare: true, hasClasses });
}

/**
 * Maximum number of affixes in a class, such as "material". Each affix stores the numbers of all affixes in its class,
 * so a short file could otherwise need gigabytes.
 */
const MOST_OF_CLASS = 1024;

/** Maps each class to the numbers of its affixes. An object gets at most one affix of each class. */
function classMembers(
  report: FileReport,
  records: readonly Headed<NamedHead>[],
): ReadonlyMap<string, readonly number[]> {
  const members = new Map<string, number[]>();
  for (const { head, record } of records) {
    if (head?.affixClass === undefined) continue;
    const own = members.get(head.affixClass) ?? [];
    members.set(head.affixClass, own);
    if (own.length < MOST_OF_CLASS) own.push(head.number);
    else {
      report.add("object.files", record.head, {
        problem: `too many affixes have the type ${head.affixClass}`,
        expected: `at most ${MOST_OF_CLASS} affixes`,
        remedy: "Make some of them prefixes",
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

/** Reads the lines before the first affix: at most one line `D:levels:lowest | … | highest`. */
function readLevels(report: FileReport, lines: readonly EditLine[]): readonly string[] {
  const draft: { levels: readonly string[] } = { levels: LEVELS };
  const rule: LineRule<typeof draft> = {
    form: "D:levels:lowest | … | highest",
    count: [2, 2],
    read: (own, at, [what, list]) => {
      if (what.text === "levels") own.levels = readLevelNames(at, list) ?? own.levels;
      else {
        reportAt(at, what, "object.line", {
          problem: "unknown default",
          got: what.text,
          expected: 'levels, as in "D:levels:good | great"',
          ...didYouMean(what.text, ["levels"], "Write the line in a record, or remove it"),
        });
      }
    },
  };
  readLines(report, lines, { D: rule }, draft);
  return draft.levels;
}

function readLevelNames(at: Place, list: EditField): readonly string[] | undefined {
  const fields = splitFields(list.text, "|", list.column);
  if (fields.length > MAX_LEVELS) {
    reportAt(at, list, "object.files", {
      problem: "the file has too many affix levels",
      got: fields.length,
      expected: `at most ${MAX_LEVELS} levels`,
      remedy: "Remove some levels",
    });
    return undefined;
  }
  const names = new Set<string>();
  for (const field of fields) {
    const name = readName(at, field);
    if (name === undefined) return undefined;
    if (names.has(name)) {
      reportAt(at, field, "object.duplicate", {
        problem: "this affix level is listed twice",
        got: name,
        expected: "each level once",
        remedy: "Remove one of the two",
      });
    }
    names.add(name);
  }
  return [...names];
}

/**
 * Reports an affix if an earlier affix has the same name, because other records refer to affixes by name. Sets the head
 * of the reported affix to undefined. The parser skips affixes without a head.
 */
function withNamesOnce(report: FileReport, records: readonly Headed<NamedHead>[]): readonly Headed<NamedHead>[] {
  const lines = new Map<string, number>();
  return records.map(({ head, record }) => {
    const earlier = head === undefined ? undefined : lines.get(head.name);
    if (head !== undefined && earlier === undefined) lines.set(head.name, record.head.line);
    if (head === undefined || earlier === undefined) return { head, record };
    report.add(
      "object.duplicate",
      { line: record.head.line, column: record.head.fields[2].column },
      {
        problem: "two affixes have this name",
        got: head.name,
        expected: `a name that differs from the name in line ${earlier}`,
        remedy: "Rename the affix",
      },
    );
    return { head: undefined, record };
  });
}

/**
 * Gives every record a unique number. Real files repeat numbers, because the game identifies affixes by name. If two
 * records share a number, the second gets the file's greatest number plus one, and a warning.
 */
function withNumbersOnce(report: FileReport, records: readonly Headed<NamedHead>[]): readonly Headed<NamedHead>[] {
  let greatest = records.reduce((most, { head }) => Math.max(most, head?.number ?? 0), 0);
  const taken = new Set<number>();
  return records.map(({ head, record }) => {
    if (head === undefined) return { head, record };
    if (!taken.has(head.number)) {
      taken.add(head.number);
      return { head, record };
    }
    greatest++;
    if (greatest > MAX_NUMBER) return { head: reportNumberless(report, record, head.number), record };
    report.warn(
      "object.duplicate",
      { line: record.head.line, column: record.head.fields[0].column },
      {
        problem: "two affixes have this number",
        got: head.number,
        expected: "a different number for each affix",
        remedy: `Renumber the affix. Until then, its number is ${greatest}`,
      },
    );
    return { head: { ...head, number: greatest }, record };
  });
}

/** Reports an affix with a number that is already taken, if no greater number is free. */
function reportNumberless(report: FileReport, { head: { line, fields } }: EditRecord, number: number): undefined {
  report.add(
    "object.duplicate",
    { line, column: fields[0].column },
    {
      problem: "two affixes have this number, and no larger number is free",
      got: number,
      expected: "a different number for each affix",
      remedy: "Renumber the affix",
    },
  );
}

interface BodyContext extends AffixContext {
  readonly names: AffixNames;
}

function readRecord(
  report: FileReport,
  { head, record }: Headed<NamedHead>,
  rules: LineRules<Draft>,
): AffixSpec & Pick<NamedHead, "affixClass"> {
  const none = constant(0);
  const draft: Draft = {
    ...(head ?? NO_NAMED_HEAD),
    toHit: none,
    toDam: none,
    toAc: none,
    acPercent: 0,
    weightPercent: 0,
    dice: 0,
    sides: 0,
    least: { toHit: undefined, toDam: undefined, toAc: undefined },
    flags: new Set(),
    removes: [],
    pvals: [],
    randomFlags: [],
    randomPvals: [],
    targets: [],
    excludes: [],
    colour: undefined,
    description: [],
  };
  readLines(report, record.lines, rules, draft);
  return { ...draft, flags: [...draft.flags], description: draft.description.join(" ") };
}

function affixRules(report: FileReport, context: BodyContext): LineRules<Draft> {
  return {
    ...combat(context.last),
    ...flagLines(context),
    T: target(context, report),
    X: {
      form: "X:affix",
      count: [1, 1],
      repeats: true,
      read: (draft, at, [affix]) => addRead(draft.excludes, context.names.read(at, affix)),
    },
    G: { form: "G:colour", count: [1, 1], read: (draft, at, [colour]) => readColour(at, colour, draft) },
    D: DESCRIPTION,
  };
}

const DESCRIPTION = textRule<Pick<Lists, "description">>("D:text", ({ description }, text) => {
  description.push(text.trim());
});

/** Maximum number of fields of a C line in the last form of version 4. Balance and heft are two of the fields. */
const MOST_COMBAT = 9;

function combat(last: UnusedLines | undefined): LineRules<Draft> {
  const percent = (what: string) => ({ what, least: -100, most: 1000 });
  const added = (what: string) => ({ what, least: -255, most: 255 });
  const values: LineRule<Draft> = {
    form: "C:to-hit:to-dam:to-ac[:base ac %[:weight %[:dice[:sides]]]]",
    count: [3, last === undefined ? 7 : MOST_COMBAT],
    read: (draft, at, [hit, dam, ac, ...more], line) => {
      draft.toHit = readRandomValue(at, hit, "to-hit") ?? draft.toHit;
      draft.toDam = readRandomValue(at, dam, "to-dam") ?? draft.toDam;
      draft.toAc = readRandomValue(at, ac, "to-ac") ?? draft.toAc;
      const ranges = [percent("the base ac %"), percent("the weight %"), added("the dice"), added("the sides")];
      if (more.length > ranges.length) last?.add(line, ...BALANCE);
      const numbers = more.slice(0, ranges.length).map((field, i) => readInteger(at, field, ranges[i]));
      const [acPercent = 0, weightPercent = 0, dice = 0, sides = 0] = numbers;
      Object.assign(draft, { acPercent, weightPercent, dice, sides });
    },
  };
  const minima: LineRule<Draft> = {
    form: "M:least to-hit:least to-dam:least to-ac",
    count: [3, 3],
    read: (draft, at, [hit, dam, ac]) => {
      draft.least = {
        toHit: readLeast(at, hit, "the least to-hit")?.least,
        toDam: readLeast(at, dam, "the least to-dam")?.least,
        toAc: readLeast(at, ac, "the least to-ac")?.least,
      };
    },
  };
  return { C: values, M: minima };
}

function flagLines({ flags }: BodyContext): LineRules<Draft> {
  const random = (
    form: string,
    read: (at: Place, list: Parameters<FlagTable["readFlags"]>[1]) => readonly string[],
  ) => ({
    form,
    count: [2, 2] as const,
    repeats: true as const,
    read: (draft: Draft, at: Place, [many, list]: Parameters<LineRule<Draft>["read"]>[2]) => {
      const count = readCount(at, many);
      const names = read(at, list);
      if (count !== undefined) draft.randomFlags.push({ count, flags: names });
    },
  });
  return {
    F: flagRule(flags),
    L: {
      form: "L:pval:least:flag | flag",
      count: [3, 3],
      repeats: true,
      read: (draft, at, [pval, low, list]) => {
        const value = readRandomValue(at, pval, "the pval");
        const least = readLeast(at, low, "the least pval");
        const names = flags.readFlags(at, list, "valued");
        if (value !== undefined && least !== undefined) draft.pvals.push({ value, ...least, flags: names });
      },
    },
    R: random("R:count:flag type | flag type", (at, list) => flags.readTypes(at, list, "plain")),
    R2: random("R2:count:flag | flag", (at, list) => flags.readFlags(at, list, "plain")),
    Z: {
      form: "Z:count:pval:least:flag type | flag type",
      count: [4, 4],
      repeats: true,
      read: (draft, at, [many, pval, low, list]) => {
        const count = readCount(at, many);
        const value = readRandomValue(at, pval, "the pval");
        const least = readLeast(at, low, "the least pval");
        const names = flags.readTypes(at, list, "valued");
        if (count === undefined || value === undefined || least === undefined) return;
        draft.randomPvals.push({ count, value, ...least, flags: names });
      },
    },
  };
}

function readCount(at: Place, field: Parameters<typeof readInteger>[1]): number | undefined {
  return readInteger(at, field, { what: "the number of flags", least: 1, most: 255 });
}

/**
 * Maximum number of `T` lines in all affixes together. Each line is compared with the other lines of its affix, at each
 * depth and for each range of svals.
 */
export const MAX_TARGETS = 2 ** 16;

/** Levels that T lines can name in the last form of version 4. No object has so low a level. */
const LOW_LEVELS = ["bad", "average"];
const LOW_LEVEL_REASON = "Objects never have this level, so the line gets the lowest affix level";

function target({ types, levels, last }: BodyContext, report: FileReport): LineRule<Draft> {
  let lines = 0;
  return {
    form: `T:tval word:least sval:greatest sval:${levels.join(" or ")}:probability:min to max`,
    count: [6, 6],
    repeats: true,
    read: (draft, at, [word, low, high, levelName, often, range], line) => {
      const tval = types.readWord(at, word)?.tval;
      const svals = readSvals(at, [low, high]);
      const isLow = last !== undefined && LOW_LEVELS.includes(levelName.text) && !levels.includes(levelName.text);
      if (isLow) last.add(line, `the level ${levelName.text} has no effect`, LOW_LEVEL_REASON);
      const level = isLow ? 0 : levels.indexOf(levelName.text);
      if (level < 0) {
        reportUnknown(at, levelName, {
          code: "object.name",
          problem: "unknown affix level",
          describe: () => ({
            expected: `one of ${levels.join(", ")}`,
            ...didYouMean(levelName.text, levels, "Write one of these, or add it to the line D:levels"),
          }),
        });
      }
      const probability = readInteger(at, often, { what: "the probability", least: 0, most: MAX_CHANCE });
      const depths = readDepths(at, range);
      if (tval === undefined || svals === undefined || level < 0) return;
      if (probability === undefined || depths === undefined) return;
      lines++;
      if (lines <= MAX_TARGETS) {
        draft.targets.push({ place: placeOf(report, line), tval, ...svals, level, probability, ...depths });
      } else if (lines === MAX_TARGETS + 1) {
        report.add("object.files", line, {
          problem: "the affixes have too many T lines",
          got: lines,
          expected: `at most ${MAX_TARGETS} lines`,
          remedy: "Remove this T line and the T lines after it",
        });
      }
    },
  };
}

function readColour(at: Place, field: Parameters<typeof readInteger>[1], draft: Draft): void {
  if (/^\p{Letter}[\p{Letter} -]{0,31}$/u.test(field.text)) {
    draft.colour = field.text;
    return;
  }
  reportAt(at, field, "object.line", {
    problem: "invalid colour",
    got: field.text,
    expected: "a letter, or a name of up to 32 letters, blanks and hyphens",
    remedy: 'Write a colour such as "v" or "light blue"',
  });
}

export class AffixNames {
  readonly #byName: ReadonlyMap<string, number>;
  /** Maps each name in lower case to its affix. If names differ only in case, maps to undefined. */
  readonly #byAnyCase = new Map<string, number | undefined>();
  readonly #numbers: ReadonlySet<number>;

  constructor(affixes: Iterable<{ readonly number: number; readonly name: string }>) {
    const all = [...affixes];
    this.#byName = new Map(all.map(({ name, number }) => [name, number]));
    this.#numbers = new Set(this.#byName.values());
    for (const [name, number] of this.#byName) {
      const key = name.toLowerCase();
      this.#byAnyCase.set(key, this.#byAnyCase.has(key) ? undefined : number);
    }
  }

  /**
   * Reads the name or the number of an affix. A name may be written in another case, unless names differ only in case.
   * Returns the number of the affix, or reports an unknown affix and returns undefined.
   */
  read(at: Place, field: EditField): number | undefined {
    const named = this.#byName.get(field.text) ?? this.#byAnyCase.get(field.text.toLowerCase());
    const number = named ?? (/^\d{1,5}$/.test(field.text) ? Number(field.text) : undefined);
    if (number !== undefined && this.#numbers.has(number)) return number;
    reportUnknown(at, field, {
      code: "object.name",
      problem: "unknown affix",
      describe: () => ({
        expected: "the name or the number of an affix",
        ...didYouMean(field.text, this.#byName.keys(), "Add the affix to ego_item.txt, or name another affix"),
      }),
    });
    return undefined;
  }
}

/** The largest weight of an `A` line. The sum of a theme's weights must fit in 32 bits in the kernel. */
const MAX_THEME_WEIGHT = 1000;

export function parseThemes(
  report: FileReport,
  file: EditFile,
  context: { readonly types: TypeTable; readonly names: AffixNames },
): readonly ThemeSpec[] {
  const rules = themeRules(report, context);
  const themes: ThemeSpec[] = [];
  for (const { head, record } of readNamedHeads(report, file)) {
    const body = readThemeBody(report, record, rules);
    if (head !== undefined) themes.push({ ...head, ...body });
  }
  return themes.sort((a, b) => a.number - b.number);
}

interface ThemeDraft {
  readonly targets: ThemeTarget[];
  readonly parts: ThemePart[];
  readonly description: string[];
}

function readThemeBody(
  report: FileReport,
  record: EditRecord,
  rules: LineRules<ThemeDraft>,
): Omit<ThemeSpec, keyof NamedHead> {
  const draft: ThemeDraft = { targets: [], parts: [], description: [] };
  readLines(report, record.lines, rules, draft);
  return { ...draft, description: draft.description.join(" ") };
}

function themeRules(
  report: FileReport,
  { types, names }: { readonly types: TypeTable; readonly names: AffixNames },
): LineRules<ThemeDraft> {
  return {
    T: {
      form: "T:tval word:least sval:greatest sval:min to max",
      count: [4, 4],
      repeats: true,
      read: (draft, at, [word, low, high, range], line) => {
        const tval = types.readWord(at, word)?.tval;
        const svals = readSvals(at, [low, high]);
        const depths = readDepths(at, range);
        if (tval === undefined || svals === undefined || depths === undefined) return;
        draft.targets.push({ place: placeOf(report, line), tval, ...svals, ...depths });
      },
    },
    A: {
      form: "A:affix:weight[:chance %]",
      count: [2, 3],
      repeats: true,
      read: (draft, at, [name, heavy, likely], line) => {
        const affix = names.read(at, name);
        const weight = readInteger(at, heavy, { what: "the weight", least: 0, most: MAX_THEME_WEIGHT });
        const range = { what: "the chance %", least: 0, most: 100 };
        const chance = likely === undefined ? 100 : readInteger(at, likely, range);
        if (affix === undefined || weight === undefined || chance === undefined) return;
        draft.parts.push({ place: placeOf(report, line), affix, weight, chance });
      },
    },
    D: DESCRIPTION,
  };
}

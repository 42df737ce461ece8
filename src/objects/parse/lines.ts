import { didYouMean } from "../../errors/index.js";
import type { EditField, EditFile, EditLine, EditRecord } from "../../formats/read/editFile.js";
import { MAX_DEPTH } from "../law/constants.js";
import { MAX_M_BONUS } from "../law/mBonus.js";
import { comparable, NO_TVAL, NO_TYPE, TYPES } from "../law/tvals.js";
import type { DepthRange, FilePlace, ItemSpec, RandomValue, TypeSpec } from "../types.js";
import { type FileReport, type LineAt, type Place, type Read, reportAt, reportUnknown } from "./report.js";

export const MAX_NUMBER = 65_535;
/** Maximum number of records in a file. Indices have 16 bits, and 0 and 65,535 stand for 'no record'. */
const MAX_RECORDS = 65_534;

type Readers<T extends readonly unknown[]> = readonly [...{ readonly [K in keyof T]: Read<T[K]> }];

/** A record while its lines are read. Its flags may repeat. */
export type Draft<Spec> = {
  -readonly [K in keyof Spec]: K extends "text"
    ? Record<string, string[]>
    : Spec[K] extends readonly (infer T)[]
      ? T[]
      : Spec[K];
};

export interface LineRule<D> {
  readonly form: string;
  readonly count: readonly [least: number, most: number];
  readonly repeats?: true;
  readonly read: (draft: D, at: LineAt) => void;
}

export type LineRules<D> = Readonly<Record<string, LineRule<D>>>;

const ANY_COUNT = [1, Number.POSITIVE_INFINITY] as const;

/** Returns the rule for a line. If all fields are valid, `keep` gets their values. Optional fields may be missing. */
/* @__NO_SIDE_EFFECTS__ */
export function line<D, T extends readonly unknown[], R extends readonly unknown[] = []>(
  form: string,
  readers: Readers<T>,
  keep: (draft: D, values: readonly [...T, ...Partial<R>], at: LineAt) => void,
  optional?: Readers<R>,
): LineRule<D> {
  const all: readonly Read<unknown>[] = [...readers, ...(optional ?? [])];
  const read = (draft: D, at: LineAt) => {
    const values = at.fields.map((field, i) => all[i](at, field));
    // the cast is safe: each reader returned a value
    if (!values.includes(undefined)) keep(draft, values as unknown as readonly [...T, ...Partial<R>], at);
  };
  return { form, count: [readers.length, all.length], read };
}

/** Like {@link line}, but a record may have several lines of this type. */
/* @__NO_SIDE_EFFECTS__ */
export function lines<D, T extends readonly unknown[], R extends readonly unknown[] = []>(
  ...rule: Parameters<typeof line<D, T, R>>
): LineRule<D> {
  return { ...line(...rule), repeats: true };
}

/** Returns the rule for lines with one field, which becomes `draft[key]`. */
/* @__NO_SIDE_EFFECTS__ */
export function oneField<K extends string, T>(form: string, key: K, read: Read<T>): LineRule<Record<K, T | undefined>> {
  return line(form, [read], (draft, [value]) => {
    draft[key] = value;
  });
}

/** Returns the rule for lines whose whole text after the first colon is one field. */
export function wholeLine<D, T>(form: string, read: Read<T>, keep: (draft: D, value: T, at: LineAt) => void) {
  const readRest = (draft: D, at: LineAt) => {
    const value = read(at, restOf(at));
    if (value !== undefined) keep(draft, value, at);
  };
  return { form, count: ANY_COUNT, read: readRest };
}

export function wholeLines<D, T>(...rule: Parameters<typeof wholeLine<D, T>>): LineRule<D> {
  return { ...wholeLine(...rule), repeats: true };
}

export function restOf({ rest, type, column }: EditLine): EditField {
  const text = rest.trim();
  const lead = text === "" ? 0 : rest.length - rest.trimStart().length;
  return { text, column: column + type.length + 1 + lead };
}

function textLines<D>(form: string, keep: (draft: D, text: string, at: LineAt) => void): LineRule<D> {
  return { form, count: ANY_COUNT, repeats: true, read: (draft, at) => keep(draft, at.rest, at) };
}

/** Returns rules for lines that a record keeps as text: `D` lines, for example, in the list `text.D`. */
export function keptLines(types: readonly string[]): LineRules<Pick<Draft<ItemSpec>, "text">> {
  return rulesOf(types, (type) =>
    textLines(`${type}:text`, ({ text }, own) => {
      text[type] ??= [];
      text[type].push(own);
    }),
  );
}

/** Returns rules for lines that have no effect. The report gets one warning for each type. */
export function unusedLines(types: readonly string[], why: string): LineRules<unknown> {
  return rulesOf(types, (type) =>
    textLines(`${type}:…`, (_, __, at) => at.report.unused(at, `lines that begin with "${type}:" have no effect`, why)),
  );
}

function rulesOf<D>(types: readonly string[], ruleOf: (type: string) => LineRule<D>): LineRules<D> {
  return Object.fromEntries(types.map((type) => [type, ruleOf(type)]));
}

export function descriptionLines(type: string): LineRule<{ description: string[] }> {
  return textLines(`${type}:text`, ({ description }, text) => description.push(text.trim()));
}

export const anyField: Read<EditField> = (_, field) => field;

export function byNumber(a: { readonly number: number }, b: { readonly number: number }): number {
  return a.number - b.number;
}

/** Reads the lines of a record into its draft. Reports and skips lines that the rules do not allow. */
export function readLines<D>(report: FileReport, all: readonly EditLine[], rules: LineRules<D>, draft: D): void {
  const seen = new Set<string>();
  for (const own of all) {
    if (report.isFull) return;
    const rule = Object.hasOwn(rules, own.type) ? rules[own.type] : undefined;
    if (rule === undefined || own.fields.length === 0) {
      const forms = Object.values(rules).map(({ form }) => `"${form}"`);
      report.add("object.line", own, {
        problem: own.fields.length === 0 ? "the line has no colon" : "unknown type of line",
        got: own.type,
        expected: `one of ${forms.join(", ")}`,
        remedy: 'Write a line of one of these forms, or begin the line with "#" to make it a comment',
      });
    } else if (seen.has(own.type) && rule.repeats === undefined) {
      report.add("object.duplicate", own, {
        problem: `the record has a second ${own.type} line`,
        got: own.rest,
        expected: `one ${own.type} line`,
        remedy: "Remove one of the two lines",
      });
    } else {
      const at = { ...own, report };
      if (!hasCount(at, rule)) continue;
      seen.add(own.type);
      rule.read(draft, at);
    }
  }
}

export function hasCount(at: LineAt, { form, count }: Pick<LineRule<never>, "form" | "count">): boolean {
  const [least, most] = count;
  const got = at.fields.length;
  if (got >= least && got <= most) return true;
  const fields = most === 1 ? "one field" : `${least === most ? least : `${least} to ${most}`} fields`;
  at.report.add("object.line", at, {
    problem: `the ${at.type} line has ${got === 1 ? "one field" : `${got} fields`}`,
    got: at.rest,
    // points at the first extra field, or at the end of the line if a field is missing
    flawAt: got < least ? at.rest.length : at.rest.split(":", most).join(":").length + 1,
    expected: `${fields}, in the form "${form}"`,
    remedy: got < least ? "Add the missing fields" : "Remove the extra fields",
  });
  return false;
}

export type Head = { readonly number: number; readonly name: string; readonly place: FilePlace };

/** Stands for an invalid head while the lines of its record are read. The record is then dropped. */
const NO_HEAD = { number: 0, name: "", place: { file: "", line: 1, column: 1 }, kind: "prefix" };

export type Headed<H> = { readonly record: EditRecord; readonly head: H | undefined };

export function headsOf<H>(
  report: FileReport,
  file: EditFile,
  first: string,
  read: (at: LineAt, index: number) => H | undefined,
): readonly Headed<H>[] {
  reportStray(report, file.before, first);
  reportExcess(report, file);
  return file.records.map((record, i) => ({ record, head: read({ ...record.head, report }, i) }));
}

/** Reads the `N:number:name` line of each record. Reports repeated numbers. */
export function readHeads(report: FileReport, file: EditFile, read = readName): readonly Headed<Head>[] {
  const numbers = new Map<number, number>();
  return headsOf(report, file, "an N line", (at) => {
    if (!hasCount(at, { form: "N:number:name", count: [2, 2] })) return undefined;
    return readHead(at, at.fields, numbers, read);
  });
}

/** Reads the `name:…` line of each record. The number of a record is its position in the file, counted from 1. */
export function readNames(report: FileReport, file: EditFile, read = readName): readonly Headed<Head>[] {
  return headsOf(report, file, 'a line "name:…"', (at, i) => {
    const name = read(at, restOf(at));
    return name === undefined ? undefined : { number: i + 1, name, place: placeOf(at) };
  });
}

const readNumber = integer("the record's number", 0, MAX_NUMBER);

export function readHead(
  at: LineAt,
  [numberField, nameField]: readonly EditField[],
  numbers: Map<number, number>,
  read = readName,
): Head | undefined {
  const number = readNumber(at, numberField);
  const name = read(at, nameField);
  if (number === undefined || name === undefined) return undefined;
  const finding = { what: "number", of: "records", key: number, remedy: "Renumber the record" };
  const isFree = isNew(at.report, numbers, { line: at.line, column: numberField.column }, finding);
  return isFree ? { number, name, place: placeOf(at) } : undefined;
}

/** Returns whether a key is new, and adds it to `known`. Reports a known key: "two `of` have this `what`". */
export function isNew<K>(
  report: FileReport,
  known: Map<K, number>,
  place: Pick<FilePlace, "line" | "column">,
  { key, what, of, remedy }: { readonly key: K } & Readonly<Record<"what" | "of" | "remedy", string>>,
): boolean {
  const earlier = known.get(key);
  if (earlier === undefined) known.set(key, place.line);
  else {
    report.add("object.duplicate", place, {
      problem: `two ${of} have this ${what}`,
      got: key,
      expected: `a ${what} that differs from the one in line ${earlier}`,
      remedy,
    });
  }
  return earlier === undefined;
}

export function placeOf({ report, line: own, column }: LineAt): FilePlace {
  return { file: report.file, line: own, column };
}

export function reportStray(report: FileReport, before: readonly EditLine[], first: string): void {
  for (const own of before) {
    report.add("object.line", own, {
      problem: "a line is in front of the first record",
      got: own.type,
      expected: `${first} first`,
      remedy: 'Begin a record before this line, or begin the line with "#" to make it a comment',
    });
  }
}

export function reportExcess(report: FileReport, { records }: EditFile): void {
  if (records.length <= MAX_RECORDS) return;
  report.add("object.files", records[MAX_RECORDS].head, {
    problem: "the file has too many records",
    got: records.length,
    expected: `at most ${MAX_RECORDS} records`,
    remedy: "Remove this record and the records after it",
  });
}

/** Yields the records with a valid head. Each record must have a line of the type `needed`. */
export function* readRecords<H extends Head, D extends object>(
  report: FileReport,
  heads: Iterable<Headed<H>>,
  rules: LineRules<D & H>,
  blank: () => D,
  needed?: string,
): Generator<D & H, void> {
  for (const { head, record } of heads) {
    // the cast is safe: NO_HEAD has the fields of every head
    const draft = { ...(head ?? (NO_HEAD as unknown as H)), ...blank() };
    readLines(report, record.lines, rules, draft);
    const isWhole = needed === undefined || record.lines.some(({ type }) => type === needed);
    if (isWhole && head !== undefined) yield draft;
    if (isWhole) continue;
    report.add("object.line", record.head, {
      problem: `the record has no ${needed} line`,
      expected: `a line of the form "${rules[needed].form}"`,
      remedy: "Add the line",
    });
  }
}

export const MAX_SVAL = 255;
const MAX_AMOUNT = 32_767;
export const MAX_CHANCE = 65_535;
const MAX_DICE = 255;
/** The number in a file that stands for 'no minimum'. */
const NO_MINIMUM = 255;

/* @__NO_SIDE_EFFECTS__ */
export function integer(what: string, least: number, most: number, remedy = "Write a number in this range, in digits") {
  return (at: Place, field: EditField) => {
    const value = /^-?\d{1,10}$/.test(field.text) ? Number(field.text) : Number.NaN;
    if (value >= least && value <= most) return value + 0;
    const isInteger = /^-?\d+$/.test(field.text);
    return reportAt(at, field, "object.number", {
      problem: isInteger ? `${what} is out of range` : `${what} is not an integer`,
      expected: least === most ? `${least}` : `an integer from ${least} to ${most}`,
      remedy,
    });
  };
}

/* @__NO_SIDE_EFFECTS__ */
export function amount(what: string): Read<number> {
  return integer(what, -MAX_AMOUNT, MAX_AMOUNT);
}

export const armourClass = integer("the armour class", 0, MAX_AMOUNT);
export const level = integer("the level", 0, MAX_DEPTH);
export const weight = integer("the weight", 0, 65_535);
export const cost = integer("the cost", 0, 2 ** 31 - 1);
export const breakage = integer("the breakage", 0, 100);
export const readSval = integer("the sval", 0, MAX_SVAL);

/** Reads a minimum. In the result, undefined stands for 'no minimum'. */
/* @__NO_SIDE_EFFECTS__ */
export function minimum(what: string): Read<{ readonly least: number | undefined }> {
  const read = integer(what, -NO_MINIMUM, NO_MINIMUM);
  return (at, field) => {
    const least = read(at, field);
    return least === undefined ? undefined : { least: least === NO_MINIMUM ? undefined : least };
  };
}

export function readName(at: Place, field: EditField): string | undefined {
  const { text } = field;
  if (text !== "" && text.length <= 80 && !/[\p{Control}\p{Surrogate}]/u.test(text)) return text;
  return reportAt(at, field, "object.line", {
    problem: "invalid name",
    expected: "1 to 80 characters, without control characters",
    remedy: "Write a name",
  });
}

export function dice(at: Place, field: EditField): { dice: number; sides: number } | undefined {
  const [, count = Number.NaN, sides = Number.NaN] = (/^(\d{1,3})d(\d{1,3})$/.exec(field.text) ?? []).map(Number);
  if (count <= MAX_DICE && sides <= MAX_DICE) return { dice: count, sides };
  return reportAt(at, field, "object.number", {
    problem: "invalid dice",
    expected: `dice such as "2d5", both numbers from 0 to ${MAX_DICE}`,
    remedy: 'Write two numbers with a "d" between them, or "0d0" for no dice',
  });
}

/** Reads `B+NdSMm`: a base, N dice with S sides and a bonus, each optional. A minus in front negates the sum. */
export function readRandomValue(at: Place, field: EditField, what: string): RandomValue | undefined {
  const found = /^(-)?(?=[\ddM])(?:(\d{1,5})(?:\+(?=[\ddM])|$))?(?:(\d{0,3})d(\d{1,5}))?(?:M(\d{1,5}))?$/.exec(
    field.text,
  );
  const value = found === null ? undefined : randomValueOf(found);
  if (value !== undefined) return value;
  const limits = `at most ${MAX_DICE} dice, at most M${MAX_M_BONUS} and a total of at most ${MAX_AMOUNT}`;
  return reportAt(at, field, "object.number", {
    problem: `${what} is not a valid random value`,
    expected: `a random value such as 10, d4, 3+2d6, M5 or -1+d3M2, with ${limits}`,
    remedy:
      "Write a base, dice and a bonus, as in 3+2d6M5; each part is optional, and a minus in front negates the sum",
  });
}

/* @__NO_SIDE_EFFECTS__ */
export function randomValue(what: string): Read<RandomValue> {
  return (at, field) => readRandomValue(at, field, what);
}

function randomValueOf([, minus, base = "0", count, sides = "0", bonus = "0"]: RegExpExecArray):
  | RandomValue
  | undefined {
  const value = {
    base: Number(base),
    // "d4" is one die
    dice: count === undefined ? 0 : Number(count === "" ? "1" : count),
    sides: Number(sides),
    bonus: Number(bonus),
    negated: minus !== undefined,
  };
  const most = value.base + value.dice * value.sides + value.bonus;
  const isSmall = most <= MAX_AMOUNT && value.dice <= MAX_DICE && value.bonus <= MAX_M_BONUS;
  return isSmall && (value.dice === 0 || value.sides > 0) ? value : undefined;
}

export const NO_VALUE: RandomValue = { base: 0, dice: 0, sides: 0, bonus: 0, negated: false };
export const NO_POWERS = { toHit: NO_VALUE, toDam: NO_VALUE, toAc: NO_VALUE };

export const depths: Read<DepthRange> = (at, field) => {
  const range = anyDepths(at, field);
  return range === undefined || range.least <= range.most ? range : reportDepths(at, field, "the depths are reversed");
};

/** Like {@link depths}, but the second depth may be less than the first. The range is then empty. */
export const anyDepths: Read<DepthRange> = (at, field) => {
  const found = /^(\d{1,3}) +to +(\d{1,3})$/.exec(field.text);
  const [least, most] = [Number(found?.[1] ?? Number.NaN), Number(found?.[2] ?? Number.NaN)];
  return least <= MAX_DEPTH && most <= MAX_DEPTH ? { least, most } : reportDepths(at, field, "invalid depths");
};

function reportDepths(at: Place, field: EditField, problem: string): undefined {
  return reportAt(at, field, "object.number", {
    problem,
    expected: `two depths from 0 to ${MAX_DEPTH}, as in "1 to 40"`,
    remedy: 'Write the lesser depth, the word "to", and the greater depth',
  });
}

/** Types without a number in the files get this number and the numbers after it. Numbers in the files are smaller. */
export const FIRST_FREE_TVAL = 256;

export class TypeTable {
  readonly specs: readonly TypeSpec[];
  readonly #byWord = new Map<string, TypeSpec>();
  readonly #byNumber = new Map<number, TypeSpec>([[NO_TVAL, NO_TYPE]]);

  /** @param own - The types of object_base.txt. No two of them share a word or a number. */
  constructor(own: readonly TypeSpec[]) {
    const words = new Set(own.map(({ word }) => comparable(word)));
    const numbers = new Set(own.map(({ tval }) => tval));
    const kept = TYPES.filter(({ word, tval }) => !words.has(word) && !numbers.has(tval));
    this.specs = [...own, ...kept].sort((a, b) => a.tval - b.tval);
    for (const type of this.specs) {
      this.#byWord.set(comparable(type.word), type);
      this.#byNumber.set(type.tval, type);
    }
  }

  word = (at: Place, field: EditField): TypeSpec | undefined =>
    this.#byWord.get(comparable(field.text)) ??
    reportUnknown(at, field, {
      problem: "unknown type of object",
      expected: "the word of a type, such as sword",
      ...didYouMean(field.text, this.#byWord.keys(), "Define the type in object_base.txt"),
    });

  /** Reads the number or the word of a type. The number 0 stands for no type. */
  wordOrNumber = (at: Place, field: EditField): TypeSpec | undefined => {
    if (!/^\d+$/.test(field.text)) return this.word(at, field);
    const type = this.#byNumber.get(Number(field.text));
    if (type !== undefined && type.tval < FIRST_FREE_TVAL) return type;
    return reportUnknown(at, field, {
      problem: "no type of object has this number",
      expected: "the number of a type, or 0 for no type",
      remedy: 'Define the type in object_base.txt with the lines "N:word:name" and "I:number", or use another type',
    });
  };
}

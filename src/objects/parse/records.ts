import { didYouMean } from "../../errors/index.js";
import type { EditField, EditFile, EditLine, EditRecord } from "../../formats/read/editFile.js";
import { DEPTHS } from "../../kernel/layout.js";
import { MAX_M_BONUS } from "../compile/mBonus.js";
import type { DepthRange, FilePlace, RandomValue } from "../types.js";
import type { FlagTable } from "./flags.js";
import { type FileReport, type Place, placeOf, reportAt } from "./report.js";

/** The largest number that an `N` line can give a record. */
export const MAX_NUMBER = 65_535;
/** Maximum number of records in a file. Indices have 16 bits, and 0 and 65,535 stand for 'no record'. */
const MAX_RECORDS = 65_534;

/** How to read the lines of one type. The draft is the record while it is read. */
export interface LineRule<Draft> {
  readonly form: string;
  readonly count: readonly [least: number, most: number];
  /** Whether a record may have several lines of this type. */
  readonly repeats?: true;
  readonly read: (draft: Draft, at: Place, fields: readonly EditField[], line: EditLine) => void;
}

export type LineRules<Draft> = Readonly<Record<string, LineRule<Draft>>>;

/**
 * Reads the lines of a record into its draft. Reports and skips lines that the rules do not allow. Stops when the
 * report is full.
 */
export function readLines<Draft>(
  report: FileReport,
  lines: readonly EditLine[],
  rules: LineRules<Draft>,
  draft: Draft,
): void {
  const seen = new Set<string>();
  for (const line of lines) {
    if (report.isFull) return;
    const rule = Object.hasOwn(rules, line.type) ? rules[line.type] : undefined;
    if (rule === undefined || line.fields.length === 0) {
      report.add("object.line", line, {
        problem: line.fields.length === 0 ? "the line has no colon" : "unknown type of line",
        got: line.type,
        expected: `one of ${Object.values(rules)
          .map(({ form }) => `"${form}"`)
          .join(", ")}`,
        remedy: "Write a line of one of these forms, or begin the line with # to make it a comment",
      });
    } else if (seen.has(line.type) && rule.repeats === undefined) {
      report.add("object.duplicate", line, {
        problem: `the record has a second ${line.type} line`,
        got: line.rest,
        expected: `one ${line.type} line`,
        remedy: "Remove one of the two lines",
      });
    } else if (hasCount(report, line, rule)) {
      seen.add(line.type);
      rule.read(draft, { report, line: line.line }, line.fields, line);
    }
  }
}

export function textRule<Draft>(form: string, keep: (draft: Draft, text: string) => void): LineRule<Draft> {
  const read: LineRule<Draft>["read"] = (draft, _, __, line) => keep(draft, line.rest);
  return { form, count: [1, Number.POSITIVE_INFINITY], repeats: true, read };
}

/**
 * Rules for lines that are stored as text. A line of the type "D", for example, is added to the list `text.D` of the
 * draft.
 */
export function textRules(letters: readonly string[]): LineRules<{ readonly text: Record<string, string[]> }> {
  const keep = (letter: string) => (draft: { readonly text: Record<string, string[]> }, line: string) => {
    const own = draft.text[letter];
    if (own === undefined) draft.text[letter] = [line];
    else own.push(line);
  };
  return Object.fromEntries(letters.map((letter) => [letter, textRule(`${letter}:text`, keep(letter))]));
}

export function flagRule(flags: FlagTable): LineRule<{ readonly flags: Set<string> }> {
  return {
    form: "F:flag | flag",
    count: [1, 1],
    repeats: true,
    read: (draft, at, [named]) => {
      for (const name of flags.readFlags(at, named, "plain")) draft.flags.add(name);
    },
  };
}

/** Adds a value to a list. Does nothing if the value is undefined because it could not be read. */
export function addRead<T>(list: T[], value: T | undefined): void {
  if (value !== undefined) list.push(value);
}

export interface Head {
  readonly number: number;
  readonly name: string;
  readonly place: FilePlace;
}

/** Placeholder in the draft of a record whose `N` line is invalid. The draft is dropped later. */
export const NO_HEAD: Head = { number: 0, name: "", place: { file: "", line: 1, column: 1 } };

export interface Headed<H> {
  readonly record: EditRecord;
  readonly head: H | undefined;
}

/** Reads the `N:number:name` line of each record. Reports repeated numbers, and lines before the first record. */
export function readHeads(
  report: FileReport,
  file: EditFile,
  { readName: read = readName }: { readonly readName?: typeof readName } = {},
): readonly Headed<Head>[] {
  reportStray(report, file.before);
  reportExcess(report, file);
  const numbers = new Map<number, number>();
  return file.records.map((record) => {
    const { head: line } = record;
    if (!hasCount(report, line, { form: "N:number:name", count: [2, 2] })) return { record, head: undefined };
    return { record, head: readHead(report, line, { numbers, read }) };
  });
}

/** Types of prefixes in the last form of version 4. An object gets at most one affix of each type. */
const AFFIX_CLASSES: readonly string[] = ["quality", "make", "material"];

/** The contents of the `N` line of an affix or a theme. A prefix precedes the kind's name, a suffix follows it. */
export interface NamedHead extends Head {
  readonly kind: "prefix" | "suffix";
  /** One of {@link AFFIX_CLASSES}; undefined if the line says only "prefix" or "suffix". */
  readonly affixClass?: string;
}

export const NO_NAMED_HEAD: NamedHead = { ...NO_HEAD, kind: "prefix" };

/**
 * Reads the `N:number:prefix:name` or `N:number:suffix:name` line of each record. Reports the same errors as
 * {@link readHeads}. With `mayShare`, several records may have the same number. With `hasClasses`, a line may also say
 * one of {@link AFFIX_CLASSES} instead of `prefix` or `suffix`.
 */
export function readNamedHeads(
  report: FileReport,
  file: EditFile,
  { mayShare = false, hasClasses = false }: { readonly mayShare?: boolean; readonly hasClasses?: boolean } = {},
): readonly Headed<NamedHead>[] {
  reportStray(report, file.before);
  reportExcess(report, file);
  const numbers = new Map<number, number>();
  return file.records.map((record) => {
    const { head: line } = record;
    const form = "N:number:prefix:name or N:number:suffix:name";
    if (!hasCount(report, line, { form, count: [3, 3] })) return { record, head: undefined };
    const [number, kind, name] = line.fields;
    const head = readHead(
      report,
      { ...line, fields: [number, name] },
      { numbers: mayShare ? new Map() : numbers, read: readName },
    );
    if (kind.text === "prefix" || kind.text === "suffix") {
      return { record, head: head === undefined ? undefined : { ...head, kind: kind.text } };
    }
    if (hasClasses && AFFIX_CLASSES.includes(kind.text)) {
      return { record, head: head && { ...head, kind: "prefix", affixClass: kind.text } };
    }
    reportAt({ report, line: line.line }, kind, "object.line", {
      problem: "the side of the name is neither prefix nor suffix",
      got: kind.text,
      expected: "prefix or suffix",
      ...didYouMean(kind.text, ["prefix", "suffix"], "Write prefix or suffix"),
    });
    return { record, head: undefined };
  });
}

export function reportStray(report: FileReport, lines: readonly EditLine[], first = "an N line"): void {
  for (const line of lines) {
    report.add("object.line", line, {
      problem: "a line is in front of the first record",
      got: line.type,
      expected: `${first} first`,
      remedy: "Begin a record before it, or begin the line with # to make it a comment",
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

export function hasCount(
  report: FileReport,
  line: EditLine,
  { form, count }: Pick<LineRule<never>, "form" | "count">,
): boolean {
  const [least, most] = count;
  const got = line.fields.length;
  if (got >= least && got <= most) return true;
  const fields = most === 1 ? "one field" : `${least === most ? least : `${least} to ${most}`} fields`;
  report.add("object.line", line, {
    problem: `the ${line.type} line has ${got === 1 ? "one field" : `${got} fields`}`,
    got: line.rest,
    // points at the first extra field, or at the end of the line if a field is missing
    flawAt: got < least ? line.rest.length : offsetOfField(line.rest, most),
    expected: `${fields}, in the form "${form}"`,
    remedy: got < least ? "Add the missing fields" : "Remove the extra fields",
  });
  return false;
}

/** Returns the offset of a field in `rest`, the text after the first colon. The first field has index 0. */
function offsetOfField(rest: string, index: number): number {
  let at = 0;
  for (let field = 0; field < index; field++) at = rest.indexOf(":", at) + 1;
  return at;
}

/**
 * Reads the number and the name of an N line. Reports an invalid number or name, or a number that an earlier record
 * has. Returns undefined after such an error.
 */
function readHead(
  report: FileReport,
  line: EditLine,
  { numbers, read }: { readonly numbers: Map<number, number>; readonly read: typeof readName },
): Head | undefined {
  const at: Place = { report, line: line.line };
  const [numberField, nameField] = line.fields;
  const number = readInteger(at, numberField, { what: "the record's number", least: 0, most: MAX_NUMBER });
  const name = read(at, nameField);
  if (number === undefined || name === undefined) return undefined;
  const earlier = numbers.get(number);
  if (earlier === undefined) {
    numbers.set(number, line.line);
    return { number, name, place: placeOf(report, line) };
  }
  reportAt(at, numberField, "object.duplicate", {
    problem: "two records have this number",
    got: number,
    expected: `a number that differs from the number in line ${earlier}`,
    remedy: "Renumber the record",
  });
  return undefined;
}

/** Reads a name of 1 to 80 characters. Reports anything else and returns undefined. */
export function readName(at: Place, field: EditField): string | undefined {
  if (field.text !== "" && field.text.length <= 80 && !/[\p{Control}\p{Surrogate}]/u.test(field.text))
    return field.text;
  reportAt(at, field, "object.line", {
    problem: "invalid name",
    got: field.text,
    expected: "1 to 80 characters, without control characters",
    remedy: "Write a name",
  });
  return undefined;
}

// ── values of fields ──

/** The largest depth, and the largest level of a kind or an artifact. */
export const MAX_DEPTH = DEPTHS - 1;
export const MAX_SVAL = 255;
/** The number in a file that stands for 'no minimum'. */
const NO_MINIMUM = 255;
/** Random values are −32,767 … 32,767. */
const MAX_VALUE = 32_767;
const MAX_DICE = 255;

/** The allowed integers, both ends inclusive. */
interface IntegerRange {
  readonly what: string;
  readonly least: number;
  readonly most: number;
  /** Default: the advice to write a number in the range. */
  readonly remedy?: string;
}

export function readInteger(
  at: Place,
  field: EditField,
  { what, least, most, remedy }: IntegerRange,
): number | undefined {
  const value = /^-?\d{1,10}$/.test(field.text) ? Number(field.text) : Number.NaN;
  if (value >= least && value <= most) return value + 0;
  const isInteger = /^-?\d+$/.test(field.text);
  reportAt(at, field, "object.number", {
    problem: isInteger ? `${what} is out of range` : `${what} is not an integer`,
    got: field.text,
    expected: least === most ? `${least}` : `an integer from ${least} to ${most}`,
    remedy: remedy ?? "Write a number in this range, in digits",
  });
  return undefined;
}

/** Reads the minimum of a modifier or a pval. 255 means 'no minimum': the returned `least` is then undefined. */
export function readLeast(at: Place, field: EditField, what: string): { least: number | undefined } | undefined {
  const value = readInteger(at, field, { what, least: -NO_MINIMUM, most: NO_MINIMUM });
  return value === undefined ? undefined : { least: value === NO_MINIMUM ? undefined : value };
}

export function readDice(at: Place, field: EditField): { dice: number; sides: number } | undefined {
  const found = /^(\d{1,3})d(\d{1,3})$/.exec(field.text);
  const [dice, sides] = [Number(found?.[1] ?? Number.NaN), Number(found?.[2] ?? Number.NaN)];
  if (dice <= MAX_DICE && sides <= MAX_DICE) return { dice, sides };
  reportAt(at, field, "object.number", {
    problem: "invalid dice",
    got: field.text,
    expected: `dice such as 2d5, both numbers from 0 to ${MAX_DICE}`,
    remedy: "Write 0d0 for no dice",
  });
  return undefined;
}

/**
 * Reads `B+NdSMm`: the base B, N dice with S sides, and a bonus of at most m. Each part is optional. A minus in front
 * negates the sum.
 */
export function readRandomValue(at: Place, field: EditField, what: string): RandomValue | undefined {
  const found = /^(-)?(?=[\ddM])(?:(\d{1,5})(?:\+(?=[\ddM])|$))?(?:(\d{0,3})d(\d{1,5}))?(?:M(\d{1,5}))?$/.exec(
    field.text,
  );
  const value = found === null ? undefined : randomValueOf(found);
  if (value !== undefined) return value;
  const limits = `at most ${MAX_DICE} dice, at most M${MAX_M_BONUS} and a total of at most ${MAX_VALUE}`;
  reportAt(at, field, "object.number", {
    problem: `${what} is not a valid random value`,
    got: field.text,
    expected: `a random value such as 10, d4, 3+2d6, M5 or -1+d3M2, with ${limits}`,
    remedy:
      "Write a base, dice and a bonus, as in 3+2d6M5; each part is optional, and a minus in front negates the sum",
  });
  return undefined;
}

function randomValueOf([, minus, base = "0", dice, sides = "0", bonus = "0"]: RegExpExecArray):
  | RandomValue
  | undefined {
  const value = {
    base: Number(base),
    // "d4" is one die
    dice: dice === undefined ? 0 : Number(dice === "" ? "1" : dice),
    sides: Number(sides),
    bonus: Number(bonus),
    negated: minus !== undefined,
  };
  const most = value.base + value.dice * value.sides + value.bonus;
  const isSmall = most <= MAX_VALUE && value.dice <= MAX_DICE && value.bonus <= MAX_M_BONUS;
  return isSmall && (value.dice === 0 || value.sides > 0) ? value : undefined;
}

export function constant(base: number): RandomValue {
  return { base, dice: 0, sides: 0, bonus: 0, negated: false };
}

/**
 * Returns the least and the greatest result of a random value. Its bonus depends on a level; the range covers all
 * levels.
 */
export function rangeOf({ base, dice, sides, bonus, negated }: RandomValue): {
  readonly least: number;
  readonly most: number;
} {
  const [least, most] = [base + dice, base + dice * sides + bonus];
  // 0 − x instead of −x, because −0 and 0 differ in deep comparisons
  return negated ? { least: 0 - most, most: 0 - least } : { least, most };
}

/**
 * Reads a range of depths, written `a to b`. Reports invalid depths. Also reports reversed depths, unless `mayBeEmpty`
 * is set.
 */
export function readDepths(
  at: Place,
  field: EditField,
  { mayBeEmpty = false }: { readonly mayBeEmpty?: boolean } = {},
): DepthRange | undefined {
  const found = /^(\d{1,3}) +to +(\d{1,3})$/.exec(field.text);
  const [least, most] = [Number(found?.[1] ?? Number.NaN), Number(found?.[2] ?? Number.NaN)];
  if (least <= MAX_DEPTH && most <= MAX_DEPTH && (mayBeEmpty || least <= most)) return { least, most };
  reportAt(at, field, "object.number", {
    problem: least > most ? "the depths are reversed" : "invalid depths",
    got: field.text,
    expected: `two depths from 0 to ${MAX_DEPTH}, as in "1 to 40"`,
    remedy: 'Write the lesser depth, the word "to", and the greater depth',
  });
  return undefined;
}

export function readSvals(
  at: Place,
  [low, high]: readonly EditField[],
): { leastSval: number; mostSval: number } | undefined {
  const leastSval = readInteger(at, low, { what: "the least sval", least: 0, most: MAX_SVAL });
  const mostSval = readInteger(at, high, { what: "the greatest sval", least: 0, most: MAX_SVAL });
  if (leastSval === undefined || mostSval === undefined) return undefined;
  if (leastSval <= mostSval) return { leastSval, mostSval };
  reportAt(at, high, "object.number", {
    problem: "the svals are reversed",
    got: `${leastSval}:${mostSval}`,
    expected: "the lesser sval first",
    remedy: "Swap the two svals",
  });
  return undefined;
}

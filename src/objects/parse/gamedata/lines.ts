import type { EditField, EditFile, EditLine, EditRecord } from "../../../formats/read/editFile.js";
import { splitFields } from "../../../formats/read/editFile.js";
import type { PvalSpec, RandomValue } from "../../types.js";
import type { FlagTable } from "../flags.js";
import {
  type Head,
  type Headed,
  type LineRule,
  NO_HEAD,
  readInteger,
  readName,
  readRandomValue,
  reportExcess,
  reportStray,
} from "../records.js";
import { type FileReport, type Place, placeOf, reportAt } from "../report.js";

// Reads lines of Angband 4.2's gamedata files. The type of such a line is a word: `name:of Flame`.

/** Returns everything after the first colon of a line as one field. The field may contain colons. */
export function restOf({ rest, type, column }: EditLine): EditField {
  const text = rest.trim();
  const lead = text === "" ? 0 : rest.length - rest.trimStart().length;
  return { text, column: column + type.length + 1 + lead };
}

export function wholeRule<Draft>(
  form: string,
  read: (draft: Draft, at: Place, field: EditField) => void,
): LineRule<Draft> {
  return {
    form,
    count: [1, Number.POSITIVE_INFINITY],
    read: (draft, at, _, line) => read(draft, at, restOf(line)),
  };
}

export function repeated<Draft>(rule: LineRule<Draft>): LineRule<Draft> {
  return { ...rule, repeats: true };
}

/**
 * Reads the `name:…` line of each record. The number of a record is its position in the file, counted from 1. Reports
 * lines before the first record.
 */
export function readNames(
  report: FileReport,
  file: EditFile,
  read: typeof readName = readName,
): readonly Headed<Head>[] {
  reportStray(report, file.before, `a line "name:…"`);
  reportExcess(report, file);
  return file.records.map((record, i) => {
    const { head } = record;
    const name = read({ report, line: head.line }, restOf(head));
    if (name === undefined) return { record, head: undefined };
    return { record, head: { number: i + 1, name, place: placeOf(report, head) } };
  });
}

/** Returns the head, or a substitute for an undefined head. A record with the substitute is dropped later. */
export function headOr(head: Head | undefined): Head {
  return head ?? NO_HEAD;
}

export function hasLine(
  report: FileReport,
  { head, lines }: EditRecord,
  [type, form]: readonly [string, string],
): boolean {
  if (lines.some((line) => line.type === type)) return true;
  report.add("object.line", head, {
    problem: `the record has no ${type} line`,
    expected: `a line of the form "${form}"`,
    remedy: "Add the line",
  });
  return false;
}

// ── values ──

/** Reads a random value. Accepts `m` instead of `M` before the bonus. */
export function readAmount(at: Place, { text, column }: EditField, what: string): RandomValue | undefined {
  return readRandomValue(at, { text: text.replaceAll("m", "M"), column }, what);
}

/**
 * Reads the random value of a flag. A minus at the start belongs only to the base: `-3+1d2` is −2 or −1. Reports a
 * minus without a base, because the game ignores it.
 */
function readFlagValue(at: Place, { text, column }: EditField): RandomValue | undefined {
  const [, digits, more] = /^-(\d+)(?:\+(.+))?$/.exec(text) ?? [];
  if (digits !== undefined) {
    const rest = readAmount(at, { text: more ?? "0", column }, "the value");
    const base = readInteger(at, { text: `-${digits}`, column }, { what: "the value", least: -32_767, most: 0 });
    return rest === undefined || base === undefined ? undefined : { ...rest, base: base + rest.base };
  }
  if (!text.startsWith("-")) return readAmount(at, { text, column }, "the value");
  reportAt(at, { text, column }, "object.number", {
    problem: "no number follows the minus of a value",
    got: text,
    expected: "a value such as -5+1d4",
    remedy: "Write the least value, then the dice",
  });
  return undefined;
}

/** Reads `name[value] | name[value]`, with or without a bar at the end. Reports and skips malformed pairs. */
function readPairs(
  at: Place,
  { text, column }: EditField,
): readonly { readonly name: EditField; readonly value: EditField }[] {
  const parts = splitFields(text, "|", column).filter((part) => part.text !== "");
  return parts.flatMap((part) => {
    const [, name, value] = /^([A-Z][A-Z0-9_]*)\[([^[\]]*)\]$/.exec(part.text) ?? [];
    if (name !== undefined && value !== undefined) {
      return [
        { name: { text: name, column: part.column }, value: { text: value, column: part.column + name.length + 1 } },
      ];
    }
    reportAt(at, part, "object.line", {
      problem: "invalid value of a flag",
      got: part.text,
      expected: "a flag and its value, such as STR[2]",
      remedy: "Write the value in brackets after the flag, and | between two flags",
    });
    return [];
  });
}

interface Valued {
  readonly flags: Set<string>;
  readonly pvals: PvalSpec[];
}

const RESISTANCE = "RES_";
/** A resistance of this level is an immunity. Level 0 has no effect, and −1 is a vulnerability. */
const IMMUNE = 3;

/** The rule for `values` lines: flags with a value, and the levels of resistances. */
export function valuesRule(flags: FlagTable): LineRule<Valued> {
  const read = (draft: Valued, at: Place, { name, value }: { readonly name: EditField; readonly value: EditField }) => {
    if (name.text.startsWith(RESISTANCE)) {
      const level = readInteger(at, value, { what: "the level of the resistance", least: -1, most: IMMUNE }) ?? 0;
      const prefix = level === IMMUNE ? "IM_" : level > 0 ? RESISTANCE : "VULN_";
      const flag = { text: prefix + name.text.slice(RESISTANCE.length), column: name.column };
      for (const known of flags.readFlags(at, flag, "plain")) if (level !== 0) draft.flags.add(known);
      return;
    }
    const rolled = readFlagValue(at, value);
    const names = flags.readFlags(at, name, "valued");
    if (rolled !== undefined && names.length > 0) draft.pvals.push({ value: rolled, least: undefined, flags: names });
  };
  return repeated(
    wholeRule("values:flag[value] | flag[value]", (draft, at, field) => {
      for (const pair of readPairs(at, field)) read(draft, at, pair);
    }),
  );
}

/** The rule for `min-values` lines. They set the minimum value of flags. */
export function leastRule(flags: FlagTable): LineRule<{ readonly leasts: Map<string, number> }> {
  return repeated(
    wholeRule("min-values:flag[minimum] | flag[minimum]", (draft, at, field) => {
      for (const { name, value } of readPairs(at, field)) {
        const least = readInteger(at, value, { what: "the minimum", least: -255, most: 255 });
        const [known] = flags.readFlags(at, name, "valued");
        if (least !== undefined && known !== undefined) draft.leasts.set(known, least);
      }
    }),
  );
}

export function flagsRule(flags: FlagTable): LineRule<{ readonly flags: Set<string> }> {
  return flagListRule("flags", flags, (draft, names) => {
    for (const name of names) draft.flags.add(name);
  });
}

export function flagListRule<Draft>(
  type: string,
  flags: FlagTable,
  keep: (draft: Draft, names: readonly string[]) => void,
): LineRule<Draft> {
  return repeated(
    wholeRule(`${type}:flag | flag`, (draft, at, field) => {
      if (field.text !== "") keep(draft, flags.readFlags(at, field, "plain"));
    }),
  );
}

import { checkText } from "../spec/index.js";
import { isBlank, lineReader } from "./lines.js";

/** A field of a line, without surrounding blanks. */
export interface EditField {
  readonly text: string;
  /** Column of the field's first character, from 1. For an empty field, the column where that character would be. */
  readonly column: number;
}

/** A line of the form `TYPE:field:field…`. */
export interface EditLine {
  /** Line number, from 1. */
  readonly line: number;
  /** The text before the first colon; the whole line if it has no colon. */
  readonly type: string;
  /** Column of the line's first character that is not blank, from 1. */
  readonly column: number;
  /** The texts between the colons; empty if the line has no colon. */
  readonly fields: readonly EditField[];
  /** Everything after the first colon, unchanged; empty if the line has no colon. */
  readonly rest: string;
}

/** A record: its first line (`head`), and the lines between it and the next record. */
export interface EditRecord {
  readonly head: EditLine;
  readonly lines: readonly EditLine[];
}

/** An edit file (the text format of Angband's data), split into records and lines. */
export interface EditFile {
  /** The text of the last `V` line; undefined if there is none. */
  readonly version: string | undefined;
  /** Lines before the first record. */
  readonly before: readonly EditLine[];
  readonly records: readonly EditRecord[];
}

/**
 * Splits an edit file into records. Comments (`#`), blank lines and `V` lines belong to no record. Accepts any text,
 * and skips a byte order mark.
 *
 * Cost: O(characters).
 *
 * @param head - The type of line that begins a record: `N` in Angband's older files, `name` or `code` in files
 * of Angband 4.2. Default `N`.
 * @throws RollmillError `argument.type` if `text` or `head` is not a string.
 */
export function readEditFile(text: string, head = "N"): EditFile {
  checkText("text", text);
  checkText("head", head);
  const next = lineReader(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  const before: EditLine[] = [];
  const records: { head: EditLine; lines: EditLine[] }[] = [];
  let version: string | undefined;
  for (let read = next(); read !== undefined; read = next()) {
    if (isBlank(read.text) || read.text.trimStart().startsWith("#")) continue;
    const line = splitLine(read.text, read.number);
    const isTyped = line.fields.length > 0;
    if (isTyped && line.type === "V") version = line.rest.trim();
    else if (isTyped && line.type === head) records.push({ head: line, lines: [] });
    else (records.at(-1)?.lines ?? before).push(line);
  }
  return { version, before, records };
}

const BYTE_ORDER_MARK = 0xfeff;

function splitLine(text: string, line: number): EditLine {
  const [type, ...fields] = splitFields(text, ":", 1);
  const colon = text.indexOf(":");
  const rest = colon < 0 ? "" : text.slice(colon + 1);
  return { line, type: type.text, column: type.column, fields, rest };
}

/**
 * Splits a text at every `separator` (one character).
 *
 * Cost: O(characters).
 *
 * @param column - the column of the text's first character in its line, from 1.
 */
export function splitFields(text: string, separator: string, column: number): EditField[] {
  let start = column;
  return text.split(separator).map((part) => {
    const trimmed = part.trim();
    const lead = trimmed === "" ? 0 : part.length - part.trimStart().length;
    const field = { text: trimmed, column: start + lead };
    start += charactersOf(part) + 1;
    return field;
  });
}

/** Returns the number of characters. A surrogate pair is one character. */
function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

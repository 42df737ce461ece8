import { checkText } from "../../spec/index.js";
import { isBlank, lineReader } from "./lines.js";

/** A field of a line. `text` has no blanks at either end. */
export interface EditField {
  readonly text: string;
  /** Column at which the field begins in its line, from 1. */
  readonly column: number;
}

/** A line of the form `TYPE:field:field…`. */
export interface EditLine {
  /** Line number, from 1. */
  readonly line: number;
  /** The text before the first colon, or the whole line if it has no colon. */
  readonly type: string;
  /** Column of the line's first non-blank character, from 1. */
  readonly column: number;
  /** The parts of `rest` that colons separate. Empty if the line has no colon. */
  readonly fields: readonly EditField[];
  /** Everything after the first colon, unchanged. Empty if the line has no colon. */
  readonly rest: string;
}

/** A record: its first line, `head`, and the lines after it up to the next record. */
export interface EditRecord {
  readonly head: EditLine;
  readonly lines: readonly EditLine[];
}

/** An edit file (the text format of Angband's data), split into records and lines. */
export interface EditFile {
  /** The text of the last `V` line. Undefined if there is no such line. */
  readonly version: string | undefined;
  /** The lines before the first record. */
  readonly before: readonly EditLine[];
  readonly records: readonly EditRecord[];
}

/**
 * Splits an edit file into records. Comments (`#`), blank lines and `V` lines belong to no record. Every text is valid.
 *
 * Cost: O(characters).
 *
 * @param head - the line type that begins a record: `N` (default), or `name` or `code` in the files of Angband 4.2.
 * @throws RollmillError `argument.type` if `text` or `head` is not a string.
 */
export function readEditFile(text: string, head = "N"): EditFile {
  checkText("text", text);
  checkText("head", head);
  const next = lineReader(text.replace(/^\ufeff/, ""));
  const before: EditLine[] = [];
  const records: { head: EditLine; lines: EditLine[] }[] = [];
  let version: string | undefined;
  for (let read = next(); read !== undefined; read = next()) {
    if (isBlank(read.text) || read.text.trimStart().startsWith("#")) continue;
    const { text, number } = read;
    const [{ text: type, column }, ...fields] = splitFields(text, ":", 1);
    const rest = fields.length === 0 ? "" : text.slice(text.indexOf(":") + 1);
    const line = { line: number, type, column, fields, rest };
    const isTyped = line.fields.length > 0;
    if (isTyped && line.type === "V") version = line.rest.trim();
    else if (isTyped && line.type === head) records.push({ head: line, lines: [] });
    else (records.at(-1)?.lines ?? before).push(line);
  }
  return { version, before, records };
}

/** Splits a text at every `separator`. The text begins at `column` of its line, from 1. */
export function splitFields(text: string, separator: string, column: number): EditField[] {
  let start = column;
  return text.split(separator).map((part) => {
    const trimmed = part.trim();
    const lead = trimmed === "" ? 0 : part.length - part.trimStart().length;
    const field = { text: trimmed, column: start + lead };
    // a surrogate pair is one character
    start += part.length - (part.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0) + 1;
    return field;
  });
}

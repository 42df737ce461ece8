import { isBlank, lineReader } from "./twodaLines.js";

/** A field of a line, without the blanks around it. */
export interface EditField {
  readonly text: string;
  /** Where it begins, in characters from 1; where it is empty, where it would. */
  readonly column: number;
}

/** A line `TYPE:field:field…`. */
export interface EditLine {
  /** From 1. */
  readonly line: number;
  /** What stands before the first colon; the whole line where there is none. */
  readonly type: string;
  /** Where the line begins, after blanks. */
  readonly column: number;
  /** What stands between the colons; none where the line has no colon. */
  readonly fields: readonly EditField[];
  /** All that follows the first colon, as it stands; empty where there is none. */
  readonly rest: string;
}

/** What belongs together: an `N` line and the lines up to the next one. */
export interface EditRecord {
  readonly head: EditLine;
  readonly lines: readonly EditLine[];
}

/** An edit file by lines and records; what they mean is for others to say. */
export interface EditFile {
  /** What the last `V` line says; undefined where there is none. */
  readonly version: string | undefined;
  /** Lines before the first record. */
  readonly before: readonly EditLine[];
  readonly records: readonly EditRecord[];
}

/**
 * Splits an edit file into its records: comments (`#`), blank lines and `V` lines are skipped, an `N` line begins a record. Any
 * text is accepted; a byte order mark is dropped. Cost: O(characters).
 */
export function readEditFile(text: string): EditFile {
  const next = lineReader(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  const before: EditLine[] = [];
  const records: { head: EditLine; lines: EditLine[] }[] = [];
  let version: string | undefined;
  for (let read = next(); read !== undefined; read = next()) {
    if (isBlank(read.text) || read.text.trimStart().startsWith("#")) continue;
    const line = splitLine(read.text, read.number);
    const isTyped = line.fields.length > 0;
    if (isTyped && line.type === "V") version = line.rest.trim();
    else if (isTyped && line.type === "N") records.push({ head: line, lines: [] });
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

/** Splits a text at every `separator` (one character) into fields with their columns; the text begins at `column`. Cost: O(characters). */
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

/** A surrogate pair is one character. */
function charactersOf(text: string): number {
  return text.length - (text.match(/[\ud800-\udbff][\udc00-\udfff]/g)?.length ?? 0);
}

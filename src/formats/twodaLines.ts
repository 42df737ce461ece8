/** Maximum length of a line in UTF-16 units, 1 Mi. */
export const MAX_LINE = 2 ** 20;

/** A line of the text, without its line break. `number` starts at 1. */
export interface Line {
  readonly text: string;
  readonly number: number;
}

/** The cells of a line: their texts (null for `****`) and the positions at which they begin, in characters from 1. */
export interface Cells {
  readonly texts: (string | null)[];
  readonly columns: number[];
  readonly flaws: readonly { readonly column: number; readonly problem: string }[];
}

/**
 * Returns a function that reads the next line of a text. Lines end in LF or CRLF. The function drops all carriage
 * returns at the end of a line.
 */
export function lineReader(text: string): () => Line | undefined {
  let offset = 0;
  let number = 0;
  return () => {
    if (offset >= text.length) return undefined;
    const found = text.indexOf("\n", offset);
    const end = found < 0 ? text.length : found;
    let last = end;
    while (last > offset && text.charCodeAt(last - 1) === CARRIAGE_RETURN) last--;
    const line = { text: text.slice(offset, last), number: ++number };
    offset = end + 1;
    return line;
  };
}

const TAB = 9;
const CARRIAGE_RETURN = 13;
const SPACE = 32;
const QUOTE = 34;

/** Whether a line has only spaces and tabs. */
export function isBlank(line: string): boolean {
  return wordStart(line, 0) === line.length;
}

/** Removes spaces and tabs at both ends of a text. */
export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && isSeparator(text.charCodeAt(end - 1))) end--;
  return text.slice(Math.min(wordStart(text, 0), end), end);
}

/** Splits a line at runs of spaces and tabs. A cell that begins with a quote extends to the next quote. */
export function splitCells(line: string): Cells {
  const texts: (string | null)[] = [];
  const flaws: { column: number; problem: string }[] = [];
  const starts: number[] = [];
  const flawAt = (offset: number, problem: string) => flaws.push({ column: offset, problem });
  for (let start = wordStart(line, 0); start < line.length; ) {
    starts.push(start);
    let end: number;
    if (line.charCodeAt(start) === QUOTE) {
      const close = line.indexOf('"', start + 1);
      if (close < 0) flawAt(start, "a quote is not closed, so the cell extends to the end of the line");
      end = close < 0 ? line.length : close + 1;
      texts.push(line.slice(start + 1, close < 0 ? line.length : close));
      if (end < line.length && !isSeparator(line.charCodeAt(end))) {
        flawAt(end, "text directly follows a closing quote, so it becomes a separate cell");
      }
    } else {
      end = wordEnd(line, start);
      const word = line.slice(start, end);
      texts.push(word === "****" ? null : word);
    }
    start = wordStart(line, end);
  }
  const columns = inCharacters(line, starts);
  const flawColumns = inCharacters(
    line,
    flaws.map((flaw) => flaw.column),
  );
  return { texts, columns, flaws: flaws.map(({ problem }, i) => ({ problem, column: flawColumns[i] })) };
}

function isSeparator(code: number): boolean {
  return code === SPACE || code === TAB;
}

function wordStart(line: string, from: number): number {
  let offset = from;
  while (offset < line.length && isSeparator(line.charCodeAt(offset))) offset++;
  return offset;
}

function wordEnd(line: string, from: number): number {
  let offset = from;
  while (offset < line.length && !isSeparator(line.charCodeAt(offset))) offset++;
  return offset;
}

/**
 * Converts ascending offsets in UTF-16 units (from 0) to columns in characters (from 1). A surrogate pair is one
 * character.
 */
function inCharacters(line: string, offsets: readonly number[]): number[] {
  if (!/[\ud800-\udbff]/.test(line)) return offsets.map((offset) => offset + 1);
  let counted = 0;
  let column = 1;
  return offsets.map((offset) => {
    for (const _ of line.slice(counted, offset)) column++;
    counted = offset;
    return column;
  });
}

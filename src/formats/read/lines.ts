export interface Line {
  readonly text: string;
  readonly number: number;
}

/** Returns a function that reads the next line. Lines end in LF or CRLF; all carriage returns before LF are dropped. */
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

export function isBlank(line: string): boolean {
  return wordStart(line, 0) === line.length;
}

export function trimBlanks(text: string): string {
  let end = text.length;
  while (end > 0 && isSeparator(text.charCodeAt(end - 1))) end--;
  return text.slice(Math.min(wordStart(text, 0), end), end);
}

export function isSeparator(code: number): boolean {
  return code === SPACE || code === TAB;
}

export function wordStart(line: string, from: number): number {
  let offset = from;
  while (offset < line.length && isSeparator(line.charCodeAt(offset))) offset++;
  return offset;
}

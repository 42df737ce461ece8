export interface CsvRecord {
  readonly cells: readonly string[];
  /** Where the record begins and ends in the text, in UTF-16 units. `end` is exclusive. */
  readonly offset: number;
  readonly end: number;
}

interface CsvFlaw {
  readonly problem: string;
  readonly got?: number;
  readonly expected: string;
  readonly remedy?: string;
  /** Where the flaw is in the text, in UTF-16 units. */
  readonly offset: number;
}

const MAX_CELLS = 2 ** 16;

/**
 * Splits a CSV text (RFC 4180; lines end in LF, CRLF or CR). Calls `take` for each record until `take` returns false.
 * Skips blank lines. Stops at the first flaw, and returns it.
 */
export function parseCsv(text: string, take: (record: CsvRecord) => boolean, separator: Separator = ",") {
  const reader = new CellReader(text, separator);
  while (reader.at < text.length) {
    const offset = reader.at;
    const cells: string[] = [];
    let count = 0;
    do {
      const cell = reader.cell();
      if (typeof cell !== "string") return cell;
      if (count++ < MAX_CELLS) cells.push(cell);
    } while (reader.skip(separator));
    if (count > MAX_CELLS) {
      return { problem: "a row has too many cells", got: count, expected: `at most ${MAX_CELLS} cells`, offset };
    }
    const end = reader.at;
    if (!reader.skip("\r\n") && !reader.skip("\n")) reader.skip("\r");
    const isBlank = count === 1 && cells[0] === "";
    if (!isBlank && !take({ cells, offset, end })) return undefined;
  }
  return undefined;
}

export type Separator = "," | ";" | "\t";

/** Returns the first of comma, tab and semicolon that the first line contains, or a comma if it contains none. */
export function separatorOf(text: string): Separator {
  const [first] = /^[^\r\n]*/.exec(text) ?? [""];
  return ([",", "\t", ";"] as const).find((one) => first.includes(one)) ?? ",";
}

class CellReader {
  at = 0;
  readonly #text: string;
  readonly #plain: RegExp;
  readonly #end: RegExp;

  constructor(text: string, separator: Separator) {
    this.#text = text;
    this.#plain = new RegExp(`[^"${separator}\\r\\n]*`, "y");
    this.#end = new RegExp(`[${separator}\\r\\n]`);
  }

  /** Reads a cell. Stops before the next separator or line break, or at the end of the text. */
  cell(): string | CsvFlaw {
    if (this.#text[this.at] === '"') return this.#quoted();
    const start = this.at;
    this.#plain.lastIndex = start;
    this.#plain.test(this.#text);
    this.at = this.#plain.lastIndex;
    if (this.#text[this.at] === '"') return quoteFlaw("a quote is inside a cell without quotes", start);
    return this.#text.slice(start, this.at);
  }

  skip(characters: string): boolean {
    if (!this.#text.startsWith(characters, this.at)) return false;
    this.at += characters.length;
    return true;
  }

  #quoted(): string | CsvFlaw {
    const start = this.at;
    do {
      const end = this.#text.indexOf('"', this.at + 1);
      if (end < 0) return quoteFlaw("a quote is not closed", start);
      this.at = end + 1;
      // two quotes in a row stand for one quote in the cell
    } while (this.#text[this.at] === '"');
    if (this.at < this.#text.length && !this.#end.test(this.#text[this.at]))
      return quoteFlaw("text follows the closing quote of a cell", start);
    return this.#text.slice(start + 1, this.at - 1).replaceAll('""', '"');
  }
}

function quoteFlaw(problem: string, offset: number): CsvFlaw {
  const remedy = 'Put quotes around the whole cell, and write each quote inside it twice ("")';
  return { problem, expected: "quotes around a whole cell", remedy, offset };
}

/** Finds places in a CSV text. All searches together cost O(characters) if their offsets ascend. */
export class CsvPlaces {
  readonly #text: string;
  readonly #separator: Separator;
  #record = 0;
  #cell = 0;
  #cellOffset = 0;
  #line = 1;
  #lineOffset = 0;
  #nextOffset: number | undefined;

  constructor(text: string, separator: Separator = ",") {
    this.#text = text;
    this.#separator = separator;
  }

  /** Returns the offset of a cell. `record` is the offset of the cell's record, `cell` its index in this record. */
  cellOffset(record: number, cell: number): number {
    if (record !== this.#record || cell < this.#cell) {
      this.#record = record;
      this.#cell = 0;
      this.#cellOffset = record;
    }
    let isQuoted = false;
    let at = this.#cellOffset;
    for (; this.#cell < cell && at < this.#text.length; at++) {
      if (this.#text[at] === '"') isQuoted = !isQuoted;
      else if (this.#text[at] === this.#separator && !isQuoted) this.#cell++;
    }
    this.#cellOffset = at;
    return at;
  }

  /** Returns the line and the column of an offset, both from 1. Columns count UTF-16 units. */
  placeAt(offset: number): { readonly line: number; readonly column: number } {
    if (offset < this.#lineOffset) {
      this.#line = 1;
      this.#lineOffset = 0;
      this.#nextOffset = undefined;
    }
    this.#nextOffset ??= this.#lineAfter(this.#lineOffset);
    while (this.#nextOffset <= offset) {
      this.#line++;
      this.#lineOffset = this.#nextOffset;
      this.#nextOffset = this.#lineAfter(this.#lineOffset);
    }
    return { line: this.#line, column: offset - this.#lineOffset + 1 };
  }

  #lineAfter(offset: number): number {
    const lineBreak = /\r\n|\n|\r/g;
    lineBreak.lastIndex = offset;
    return lineBreak.test(this.#text) ? lineBreak.lastIndex : Number.POSITIVE_INFINITY;
  }
}

/** Options for writing CSV. */
export interface CsvOptions {
  /**
   * Whether texts that a spreadsheet would run as formulas (=, +, -, @ …) stay unchanged. Default false: these texts
   * get a leading apostrophe.
   */
  readonly rawCells?: boolean;
}

export function csvField(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/** Texts that a spreadsheet runs as formulas, with or without leading apostrophes. Source: OWASP, "CSV Injection". */
const FORMULA = /^'*[=+\-@\t\r\n]./s;
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. */
export function safeText(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

export function fromSafeText(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

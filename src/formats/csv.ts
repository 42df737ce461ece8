/** A record of a CSV text. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** Offset of the record's first character in the text, in UTF-16 units. */
  readonly offset: number;
  /** Offset of the line break after the record, or the end of the text, in UTF-16 units. */
  readonly end: number;
}

/** The place at which a text stops being valid CSV. */
interface CsvFlaw {
  readonly problem: string;
  readonly got?: number;
  readonly expected: string;
  readonly remedy?: string;
  /** Offset of the cell with the flaw, or of the record that is too long, in UTF-16 units. */
  readonly offset: number;
}

/** Maximum number of cells of a record. All cells of a record are in memory at once. */
const MAX_CELLS = 2 ** 16;

/**
 * Splits a CSV text (RFC 4180; lines end in LF, CRLF or CR) into records, and calls `take` with each, until `take`
 * returns false. Skips blank lines. Records may differ in length. The text must not start with a byte order mark.
 * Returns the flaw at which the text stops being valid CSV, if there is one.
 *
 * Cost: O(characters). Memory: one record, which has at most 65,536 cells.
 */
export function parseCsv(text: string, take: (record: CsvRecord) => boolean): CsvFlaw | undefined {
  const reader = new CellReader(text);
  while (reader.at < text.length) {
    const offset = reader.at;
    const cells: string[] = [];
    let count = 0;
    do {
      const cell = reader.cell();
      if (typeof cell !== "string") return cell;
      if (count++ < MAX_CELLS) cells.push(cell);
    } while (reader.skip(","));
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

/** Reads the cells of a text one after another. */
class CellReader {
  /** Offset of the next character. */
  at = 0;
  readonly #text: string;
  readonly #plain = /[^",\r\n]*/y;

  constructor(text: string) {
    this.#text = text;
  }

  /** Reads a cell. Stops at the comma, the line break or the end of the text after it. */
  cell(): string | CsvFlaw {
    if (this.#text[this.at] === '"') return this.#quoted();
    const start = this.at;
    this.#plain.lastIndex = start;
    this.#plain.test(this.#text);
    this.at = this.#plain.lastIndex;
    if (this.#text[this.at] === '"') return quoteFlaw("a quote is inside a cell without quotes", start);
    return this.#text.slice(start, this.at);
  }

  /** Skips some characters if they come next. Returns whether they do. */
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
      // two quotes in a row are a quote in the cell
    } while (this.#text[this.at] === '"');
    if (this.at < this.#text.length && !/[,\r\n]/.test(this.#text[this.at]))
      return quoteFlaw("text follows the closing quote of a cell", start);
    return this.#text.slice(start + 1, this.at - 1).replaceAll('""', '"');
  }
}

function quoteFlaw(problem: string, offset: number): CsvFlaw {
  const remedy = 'Write a cell with commas, quotes or line breaks as "…", and a quote inside it as ""';
  return { problem, expected: "quotes around a whole cell", remedy, offset };
}

/**
 * Finds the places of cells in a text. It goes on from the last place, so that places that ascend cost O(characters) in
 * all, however many there are.
 */
export class CsvPlaces {
  readonly #text: string;
  /** The last record and cell of {@link cellOffset}, and the offset of the cell. */
  #record = 0;
  #cell = 0;
  #cellOffset = 0;
  /** The last offset of {@link placeAt}, its line, and the offset of the line. */
  #offset = 0;
  #line = 1;
  #lineOffset = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Returns the offset of a cell in the record that starts at offset `record`. `cell` is the cell's index, from 0. */
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
      else if (this.#text[at] === "," && !isQuoted) this.#cell++;
    }
    this.#cellOffset = at;
    return at;
  }

  /** Returns the line and the column of an offset. Both start at 1; columns count UTF-16 units. */
  placeAt(offset: number): { readonly line: number; readonly column: number } {
    if (offset < this.#offset) {
      this.#offset = 0;
      this.#line = 1;
      this.#lineOffset = 0;
    }
    const lineBreak = /\r\n|\n|\r/g;
    lineBreak.lastIndex = this.#offset;
    for (let found = lineBreak.exec(this.#text); found !== null; found = lineBreak.exec(this.#text)) {
      if (lineBreak.lastIndex > offset) break;
      this.#line++;
      this.#lineOffset = lineBreak.lastIndex;
    }
    this.#offset = this.#lineOffset;
    return { line: this.#line, column: offset - this.#lineOffset + 1 };
  }
}

/** Options of writers of CSV. */
export interface CsvOptions {
  /**
   * Whether to write every text as it is. Default false: a spreadsheet would run a text that begins with =, +, -, @, a
   * tab or a line break as a formula, so the writer puts an apostrophe before it. Numbers such as -5 stay numbers.
   */
  readonly rawCells?: boolean;
}

/** Formats a cell for CSV. Quotes it if it contains a comma, a quote or a line break. */
export function csvField(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

/**
 * A text that a spreadsheet runs as a formula, after any number of apostrophes. Source: OWASP, "CSV Injection".
 * Apostrophes count, so that {@link fromSafeText} is the exact inverse of {@link safeText}.
 */
const FORMULA = /^'*[=+\-@\t\r\n]./s;
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;

/** Puts an apostrophe before a text that a spreadsheet would run as a formula. Numbers stay unchanged. */
export function safeText(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
}

/** Removes the apostrophe that {@link safeText} put before a text. */
export function fromSafeText(text: string): string {
  return text.startsWith("'") && FORMULA.test(text) ? text.slice(1) : text;
}

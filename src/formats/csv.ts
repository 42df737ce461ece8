import { CsvError, type Options, parse } from "csv-parse/browser/esm/sync";

/** A record of a CSV text. */
export interface CsvRecord {
  readonly cells: readonly string[];
  /** Offset of the record's first character in the text, in UTF-16 units. */
  readonly offset: number;
}

/** The place at which a text stops being valid CSV, because its quotes do not match. */
interface CsvFlaw {
  readonly problem: string;
  /** Offset of the cell with the quote, in UTF-16 units. */
  readonly offset: number;
}

/** The records of a CSV text, and the flaw at which the parser stopped, if there is one. */
interface CsvText {
  readonly records: readonly CsvRecord[];
  readonly flaw?: CsvFlaw;
}

const FLAWS = new Map<string, string>([
  ["CSV_QUOTE_NOT_CLOSED", "a quote is not closed"],
  ["CSV_INVALID_CLOSING_QUOTE", "text follows the closing quote of a cell"],
  ["INVALID_OPENING_QUOTE", "a quote is inside a cell without quotes"],
]);

/**
 * Splits a CSV text (RFC 4180; lines end in LF, CRLF or CR) into records. Skips blank lines. Records may differ
 * in length. The text must not start with a byte order mark.
 *
 * Cost: O(characters).
 */
export function parseCsv(text: string): CsvText {
  const records: CsvRecord[] = [];
  let offset = 0;
  const take = ({ record: cells, raw }: { readonly record: string[]; readonly raw: string }): null => {
    // the parser returns a blank line as one empty cell
    if (cells.length > 1 || cells[0] !== "") records.push({ cells, offset });
    offset += raw.length;
    // the parser's raw text of a record that ends in CRLF lacks the LF
    if (raw.endsWith("\r") && text[offset] === "\n") offset++;
    return null;
  };
  try {
    // with the option `raw`, the callback gets a record and its text; the parser's types omit this
    const on_record = take as unknown as NonNullable<Options["on_record"]>;
    parse(text, { record_delimiter: ["\r\n", "\n", "\r"], relax_column_count: true, raw: true, on_record });
  } catch (thrown) {
    const problem = thrown instanceof CsvError ? FLAWS.get(thrown.code) : undefined;
    if (problem === undefined) throw thrown;
    return { records, flaw: { problem, offset: cellOffset(text, offset, Number((thrown as CsvError).column)) } };
  }
  return { records };
}

/**
 * Returns the offset of a cell in the record that starts at offset `start`. `cell` is the cell's index, from 0.
 *
 * Cost: O(characters of the record).
 */
export function cellOffset(text: string, start: number, cell: number): number {
  let isQuoted = false;
  let left = cell;
  let at = start;
  for (; left > 0 && at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    else if (text[at] === "," && !isQuoted) left--;
  }
  return at;
}

/** Returns the line and the column of an offset. Both start at 1; columns count UTF-16 units. Cost: O(offset). */
export function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const lines = text.slice(0, offset).split(/\r\n|\n|\r/);
  return { line: lines.length, column: lines[lines.length - 1].length + 1 };
}

/** Formats a cell for CSV. Quotes it if it contains a comma, a quote or a line break. */
export function csvField(cell: string): string {
  return /[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

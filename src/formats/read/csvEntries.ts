import { type Code, type Finding, type Issue, IssueList, likely, warning } from "../../errors/index.js";
import { CsvPlaces, type CsvRecord, parseCsv, type Separator, separatorOf } from "./csv.js";

export interface CsvCell {
  readonly text: string;
  readonly line: number;
  readonly column: number;
}

/** An entry: a record of the file. `cells` has only the cells that are not blank. */
export interface CsvEntry<Name extends string> {
  readonly cells: ReadonlyMap<Name, CsvCell>;
  readonly line: number;
}

interface CsvEntriesOptions<Name extends string> {
  readonly file: string | undefined;
  readonly known: readonly Name[];
  readonly required: readonly Name[];
  readonly code: Code;
}

export interface CsvEntries<Name extends string> {
  readonly columns: ReadonlySet<Name>;
  readonly entries: readonly CsvEntry<Name>[];
  readonly issues: readonly Issue[];
}

/** Converts a decimal such as 2.5 to a number. Other texts, such as 1/3, stay texts. */
export function numberOrText(text: string): number | string {
  return /^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i.test(text) ? Number(text) : text;
}

export function isCsvHeader(line: string): boolean {
  return line.split(separatorOf(line)).some((cell) => NAMES.includes(cell.trim().toLowerCase()));
}

/** Maximum length in UTF-16 units. The text of a 64 MiB file is never longer. */
const MAX_LENGTH = 2 ** 26;

/** All these headers mean the column with an entry's result, which the option `known` names `result` or `id`. */
const NAMES: readonly string[] = ["result", "id", "item", "name"];
/** If an unknown column matches `header`, its message suggests the column of `names` that is in the option `known`. */
const SUGGESTIONS: readonly (readonly [header: RegExp, names: readonly string[]])[] = [
  [/^(?:loot|drop|label)$/, ["result"]],
  [/^(?:amount|count|qty|copies|stock)$/, ["quantity"]],
  [/^(?:path|category)$/, ["pool"]],
  // a header such as "Drop Chance" or "drop %" is an error: if it were ignored, all entries would be equally likely
  [/chance|probabilit|odds|\brate\b|\bweight\b|\bmass\b|%/, ["weight", "mass"]],
];
/** The ends of a range. These two columns together are read as the column `quantity`. */
const ENDS = ["min", "max"] as const;
type End = (typeof ENDS)[number];

/**
 * Reads a CSV text as a spreadsheet saves it. The first line names the columns, in any order and case. Skips blank
 * lines. An unknown column is an error if its name resembles a known name, and otherwise a warning. `result`, `id`,
 * `item` and `name` mean the same. If `quantity` is known, the columns `min` and `max` may replace it.
 */
export function readCsvEntries<Name extends string>(text: string, options: CsvEntriesOptions<Name>): CsvEntries<Name> {
  return new EntryReader(text.replace(/^\ufeff/, ""), options).read();
}

class EntryReader<Name extends string> {
  readonly #entries: CsvEntry<Name>[] = [];
  /** The names of the columns; undefined before the header is read. */
  #columns: readonly (Name | End | undefined)[] | undefined;
  readonly #text: string;
  readonly #separator: Separator;
  readonly #options: CsvEntriesOptions<Name>;
  readonly #places: CsvPlaces;
  readonly #issues: IssueList;

  constructor(text: string, options: CsvEntriesOptions<Name>) {
    this.#text = text;
    this.#options = options;
    this.#separator = separatorOf(text);
    this.#places = new CsvPlaces(text, this.#separator);
    this.#issues = new IssueList({ code: options.code });
  }

  read(): CsvEntries<Name> {
    const { length } = this.#text;
    if (length > MAX_LENGTH) {
      this.#report(0, { problem: "the text is too long", got: length, expected: `at most ${MAX_LENGTH} characters` });
    } else {
      const flaw = parseCsv(this.#text, (record) => this.#take(record), this.#separator);
      if (flaw !== undefined) this.#report(flaw.offset, flaw);
      else if (this.#columns === undefined) {
        const expected = `a first line with names of columns, such as ${this.#options.known.join(",")}`;
        this.#report(0, { problem: "the text has no header", expected });
      }
    }
    const columns = new Set(this.#columns?.filter((name): name is Name => name !== undefined));
    return { columns, entries: this.#entries, issues: this.#issues.list() };
  }

  /** Reads the header or an entry. Returns false if the rest of the text need not be read. */
  #take(record: CsvRecord): boolean {
    if (this.#columns === undefined) return this.#readHeader(record) && !this.#issues.isFull;
    this.#readEntry(record, this.#columns);
    return !this.#issues.isFull;
  }

  #readHeader({ cells, offset }: CsvRecord): boolean {
    const { known, required } = this.#options;
    const columns = cells.map((cell) => this.#nameOf(cell.trim().toLowerCase()));
    this.#columns = columns;
    if (!required.some((name) => columns.includes(name))) {
      const example = known.filter((name) => [...NAMES, "weight", "quantity"].includes(name)).join(this.#separator);
      const remedy = `Name the columns in the first line, such as ${JSON.stringify(example || required[0])}`;
      const expected = `${required.length > 1 ? "one of the columns" : "the column"} ${required.join(", ")}`;
      this.#report(offset, { problem: "the header lacks a required column", got: cells.join(","), expected, remedy });
      return false;
    }
    const hasEnds = ENDS.some((end) => columns.includes(end));
    for (const [i, name] of columns.entries()) {
      const at = this.#places.cellOffset(offset, i);
      const isTwice = columns.indexOf(name) < i || (hasEnds && name === "quantity");
      if (name === undefined) this.#reportColumn(at, cells[i].trim(), columns);
      else if (isTwice) this.#report(at, { problem: "two columns have the same meaning", got: cells[i].trim() });
    }
    return true;
  }

  #nameOf(header: string): Name | End | undefined {
    const { known } = this.#options;
    const name = known.find((one) => one === header || (NAMES.includes(header) && NAMES.includes(one)));
    const hasQuantity = known.some((one) => one === "quantity");
    return name ?? (hasQuantity ? ENDS.find((end) => end === header) : undefined);
  }

  #reportColumn(offset: number, name: string, columns: readonly unknown[]): void {
    const { known, code } = this.#options;
    if (name === "") return;
    const [, names = []] = SUGGESTIONS.find(([header]) => header.test(name.toLowerCase())) ?? [];
    const suggestion = known.find((one) => names.includes(one));
    const isFree = suggestion !== undefined && !columns.includes(suggestion);
    const near = isFree ? suggestion : likely(name.toLowerCase(), known);
    const finding = { got: name, expected: `the columns ${known.join(", ")}`, where: this.#where(offset) };
    if (near === undefined) this.#issues.add(warning(code, { problem: "an unknown column is ignored", ...finding }));
    else this.#issues.report(code, { problem: "unknown column", ...finding, remedy: `Did you mean "${near}"?` });
  }

  #readEntry({ cells, offset }: CsvRecord, columns: readonly (Name | End | undefined)[]): void {
    const filled = new Map<Name | End, CsvCell>();
    // searches places in ascending order: a search for an earlier place would begin again at the start of the text
    const { line } = this.#places.placeAt(offset);
    for (const [i, cell] of cells.entries()) {
      const text = cell.trim();
      const name = columns[i];
      if (text === "") continue;
      const at = this.#places.cellOffset(offset, i);
      if (name !== undefined) filled.set(name, { text, ...this.#places.placeAt(at) });
      else if (i >= columns.length) {
        const remedy = 'Put a cell with a comma in quotes: "a, b"';
        this.#report(at, { problem: "a cell is beyond the last column", got: text, remedy });
      }
    }
    if (filled.size > 0) this.#entries.push({ cells: this.#withQuantity(filled), line });
  }

  #withQuantity(filled: Map<Name | End, CsvCell>): ReadonlyMap<Name, CsvCell> {
    const ends = ENDS.flatMap((end) => filled.get(end) ?? []);
    const invalid = ends.filter(({ text }) => !/^\d+$/.test(text));
    for (const { text, line, column } of invalid) {
      const where = { file: this.#options.file, line, column };
      const finding = { problem: "invalid min or max", got: text, expected: "an integer of 0 or more", where };
      this.#issues.report(this.#options.code, finding);
    }
    const text = [...new Set(ends.map((end) => end.text))].join("-");
    if (ends.length > 0 && invalid.length === 0) filled.set("quantity" as Name, { ...ends[0], text });
    for (const end of ENDS) filled.delete(end);
    // the cast is safe: `min` and `max` are deleted
    return filled as ReadonlyMap<Name, CsvCell>;
  }

  #report(offset: number, finding: Finding): void {
    this.#issues.report(this.#options.code, { ...finding, where: this.#where(offset) });
  }

  #where(offset: number) {
    return { file: this.#options.file, ...this.#places.placeAt(offset) };
  }
}

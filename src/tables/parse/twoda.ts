import type { Issue } from "../../errors/index.js";
import { columnIndex, parseTwoDa, type TwoDa, type TwoDaRow, type TwoDaText } from "../../formats/read/twoda.js";
import { numbered, rowRange } from "../issues.js";
import { MAX_WEIGHT, type Weight } from "./input.js";
import {
  columnOf,
  jumpIn,
  nothingRead,
  type ReadColumn,
  type ReadRow,
  type ReadTable,
  type ReadTarget,
  scriptIn,
  TextReader,
} from "./read.js";

export function readTableTwoDa(text: string, file: string | undefined): ReadTable {
  const twoDa = parseTwoDa(text, { file });
  return twoDa.complete ? new TwoDaReader(twoDa, file).read() : nothingRead(twoDa.issues);
}

/**
 * The indices of the columns RandomN and RandomNWeight; −1 for a missing column, whose cells have the DEFAULT value.
 */
interface Pair {
  readonly random: number;
  readonly weight: number;
}

const ADD_PAIRS =
  "Add pairs of columns: Random0 for a result and Random0Weight for its weight, then Random1 and Random1Weight, and so on";
const NOT_A_NAME =
  'A text is read as the content of a table, not as its name or path: write the lines of the table, such as "result,weight\\ngold,1"';

class TwoDaReader extends TextReader {
  readonly #twoDa: TwoDa;
  #rowText = "";

  constructor(twoDa: TwoDa, file: string | undefined) {
    super(file, "twoda.limit");
    this.#twoDa = twoDa;
  }

  read(): ReadTable {
    const { rows: read, issues: before } = this.#twoDa;
    const pairs = this.#findPairs();
    const label = columnIndex(this.#twoDa, "Label");
    const rows: ReadRow[] = [];
    for (const [index, row] of pairs.length === 0 ? [] : read.entries()) {
      if (this.issues.isFull) break;
      rows.push(this.#readRow(row, index, row.texts[label] ?? undefined, pairs));
    }
    return this.table(rows, inFileOrder([...before, ...this.issues.list()]));
  }

  /** Returns the pairs before the first incomplete pair. After pair 0, DEFAULT can replace a missing column. */
  #findPairs(): Pair[] {
    const { columns, columnLine: line } = this.#twoDa;
    // the 2DA parser has reported names that occur twice; of such columns, the first counts
    const indexOf = new Map(columns.map(({ name }, index) => [name.toLowerCase(), index] as const).reverse());
    const pairs: Pair[] = [];
    for (let n = 0; ; n++) {
      const random = indexOf.get(`random${n}`) ?? -1;
      const weight = indexOf.get(`random${n}weight`) ?? -1;
      if (random < 0 && weight < 0) break;
      if ((random < 0 || weight < 0) && (n === 0 || this.#twoDa.default === undefined)) break;
      pairs.push({ random, weight });
    }
    if (pairs.length === 0) {
      const names = columns.map(({ name }) => name);
      const shown = `${names.slice(0, 24).join(", ")}${names.length > 24 ? ` and ${names.length - 24} more` : ""}`;
      this.report(
        "table.columns",
        { line, column: columns[0].column },
        {
          problem: `a table needs the columns Random0 and Random0Weight, but the file has only ${shown}`,
          remedy: columns.length === 1 && this.#twoDa.rows.length === 0 ? NOT_A_NAME : ADD_PAIRS,
        },
      );
      return pairs;
    }
    const used = new Set(pairs.flatMap(({ random, weight }) => [random, weight]));
    for (const index of indexOf.values()) {
      const { name, column } = columns[index];
      if (used.has(index) || !/^random\d+(weight)?$/i.test(name)) continue;
      const problem = `column ${name} is ignored, because Random${pairs.length} or Random${pairs.length}Weight is missing`;
      const remedy = "Number the pairs 0, 1, 2 … without gaps and without leading zeros";
      this.warn("table.columns", { line, column }, { problem, remedy });
    }
    return pairs;
  }

  #readRow(row: TwoDaRow, index: number, label: string | undefined, pairs: readonly Pair[]): ReadRow {
    const columns: ReadColumn[] = [];
    const places: number[] = [];
    this.#rowText = numbered(index, label);
    for (const [n, pair] of pairs.entries()) {
      const random = this.#cellAt(row, pair.random);
      const weight = this.#cellAt(row, pair.weight);
      // a misplaced quote splits a result into several cells, so all cells after the result are in the wrong columns
      if (random !== undefined && isBroken(random.text)) {
        this.#reportBroken(row, random);
        break;
      }
      if (random === undefined || weight === undefined) {
        this.#warnOfGap(row, n, pairs);
        break;
      }
      const target = this.#readTarget(random);
      const weighed = this.#readWeight(weight);
      if (target === undefined || weighed === undefined) continue;
      columns.push(columnOf(target, weighed));
      places.push(random.column, weight.column);
    }
    return { label, columns, line: row.line, places };
  }

  #cellAt(row: TwoDaRow, index: number): TwoDaText | undefined {
    if (index < 0) return this.#twoDa.default;
    const text = row.texts[index] ?? null;
    return text === null ? undefined : { text, line: row.line, column: row.columns[index] };
  }

  #reportBroken(row: TwoDaRow, cell: TwoDaText): void {
    const { text, line, column } = cell;
    const place = `in a Random cell of ${this.#rowText}`;
    if (text === "->") {
      const problem = `${place}, white space follows the arrow of a jump and ends the cell`;
      const remedy = `Write ->${row.texts[row.columns.indexOf(column) + 1] ?? "Gems"}, or put quotes around the whole cell`;
      this.report("table.jump", cell, { problem, got: text, expected: "one cell with the arrow and a label", remedy });
      return;
    }
    // the cell may come from the DEFAULT value, which is on another line
    const first = line === row.line ? row.columns.indexOf(column) : row.texts.length;
    const rest = row.texts.slice(first + 1).map((one) => one ?? "****");
    const last = rest.findIndex((one) => one.endsWith('"'));
    const words = [text.slice(2), ...(last < 0 ? ["…"] : rest.slice(0, last + 1))].join(" ").replace(/"$/, "");
    const problem = `${place}, the quote comes after the r, so the cell ends at the first space`;
    const remedy = `Write "r${words}", with both quotes`;
    this.report("table.result", cell, { problem, got: text, expected: "a cell that begins with the quote", remedy });
  }

  /** A row ends at its first incomplete pair, `gap`. Warns if values in this pair or in later pairs are ignored. */
  #warnOfGap(row: TwoDaRow, gap: number, pairs: readonly Pair[]): void {
    const indices = pairs.slice(gap).flatMap(({ random, weight }) => [random, weight]);
    const lost = indices.filter((index) => index >= 0 && this.#cellAt(row, index) !== undefined);
    if (lost.length === 0) return;
    const first = lost.reduce((a, b) => (row.columns[b] < row.columns[a] ? b : a));
    const cells = lost.length === 1 ? "1 filled cell is ignored" : `${lost.length} filled cells are ignored`;
    const problem = `Random${gap} of ${this.#rowText} has no value or no weight, so the row ends there, and ${cells}`;
    const remedy = "Fill the gap, or clear the cells after it";
    this.warn("table.gap", { line: row.line, column: row.columns[first] }, { problem, remedy });
  }

  #readTarget(cell: TwoDaText): ReadTarget | undefined {
    const { text } = cell;
    const to = jumpIn(text);
    if (to !== undefined) return this.jump(to, cell);
    if (text.startsWith("r")) {
      if (/^r".*"$/.test(text)) {
        const problem = `the quotes in a Random cell of ${this.#rowText} become a part of the result`;
        this.warn("table.result", cell, { problem, got: text, remedy: `Write "r${text.slice(2, -1)}"` });
      }
      return { result: text.slice(1) };
    }
    const remedy = `Write ${quoted(`r${text}`)} if this is a result`;
    if (!/^\d+$/.test(text)) {
      const problem = `invalid Random cell in ${this.#rowText}`;
      const expected = 'r and a result ("rsword"), the number of a row ("12"), or the label of a row ("->gems")';
      this.report("table.result", cell, { problem, got: text, flawAt: text.search(/\D/), expected, remedy });
      return undefined;
    }
    const { length } = this.#twoDa.rows;
    if (Number(text) < length) return { jump: Number(text) };
    const problem = `a jump in ${this.#rowText} leads to a row that does not exist`;
    this.report("table.jump", cell, { problem, got: text, expected: rowRange(length), remedy });
    return undefined;
  }

  #readWeight(cell: TwoDaText): Weight | undefined {
    const { text } = cell;
    const weight = scriptIn(text) ?? (/^\d+$/.test(text) ? Number(text) : Number.NaN);
    if (typeof weight === "object" || weight <= MAX_WEIGHT) return weight;
    const problem = `invalid weight in ${this.#rowText}`;
    const expected = `an integer from 0 to ${MAX_WEIGHT}, or the letter s followed by the id or the name of a script`;
    const flawAt = Math.max(0, text.search(/(?!^s)\D/));
    this.report("table.weight", cell, { problem, got: text, flawAt, expected });
    return undefined;
  }
}

/** Whether white space has split a text into several cells, as in `r"roast boar"` and `-> Gems`. */
function isBroken(text: string): boolean {
  return text === "->" || (text.startsWith('r"') && !text.includes('"', 2));
}

/** Puts quotes around a text, so that it stays one cell even if it has spaces. Cuts it to 60 characters. */
function quoted(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 59)}…` : text;
  return text.includes('"') ? short : `"${short}"`;
}

function inFileOrder(issues: readonly Issue[]): Issue[] {
  return issues.toSorted(({ where: a }, { where: b }) => {
    return (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
  });
}

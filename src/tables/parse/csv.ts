import { type Amount, NO_RESULT, readQuantity } from "../../amounts/index.js";
import { scaleToIntegers, weightRemedy } from "../../decimals.js";
import type { Finding, Issue } from "../../errors/index.js";
import { type CsvCell, type CsvEntry, readCsvEntries } from "../../formats/read/csvEntries.js";
import { jumpQuantity, MAX_WEIGHT, SCRIPT_NAMES, type Weight } from "./input.js";
import { columnOf, jumpIn, type ReadRow, type ReadTable, type ReadTarget, scriptIn, TextReader } from "./read.js";

const COLUMNS = ["table", "result", "jump", "weight", "script", "quantity"] as const;
type Column = (typeof COLUMNS)[number];
type Entry = CsvEntry<Column>;

/**
 * Reads a table from CSV. Each line is one entry. The column `table` has the label of the entry's row; an empty
 * cell means the row of the previous entry. A file without the column `table` has one row.
 */
export function readTableCsv(text: string, file: string | undefined): ReadTable {
  const read = readCsvEntries(text, { file, known: COLUMNS, required: ["result", "jump"], code: "table.columns" });
  const reader = new CsvTableReader(file, read.columns);
  for (const entry of read.entries) reader.add(entry);
  return reader.result(read.issues);
}

interface Draft {
  readonly label: string | undefined;
  readonly line: number;
  readonly targets: ReadTarget[];
  readonly weights: CsvCell[];
  readonly lines: number[];
  readonly places: number[];
}

class CsvTableReader extends TextReader {
  readonly #columns: ReadonlySet<Column>;
  readonly #drafts: Draft[] = [];
  readonly #byLabel = new Map<string, number>();
  #current = -1;

  constructor(file: string | undefined, columns: ReadonlySet<Column>) {
    super(file, "table.columns");
    this.#columns = columns;
  }

  add({ cells, line }: Entry): void {
    const label = cells.get("table");
    if (label !== undefined || this.#current < 0) this.#current = this.#rowOf(label, line);
    const draft = this.#drafts[this.#current];
    const at = cells.get("result") ?? cells.get("jump") ?? label ?? { text: "", line, column: 1 };
    const weight = this.#weightCell(cells, at);
    draft.targets.push(this.#target(cells));
    draft.weights.push(weight);
    draft.lines.push(line);
    draft.places.push(at.column, weight.column);
  }

  result(before: readonly Issue[]): ReadTable {
    const rows = this.#drafts.map(({ targets, weights: cells, ...row }): ReadRow => {
      const weights = this.#weights(cells);
      return { ...row, columns: targets.map((target, i) => columnOf(target, weights[i])) };
    });
    return this.table(rows, [...before, ...this.issues.list()]);
  }

  #rowOf(label: CsvCell | undefined, line: number): number {
    const known = label === undefined ? undefined : this.#byLabel.get(label.text);
    if (known !== undefined) return known;
    const draft = { label: label?.text, line, targets: [], weights: [], lines: [], places: [] };
    const row = this.#drafts.push(draft) - 1;
    if (label !== undefined) this.#byLabel.set(label.text, row);
    return row;
  }

  #target(cells: Entry["cells"]): ReadTarget {
    const [result, jump, quantity] = [cells.get("result"), cells.get("jump"), cells.get("quantity")];
    const written = this.#columns.has("jump") || result === undefined ? undefined : jumpIn(result.text);
    const to = jump ?? (written === undefined ? undefined : result);
    if (to === undefined) {
      return { result: result?.text ?? null, quantity: quantity && this.#quantity(quantity, result === undefined) };
    }
    if (jump !== undefined && result !== undefined) {
      this.report("table.result", result, { problem: "an entry has both a result and a jump", got: result.text });
    }
    if (quantity !== undefined) this.report("amount.invalid", quantity, jumpQuantity(quantity.text));
    return this.jump(written ?? to.text, to);
  }

  #quantity(cell: CsvCell, isNothing: boolean): Amount | undefined {
    const report = (finding: Finding) => this.report("amount.invalid", cell, finding);
    if (isNothing) report(NO_RESULT);
    return readQuantity(cell.text, report);
  }

  /** Returns the cell with the weight. A script has the form `s2` or `sisNight`. Without weights, each weight is 1. */
  #weightCell(cells: Entry["cells"], at: CsvCell): CsvCell {
    const [cell, script] = [cells.get("weight"), cells.get("script")];
    if (script !== undefined) {
      const got = script.text;
      if (cell !== undefined)
        this.report("table.weight", script, { problem: "an entry has a weight and a script", got });
      if (scriptIn(`s${got}`) !== undefined) return { ...script, text: `s${got}` };
      const expected = `the number of a script, or ${SCRIPT_NAMES}`;
      this.report("table.weight", script, { problem: "invalid script", got, expected });
      return { ...script, text: "0" };
    }
    if (cell !== undefined) return cell;
    if (this.#columns.has("weight"))
      this.report("table.weight", at, { problem: "the entry has no weight", expected: WEIGHT });
    return { ...at, text: "1" };
  }

  #weights(cells: readonly CsvCell[]): readonly Weight[] {
    const weights = cells.map(({ text }) => weightOf(text));
    const flawed = cells.filter((_, i) => weights[i] === undefined);
    for (const cell of flawed) this.#reportWeight(cell);
    if (flawed.length > 0) return cells.map(() => 0);
    if (!weights.some((weight) => typeof weight === "object")) return this.#scaled(cells, weights);
    // scripts return integers, which cannot be scaled, so the fixed weights of the row must be integers too
    const broken = cells.filter((_, i) => typeof weights[i] !== "object" && !isInteger(weights[i]));
    for (const cell of broken) this.#reportWeight(cell, "an integer, because another weight of the row has a script");
    return broken.length > 0 ? cells.map(() => 0) : (weights as readonly Weight[]);
  }

  #scaled(cells: readonly CsvCell[], weights: readonly unknown[]): readonly number[] {
    const { scaled, issues } = scaleToIntegers(weights, { ratios: true, path: String, whole: "" });
    for (const issue of issues) {
      const cell = cells[Number(issue.where.path)] ?? cells[0];
      const code = issue.code === "weights.invalid" ? "table.weight" : issue.code;
      this.issues.add({ ...issue, code, where: this.where(cell) });
    }
    return scaled?.integers ?? cells.map(() => 0);
  }

  #reportWeight(cell: CsvCell, expected = WEIGHT): void {
    const { text } = cell;
    this.report("table.weight", cell, { problem: "invalid weight", got: text, expected, remedy: weightRemedy(text) });
  }
}

const WEIGHT =
  "a number of 0 or more, a fraction such as 1/3 with a denominator above 0, or the letter s and the id of a script";

function isInteger(weight: unknown): boolean {
  return Number.isInteger(weight) && Number(weight) <= MAX_WEIGHT;
}

function weightOf(text: string): number | string | Exclude<Weight, number> | undefined {
  const script = scriptIn(text);
  if (script !== undefined) return script;
  if (/^(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d{1,3})?$/i.test(text)) return Number(text);
  return /^\d+ *\/ *0*[1-9]\d*$/.test(text) ? text.replaceAll(" ", "") : undefined;
}

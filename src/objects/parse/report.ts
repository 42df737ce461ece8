import { type Code, type Finding, type Issue, IssueList, warning } from "../../errors/index.js";
import type { EditField, EditLine } from "../../formats/read/editFile.js";
import type { FilePlace } from "../types.js";

/**
 * Maximum number of errors in the report of one file. Warnings have the same limit. If more are found, one further
 * issue says so.
 */
const MAX_ERRORS = 100;

/**
 * One error covers all uses of an unknown name. It is reported at the first use, and lists the lines of at most this
 * many further uses.
 */
const SHOWN_PLACES = 3;

type ObjectCode = Extract<Code, `object.${string}`>;

interface Unknown {
  readonly code: ObjectCode;
  readonly at: { readonly line: number; readonly column: number };
  readonly finding: Finding;
  /** The lines of the next uses, at most {@link SHOWN_PLACES}. */
  readonly others: number[];
  count: number;
}

function withOthers({ finding, others, count }: Unknown): Finding {
  if (count === 1) return finding;
  const more = count - 1 - others.length;
  const lines = `${others.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
  return { ...finding, problem: `${finding.problem} (${count} times; next in line ${lines})` };
}

export class FileReport {
  readonly file: string | undefined;
  // separate lists, so that warnings cannot displace errors
  readonly #errors = new IssueList({ most: MAX_ERRORS, code: "object.files" });
  readonly #warnings = new IssueList({ most: MAX_ERRORS, code: "object.files" });

  readonly #unknown = new Map<string, Unknown>();

  constructor(file: string | undefined) {
    this.file = file;
  }

  add(code: ObjectCode, at: { readonly line: number; readonly column: number }, finding: Finding): void {
    // composing a message costs more than reading the line, so no message is composed if the list is full
    if (!this.isFull) this.#errors.report(code, { ...finding, where: this.#where(at) });
  }

  /**
   * Adds an error about a name that the files do not define. Calls with the same key share one error. It appears at the
   * place of the first call and lists the other lines.
   *
   * @param key - Identifies the flaw and the name.
   * @param describe - Composes the error. Called once for each key.
   */
  addUnknown(
    code: ObjectCode,
    at: { readonly line: number; readonly column: number },
    { key, describe }: { readonly key: string; readonly describe: () => Finding },
  ): void {
    const known = this.#unknown.get(key);
    if (known !== undefined) {
      known.count++;
      if (known.others.length < SHOWN_PLACES) known.others.push(at.line);
    } else if (!this.isFull) {
      this.#unknown.set(key, { code, at, finding: describe(), others: [], count: 1 });
    }
  }

  /** Whether the list of errors is full. Readers then skip costly checks. */
  get isFull(): boolean {
    return this.#errors.isFull || this.#errors.errors + this.#unknown.size > MAX_ERRORS;
  }

  warn(code: ObjectCode, at: { readonly line: number; readonly column: number }, finding: Finding): void {
    this.#warnings.add(warning(code, { ...finding, where: this.#where(at) }));
  }

  /** Returns the issues, sorted by line and column. If some were omitted, the last issue says so. */
  list(): readonly Issue[] {
    for (const unknown of this.#unknown.values()) {
      this.#errors.report(unknown.code, { ...withOthers(unknown), where: this.#where(unknown.at) });
    }
    this.#unknown.clear();
    const [errors, warnings] = [this.#errors.list(), this.#warnings.list()];
    const listed = [...errors.slice(0, MAX_ERRORS), ...warnings.slice(0, MAX_ERRORS)];
    listed.sort((a, b) => rank(a) - rank(b));
    return [...listed, ...errors.slice(MAX_ERRORS), ...warnings.slice(MAX_ERRORS)];
  }

  #where({ line, column }: { readonly line: number; readonly column: number }) {
    return { file: this.file, line, column };
  }
}

export interface Place {
  readonly report: FileReport;
  readonly line: number;
}

export function reportAt(at: Place, field: EditField, code: ObjectCode, finding: Finding): void {
  at.report.add(code, { line: at.line, column: field.column }, finding);
}

interface UnknownName {
  readonly code: ObjectCode;
  readonly problem: string;
  /** Composes the fields of the error other than `problem` and `got`. */
  readonly describe: () => Omit<Finding, "problem" | "got">;
}

/**
 * Adds an error about a name that the files do not define, at a field of a line. Fields with the same code, problem and
 * text share one error. `describe` is called only for the first such field.
 */
export function reportUnknown(at: Place, field: EditField, { code, problem, describe }: UnknownName): void {
  at.report.addUnknown(
    code,
    { line: at.line, column: field.column },
    { key: `${code} ${problem} ${field.text}`, describe: () => ({ problem, got: field.text, ...describe() }) },
  );
}

export function placeOf(report: FileReport, { line, column }: EditLine): FilePlace {
  return { file: report.file, line, column };
}

/** Returns a number that sorts issues by line, then by column. Columns above 2^21 − 1 count as 2^21 − 1. */
function rank({ where: { line = 0, column = 0 } }: Issue): number {
  return line * 2 ** 21 + Math.min(column, 2 ** 21 - 1);
}

import { type Code, error, type Finding, type Issue, IssueList, warning } from "../../errors/index.js";
import type { EditField, EditLine } from "../../formats/editFile.js";
import type { FilePlace } from "../types.js";

/**
 * Maximum number of errors, and of warnings, in the report of one file. If a file has more, one further issue reports
 * this.
 */
const MAX_ERRORS = 100;

/** The codes of issues in edit files. */
type ObjectCode = Extract<Code, `object.${string}`>;

/** Collects the issues of one edit file. */
export class FileReport {
  readonly file: string | undefined;
  // separate lists, so that warnings cannot displace errors
  readonly #errors = new IssueList({ most: MAX_ERRORS, code: "object.files" });
  readonly #warnings = new IssueList({ most: MAX_ERRORS, code: "object.files" });

  constructor(file: string | undefined) {
    this.file = file;
  }

  /** Adds an error at a line and column. */
  add(code: ObjectCode, at: { readonly line: number; readonly column: number }, finding: Finding): void {
    // the check avoids composing a message, which costs more than reading the line
    if (!this.isFull) this.#errors.add(error(code, { ...finding, where: this.#where(at) }));
  }

  /** Whether the list of errors is full. A reader can then skip costly checks. */
  get isFull(): boolean {
    return this.#errors.isFull;
  }

  /** Adds a warning at a line and column. */
  warn(code: ObjectCode, at: { readonly line: number; readonly column: number }, finding: Finding): void {
    this.#warnings.add(warning(code, { ...finding, where: this.#where(at) }));
  }

  /** The issues by line and column. If issues were omitted, an issue that reports this comes last. */
  list(): readonly Issue[] {
    const [errors, warnings] = [this.#errors.list(), this.#warnings.list()];
    const listed = [...errors.slice(0, MAX_ERRORS), ...warnings.slice(0, MAX_ERRORS)];
    listed.sort((a, b) => rank(a) - rank(b));
    return [...listed, ...errors.slice(MAX_ERRORS), ...warnings.slice(MAX_ERRORS)];
  }

  #where({ line, column }: { readonly line: number; readonly column: number }) {
    return { file: this.file, line, column };
  }
}

/** A line of a file, and the report of that file. */
export interface Place {
  readonly report: FileReport;
  readonly line: number;
}

/** Adds an error at a field of a line. */
export function reportAt(at: Place, field: EditField, code: ObjectCode, finding: Finding): void {
  at.report.add(code, { line: at.line, column: field.column }, finding);
}

/** Returns the place at which a line begins. */
export function placeOf(report: FileReport, { line, column }: EditLine): FilePlace {
  return { file: report.file, line, column };
}

/** Returns a number that orders issues by line, then by column. Columns above 2^21 − 1 count as 2^21 − 1. */
function rank({ where: { line = 0, column = 0 } }: Issue): number {
  return line * 2 ** 21 + Math.min(column, 2 ** 21 - 1);
}

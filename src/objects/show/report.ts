import { type Code, error, type Finding, type Issue, nearest, warning } from "../../errors/index.js";
import type { EditField, EditLine } from "../../formats/editFile.js";
import type { FilePlace } from "../types.js";

/** The most errors listed for one file; one more says that there are others. */
export const MAX_ERRORS = 100;

/** The codes of what is wrong with edit files. */
export type ObjectCode = Extract<Code, `object.${string}`>;

/** Collects what is wrong with one file. */
export class FileReport {
  readonly file: string | undefined;
  readonly #issues: Issue[] = [];
  readonly #warnings: Issue[] = [];
  #isFull = false;

  constructor(file: string | undefined) {
    this.file = file;
  }

  /** Adds an error at a line and column; past {@link MAX_ERRORS} one that says so, and no more. */
  add(code: ObjectCode, at: { readonly line: number; readonly column: number }, finding: Finding): void {
    if (this.#isFull) return;
    const where = { file: this.file, line: at.line, column: at.column };
    this.#isFull = this.#issues.length === MAX_ERRORS;
    const rest: Finding = {
      problem: "the errors found from here on are not listed",
      expected: `at most ${MAX_ERRORS} in a file`,
      remedy: "Mend those listed first",
    };
    this.#issues.push(error(code, { ...(this.#isFull ? rest : finding), where }));
  }

  /** Whether nothing that could still be added would be listed: a reader may skip what is costly. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Adds a warning; those past {@link MAX_ERRORS} are dropped. */
  warn(code: ObjectCode, at: { readonly line: number; readonly column: number }, finding: Finding): void {
    const where = { file: this.file, line: at.line, column: at.column };
    if (this.#warnings.length < MAX_ERRORS) this.#warnings.push(warning(code, { ...finding, where }));
  }

  /** What was found in the order of the file; the error that says that there are more stands last. */
  list(): readonly Issue[] {
    const listed = [...this.#issues.slice(0, MAX_ERRORS), ...this.#warnings].sort((a, b) => rank(a) - rank(b));
    return [...listed, ...this.#issues.slice(MAX_ERRORS)];
  }
}

/** A field, and where what is wrong with it is reported. */
export interface Place {
  readonly report: FileReport;
  readonly line: number;
}

/** Adds an error at a field of a line. */
export function reportAt(at: Place, field: EditField, code: ObjectCode, finding: Finding): void {
  at.report.add(code, { line: at.line, column: field.column }, finding);
}

/** Where a line begins, as specs keep it. */
export function placeOf(report: FileReport, { line, column }: EditLine): FilePlace {
  return { file: report.file, line, column };
}

/** "Did you mean …?" where a known name is near; else what to do instead. */
export function meant(name: string, known: Iterable<string>, otherwise: string): { remedy: string } {
  const near = nearest(name, known);
  return { remedy: near === undefined ? otherwise : `Did you mean ${JSON.stringify(near)}?` };
}

function rank({ where: { line = 0, column = 0 } }: Issue): number {
  return line * 2 ** 21 + Math.min(column, 2 ** 21 - 1);
}

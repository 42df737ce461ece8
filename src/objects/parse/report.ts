import { type Code, type Finding, type Issue, IssueList, warning } from "../../errors/index.js";
import type { EditField, EditLine } from "../../formats/read/editFile.js";
import type { FilePlace } from "../types.js";

/** Maximum number of errors, and of warnings, in the report of one file. */
const MAX_ERRORS = 100;
const SHOWN_LINES = 3;

type ObjectCode = Extract<Code, `object.${string}`>;
type LineColumn = Pick<FilePlace, "line" | "column">;

/** Several lines with the same flaw. They give one issue, at the place of the first line. */
interface Repeated {
  readonly code: ObjectCode;
  readonly at: LineColumn;
  readonly finding: Finding;
  readonly lines: number[];
}

function shown(lines: readonly number[]): string {
  const more = lines.length - SHOWN_LINES;
  return `${lines.slice(0, SHOWN_LINES).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

export class FileReport {
  readonly file: string | undefined;
  // separate lists, so that warnings cannot displace errors
  readonly #errors = new IssueList({ most: MAX_ERRORS, code: "object.files" });
  readonly #warnings = new IssueList({ most: MAX_ERRORS, code: "object.files" });
  readonly #unknown = new Map<string, Repeated>();
  readonly #unused = new Map<string, Repeated>();

  constructor(file: string | undefined) {
    this.file = file;
  }

  add(code: ObjectCode, at: LineColumn, finding: Finding): void {
    // composing a message costs more than reading the line, so no message is composed if the list is full
    if (!this.isFull) this.#errors.report(code, { ...finding, where: this.#where(at) });
  }

  /** Adds an error about an unknown name. The same problem and name give one error, at the place of the first use. */
  addUnknown(code: ObjectCode, at: LineColumn, finding: Finding): void {
    const key = `${code} ${finding.problem} ${finding.got}`;
    const known = this.#unknown.get(key);
    if (known !== undefined) known.lines.push(at.line);
    else if (!this.isFull) this.#unknown.set(key, { code, at, finding, lines: [at.line] });
  }

  /** Adds a warning about a line that has no effect in Rollmill. Lines with the same problem share one warning. */
  unused(at: LineColumn, problem: string, why: string): void {
    const known = this.#unused.get(problem);
    if (known !== undefined) known.lines.push(at.line);
    else this.#unused.set(problem, { code: "object.unused", at, finding: { problem, remedy: why }, lines: [at.line] });
  }

  get isFull(): boolean {
    return this.#errors.isFull || this.#errors.errors + this.#unknown.size > MAX_ERRORS;
  }

  warn(code: ObjectCode, at: LineColumn, finding: Finding): void {
    this.#warnings.add(warning(code, { ...finding, where: this.#where(at) }));
  }

  /** Returns the issues, sorted by line and column. If some were omitted, the last issue says so. Call it once. */
  list(): readonly Issue[] {
    for (const { code, at, finding, lines } of this.#unknown.values()) {
      const times = lines.length === 1 ? "" : ` (${lines.length} times; next in line ${shown(lines.slice(1))})`;
      this.#errors.report(code, { ...finding, problem: finding.problem + times, where: this.#where(at) });
    }
    for (const { code, at, finding, lines } of this.#unused.values()) {
      this.warn(code, at, { ...finding, got: `${lines.length === 1 ? "line" : "lines"} ${shown(lines)}` });
    }
    const [errors, warnings] = [this.#errors.list(), this.#warnings.list()];
    const listed = [...errors.slice(0, MAX_ERRORS), ...warnings.slice(0, MAX_ERRORS)];
    listed.sort(({ where: a }, { where: b }) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    return [...listed, ...errors.slice(MAX_ERRORS), ...warnings.slice(MAX_ERRORS)];
  }

  #where({ line, column }: LineColumn) {
    return { file: this.file, line, column };
  }
}

export type Place = { readonly report: FileReport; readonly line: number };

export type LineAt = EditLine & { readonly report: FileReport };

export type Read<T> = (at: LineAt, field: EditField) => T | undefined;

export function reportAt({ report, line }: Place, field: EditField, code: ObjectCode, finding: Finding): undefined {
  report.add(code, { line, column: field.column }, { got: field.text, ...finding });
}

export function reportUnknown(
  { report, line }: Place,
  { text, column }: EditField,
  finding: Finding,
  code: ObjectCode = "object.name",
): undefined {
  report.addUnknown(code, { line, column }, { got: text, ...finding });
}

import { type Code, didYouMean, type Finding, type Issue, IssueList, warning } from "../../errors/index.js";
import type { EditField, EditLine } from "../../formats/read/editFile.js";
import type { FilePlace } from "../types.js";

/** Maximum number of errors, and of warnings, in the report of one file. */
const MAX_ERRORS = 100;
/** An unknown name gives one error. It lists the lines of at most this many further uses of the name. */
const SHOWN_PLACES = 3;

type ObjectCode = Extract<Code, `object.${string}`>;
type LineColumn = Pick<FilePlace, "line" | "column">;

interface Unknown {
  readonly code: ObjectCode;
  readonly at: LineColumn;
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

  add(code: ObjectCode, at: LineColumn, finding: Finding): void {
    // composing a message costs more than reading the line, so no message is composed if the list is full
    if (!this.isFull) this.#errors.report(code, { ...finding, where: this.#where(at) });
  }

  /** Adds an error about an unknown name. The same problem and name give one error, at the place of the first use. */
  addUnknown(code: ObjectCode, at: LineColumn, finding: Finding): void {
    const key = `${code} ${finding.problem} ${finding.got}`;
    const known = this.#unknown.get(key);
    if (known !== undefined) {
      known.count++;
      if (known.others.length < SHOWN_PLACES) known.others.push(at.line);
    } else if (!this.isFull) {
      this.#unknown.set(key, { code, at, finding, others: [], count: 1 });
    }
  }

  /** Whether the list of errors is full. Readers then skip costly checks. */
  get isFull(): boolean {
    return this.#errors.isFull || this.#errors.errors + this.#unknown.size > MAX_ERRORS;
  }

  warn(code: ObjectCode, at: LineColumn, finding: Finding): void {
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
    listed.sort(({ where: a }, { where: b }) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0));
    return [...listed, ...errors.slice(MAX_ERRORS), ...warnings.slice(MAX_ERRORS)];
  }

  #where({ line, column }: LineColumn) {
    return { file: this.file, line, column };
  }
}

export interface Place {
  readonly report: FileReport;
  readonly line: number;
}

/** A line, with the report of its file. */
export type LineAt = EditLine & { readonly report: FileReport };

/** Reads a field. Reports an invalid field and returns undefined. */
export type Read<T> = (at: LineAt, field: EditField) => T | undefined;

/** Reports an invalid field. `got` is the text of the field if the finding has no other. */
export function reportAt({ report, line }: Place, field: EditField, code: ObjectCode, finding: Finding): undefined {
  report.add(code, { line, column: field.column }, { got: field.text, ...finding });
}

interface UnknownName {
  /** Default: `object.name`. */
  readonly code?: ObjectCode;
  readonly problem: string;
  readonly expected: string;
  /** The names that a suggestion can choose from. */
  readonly known: Iterable<string>;
  /** The name that is compared with the known names. Default: the text of the field. */
  readonly name?: string;
  /** What to do if no known name is similar. */
  readonly remedy: string;
}

/** Reports a field with a name that the files do not define. */
export function reportUnknown({ report, line }: Place, field: EditField, unknown: UnknownName): undefined {
  const { code = "object.name", problem, expected, known, name = field.text, remedy } = unknown;
  const finding = { problem, got: field.text, expected, ...didYouMean(name, known, remedy) };
  report.addUnknown(code, { line, column: field.column }, finding);
}

import type { EditLine } from "../../formats/read/editFile.js";
import type { LineRule, LineRules } from "./records.js";
import type { FileReport } from "./report.js";

const SHOWN_LINES = 3;

/**
 * Counts lines that have no effect because Rollmill has no rule for them. The file's report gets one warning for each
 * type of line.
 */
export class UnusedLines {
  readonly #report: FileReport;
  readonly #found = new Map<
    string,
    { readonly first: EditLine; readonly lines: number[]; readonly why: string; count: number }
  >();

  constructor(report: FileReport) {
    this.#report = report;
  }

  /** Counts a line. `what` is the problem that the warning reports, and `why` is its explanation. */
  add(line: EditLine, what: string, why: string): void {
    const known = this.#found.get(what);
    if (known === undefined) this.#found.set(what, { first: line, lines: [line.line], why, count: 1 });
    else {
      known.count++;
      if (known.lines.length < SHOWN_LINES) known.lines.push(line.line);
    }
  }

  /** Returns rules that only count lines. `reasons` maps each type of line to the explanation in its warning. */
  rules(reasons: Readonly<Record<string, string>>): LineRules<unknown> {
    const rule = ([type, why]: readonly [string, string]): readonly [string, LineRule<unknown>] => [
      type,
      {
        form: `${type}:…`,
        count: [1, Number.POSITIVE_INFINITY],
        repeats: true,
        read: (_, __, ___, line) => this.add(line, `the ${type} lines have no effect`, why),
      },
    ];
    return Object.fromEntries(Object.entries(reasons).map(rule));
  }

  warn(): void {
    for (const [what, { first, lines, why, count }] of this.#found) {
      const more = count > lines.length ? ` and ${count - lines.length} more` : "";
      this.#report.warn("object.unused", first, {
        problem: what,
        got: `${count === 1 ? "line" : "lines"} ${lines.join(", ")}${more}`,
        remedy: why,
      });
    }
    this.#found.clear();
  }
}

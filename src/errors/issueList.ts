import type { Code } from "./codes.js";
import { error, type Finding, type Issue, warning } from "./issue.js";
import type { Comparisons } from "./nearest.js";

/** Maximum number of listed issues of one input, so that hostile input cannot fill the memory with messages. */
export const MAX_ISSUES = 10_000;

/** Suggestions for one input compare at most this many characters of known names. This takes about 0.1 s. */
const MAX_COMPARED = 2 ** 22;

export interface IssueListOptions {
  /** Maximum number of listed issues. Default {@link MAX_ISSUES}. */
  readonly most?: number;
  /** The code of the last issue, which says that the list omits issues. */
  readonly code: Code;
}

/** Collects the issues of one input. If the list is full, one more issue at the end says so. */
export class IssueList {
  readonly #most: number;
  readonly #code: Code;
  readonly #listed: Issue[] = [];
  readonly #comparisons: Comparisons = { left: MAX_COMPARED };
  #more: Issue | undefined;
  #errors = 0;

  constructor({ most = MAX_ISSUES, code }: IssueListOptions) {
    this.#most = most;
    this.#code = code;
  }

  add(issue: Issue): void {
    if (issue.severity === "error") this.#errors++;
    if (this.#listed.length < this.#most) this.#listed.push(issue);
    // remembers the first omitted error, or the first omitted warning if no error was omitted
    else if (this.#more === undefined || (this.#more.severity === "warning" && issue.severity === "error"))
      this.#more = issue;
  }

  /**
   * Adds an error. A full list saves the time to compose its message. After many misspelt names, messages have no
   * suggestions.
   */
  report(code: Code, finding: Finding): void {
    if (this.isFull) this.#errors++;
    else this.add(error(code, finding, this.#comparisons));
  }

  get errors(): number {
    return this.#errors;
  }

  /** True if the parser can stop. */
  get isFull(): boolean {
    return this.#errors > 0 && this.#more !== undefined;
  }

  /**
   * If some issues were omitted, the last one has the place of the first omitted error or, if there is none, warning.
   */
  list(): readonly Issue[] {
    if (this.#more === undefined) return this.#listed;
    const make = this.#more.severity === "error" ? error : warning;
    const rest = make(this.#code, {
      problem: `the list ends after ${this.#most} issues, but there is another issue at this place`,
      remedy: "Fix the listed issues first",
      where: this.#more.where,
    });
    return [...this.#listed, rest];
  }
}

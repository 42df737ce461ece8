import type { Code } from "./codes.js";
import { error, type Issue, warning } from "./issue.js";

/** Maximum number of listed issues of one input. A limit stops hostile input from filling the memory with messages. */
export const MAX_ISSUES = 10_000;

/** Options of {@link IssueList}. */
export interface IssueListOptions {
  /** Maximum number of listed issues. Default {@link MAX_ISSUES}. */
  readonly most?: number;
  /** The code of the last issue of a full list, which reports that the list omits issues. */
  readonly code: Code;
}

/**
 * Collects the issues of one input, in the order in which they are added. If there are more issues than the limit, one
 * further issue at the end of the list reports that the list omits issues.
 */
export class IssueList {
  readonly #most: number;
  readonly #code: Code;
  readonly #listed: Issue[] = [];
  #more: Issue | undefined;
  #errors = 0;

  constructor({ most = MAX_ISSUES, code }: IssueListOptions) {
    this.#most = most;
    this.#code = code;
  }

  /** Adds an issue. If the list is full, the issue is counted but not listed. */
  add(issue: Issue): void {
    if (issue.severity === "error") this.#errors++;
    if (this.#listed.length < this.#most) this.#listed.push(issue);
    // keeps the first omitted error; without one, the first omitted warning
    else if (this.#more === undefined || (this.#more.severity === "warning" && issue.severity === "error"))
      this.#more = issue;
  }

  /** Counts an error that the full list would not show. Saves the time to compose its message. */
  omitError(): void {
    this.#errors++;
  }

  /** Number of errors added, listed or not. */
  get errors(): number {
    return this.#errors;
  }

  /** Whether a parser can stop: the input has an error, and the list already omits issues. */
  get isFull(): boolean {
    return this.#errors > 0 && this.#more !== undefined;
  }

  /**
   * Returns the listed issues. If the list omits issues, one further issue reports this; it gives the place of an
   * omitted issue.
   */
  list(): readonly Issue[] {
    if (this.#more === undefined) return this.#listed;
    const make = this.#more.severity === "error" ? error : warning;
    const rest = make(this.#code, {
      problem: `only ${this.#most} issues are listed, and another issue is at this place`,
      remedy: "Fix the listed issues first",
      where: this.#more.where,
    });
    return [...this.#listed, rest];
  }
}

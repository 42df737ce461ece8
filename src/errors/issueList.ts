import type { Code } from "./codes.js";
import { error, type Issue, warning } from "./issue.js";

/** Maximum number of listed issues of one input. A limit stops hostile input from filling the memory with messages. */
export const MAX_ISSUES = 10_000;

/** Options of {@link IssueList}. */
export interface IssueListOptions {
  /** Maximum number of listed issues. Default {@link MAX_ISSUES}. */
  readonly most?: number;
  /** The code of the additional last issue, which says that there are more issues than the list contains. */
  readonly code: Code;
}

/**
 * Collects the issues of one input, in the order of {@link add}. If there are more issues than the limit, the list ends
 * with an additional issue that says so.
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
    // an error outside the list matters more than an earlier warning outside it
    else if (this.#more === undefined || (this.#more.severity === "warning" && issue.severity === "error"))
      this.#more = issue;
  }

  /** Number of errors added, listed or not. */
  get errors(): number {
    return this.#errors;
  }

  /** Whether a reader can stop: there is an error, and some issues no longer fit in the list. */
  get isFull(): boolean {
    return this.#errors > 0 && this.#more !== undefined;
  }

  /**
   * Returns the listed issues. If there are more, an additional last issue says so and gives the place of one of them.
   */
  list(): readonly Issue[] {
    if (this.#more === undefined) return this.#listed;
    const make = this.#more.severity === "error" ? error : warning;
    const rest = make(this.#code, {
      problem: "more issues start here",
      expected: `at most ${this.#most} listed issues`,
      remedy: "Fix the listed issues first",
      where: this.#more.where,
    });
    return [...this.#listed, rest];
  }
}

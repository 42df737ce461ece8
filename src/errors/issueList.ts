import type { Code } from "./codes.js";
import { error, type Issue, warning } from "./issue.js";

/** The most issues listed for one input, so that a hostile input cannot fill the memory with messages. */
export const MAX_ISSUES = 10_000;

/** Options of {@link IssueList}. */
export interface IssueListOptions {
  /** The most issues listed; default {@link MAX_ISSUES}. */
  readonly most?: number;
  /** The code of the last issue, which says that there are more issues. */
  readonly code: Code;
}

/**
 * Collects the issues of one input, in the order of {@link add}. Beyond the limit, a last issue says that there are
 * more.
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

  /** Adds an issue; beyond the limit it is counted but not listed. */
  add(issue: Issue): void {
    if (issue.severity === "error") this.#errors++;
    if (this.#listed.length < this.#most) this.#listed.push(issue);
    // an error matters more than the warnings before it
    else if (this.#more === undefined || (this.#more.severity === "warning" && issue.severity === "error"))
      this.#more = issue;
  }

  /** The number of errors added, listed or not. */
  get errors(): number {
    return this.#errors;
  }

  /** Whether a reader can stop: there is an error, and more issues than are listed. */
  get isFull(): boolean {
    return this.#errors > 0 && this.#more !== undefined;
  }

  /** The listed issues. If there are more, the last one says so, at the place of the first that is not listed. */
  list(): readonly Issue[] {
    if (this.#more === undefined) return this.#listed;
    const make = this.#more.severity === "error" ? error : warning;
    const rest = make(this.#code, {
      problem: "there are more issues from here on",
      expected: `at most ${this.#most} listed issues`,
      remedy: "Fix the listed issues first",
      where: this.#more.where,
    });
    return [...this.#listed, rest];
  }
}

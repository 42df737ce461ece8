import type { Code } from "./codes.js";
import { error, type Issue, warning } from "./issue.js";

/** The most issues listed for one input, so that a hostile one cannot fill the memory with messages. */
export const MAX_ISSUES = 10_000;

/** Options of {@link IssueList}. */
export interface IssueListOptions {
  /** The most issues listed; default {@link MAX_ISSUES}. */
  readonly most?: number;
  /** The code of the last issue, which says that there are more. */
  readonly code: Code;
}

/** Collects the issues of one input in the order found. Past the limit one more issue says that the rest is not listed. */
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

  add(issue: Issue): void {
    if (issue.severity === "error") this.#errors++;
    if (this.#listed.length < this.#most) this.#listed.push(issue);
    // an error matters more than the warnings before it
    else if (this.#more === undefined || (this.#more.severity === "warning" && issue.severity === "error"))
      this.#more = issue;
  }

  /** Errors added so far, listed or not. */
  get errors(): number {
    return this.#errors;
  }

  /** Whether the list is full and has an error: a reader can stop. */
  get isFull(): boolean {
    return this.#errors > 0 && this.#more !== undefined;
  }

  /** Every issue listed; if there are more, one at the place of the first of them says so. */
  list(): readonly Issue[] {
    if (this.#more === undefined) return this.#listed;
    const make = this.#more.severity === "error" ? error : warning;
    const rest = make(this.#code, {
      problem: "the issues from here on are not listed",
      expected: `at most ${this.#most}`,
      remedy: "Fix the listed ones first",
      where: this.#more.where,
    });
    return [...this.#listed, rest];
  }
}

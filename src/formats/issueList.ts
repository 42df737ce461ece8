import { error, type Issue, warning } from "../errors/index.js";

/** The most issues listed for one file, so that a hostile one cannot fill the memory with messages. */
export const MAX_ISSUES = 10_000;

/** Collects the issues of one file in the order found; past {@link MAX_ISSUES}, {@link list} only says that there are more. */
export class IssueList {
  readonly #listed: Issue[] = [];
  #more: Issue | undefined;
  #hasError = false;

  add(issue: Issue): void {
    this.#hasError ||= issue.severity === "error";
    if (this.#listed.length < MAX_ISSUES) this.#listed.push(issue);
    // an error matters more than the warnings before it
    else if (this.#more === undefined || (this.#more.severity === "warning" && issue.severity === "error"))
      this.#more = issue;
  }

  /** Whether nothing that could still be added would change what {@link list} tells: a reader may stop. */
  get isFull(): boolean {
    return this.#hasError && this.#more !== undefined;
  }

  /** Every issue listed, and one more for those that are not, at the place of the first; an error where one of them is. */
  list(): readonly Issue[] {
    if (this.#more === undefined) return this.#listed;
    const make = this.#more.severity === "error" ? error : warning;
    const rest = make("twoda.limit", {
      problem: "the issues from here on are not listed",
      expected: `at most ${MAX_ISSUES} in a file`,
      remedy: "Mend those listed first",
      where: this.#more.where,
    });
    return [...this.#listed, rest];
  }
}

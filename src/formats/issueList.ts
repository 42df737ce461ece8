import { error, type Issue, warning } from "../errors/index.js";

/** Issues listed one by one before a reader only counts them, so that a hostile file cannot fill the memory with messages. */
export const MAX_ISSUES = 10_000;

/** Collects the issues of one file in the order found; past {@link MAX_ISSUES} it counts, and {@link list} says how many. */
export class IssueList {
  readonly #listed: Issue[] = [];
  #unlisted: Issue | undefined;
  #unlistedErrors = 0;
  #unlistedWarnings = 0;

  add(issue: Issue): void {
    if (this.#listed.length < MAX_ISSUES) {
      this.#listed.push(issue);
      return;
    }
    this.#unlisted ??= issue;
    if (issue.severity === "error") this.#unlistedErrors++;
    else this.#unlistedWarnings++;
  }

  /** Every issue listed, and one more for those that are not: an error where one of them is, at the place of the first. */
  list(): readonly Issue[] {
    if (this.#unlisted === undefined) return this.#listed;
    const make = this.#unlistedErrors > 0 ? error : warning;
    const rest = make("twoda.limit", {
      problem: `${this.#unlistedErrors} more errors and ${this.#unlistedWarnings} more warnings follow from here`,
      expected: `at most ${MAX_ISSUES} issues in a file`,
      remedy: "Mend those listed first",
      where: this.#unlisted.where,
    });
    return [...this.#listed, rest];
  }
}

import type { Code } from "./codes.js";
import { formatIssue, type Issue } from "./issue.js";

/**
 * The error that Rollmill throws. It has one or more issues; `code` is the code of the first issue, and `message` has
 * one line for each issue.
 */
export class RollmillError extends Error {
  override readonly name = "RollmillError";
  readonly issues: readonly Issue[];

  /** @param issues - at least one issue; {@link code} is the code of the first issue. */
  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super(issues.map(formatIssue).join("\n"), options);
    this.issues = issues;
  }

  /** The first issue's code. */
  get code(): Code {
    return this.issues[0].code;
  }
}

/** Throws an error with one issue. */
export function fail(issue: Issue, cause?: unknown): never {
  throw new RollmillError([issue], cause === undefined ? undefined : { cause });
}

/** Throws one error with all issues of severity "error", if there are any. Ignores warnings. */
export function failOnErrors(issues: readonly Issue[]): void {
  const errors = issues.filter((issue) => issue.severity === "error");
  if (errors.length > 0) throw new RollmillError(errors);
}

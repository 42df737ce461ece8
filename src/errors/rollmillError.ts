import type { Code } from "./codes.js";
import { formatIssue, type Issue } from "./issue.js";

/**
 * The only error that Rollmill throws on purpose. It carries one or more issues; `code` is the first one's, `message`
 * has a line for each.
 */
export class RollmillError extends Error {
  override readonly name = "RollmillError";
  readonly issues: readonly Issue[];

  /** @param issues - at least one; the first gives {@link code}. */
  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    super(issues.map(formatIssue).join("\n"), options);
    this.issues = issues;
  }

  /** The first issue's code. */
  get code(): Code {
    return this.issues[0].code;
  }
}

/** Throws one issue. */
export function fail(issue: Issue, cause?: unknown): never {
  throw new RollmillError([issue], cause === undefined ? undefined : { cause });
}

/** Throws every error among the issues, if there is one; warnings pass. */
export function failOnErrors(issues: readonly Issue[]): void {
  const errors = issues.filter((issue) => issue.severity === "error");
  if (errors.length > 0) throw new RollmillError(errors);
}

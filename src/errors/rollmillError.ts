import type { Code } from "./codes.js";
import { error, type Issue } from "./issue.js";

/** Maximum number of issues of one error. A parse lists far fewer. */
const MOST_ISSUES = 1_000_000;

/**
 * The error that Rollmill throws. It has one or more issues; `code` is the code of the first issue, and `message` has
 * one line for each issue.
 */
export class RollmillError extends Error {
  override readonly name = "RollmillError";
  readonly issues: readonly Issue[];

  /**
   * @param issues - at least one issue; {@link code} is the code of the first issue.
   * @throws RollmillError `argument.type` for anything else.
   */
  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    const lines = reading("the issues of an error", () => linesOf(issues));
    super(
      lines.join("\n"),
      reading("the options of an error", () => ({ ...options })),
    );
    this.issues = issues;
  }

  /** The first issue's code. */
  get code(): Code {
    return this.issues[0].code;
  }
}

function linesOf(issues: unknown): string[] {
  if (Array.isArray(issues) && issues.length > 0 && issues.length <= MOST_ISSUES) {
    return Array.from(issues as readonly Issue[], formatIssue);
  }
  return fail(error("argument.type", { problem: "invalid issues", got: issues, expected: "a list of issues" }));
}

/**
 * Formats an issue as `file:line:column: message [code]`, which editors and terminals turn into links.
 *
 * @throws RollmillError `argument.type` for anything but an issue.
 */
export function formatIssue(issue: Issue): string {
  const { code, severity, message, where } = reading("the issue", () => ({ ...issue }));
  const { file, line, column, path } = reading("the place of the issue", () => ({ ...where }));
  const texts: readonly unknown[] = [code, message, file ?? "", path ?? ""];
  const numbers: readonly unknown[] = [line ?? 0, column ?? 0];
  if (!texts.every((text) => typeof text === "string") || !numbers.every((number) => typeof number === "number")) {
    fail(error("argument.type", { problem: "not an issue", got: issue, expected: "an issue of a RollmillError" }));
  }
  const place = [file, line, column].filter((part) => part !== undefined).join(":");
  const at = [place, path].filter((part) => part !== undefined && part !== "").join(" ");
  const kind = severity === "warning" ? "warning: " : "";
  return `${at === "" ? "" : `${at}: `}${kind}${message} [${code}]`;
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

/**
 * Runs code that reads values of the caller. If they have the wrong shape, or a getter or a proxy throws, this becomes
 * an error of the call.
 *
 * @param what - names the values, for messages: "the options of table.roll".
 * @throws RollmillError `argument.type` if `read` throws another error. An error of this library passes unchanged.
 */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    const problem = `${what} cannot be read`;
    return fail(error("argument.type", { problem, got: reasonOf(cause), expected: "plain data" }), cause);
  }
}

// a thrown value may be a proxy, of which every operation throws
function reasonOf(cause: unknown): unknown {
  try {
    return cause instanceof Error ? cause.message : cause;
  } catch {
    return undefined;
  }
}

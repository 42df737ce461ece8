import type { Code } from "./codes.js";
import { error, type Issue, issueWithin } from "./issue.js";

/** Maximum number of issues of one error. A parse lists far fewer issues. */
const MAX_ISSUES = 1_000_000;

/** The error that Rollmill throws. `code` is that of the first issue. `message` has one line for each issue. */
export class RollmillError extends Error {
  override readonly name = "RollmillError";
  readonly issues: readonly Issue[];

  /**
   * @param issues - At least one issue. {@link code} is the first issue's code.
   * @throws RollmillError `argument.type` for anything else.
   */
  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    if (!Array.isArray(issues) || issues.length === 0 || issues.length > MAX_ISSUES) {
      fail(error("argument.type", { problem: "invalid issues", got: issues, expected: "a list of issues" }));
    }
    super(Array.from(issues, formatIssue).join("\n"), options);
    this.issues = issues;
  }

  /** The first issue's code. */
  get code(): Code {
    return this.issues[0].code;
  }
}

/**
 * Formats an issue as `file:line:column: message [code]`. Editors and terminals turn this form into links.
 *
 * @throws RollmillError `argument.type` for anything but an issue.
 */
export function formatIssue(issue: Issue): string {
  const { code, severity, message, where } = readFields("the issue", issue, ["code", "severity", "message", "where"]);
  const { file, line, column, path } = readFields("the place of the issue", where, ["file", "line", "column", "path"]);
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

export function fail(issue: Issue, cause?: unknown): never {
  throw new RollmillError([issue], cause === undefined ? undefined : { cause });
}

/** Puts `path` before the path of each issue of a RollmillError that `call` throws. */
export function located<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    throw new RollmillError(
      cause.issues.map((issue) => issueWithin(path, issue)),
      { cause },
    );
  }
}

export function failOnErrors(issues: readonly Issue[]): void {
  const errors = issues.filter((issue) => issue.severity === "error");
  if (errors.length > 0) throw new RollmillError(errors);
}

/** Returns the result of `call`. If `call` throws a RollmillError, passes it to `onRefusal` and returns undefined. */
export function unlessRefused<T>(call: () => T, onRefusal: (refusal: RollmillError) => void = () => {}): T | undefined {
  try {
    return call();
  } catch (cause) {
    if (!(cause instanceof RollmillError)) throw cause;
    onRefusal(cause);
    return undefined;
  }
}

/** Reads values of the caller. Turns any error but a RollmillError into `argument.type`. Its message names `what`. */
export function reading<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof RollmillError) throw cause;
    const got = cause instanceof Error ? cause.message : cause;
    return fail(error("argument.type", { problem: `${what} cannot be read`, got, expected: "plain data" }), cause);
  }
}

export function readFields<T extends object, K extends keyof T>(
  what: string,
  value: T,
  keys: readonly K[],
): Pick<T, K> {
  if (typeof value !== "object" || value === null) {
    fail(error("argument.type", { problem: `${what} is not an object`, got: value, expected: "an object" }));
  }
  // the cast is safe: every key is set
  return Object.fromEntries(keys.map((key) => [key, value[key]])) as Pick<T, K>;
}

/** Returns the message of any thrown value. If connections to several addresses failed, joins their messages. */
export function messageOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === "") return cause.errors.map(messageOf).join("; ");
  if (cause instanceof Error && cause.message !== "") return cause.message;
  return String((cause as { readonly code?: unknown } | null)?.code ?? cause);
}

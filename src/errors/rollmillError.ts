import { arrayLength } from "./arrays.js";
import type { Code } from "./codes.js";
import { error, type Issue, issueWithin } from "./issue.js";

const MOST_ISSUES = 1_000_000;
/** Of an error's message. */
const MOST_CHARACTERS = 2 ** 28;

/**
 * The error that Rollmill throws. It has one or more issues. `code` is the first issue's code. `message` has one line
 * for each issue.
 */
export class RollmillError extends Error {
  override readonly name = "RollmillError";
  readonly issues: readonly Issue[];

  /**
   * @param issues - At least one issue. {@link code} is the first issue's code.
   * @throws RollmillError `argument.type` for anything else, or if the message would have more than 2^28 characters.
   */
  constructor(issues: readonly Issue[], options?: ErrorOptions) {
    const lines = reading("the issues of an error", () => linesOf(issues));
    super(
      lines.join("\n"),
      options === undefined ? options : readFields("the options of an error", options, ["cause"]),
    );
    this.issues = issues;
  }

  /** The first issue's code. */
  get code(): Code {
    return this.issues[0].code;
  }
}

function linesOf(issues: unknown): string[] {
  const length = arrayLength(issues);
  if (length > 0 && length <= MOST_ISSUES) {
    // the cast is safe: `formatIssue` checks each entry
    const lines = Array.from({ length }, (_, i) => formatIssue((issues as readonly Issue[])[i]));
    if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= MOST_CHARACTERS) return lines;
  }
  return fail(error("argument.type", { problem: "invalid issues", got: issues, expected: "a list of issues" }));
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

/** Throws an error with one issue. */
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

/**
 * Runs `read`, which reads values from the caller. Values of a wrong shape, getters and proxies can make `read` throw.
 * This function turns such an exception into a RollmillError.
 *
 * @param what - Names the values in messages: "the options of table.roll".
 * @throws RollmillError `argument.type` if `read` throws. A RollmillError that `read` throws passes unchanged.
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

/**
 * Copies some fields of the caller's object.
 *
 * @throws RollmillError `argument.type` for anything but an object.
 */
export function readFields<T extends object, K extends keyof T>(
  what: string,
  value: T,
  keys: readonly K[],
): Pick<T, K> {
  return reading(what, () => {
    if (typeof value !== "object" || value === null) {
      fail(error("argument.type", { problem: `${what} is not an object`, got: value, expected: "an object" }));
    }
    // the cast is safe: the next line sets every key
    const read = {} as Pick<T, K>;
    for (const key of keys) read[key] = value[key];
    return read;
  });
}

// can throw: a thrown value may be a proxy that throws on every operation
function reasonOf(cause: unknown): unknown {
  try {
    return cause instanceof Error ? cause.message : cause;
  } catch {
    return undefined;
  }
}

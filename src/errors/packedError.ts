import { type Issue, show } from "./issue.js";
import { RollmillError } from "./rollmillError.js";

/** An error as a message to another thread. Errors in messages lose their class and their code, but not their text. */
export interface PackedError {
  readonly issues: readonly Issue[];
  readonly stack: string | undefined;
  readonly cause: unknown;
  /** The code of the cause, such as `ENOSPC`. */
  readonly code: unknown;
}

/** Packs an error. `issueOf` returns the issue of an error that is not a RollmillError. */
export function packError(thrown: unknown, issueOf: (cause: Error) => Issue): PackedError {
  if (thrown instanceof RollmillError) {
    const issues = thrown.issues.map(({ code, severity, message, where }) => ({ code, severity, message, where }));
    return { issues, stack: thrown.stack, cause: thrown.cause, code: codeOf(thrown.cause) };
  }
  const cause = thrown instanceof Error ? thrown : new Error(show(thrown));
  return { issues: [issueOf(cause)], stack: undefined, cause, code: codeOf(cause) };
}

export function unpackError({ issues, stack, cause, code }: PackedError): RollmillError {
  if (code !== undefined) Object.assign(cause as Error, { code });
  const made = new RollmillError(issues, { cause });
  if (stack !== undefined) made.stack = stack;
  return made;
}

export function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}

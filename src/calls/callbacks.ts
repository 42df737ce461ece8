import { error, fail, RollmillError, type Where } from "../errors/index.js";

export interface CallbackPlace {
  /** The callback as users write it, and its noun: `"onProgress" of "loot"`. */
  readonly what: string;
  readonly where?: Where | undefined;
}

/** @throws RollmillError `argument.callback`, always. Its `cause` is the value that the callback threw. */
export function refuseThrown({ what, where = {} }: CallbackPlace, cause: unknown): never {
  const remedy = "Catch the error in the function, or remove its cause";
  return fail(error("argument.callback", { problem: `${what} failed (${reasonOf(cause)})`, remedy, where }), cause);
}

/** Throws `argument.callback` for a promise: the call does not wait for it, so a rejection would be lost. */
export function refusePromise(returned: unknown, { what, where = {} }: CallbackPlace): void {
  if (!ignoreRejection(returned)) return;
  const problem = `${what} returned a promise, which the call cannot await`;
  fail(error("argument.callback", { problem, expected: "a function that is not async", where }));
}

/** Returns whether a value is a promise. Handles its rejection, because an unhandled one would end the process. */
export function ignoreRejection(value: unknown): boolean {
  if (typeof value !== "object" || value === null || !("then" in value) || typeof value.then !== "function") {
    return false;
  }
  Promise.resolve(value).catch(() => undefined);
  return true;
}

/** Describes a thrown value in one line. A RollmillError gives its messages, without their positions. */
export function reasonOf(cause: unknown): string {
  if (cause instanceof RollmillError) return cause.issues.map(({ message, code }) => `${message} [${code}]`).join("; ");
  if (cause instanceof Error) return `it threw ${cause.name}: ${cause.message}`;
  return `it threw ${typeof cause === "string" ? JSON.stringify(cause) : typeof cause}`;
}

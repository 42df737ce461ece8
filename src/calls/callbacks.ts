import { error, fail, RollmillError, type Where } from "../errors/index.js";

/** Names a callback in messages. */
export interface CallbackPlace {
  /** The callback as users write it, and its noun: `"onProgress" of "loot"`. */
  readonly what: string;
  readonly where?: Where | undefined;
}

/**
 * Throws the error for a callback that threw.
 *
 * @throws RollmillError `argument.callback`, always. The error's `cause` is the value that the callback threw.
 */
export function refuseThrown({ what, where = {} }: CallbackPlace, cause: unknown): never {
  const remedy = "Catch the error in the function, or remove its cause";
  return fail(error("argument.callback", { problem: `${what} failed (${reasonOf(cause)})`, remedy, where }), cause);
}

/**
 * Checks that a callback did not return a promise. The call does not wait for promises, so a rejection would be lost.
 *
 * @throws RollmillError `argument.callback`.
 */
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

/**
 * Describes a thrown value in one line. For a RollmillError: its messages, without their positions. For another error:
 * its name and message.
 */
export function reasonOf(cause: unknown): string {
  if (cause instanceof RollmillError) return cause.issues.map(({ message, code }) => `${message} [${code}]`).join("; ");
  if (cause instanceof Error) return `it threw ${cause.name}: ${cause.message}`;
  return `it threw ${typeof cause === "string" ? JSON.stringify(cause) : typeof cause}`;
}

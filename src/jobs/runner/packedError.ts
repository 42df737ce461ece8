import { error, type Issue, RollmillError, show } from "../../errors/index.js";
import type { Phase } from "../types.js";

/** The number of causes of an error that are kept, each the cause of the one before it. */
const MOST_CAUSES = 8;

/** What remains of a cause: its texts. */
interface PackedCause {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The code of an error of the operating system, such as `ENOSPC`. */
  readonly code: string | undefined;
  readonly cause: PackedCause | undefined;
}

/** An error of a task, as plain data: a message to another thread would lose its class. */
export interface PackedError {
  readonly issues: readonly Issue[];
  readonly stack: string | undefined;
  readonly cause: PackedCause | undefined;
}

/**
 * Turns an error of a task into plain data. An error that Rollmill did not throw becomes `job.task`.
 *
 * @param task - Names the task in messages.
 */
export function packError(thrown: unknown, task: string): PackedError {
  if (thrown instanceof RollmillError) {
    const issues = thrown.issues.map(({ code, severity, message, where }) => ({ code, severity, message, where }));
    return { issues, stack: thrown.stack, cause: packCause(thrown.cause, MOST_CAUSES) };
  }
  const cause = packCause(thrown, MOST_CAUSES);
  const problem = `${task} failed (${cause?.message ?? "no reason given"})`;
  const remedy = remedyFor({ code: cause?.code, message: cause?.message });
  return { issues: [error("job.task", { problem, remedy })], stack: undefined, cause };
}

/** Makes the error again. */
export function unpackError({ issues, stack, cause }: PackedError): RollmillError {
  const made = new RollmillError(issues, cause === undefined ? undefined : { cause: unpackCause(cause) });
  if (stack !== undefined) made.stack = stack;
  return made;
}

/** Names a task in messages. */
export function taskName({ name }: Phase, k: number): string {
  return `task ${k} of the phase ${JSON.stringify(name)}`;
}

/** What to do after a thread or a task has failed for this reason. */
export function remedyFor({ code, message }: { readonly code: unknown; readonly message: string | undefined }): string {
  const isMemoryFull = code === "ERR_WORKER_OUT_OF_MEMORY" || /\ballocation failed|out of memory/i.test(message ?? "");
  return isMemoryFull
    ? "Use fewer threads, or allow more memory (maxMemory), and resume the job: its finished tasks are kept"
    : "Resume the job: its finished tasks are kept. If the same task fails again, report it as a bug";
}

function packCause(thrown: unknown, most: number): PackedCause | undefined {
  if (thrown === undefined || most === 0) return undefined;
  if (!(thrown instanceof Error)) {
    return { name: "Error", message: show(thrown), stack: undefined, code: undefined, cause: undefined };
  }
  const { name, message, stack, cause } = thrown;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
  return { name, message, stack, code, cause: packCause(cause, most - 1) };
}

function unpackCause({ name, message, stack, code, cause }: PackedCause): Error {
  const made = new Error(message, cause === undefined ? undefined : { cause: unpackCause(cause) });
  const rest = { name, stack, ...(code === undefined ? {} : { code }) };
  for (const [key, value] of Object.entries(rest)) {
    Object.defineProperty(made, key, { value, configurable: true, writable: true, enumerable: key === "code" });
  }
  return made;
}

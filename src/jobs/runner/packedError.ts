import { error, type Issue, RollmillError, show } from "../../errors/index.js";
import type { Phase } from "../types.js";

const MAX_CAUSES = 8;

interface PackedCause {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Such as `ENOSPC`. */
  readonly code: string | undefined;
  readonly cause: PackedCause | undefined;
}

/** Plain data, because an error that is sent to another thread loses its class. */
export interface PackedError {
  readonly issues: readonly Issue[];
  readonly stack: string | undefined;
  readonly cause: PackedCause | undefined;
}

/** An error that Rollmill did not throw becomes `job.task`, with the name of the task. */
export function packError(thrown: unknown, task: string): PackedError {
  if (thrown instanceof RollmillError) {
    const issues = thrown.issues.map(({ code, severity, message, where }) => ({ code, severity, message, where }));
    return { issues, stack: thrown.stack, cause: packCause(thrown.cause, MAX_CAUSES) };
  }
  const cause = packCause(thrown, MAX_CAUSES);
  const problem = `${task} failed (${cause?.message ?? "no reason given"})`;
  const remedy = remedyFor({ code: cause?.code, message: cause?.message });
  return { issues: [error("job.task", { problem, remedy })], stack: undefined, cause };
}

export function unpackError({ issues, stack, cause }: PackedError): RollmillError {
  const made = new RollmillError(issues, cause === undefined ? undefined : { cause: unpackCause(cause) });
  if (stack !== undefined) made.stack = stack;
  return made;
}

export function taskName({ name }: Phase, k: number): string {
  return `task ${k} of the phase ${JSON.stringify(name)}`;
}

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

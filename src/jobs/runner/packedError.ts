import { error, type Issue, RollmillError, show } from "../../errors/index.js";
import type { Phase } from "../types.js";

/** An error as a message to another thread. Errors in messages lose their class and their code, but not their text. */
export interface PackedError {
  readonly issues: readonly Issue[];
  readonly stack: string | undefined;
  readonly cause: unknown;
  /** The code of the cause, such as `ENOSPC`. */
  readonly code: unknown;
}

/** Packs an error. An error that is not a RollmillError becomes `job.task`, with the name of the task. */
export function packError(thrown: unknown, task: string): PackedError {
  if (thrown instanceof RollmillError) {
    const issues = thrown.issues.map(({ code, severity, message, where }) => ({ code, severity, message, where }));
    return { issues, stack: thrown.stack, cause: thrown.cause, code: codeOf(thrown.cause) };
  }
  const cause = thrown instanceof Error ? thrown : new Error(show(thrown));
  const problem = `${task} failed (${cause.message})`;
  const issues = [error("job.task", { problem, remedy: remedyFor(cause) })];
  return { issues, stack: undefined, cause, code: codeOf(cause) };
}

export function unpackError({ issues, stack, cause, code }: PackedError): RollmillError {
  if (code !== undefined) Object.assign(cause as Error, { code });
  const made = new RollmillError(issues, { cause });
  if (stack !== undefined) made.stack = stack;
  return made;
}

export function taskName({ name }: Pick<Phase, "name">, k: number): string {
  return `task ${k} of the phase ${JSON.stringify(name)}`;
}

export function remedyFor(cause: unknown): string {
  const isMemoryFull =
    codeOf(cause) === "ERR_WORKER_OUT_OF_MEMORY" || /\ballocation failed|out of memory/i.test(`${cause}`);
  return isMemoryFull
    ? "Use fewer threads, or allow more memory (maxMemory), and resume the job: its finished tasks are kept"
    : "Resume the job: its finished tasks are kept. If the same task fails again, report it as a bug";
}

function codeOf(cause: unknown): unknown {
  return cause instanceof Error && "code" in cause ? cause.code : undefined;
}

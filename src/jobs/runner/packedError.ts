import { codeOf, error, type PackedError, packError as pack } from "../../errors/index.js";
import type { Phase } from "../types.js";

export { type PackedError, unpackError } from "../../errors/index.js";

/** Packs an error. An error that is not a RollmillError becomes `job.task`, with the name of the task. */
export function packError(thrown: unknown, task: string): PackedError {
  return pack(thrown, (cause) =>
    error("job.task", { problem: `${task} failed (${cause.message})`, remedy: remedyFor(cause) }),
  );
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

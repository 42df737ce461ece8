import type { Phase, Sector } from "../types.js";

export interface Runner {
  /**
   * Calls `onTask` when the part of a task is stored. When the signal is aborted, ends the running tasks within
   * milliseconds, and throws its reason. Throws the error of the first task that fails.
   */
  run(phase: Phase, tasks: readonly number[], call: RunnerCall): Promise<void>;
  close(): Promise<void>;
}

export interface RunnerCall {
  readonly signal: AbortSignal | undefined;
  readonly onTask: (k: number) => void;
  /** Only for tasks that make sectors. */
  readonly sectorOf?: ((k: number) => Sector) | undefined;
}

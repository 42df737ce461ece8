import type { Phase, Sector } from "../types.js";

/** Runs tasks in this thread, on several threads, or on several machines. */
export interface Runner {
  /**
   * Runs tasks of a phase, in any order. Calls `onTask` when a task is done and its part is stored. When the signal is
   * aborted, ends the running tasks within milliseconds, and throws the signal's reason.
   *
   * @throws the error of the first task that fails. The parts of finished tasks stay.
   */
  run(phase: Phase, tasks: readonly number[], call: RunnerCall): Promise<void>;
  close(): Promise<void>;
}

export interface RunnerCall {
  readonly signal: AbortSignal | undefined;
  readonly onTask: (k: number) => void;
  /** Returns the sector that a task makes. Undefined if the tasks of the phase do not make sectors. */
  readonly sectorOf?: ((k: number) => Sector) | undefined;
}

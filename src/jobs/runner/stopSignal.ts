/** The reason of every {@link StopSignal}. Callers never see it, because the main thread throws the real reason. */
const STOPPED = new Error("the task was stopped");

/**
 * A thread receives no messages while a task runs, so a usual signal would arrive only after the task. This one reads
 * shared memory. It has no events: a task must check `aborted` again and again.
 */
export class StopSignal extends EventTarget implements AbortSignal {
  /** One number, which is 1 if the task that runs now must stop. */
  flag: Int32Array = new Int32Array(1);
  onabort: AbortSignal["onabort"] = null;

  get aborted(): boolean {
    return Atomics.load(this.flag, 0) === 1;
  }

  get reason(): unknown {
    return this.aborted ? STOPPED : undefined;
  }

  throwIfAborted(): void {
    if (this.aborted) throw STOPPED;
  }
}

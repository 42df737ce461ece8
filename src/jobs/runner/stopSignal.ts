/** The reason of every {@link StopSignal}. Callers never see it, because the main thread throws the real reason. */
const STOPPED = new Error("the task was stopped");

/**
 * An abort signal for the tasks in a thread. A thread receives no messages while a task runs, so a usual signal would
 * arrive only after the task. This signal reads its state from memory that all threads share. It has no events: a task
 * must check `aborted` again and again.
 */
export class StopSignal extends EventTarget implements AbortSignal {
  /** The tasks that run now. */
  tasks: { readonly isStopped: boolean } | undefined;
  onabort: AbortSignal["onabort"] = null;

  get aborted(): boolean {
    return this.tasks?.isStopped === true;
  }

  get reason(): unknown {
    return this.aborted ? STOPPED : undefined;
  }

  throwIfAborted(): void {
    if (this.aborted) throw STOPPED;
  }
}

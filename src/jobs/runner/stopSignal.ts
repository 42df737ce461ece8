/** The reason of a {@link StopSignal}. The main thread knows why it stops, and throws its own reason. */
const STOPPED = new Error("the task was stopped");

/**
 * An abort signal that asks memory which threads share whether it is aborted. A task leaves its thread no time for
 * messages, so a usual signal would arrive only after the task. This signal has no events: who uses it must ask it from
 * time to time.
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

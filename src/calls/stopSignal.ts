/** The reason of every {@link StopSignal}. Callers never see it, because their thread throws the real reason. */
const STOPPED = new Error("the call was stopped");

/** Returns a flag that threads share; undefined if the page may not share memory. */
export function sharedFlag(): Int32Array | undefined {
  return typeof SharedArrayBuffer === "undefined" ? undefined : new Int32Array(new SharedArrayBuffer(4));
}

/** A signal in shared memory, because a thread receives no messages while a task runs. It sends no events. */
export class StopSignal extends EventTarget implements AbortSignal {
  /** The signal is aborted when its number is 1. */
  flag: Int32Array;
  onabort: AbortSignal["onabort"] = null;

  constructor(flag: Int32Array) {
    super();
    this.flag = flag;
  }

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

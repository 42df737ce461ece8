import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import type { BackgroundStore } from "../folder/store.js";

/** No task begins while this many parts are on their way to the disk. */
const MAX_UNFLUSHED = 4;
/** After each task, the thread waits at most this share of the task's time for the parts of earlier tasks. */
const WAIT_SHARE = 1 / 50;

/** Runs one task after another. Meanwhile, the parts of earlier tasks go to the disk. */
export class Flow {
  readonly #store: BackgroundStore;
  readonly #flushing = new Set<Promise<void>>();
  #earlier: readonly Promise<void>[] = [];
  #maxMs = 0;

  constructor(store: BackgroundStore) {
    this.#store = store;
  }

  /** Calls `onStored` when the part is on the disk. The promise has the errors of this. */
  run(task: () => void, onStored: () => void): Promise<void> {
    const start = performance.now();
    task();
    this.#maxMs = (performance.now() - start) * WAIT_SHARE;
    this.#earlier = [...this.#flushing];
    const flush = this.#store.flushed().then(onStored);
    this.#flushing.add(flush);
    const end = () => this.#flushing.delete(flush);
    flush.then(end, end);
    return flush;
  }

  /** Waits until the next task may begin. */
  async pause(): Promise<void> {
    await turn();
    // A flush takes several turns of the event loop. Without a wait, a long task would block the loop, and the flush of
    // the task before it would end late.
    if (this.#flushing.size >= MAX_UNFLUSHED) await Promise.race([...this.#flushing].map(settled));
    else if (this.#maxMs >= 1) await Promise.race([settled(Promise.all(this.#earlier)), wait(this.#maxMs)]);
  }

  async end(): Promise<void> {
    await Promise.allSettled(this.#flushing);
  }
}

function settled(promise: Promise<unknown>): Promise<unknown> {
  return promise.catch(() => undefined);
}

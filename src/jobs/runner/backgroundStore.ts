import { setImmediate as turn, setTimeout as wait } from "node:timers/promises";
import { FolderStore } from "../folder/store.js";

/** No task begins while this many parts are on their way to the disk. */
const MAX_UNFLUSHED = 4;
/** After each task, the thread waits at most this share of the task's time for the parts of earlier tasks. */
const WAIT_SHARE = 1 / 50;

/** The store of a thread that runs one task after another. Meanwhile, the parts of earlier tasks go to the disk. */
export class BackgroundStore extends FolderStore {
  readonly #signal: Pick<AbortSignal, "throwIfAborted"> | undefined;
  /** The parts of the task that runs. */
  #written: Promise<void>[] = [];
  readonly #flushing = new Set<Promise<unknown>>();
  #earlier: readonly Promise<unknown>[] = [];
  #maxMs = 0;

  constructor(folder: string, signal: Pick<AbortSignal, "throwIfAborted"> | undefined) {
    super(folder);
    this.#signal = signal;
  }

  override put(name: string, pieces: Iterable<Uint8Array>): void {
    const written = this.putSoon(name, this.#untilStopped(pieces));
    // no error is lost: `run` returns it
    written.catch(() => undefined);
    this.#written.push(written);
  }

  *#untilStopped(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
    for (const piece of pieces) {
      this.#signal?.throwIfAborted();
      yield piece;
    }
  }

  /** Calls `onStored` when the part is on the disk. Any error rejects the promise. */
  run(task: () => void, onStored: () => void): Promise<void> {
    const start = performance.now();
    this.#written = [];
    task();
    this.#maxMs = (performance.now() - start) * WAIT_SHARE;
    this.#earlier = [...this.#flushing];
    const stored = Promise.all(this.#written).then(onStored);
    const settled: Promise<unknown> = stored.catch(() => undefined).then(() => this.#flushing.delete(settled));
    this.#flushing.add(settled);
    return stored;
  }

  /** Waits until the next task may begin. */
  async pause(): Promise<void> {
    await turn();
    // A flush takes several turns of the event loop. Without a wait, a long task would block the loop, and the flush of
    // the task before it would end late.
    if (this.#flushing.size >= MAX_UNFLUSHED) await Promise.race(this.#flushing);
    else if (this.#maxMs >= 1) await Promise.race([Promise.all(this.#earlier), wait(this.#maxMs)]);
  }

  async end(): Promise<void> {
    await Promise.all(this.#flushing);
  }
}

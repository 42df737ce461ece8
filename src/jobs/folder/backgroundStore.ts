import { FolderStore } from "./store.js";

/**
 * While a file goes to the disk, the runner's thread can do something else. If the tasks are stopped, writes stop too,
 * because a part can take longer to write than to make.
 */
export class BackgroundStore extends FolderStore {
  readonly #signal: Pick<AbortSignal, "throwIfAborted"> | undefined;
  #flushed: Promise<unknown> = Promise.resolve();

  constructor(folder: string, signal: Pick<AbortSignal, "throwIfAborted"> | undefined) {
    super(folder);
    this.#signal = signal;
  }

  override put(name: string, pieces: Iterable<Uint8Array>): void {
    this.#flushed = Promise.all([this.#flushed, this.putSoon(name, this.#untilStopped(pieces))]);
    // no error is lost: `flushed` awaits the promise, and throws the error
    this.#flushed.catch(() => undefined);
  }

  /** Fulfilled when all files that were put since the last call are on the disk. */
  async flushed(): Promise<void> {
    const before = this.#flushed;
    this.#flushed = Promise.resolve();
    await before;
  }

  *#untilStopped(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
    for (const piece of pieces) {
      this.#signal?.throwIfAborted();
      yield piece;
    }
  }
}

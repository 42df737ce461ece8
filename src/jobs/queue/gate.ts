import type { Worker } from "bullmq";

/** Lets a worker of BullMQ take tickets as long as there is no reason against it. Its running tasks go on. */
export class Gate {
  readonly #worker: Worker;
  readonly #onError: (cause: Error) => void;
  readonly #reasons = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(worker: Worker, onError: (cause: Error) => void) {
    this.#worker = worker;
    this.#onError = onError;
  }

  close(reason: string): void {
    this.#reasons.add(reason);
    // with `true`, `pause` does not wait for the running tasks
    if (this.#reasons.size === 1) this.#follow(this.#worker.pause(true));
  }

  open(reason: string): void {
    if (this.#reasons.delete(reason) && this.#reasons.size === 0) this.#follow(this.#worker.resume());
  }

  /** A second call extends the time. */
  closeFor(ms: number, reason: string): void {
    clearTimeout(this.#timer);
    this.close(reason);
    this.#timer = setTimeout(() => this.open(reason), ms);
  }

  /** The worker stops. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #follow(changed: Promise<void> | void): void {
    void Promise.resolve(changed).catch(this.#onError);
  }
}

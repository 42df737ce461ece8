import type { Worker } from "bullmq";

/** Lets a worker of BullMQ take tickets, unless there is a reason against it. */
export class Gate {
  readonly #worker: Worker;
  readonly #onError: (cause: Error) => void;
  readonly #reasons = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(worker: Worker, onError: (cause: Error) => void) {
    this.#worker = worker;
    this.#onError = onError;
  }

  /** The worker takes no tickets as long as this reason holds. Its running tasks go on. */
  close(reason: string): void {
    this.#reasons.add(reason);
    // with `true`, `pause` does not wait for the running tasks
    if (this.#reasons.size === 1) this.#follow(this.#worker.pause(true));
  }

  /** The reason does not hold any more. */
  open(reason: string): void {
    if (this.#reasons.delete(reason) && this.#reasons.size === 0) this.#follow(this.#worker.resume());
  }

  /** Like {@link close}, for some milliseconds. A second call for the same time extends it. */
  closeFor(ms: number, reason: string): void {
    clearTimeout(this.#timer);
    this.close(reason);
    this.#timer = setTimeout(() => this.open(reason), ms);
  }

  /** Call it when the worker stops: from now on, the gate changes nothing. */
  end(): void {
    clearTimeout(this.#timer);
  }

  #follow(changed: Promise<void> | void): void {
    void Promise.resolve(changed).catch(this.#onError);
  }
}

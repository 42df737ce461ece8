import type { WorkerEvent } from "../../bullmq/index.js";
import { oneLine } from "../../errors/index.js";
import { type Io, note } from "../shared/io.js";

const LINE_MS = 30_000;
/** Between two lines about the same error. */
const SAME_ERROR_MS = 30_000;

/** Errors that the log remembers. */
const MAX_MESSAGES = 100;

export class WorkerLog {
  readonly #io: Io;
  readonly #verbose: boolean;
  readonly #timer: NodeJS.Timeout;
  #done = 0;
  #running = 0;
  #printed = 0;
  readonly #printedMs = new Map<string, number>();

  constructor(io: Io, { verbose }: { readonly verbose: boolean }) {
    this.#io = io;
    this.#verbose = verbose;
    // `unref`: the process must end when the worker's connection is closed, even though this timer still runs
    this.#timer = setInterval(() => this.#summary(), LINE_MS).unref();
  }

  add(event: WorkerEvent): void {
    if ("isTask" in event && event.isTask) this.#running += event.kind === "begun" ? 1 : -1;
    if (event.kind === "done" && event.isTask) this.#done++;
    const line = this.#lineOf(event);
    if (line !== undefined) note(this.#io, oneLine(line));
  }

  stop(): void {
    clearInterval(this.#timer);
    note(this.#io, `stopped after ${this.#done} tasks`);
  }

  #lineOf(event: WorkerEvent): string | undefined {
    switch (event.kind) {
      case "ready":
        return `ready: ${event.threads} threads, jobs below ${event.root}, queue ${event.queue}`;
      case "begun":
      case "done":
      case "waits":
      case "skipped":
      case "taken":
        return this.#verbose ? `${event.kind}: ${event.ticket}` : undefined;
      case "returned":
        return `given back: ${event.ticket}`;
      case "refused":
        return this.#isRepeated(event.cause.message)
          ? undefined
          : `given back: ${event.ticket}: ${event.cause.message}`;
      case "failed":
        return `${event.isLast ? "failed" : "failed, to be tried again"}: ${event.ticket}: ${event.cause.message}`;
      case "lost":
        return `another worker was lost; its task ${event.id} is in the queue again`;
      case "paused":
        return `paused: the load of other programs is ${event.load.toFixed(1)}`;
      case "resumed":
        return `resumed: the load of other programs is ${event.load.toFixed(1)}`;
      case "error":
        return this.#isRepeated(event.cause.message) ? undefined : `queue: ${event.cause.message}`;
    }
  }

  /**
   * A lost database causes many equal errors in a second, and so do the tickets of a job that the worker does not have.
   */
  #isRepeated(message: string): boolean {
    const nowMs = performance.now();
    if (nowMs < (this.#printedMs.get(message) ?? Number.NEGATIVE_INFINITY) + SAME_ERROR_MS) return true;
    if (this.#printedMs.size === MAX_MESSAGES) this.#printedMs.clear();
    this.#printedMs.set(message, nowMs);
    return false;
  }

  #summary(): void {
    if (this.#done === this.#printed) return;
    this.#printed = this.#done;
    note(this.#io, `${this.#done} tasks done, ${this.#running} running`);
  }
}

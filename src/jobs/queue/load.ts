import { loadavg } from "node:os";

/** In this time, the weight of a past value falls to 1/e. */
const AVERAGE_SECONDS = 60;

/**
 * The load of a machine without the worker's own tasks, so that a worker does not pause because of itself. Linux
 * averages the number of running threads over a minute, exponentially. This class averages the number of the worker's
 * own running threads in the same way, and subtracts it.
 *
 * Source: getloadavg(3); kernel/sched/loadavg.c of Linux.
 */
export class OtherLoad {
  readonly #threads: number;
  readonly #system: () => number;
  #own = 0;
  #sampledMs: number | undefined;

  /** `system` returns the load of the machine in the last minute: always 0 on Windows. */
  constructor(threads: number, system: () => number = () => loadavg()[0]) {
    this.#threads = threads;
    this.#system = system;
  }

  /**
   * Returns the load of the other programs. `tickets` is the number of tickets that the worker has held since the last
   * call. It can hold more tickets than it has threads.
   */
  sample(nowMs: number, tickets: number): number {
    const running = Math.min(tickets, this.#threads);
    const seconds = (nowMs - (this.#sampledMs ?? nowMs)) / 1000;
    const kept = Math.exp(-seconds / AVERAGE_SECONDS);
    this.#own = this.#own * kept + running * (1 - kept);
    this.#sampledMs = nowMs;
    return Math.max(0, this.#system() - this.#own);
  }
}

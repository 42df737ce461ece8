import { loadavg } from "node:os";

/** The system's load is an exponential average. In this time, in seconds, the weight of a past value falls to 1/e. */
const AVERAGE_SECONDS = 60;

/**
 * The load of a machine without the worker's own tasks, so that a worker does not pause because of itself. Linux
 * averages the number of running threads over a minute, exponentially. This class averages the number of the worker's
 * own running threads in the same way, and subtracts it. On Windows the load is always 0.
 *
 * Source: getloadavg(3); kernel/sched/loadavg.c of Linux.
 */
export class OtherLoad {
  readonly #threads: number;
  readonly #system: () => number;
  #own = 0;
  #sampledMs: number | undefined;

  /**
   * @param threads - Number of the worker's threads.
   * @param system - Returns the load of the machine in the last minute.
   */
  constructor(threads: number, system: () => number = () => loadavg()[0]) {
    this.#threads = threads;
    this.#system = system;
  }

  /**
   * Returns the load of the other programs, at least 0.
   *
   * @param nowMs - The time in milliseconds.
   * @param tickets - Number of tickets that the worker holds now. It can hold more tickets than it has threads, and no
   * thread runs two tasks at the same moment. This class assumes that the number was the same since the last call.
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

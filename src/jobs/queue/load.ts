import { loadavg } from "node:os";

/** In this time, the weight of a past value falls to 1/e. */
const AVERAGE_SECONDS = 60;

/**
 * The load of a machine without the worker's own tasks, so that a worker does not pause because of itself. Linux
 * averages the number of running threads over a minute, exponentially. This averages the worker's own running threads in
 * the same way, and subtracts them. Source: getloadavg(3); kernel/sched/loadavg.c of Linux.
 *
 * @param system - returns the load of the machine in the last minute: always 0 on Windows.
 */
export function otherLoad(threads: number, system = () => loadavg()[0]): (nowMs: number, tickets: number) => number {
  let own = 0;
  let sampledMs: number | undefined;
  // `tickets` were held since the last call. A worker can hold more tickets than it has threads
  return (nowMs, tickets) => {
    const kept = Math.exp((sampledMs === undefined ? 0 : sampledMs - nowMs) / 1000 / AVERAGE_SECONDS);
    own = own * kept + Math.min(tickets, threads) * (1 - kept);
    sampledMs = nowMs;
    return Math.max(0, system() - own);
  };
}

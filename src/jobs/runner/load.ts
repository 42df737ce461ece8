import { loadavg } from "node:os";

/** The time between two samples of the load. Linux computes its load at the same interval. */
export const LOAD_MS = 5000;
/** In this time, the weight of a past value falls to 1/e. */
const AVERAGE_SECONDS = 60;

/**
 * The load of a machine without the own tasks of a process, so that it does not pause because of itself. Linux averages
 * the number of running threads over a minute, exponentially. This averages the own running threads in the same way,
 * and subtracts them. Source: getloadavg(3); kernel/sched/loadavg.c of Linux.
 *
 * @param system - returns the load of the machine in the last minute: always 0 on Windows.
 */
export function otherLoad(threads: number, system = () => loadavg()[0]): (nowMs: number, tasks: number) => number {
  let own = 0;
  let sampledMs: number | undefined;
  // `tasks`: how many tasks the process has had since the last call. It can have more tasks than threads
  return (nowMs, tasks) => {
    const kept = Math.exp((sampledMs === undefined ? 0 : sampledMs - nowMs) / 1000 / AVERAGE_SECONDS);
    own = own * kept + Math.min(tasks, threads) * (1 - kept);
    sampledMs = nowMs;
    return Math.max(0, system() - own);
  };
}

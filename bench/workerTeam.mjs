// A hand-written pool: workers that each count the same number of results, and whose counts are added up. The loops are
// the library's in one thread, or those of the rivals in JavaScript.

import { once } from "node:events";
import { Worker } from "node:worker_threads";

/**
 * @param loops - "ours" or "js".
 * @returns count(n): counts about n results, divided equally, and returns how often each occurred.
 */
export function workerTeam(loops, name, threads) {
  const workers = Array.from({ length: threads }, (_, thread) => {
    const worker = new Worker(new URL("./workerTeamThread.mjs", import.meta.url), {
      workerData: { loops, name, thread, threads },
    });
    worker.unref();
    return worker;
  });
  return {
    async count(n) {
      const counts = await Promise.all(
        workers.map(async (worker) => {
          worker.ref();
          worker.postMessage(Math.ceil(n / threads));
          const [answer] = await once(worker, "message");
          worker.unref();
          return answer;
        }),
      );
      return counts.reduce((sum, own) => sum.map((count, k) => count + own[k]));
    },
  };
}

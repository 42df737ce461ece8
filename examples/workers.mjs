// Runs a walk in 1, 2, … threads, merges the maps of the threads, and prints how much faster each number of threads is.
// The map is the same for every number of threads.
// Run: node examples/workers.mjs [THREADS] [STEPS]

import { availableParallelism } from "node:os";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { createMill, LayerMap, mergeLayerMaps } from "rollmill";

const WALKERS = 24;
/** The map of each thread has all of these cells, so merging costs the same for any number of steps. */
const GRID = { kind: "torus", rows: 1024, cols: 1024 };

if (isMainThread) {
  const [most = availableParallelism(), steps = 20_000_000] = process.argv.slice(2).map(Number);
  let alone = 0;
  for (let threads = 1; threads <= most; threads++) {
    const { map, seconds } = await runIn(threads, steps);
    if (threads === 1) {
      alone = seconds;
      console.log(`${map.cells} cells, ${map.visits} visits, sha256 ${map.digest()}`);
    }
    const speed = `${(alone / seconds).toFixed(2)} times as fast as one`;
    console.log(`threads: ${threads}, ${seconds.toFixed(3)} s, ${speed}, sha256 ${map.digest().slice(0, 12)}`);
  }
} else {
  const { steps, walkers } = workerData;
  const spec = { grid: GRID, walkers: WALKERS, steps, preset: "five-ways" };
  const walk = createMill({ seed: "moria" }).walk("land", spec);
  parentPort.once("message", () => {
    const message = walk.runLayer({ walkers }).toMessage();
    parentPort.postMessage(message, [message.visits.buffer]); // the buffer moves to the main thread: nothing is copied
  });
  parentPort.postMessage("ready");
}

/** Divides the walkers among threads. The time begins when all threads are ready, and includes the merge. */
async function runIn(threads, steps) {
  const workers = Array.from({ length: threads }, (_, i) => {
    const [from, to] = [i, i + 1].map((end) => Math.floor((end * WALKERS) / threads));
    return new Worker(new URL(import.meta.url), { workerData: { steps, walkers: { from, to } } });
  });
  await Promise.all(workers.map(messageOf));
  const startedAt = performance.now();
  for (const worker of workers) worker.postMessage("go");
  const maps = (await Promise.all(workers.map(messageOf))).map((message) => LayerMap.from(message));
  const map = mergeLayerMaps(maps);
  return { map, seconds: (performance.now() - startedAt) / 1000 };
}

/** Returns the next message of a worker. */
function messageOf(worker) {
  return new Promise((resolve, reject) => {
    worker.once("message", resolve);
    worker.once("error", reject);
  });
}

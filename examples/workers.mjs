// Runs a walk in several threads and merges the maps. The result is the same for every number of threads.
// Run: node examples/workers.mjs [THREADS]

import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { createMill, LayerMap, mergeLayerMaps } from "rollmill";

const WALKERS = 24;
const walk = createMill({ seed: "moria" }).walk("land", { walkers: WALKERS, steps: 100_000, preset: "five-ways" });

if (isMainThread) {
  const threads = Number(process.argv[2] ?? 4);
  const map = mergeLayerMaps(await Promise.all(Array.from({ length: threads }, (_, i) => mapOf(i, threads))));
  console.log(`${map.cells} cells, ${map.visits} visits, sha256 ${map.digest()}`);
} else {
  const message = walk.runLayer({ walkers: workerData }).toMessage();
  parentPort.postMessage(message, [message.visits.buffer]); // the buffer moves to the main thread: nothing is copied
}

/** Runs one part of the walkers in a thread, and returns their map. */
function mapOf(part, parts) {
  const [from, to] = [part, part + 1].map((end) => Math.floor((end * WALKERS) / parts));
  const worker = new Worker(new URL(import.meta.url), { workerData: { from, to } });
  return new Promise((resolve, reject) => {
    worker.once("message", (message) => resolve(LayerMap.from(message)));
    worker.once("error", reject);
  });
}

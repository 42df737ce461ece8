// Runs a walk in 1, 2, 4, … Web Workers, merges their maps, and draws the map. The page itself stays free for the user.
// Serve the folder of the package, for example with `npx vite .`, and open examples/browser-worker/index.html
// in a browser. The parameters `workers` and `steps` of the address change the run: index.html?workers=2&steps=50000

import { LayerMap, mergeLayerMaps } from "../../dist/rollmill.min.js";

const WALKERS = 24;
const parameters = new URL(location.href).searchParams;
const most = Number(parameters.get("workers") ?? navigator.hardwareConcurrency);
const steps = Number(parameters.get("steps") ?? 500_000);

let map;
let alone = 0;
for (let count = 1; count <= most; count *= 2) {
  const workers = await Promise.all(Array.from({ length: count }, start));
  const startedAt = performance.now();
  map = await runIn(workers);
  const seconds = (performance.now() - startedAt) / 1000;
  if (count === 1) alone = seconds;
  say(`workers: ${count}, ${seconds.toFixed(3)} s, ${(alone / seconds).toFixed(2)} times as fast as one`);
}
draw(map);
say(`${map.cells} cells, ${map.visits} visits, sha256 ${map.digest()}`);
document.body.dataset.state = "done";

/** Starts a worker, and waits until it has compiled the kernel. */
async function start() {
  const worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
  await messageOf(worker);
  return worker;
}

/** Divides the walkers among workers, and returns the sum of their maps. */
async function runIn(workers) {
  const parts = workers.map((worker, i) => {
    const [from, to] = [i, i + 1].map((end) => Math.floor((end * WALKERS) / workers.length));
    worker.postMessage({ all: WALKERS, steps, walkers: { from, to } });
    return messageOf(worker);
  });
  const maps = (await Promise.all(parts)).map((message) => LayerMap.from(message));
  for (const worker of workers) worker.terminate();
  return mergeLayerMaps(maps);
}

/** Returns the next message of a worker. */
function messageOf(worker) {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
}

/** Draws a pixel for each cell. A row of the map lies half a cell to the right of the row above. */
function draw(drawn) {
  const [row0, col0, row1, col1] = drawn.bounds;
  const [rows, cols] = [row1 - row0 + 1, col1 - col0 + 1];
  const visits = drawn.window({ row0, col0, rows, cols });
  const image = new ImageData(cols + (rows >> 1), rows);
  const scale = 255 / Math.log1p(drawn.maxVisits);
  for (let i = 0; i < visits.length; i++) {
    if (visits[i] === 0) continue;
    const row = Math.floor(i / cols);
    const pixel = 4 * (row * image.width + (i % cols) + (row >> 1));
    image.data.set([Math.log1p(visits[i]) * scale, 160, 80, 255], pixel);
  }
  const canvas = document.querySelector("#map");
  [canvas.width, canvas.height] = [image.width, image.height];
  canvas.getContext("2d").putImageData(image, 0, 0);
}

function say(line) {
  document.querySelector("#times").textContent += `${line}\n`;
}

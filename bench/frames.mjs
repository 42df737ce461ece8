// npm run bench:frames [-- --rounds N]: the frames of a page with an animation, in Chromium, while it counts 10⁹ rolls in
// threads; beside it, those of a page that does nothing, and of one whose workers only keep the cores busy.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { availableParallelism } from "node:os";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { launchBrowser } from "../scripts/workbench-browser.mjs";
import { median } from "./harness.mjs";
import { SCRIPT_WEIGHT, SEED_TABLE } from "./inputs/tables.mjs";
import { OPS } from "./inputs/threads.mjs";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const DIST = fileURLToPath(new URL("../dist/", import.meta.url));
/** Time of what is not counting, in milliseconds. */
const OTHER_MS = 4000;
/** Frames that take longer are counted. */
const LATE_MS = 50;
const HEADERS = {
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
};
const PAGE = "<!doctype html><canvas width=640 height=360></canvas>";

/** Serves the library as it is, to a page that may share memory. */
async function serve() {
  const server = createServer(({ url }, response) => {
    const file = join(DIST, new URL(url, "http://localhost").pathname);
    const isModule = extname(file) === ".js" && existsSync(file);
    response.writeHead(200, { ...HEADERS, "content-type": isModule ? "text/javascript" : "text/html" });
    response.end(isModule ? readFileSync(file) : PAGE);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return server;
}

/** In the page: draws an animation while the page works, and returns the milliseconds between its frames. */
async function watchFrames({ rolls, work, threads, table, scriptWeight, otherMs }) {
  const { openThreads } = await import("/threads/index.js");
  const mill = await openThreads({ seed: "bench", threads });
  const { scriptIds } = mill.table("script ids", table);
  const loot = mill.table("loot", table, { weights: Object.fromEntries(scriptIds.map((id) => [id, scriptWeight])) });
  const calls = mill.inThreads(loot);
  await calls.count(rolls / 100); // compiles
  const spin = `for (const end = Date.now() + ${otherMs}; Date.now() < end; );`;
  const spinners = () => Array.from({ length: mill.threads }, () => new Worker(`data:text/javascript,${spin}`));
  const works = {
    count: () => calls.count(rolls),
    spin: () => new Promise((done) => setTimeout(done, otherMs, spinners())),
    idle: () => new Promise((done) => setTimeout(done, otherMs)),
  };
  const canvas = document.querySelector("canvas");
  const pen = canvas.getContext("2d");
  const times = [];
  let isDone = false;
  const draw = (now) => {
    times.push(now);
    pen.clearRect(0, 0, canvas.width, canvas.height);
    for (let k = 0; k < 200; k++)
      pen.fillRect(320 + 300 * Math.cos(now / 900 + k), 170 + 150 * Math.sin(now / 700), 9, 9);
    if (!isDone) requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
  const start = performance.now();
  await works[work]();
  const ms = performance.now() - start;
  isDone = true;
  const { threads: used } = mill;
  await mill.close();
  return { ms, threads: used, intervals: times.slice(1).map((time, i) => time - times[i]) };
}

const server = await serve();
const browser = await launchBrowser();
console.log(`Chromium ${browser.version()}: medians of ${values.rounds} rounds, and the range\n`);
const given = { rolls: OPS, table: SEED_TABLE, scriptWeight: SCRIPT_WEIGHT, otherMs: OTHER_MS };
const modes = {
  idle: { ...given, work: "idle" },
  "threads that only spin": { ...given, work: "spin" },
  "10⁹ rolls, a thread for each core": { ...given, work: "count" },
  "10⁹ rolls, a core left free": { ...given, work: "count", threads: Math.max(1, availableParallelism() - 1) },
};
const found = Object.fromEntries(Object.keys(modes).map((name) => [name, []]));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const [name, mode] of Object.entries(modes)) {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    found[name].push(await page.evaluate(watchFrames, mode));
    await page.close();
  }
}
await browser.close();
server.close();

const range = (numbers) => {
  return `${median(numbers).toFixed(1)} (${Math.min(...numbers).toFixed(1)}–${Math.max(...numbers).toFixed(1)})`;
};
for (const [name, runs] of Object.entries(found)) {
  const rates = runs.map(({ intervals, ms }) => (intervals.length * 1000) / ms);
  const longest = runs.map(({ intervals }) => Math.max(...intervals));
  const late = runs.map(({ intervals }) => intervals.filter((interval) => interval > LATE_MS).length);
  console.log(`${name}, ${runs[0].threads} threads, ${range(runs.map(({ ms }) => ms / 1000))} s`);
  console.log(`  frames a second      ${range(rates)}`);
  console.log(`  the longest frame    ${range(longest)} ms`);
  console.log(`  frames above ${LATE_MS} ms   ${range(late)}`);
}

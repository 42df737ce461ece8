// A cluster on one machine under faults, and what the queue costs: `npm run soak:cluster`. PostgreSQL is tested if
// ROLLMILL_TEST_POSTGRES has its URL: .ci/databases starts one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { randomFrom } from "../kills.mjs";
import { killWhile, Redis, rollmill, Shared, WorkerProcess } from "./cluster.mjs";
import { canMakeHosts, Host } from "./hosts.mjs";
import { LONG, MANY, TICKS } from "./jobs.mjs";

const EXAMPLE = fileURLToPath(new URL("../../../examples/highlands-job.json", import.meta.url));
const KILL_AFTER_MS = 3000;
const TAKEOVERS = 10;
const COST_THREADS = 3;

const { values } = parseArgs({ options: { only: { type: "string" } } });
const shared = new Shared();
const redis = new Redis("0.0.0.0");
const postgres = process.env.ROLLMILL_TEST_POSTGRES;
const random = randomFrom(1);

const ADDRESSES = () => ({
  Redis: ["--redis", redis.url],
  ...(postgres && { PostgreSQL: ["--postgres", postgres, "--prefix", `soak${process.pid}`] }),
});
const SEEDED = ["--seed", "moria", "--yes"];
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);

/** Starts a job in this machine's own threads. */
async function here(name, spec, threads) {
  const beganMs = performance.now();
  await rollmill("job", "start", spec, join(shared.root, name), ...SEEDED, "--threads", String(threads));
  return { digest: shared.digest(name), seconds: Number(seconds(beganMs)) };
}

/** The example world: one digest in process, on threads, and on workers that are killed every few seconds. */
async function example() {
  const { digest } = await here("one", EXAMPLE, 1);
  const two = await here("two", EXAMPLE, 2);
  check("2 threads", two.digest, digest);
  for (const [name, address] of Object.entries(ADDRESSES())) {
    const finished = rollmill("job", "submit", EXAMPLE, join(shared.root, name), ...SEEDED, ...address, "--wait");
    const kills = await killOften(finished, { address, root: shared.root, threads: 1 }, name === "Redis");
    check(`3 workers over ${name}, ${kills} of them killed`, shared.digest(name), digest);
  }
}

/** Keeps three workers alive, and kills one every few seconds. Also kills Redis once, half-way. */
async function killOften(finished, settings, withRedis) {
  const workers = Array.from({ length: 3 }, () => new WorkerProcess(settings));
  let [kills, isDone] = [0, false];
  const done = finished.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, KILL_AFTER_MS))]);
    if (isDone) break;
    const [victim] = workers.splice(0, 1);
    await victim.end();
    workers.push(new WorkerProcess(settings));
    if (++kills === 2 && withRedis) {
      await redis.kill();
      await redis.start();
      console.log("Redis was killed, and started again from its file");
    }
  }
  await done;
  await Promise.all(workers.map((worker) => worker.end()));
  return kills;
}

/** 500 short tasks, three workers, many kills. */
async function kills() {
  const spec = shared.spec("many", MANY);
  const { digest } = await here("many-here", spec, 2);
  for (const [name, address] of Object.entries(ADDRESSES())) {
    const folder = join(shared.root, `many-${name}`);
    const finished = rollmill("job", "submit", spec, folder, ...SEEDED, ...address, "--wait");
    const settings = { address, root: shared.root };
    const killed = await killWhile(finished, { kills: 60, workers: 3, settings, random });
    check(`about 500 tasks over ${name}, ${killed} workers killed`, shared.digest(`many-${name}`), digest);
  }
}

/** How long a killed worker's task waits until another worker begins it. */
async function takeovers() {
  const spec = shared.spec("long", LONG);
  for (const [name, address] of Object.entries(ADDRESSES())) {
    const waits = [];
    for (let n = 0; n < TAKEOVERS; n++) {
      const folder = join(shared.root, `lost-${name}-${n}`);
      const lost = new WorkerProcess({ address, root: shared.root, threads: 1 });
      await lost.ready();
      const begun = lost.line(/^begun: task/);
      await rollmill("job", "submit", spec, folder, ...SEEDED, ...address);
      const task = await begun;
      const other = new WorkerProcess({ address, root: shared.root, threads: 8 });
      await other.ready();
      await lost.end();
      const killedMs = performance.now();
      while ((await other.line(/^begun: task/)) !== task);
      waits.push(Number(seconds(killedMs)));
      await rollmill("job", "cancel", folder, "--yes");
      await other.end("SIGTERM");
    }
    waits.sort((a, b) => a - b);
    console.log(
      `${name}: a killed worker's task ran again after ${waits[waits.length >> 1]} s, at most ${waits.at(-1)} s`,
    );
  }
}

/** 10,000 tasks of about 50 ms: one worker against the thread runner. */
async function cost() {
  const spec = shared.spec("ticks", TICKS);
  const alone = await here("ticks-here", spec, COST_THREADS);
  for (const [name, address] of Object.entries(ADDRESSES())) {
    const worker = new WorkerProcess({ address, root: shared.root, threads: COST_THREADS });
    await worker.ready();
    const beganMs = performance.now();
    const flags = [...SEEDED, ...address, "--wait"];
    await rollmill("job", "submit", spec, join(shared.root, `ticks-${name}`), ...flags);
    const took = Number(seconds(beganMs));
    await worker.end("SIGTERM");
    check(`10,000 tasks over ${name}`, shared.digest(`ticks-${name}`), alone.digest);
    console.log(
      `${name}: ${took} s against ${alone.seconds} s of the thread runner: ${(took / alone.seconds).toFixed(3)}`,
    );
  }
}

/** Two hosts with a folder in common; one of them is cut off. */
async function hosts() {
  if (!canMakeHosts()) return console.log("no hosts: this needs root and iproute2");
  const spec = shared.spec("hosts", MANY);
  const { digest } = await here("hosts-here", spec, 2);
  const both = [new Host(11), new Host(12)];
  const workers = both.map(
    ({ server, inside }) =>
      new WorkerProcess({ address: ["--redis", redis.urlFrom(server)], root: shared.root, inside }),
  );
  await Promise.all(workers.map((worker) => worker.ready()));
  const halfWay = workers[0].line(/^begun: task .*cells/, 10);
  const flags = [...SEEDED, "--redis", redis.url, "--wait"];
  const finished = rollmill("job", "submit", spec, join(shared.root, "hosts"), ...flags);
  await halfWay;
  both[0].cut();
  await finished;
  check("two hosts, one of them cut off", shared.digest("hosts"), digest);
  await Promise.all(workers.map((worker) => worker.end()));
  for (const host of both) host.remove();
}

/**
 * Checks the model of docs/cluster.md: measures the time of a step, of a cell and of a ticket with one thread, predicts
 * other jobs on more threads of a cluster, and compares.
 */
async function model() {
  const [bare, walked] = [await alone("bare", stripOf(16, 1)), await alone("walked", stripOf(16, 2000))];
  const cell = bare.seconds / bare.cells;
  const step = (walked.seconds - bare.seconds) / stepsOf(walked.cells, 1999);
  const { seconds: fixed } = await overRedis("fixed", thinStripOf(1), 1);
  const many = await overRedis("tickets", thinStripOf(4000), 1);
  const ticket = (many.seconds - fixed - many.cells * cell) / 4000;
  console.log(
    `a step ${ns(step)}, a cell ${ns(cell)}, a ticket with its part ${(ticket * 1e3).toFixed(2)} ms, a submission ${fixed.toFixed(2)} s`,
  );
  for (const [sectors, walkers, threads] of [
    [48, 2000, 1],
    [48, 2000, 2],
    [48, 4000, 2],
    [96, 500, 3],
  ]) {
    const { seconds: took, cells } = await overRedis(
      `model-${sectors}-${walkers}-${threads}`,
      stripOf(sectors, walkers),
      threads,
    );
    const task = (cells * cell + stepsOf(cells, walkers) * step) / sectors;
    const predicted = fixed + Math.ceil(sectors / threads) * task + sectors * ticket;
    const ratio = (took / predicted).toFixed(2);
    console.log(
      `${sectors} sectors, ${walkers} walkers a region, ${threads} threads: ${took.toFixed(1)} s, predicted ${predicted.toFixed(1)} s, ratio ${ratio}`,
    );
  }
}

// short walks in small regions: the regions around a sector are few, whether or not its thread has them already
const SIDE = 64;
const STEPS = 32;
const ns = (time) => `${(time * 1e9).toFixed(2)} ns`;

/** Some sectors of 1024 × 1024 cells in a row. */
function stripOf(sectors, walkers) {
  const layers = [{ name: "woods", preset: "uniform", scatter: { side: SIDE, walkers }, steps: STEPS }];
  return jobOf(layers, { row0: 0, col0: 0, rows: 1024, cols: sectors * 1024 });
}

/** The steps of all regions that reach some sectors in a row, each with its halo. */
function stepsOf(cells, walkers) {
  const across = 1024 / SIDE + 2 * Math.ceil(STEPS / SIDE);
  return (cells / 1024 ** 2) * across ** 2 * walkers * STEPS;
}

function thinStripOf(sectors) {
  return jobOf([{ name: "woods", preset: "uniform", scatter: { side: 4096, walkers: 1 }, steps: 1 }], {
    row0: 0,
    col0: 0,
    rows: 1,
    cols: sectors * 1024,
  });
}

function jobOf(layers, extent) {
  const when = { woods: { visits: [1, null] } };
  return {
    world: { layers, terrain: [{ terrain: "wood", when }, { terrain: "sea" }] },
    extent,
    visits: [],
  };
}

/** Runs a job on one thread. Returns how long its phase took, and its cells. */
async function alone(name, job) {
  await here(name, shared.spec(name, job), 1);
  return timesOf(name);
}

async function overRedis(name, job, threads) {
  const address = ["--redis", redis.url];
  const worker = new WorkerProcess({ address, root: shared.root, threads });
  await worker.ready();
  await rollmill("job", "submit", shared.spec(name, job), join(shared.root, name), ...SEEDED, ...address, "--wait");
  await worker.end("SIGTERM");
  return timesOf(name);
}

/** The seconds from the first event after the creation of a job to its result, and its cells. */
function timesOf(name) {
  const folder = join(shared.root, name);
  const events = readFileSync(join(folder, "events.ndjson"), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const at = (...names) => Date.parse(events.find(({ event }) => names.includes(event)).at);
  const { cells } = JSON.parse(readFileSync(join(folder, "result.json"), "utf8")).totals;
  return { seconds: (at("finished") - at("run", "submitted")) / 1000, cells };
}

function check(what, digest, expected) {
  if (digest !== expected) throw new Error(`${what}: the digest is ${digest}, not ${expected}`);
  console.log(`${what}: the digest is ${digest.slice(0, 12)}`);
}

const PARTS = { example, kills, takeovers, cost, hosts, model };
await redis.start();
try {
  for (const [name, part] of Object.entries(PARTS)) {
    if (values.only !== undefined && values.only !== name) continue;
    const beganMs = performance.now();
    console.log(`── ${name}`);
    await part();
    console.log(`   ${seconds(beganMs)} s`);
  }
} finally {
  await redis.stop();
  shared.remove();
}

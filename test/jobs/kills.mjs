// Kills a small job again and again, resumes it, and compares its digest with that of a job that nobody killed.
// `npm run soak` runs all of it; kills.test.ts runs a few kills.
import { execFile, execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const execute = promisify(execFile);

// `require`, because the test runner would transform what is imported
const { openJob } = createRequire(import.meta.url)("../../dist/jobs/index.js");
const BIN = fileURLToPath(new URL("../../dist/cli/bin.js", import.meta.url));
const ONE_THREAD = fileURLToPath(new URL("oneThread.mjs", import.meta.url));
const PADDING_FILE = fileURLToPath(new URL("padding.mjs", import.meta.url));
/** The calls of the system that can change the disk. */
const CALLS = ["write", "pwrite64", "fsync", "rename", "mkdir", "openat", "unlink", "rmdir"];
/** The number of calls in padding.mjs: more than any thread of the job makes. */
const PADDING = 2000;

/** A world with all kinds of layers and stocks, and with paths and stamps, in four sectors. */
const JOB = {
  world: {
    name: "isles",
    layers: [
      { name: "land", preset: "five-ways", walkers: 12, steps: 20_000 },
      { name: "roads", preset: "rf50-lf50", walkers: 4, steps: 3000, firstVisit: true, start: { layer: "land" } },
      { name: "woods", preset: "uniform", scatter: { side: 128, walkers: 4 }, steps: 100 },
      { name: "brooks", scatter: { side: 128, density: "1/900" }, steps: 60, slope: { field: "height" } },
      { name: "lakes", stuck: "brooks" },
    ],
    fields: [{ name: "height", kind: "noise", scale: 64, octaves: 2 }],
    terrain: [
      { terrain: "road", when: { roads: { visits: [1, null] } } },
      { terrain: "lake", when: { lakes: { within: 1 } } },
      { terrain: "land", when: { land: { within: 2 } } },
      { terrain: "wood", when: { woods: { visits: [1, null] } } },
      { terrain: "sea" },
    ],
    placements: [
      { name: "hut", on: ["land"], density: "1/400", distance: 3, content: { recipe: "weapon" } },
      { name: "keep", on: ["sea"], density: "1/4000", distance: 9, stamps: { keep: 1 }, turns: true },
      { name: "ore", on: ["wood"], density: "1/500", content: { pools: "ore", pool: "ore", stock: "world" } },
    ],
    stamps: { keep: { map: [" ##", "#.#", " ##"], legend: { "#": "wall", ".": "floor" } } },
    paths: [{ name: "track", between: ["keep"], within: 60, cost: { lake: null }, terrain: "track" }],
    recipes: { weapon: "weapon" },
    pools: {
      ore: {
        roots: {
          ore: {
            kind: "finite",
            records: [
              { id: "iron", mass: 3, quantity: 90 },
              { id: "gold", mass: 1, quantity: 9 },
            ],
          },
        },
      },
    },
  },
  extent: { row0: -300, col0: -250, rows: 500, cols: 450 },
  bulk: [{ name: "arms", recipe: "weapon", count: 2000 }],
};

/** Makes a folder with the file of the job, and the digest of a run without kills. */
export async function prepare() {
  const root = mkdtempSync(join(tmpdir(), "rollmill-kills-"));
  const spec = join(root, "job.json");
  writeFileSync(spec, JSON.stringify(JOB));
  const whole = { root, spec, digest: "" };
  await run([BIN, ...startArguments(whole, join(root, "whole"), 1)]);
  return { ...whole, digest: digestIn(join(root, "whole")) };
}

/** Prepares a job with another density, which takes what it can from the job that was run without kills. */
export async function prepareFrom({ root }) {
  const [hut, ...others] = JOB.world.placements;
  const placements = [{ ...hut, density: "1/300" }, ...others];
  const spec = join(root, "denser.json");
  writeFileSync(spec, JSON.stringify({ ...JOB, world: { ...JOB.world, placements } }));
  await run([BIN, ...startArguments({ spec }, join(root, "denser"), 1)]);
  return { root, spec, from: join(root, "whole"), digest: digestIn(join(root, "denser")) };
}

/** Prepares a job with fewer cells, which grows to the extent of the job that was run without kills. */
export async function prepareExtend({ root, digest }) {
  const { row0, col0, rows, cols } = JOB.extent;
  const spec = join(root, "small.json");
  writeFileSync(spec, JSON.stringify({ ...JOB, extent: { row0: -200, col0: -200, rows: 200, cols: 230 } }));
  const small = join(root, "small");
  await run([BIN, ...startArguments({ spec }, small, 1)]);
  return { root, spec, small, extent: [row0, col0, row0 + rows - 1, col0 + cols - 1].join(","), digest };
}

/** Removes the folder of {@link prepare}. */
export function remove({ root }) {
  rmSync(root, { recursive: true, force: true });
}

function startArguments({ spec, from, small, extent }, folder, threads) {
  // an extension that was killed before it changed the job must be asked for again
  if (small !== undefined && !existsSync(folder)) cpSync(small, folder, { recursive: true });
  const isMade = existsSync(join(folder, "manifest.json"));
  const earlier = from === undefined ? [] : ["--from", from];
  const start = ["start", spec, folder, "--seed", "moria", "--yes", ...earlier];
  const verb = small !== undefined ? ["extend", folder, `--extent=${extent}`] : isMade ? ["resume", folder] : start;
  return ["job", ...verb, "--threads", String(threads)];
}

/** The digest of a finished job. */
function digestIn(folder) {
  return JSON.parse(readFileSync(join(folder, "result.json"), "utf8")).digest;
}

async function run(flags) {
  await execute(process.execPath, flags);
}

/**
 * Starts a job and kills it after a random time, again and again, until it is finished.
 *
 * @returns the number of kills that met a running job.
 */
export async function killAtRandom(prepared, { folder, threads, most, random }) {
  let kills = 0;
  for (; kills < most; kills++) {
    const child = spawn(process.execPath, [BIN, ...startArguments(prepared, folder, threads)], { stdio: "ignore" });
    const timer = setTimeout(() => child.kill("SIGKILL"), 100 + random() * 900);
    const signal = await new Promise((resolve) => child.on("close", (_, by) => resolve(by)));
    clearTimeout(timer);
    if (signal === null) break;
    await checkParts(folder);
  }
  return (await finish(prepared, folder, threads)) && kills;
}

/** Finishes a job without kills, and compares its digest. */
async function finish(prepared, folder, threads) {
  await run([BIN, ...startArguments(prepared, folder, threads)]);
  const digest = digestIn(folder);
  if (digest !== prepared.digest) throw new Error(`${folder} has the digest ${digest}, not ${prepared.digest}`);
  await verify(folder);
  rmSync(folder, { recursive: true, force: true });
  return true;
}

/**
 * Runs a job with one thread under strace. A part is written by the main thread, and flushed and renamed by a thread of
 * the pool of Node. If the pool has only one thread, each of the two does the same calls in each run.
 */
function trace(prepared, { folder, flags, env }) {
  const program = [process.execPath, "--import", PADDING_FILE, ONE_THREAD];
  return execute("strace", ["-f", "-qq", ...flags, ...program, ...startArguments(prepared, folder, 1)], {
    env: { ...process.env, UV_THREADPOOL_SIZE: "1", ...env },
  });
}

/** Returns the calls of a job that change its folder. */
export async function listCalls(prepared) {
  const folder = join(prepared.root, "listed");
  const log = join(prepared.root, "calls.txt");
  // -y: writes the paths of open files
  await trace(prepared, { folder, flags: ["-y", "-o", log, "-e", `trace=${CALLS.join(",")}`], env: {} });
  rmSync(folder, { recursive: true, force: true });
  const lines = readFileSync(log, "utf8").split("\n");
  const [main] = lines[0].split(" ");
  const counts = {};
  const calls = [];
  let pool;
  for (const line of lines) {
    const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    if (thread === undefined) continue;
    counts[`${thread} ${call}`] ??= 0;
    const n = ++counts[`${thread} ${call}`];
    if (n >= PADDING) throw new Error(`a thread calls ${call} more than ${PADDING} times`);
    if (!line.includes(folder) || (call === "openat" && !line.includes("O_CREAT"))) continue;
    if (thread !== main) pool ??= thread;
    if (thread !== main && thread !== pool) throw new Error(`three threads change the folder: ${line}`);
    calls.push({ thread: thread === main ? "main" : "pool", call, n });
  }
  return calls;
}

/** Kills a job at the n-th call of a kind in a thread, then finishes it. */
async function killAtCall(prepared, { thread, call, n }) {
  const folder = join(prepared.root, `${thread}-${call}-${n}`);
  const flags = ["-o", "/dev/null", "-e", `trace=${call}`, "-e", `inject=${call}:signal=KILL:when=${PADDING + n}`];
  const env = { PADDED_THREAD: thread, PADDED_CALL: call, PADDING: String(PADDING) };
  // strace dies by the same signal
  const end = await trace(prepared, { folder, flags, env }).catch((cause) => cause);
  if (end.signal !== "SIGKILL" && isFlush({ call })) throw new Error(`the ${thread} thread has no ${call} ${n}`);
  await checkParts(folder);
  return finish(prepared, folder, 1);
}

/** Whether a call flushes or renames a file. Each run has the same number of these calls. */
export function isFlush({ call }) {
  return call === "fsync" || call === "rename";
}

/** Checks that all files of a killed job are complete. */
async function checkParts(folder) {
  if (existsSync(join(folder, "manifest.json"))) await verify(folder);
}

async function verify(folder) {
  const flaws = (await openJob(folder)).verify();
  if (flaws.length > 0) throw new Error(`${folder} has flaws: ${JSON.stringify(flaws)}`);
}

/** Kills a job at each of these calls, several jobs at a time. */
export async function killAtCalls(prepared, calls) {
  const open = [...calls];
  const work = async () => {
    for (let next = open.pop(); next !== undefined; next = open.pop()) await killAtCall(prepared, next);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
}

/** Whether this machine can count and stop calls of the system. */
export function hasStrace() {
  try {
    execFileSync("strace", ["-qq", "-o", "/dev/null", "true"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** Random numbers 0 … 1, the same in every run (mulberry32). */
export function randomFrom(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

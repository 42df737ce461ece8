// The bars without a rival: the time to make a mill, the size of the kernel, the memory of an unbounded map, what a large
// root of pools takes, the memory of many weapons, and the tables of objects.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { median } from "./harness.mjs";
import { hasRealFiles, LEVEL, objectFiles } from "./inputs/objects.mjs";

const run = promisify(execFile);
const KERNEL = new URL("../dist/kernel.wasm", import.meta.url);
const STARTS = 7;
const STEPS = 1e8;
const WALKERS = 100;
const RECORDS = 1e6;
const SUBPOOLS = 10;
const DRAWS = 1e7;
const BUILDS = 7;
/** Of objects, which take a few milliseconds each. */
const OBJECT_BUILDS = 15;
const OBJECTS = 1e5;

const FIRST_MILL = `
import { createMill } from "rollmill";
const start = performance.now();
createMill({ seed: "bench" });
console.log(performance.now() - start);`;

/** Milliseconds of the first createMill in a fresh process, kernel compiled and instantiated: the median of several. */
async function firstMill() {
  const times = [];
  for (let i = 0; i < STARTS; i++) {
    const args = ["--input-type=module", "--eval", FIRST_MILL];
    const { stdout } = await run(process.execPath, args, { cwd: new URL("..", import.meta.url) });
    times.push(Number(stdout));
  }
  return median(times);
}

/** KiB of memory per chunk of 64 × 64 cells that a long unbounded walk touches, over what it holds before its first step. */
async function chunkMemory({ firstVisit }) {
  const { createMill } = await import("rollmill");
  const spec = { preset: "uniform", walkers: WALKERS, grid: { kind: "unbounded" }, firstVisit };
  const run = createMill({ seed: "bench" }).walk("memory", spec).start();
  const before = run.bytes;
  run.advance(STEPS / WALKERS);
  return (run.bytes - before) / [...run.map().chunks()].length / 1024;
}

/** A finite root of integer ids from 1, split over disjoint subpools. */
function largeRoot() {
  const records = Array.from({ length: RECORDS }, (_, i) => ({ id: i + 1, mass: 1 + (i % 100), quantity: 3 }));
  const share = RECORDS / SUBPOOLS;
  const subpools = Array.from({ length: SUBPOOLS }, (_, i) => ({
    records: Array.from({ length: share }, (_, k) => i * share + k + 1),
  }));
  return { kind: "finite", records, subpools };
}

/**
 * What a large root takes: bytes of the arena a record, and the time until its first draw ÷ the time of 10^7 draws from it,
 * both in the same round; the median of several.
 */
async function largeRootCosts() {
  const { createMill } = await import("rollmill");
  const root = largeRoot();
  const out = new Uint32Array(DRAWS);
  const costs = [];
  for (let round = 0; round < BUILDS; round++) {
    const mill = createMill({ seed: `bench ${round}` });
    const pools = mill.pools("pools");
    const before = pools.bytes;
    const start = performance.now();
    pools.registerRoot("r", root);
    pools.drawFromPool("r");
    const built = performance.now();
    pools.drawInto(out, "r");
    const drawn = performance.now();
    costs.push({ time: (built - start) / (drawn - built), bytes: (pools.bytes - before) / RECORDS });
    mill.dispose();
  }
  return { time: median(costs.map(({ time }) => time)), bytes: costs[0].bytes };
}

/** The budgets of pools, in the form of `judge`: {text, limit, measured, unit, met}. */
export async function measurePoolBudgets() {
  const { time, bytes } = await largeRootCosts();
  return judged([
    { text: "a record of a root of 10^6 and its subpool", limit: 64, unit: " bytes", measured: bytes },
    { text: "building that root against 10^7 draws", limit: 1, measured: time },
  ]);
}

const MANY_WEAPONS = `
import { createMill } from "rollmill";
const recipe = createMill({ seed: "bench" }).recipe("weapon");
recipe.makeMany(1);
const before = process.memoryUsage.rss();
const items = recipe.makeMany(1e7);
if (items.length !== 1e7) throw new Error("too few");
console.log(process.resourceUsage().maxRSS * 1024 - before);`;

/** Bytes by which a fresh process grows, at its peak, while it makes 10^7 weapons and holds them. */
async function weaponMemory() {
  const args = ["--input-type=module", "--eval", MANY_WEAPONS];
  const { stdout } = await run(process.execPath, args, { cwd: new URL("..", import.meta.url) });
  return Number(stdout);
}

/** The budget of recipes, in the same form. */
export async function measureRecipeBudgets() {
  return judged([{ text: "10^7 weapons", limit: 1, unit: " GiB", measured: (await weaponMemory()) / 2 ** 30 }]);
}

/**
 * What the tables of objects take: bytes by which the kernel grows until the first object is there, and the time from parsed
 * files to that object ÷ the time of 10^5 objects, both in the same round; the median of several, the first ones being cold.
 */
async function objectTableCosts() {
  const { compileObjects, ObjectMaker } = await import("../dist/objects/index.js");
  const { Kernel } = await import("../dist/kernel/index.js");
  const { files } = await objectFiles();
  const asked = { level: LEVEL, good: true };
  const costs = [];
  for (let round = 0; round < OBJECT_BUILDS; round++) {
    const kernel = new Kernel([round, 0], 2 ** 30);
    const before = kernel.bytes;
    const start = performance.now();
    const maker = new ObjectMaker({ kernel, name: "drops", stream: 1, plan: compileObjects(files) });
    maker.make(asked);
    const built = performance.now();
    const bytes = kernel.bytes - before;
    maker.makeMany(OBJECTS, asked);
    costs.push({ time: (built - start) / (performance.now() - built), bytes });
  }
  return { time: median(costs.map(({ time }) => time)), bytes: costs[0].bytes };
}

/** The budgets of objects, in the same form: of the real files, and none where these are absent. */
export async function measureObjectBudgets() {
  if (!hasRealFiles) return [];
  const { time, bytes } = await objectTableCosts();
  return judged([
    { text: "all tables of objects", limit: 8, unit: " MiB", measured: bytes / 2 ** 20 },
    { text: "building them against 10^5 objects", limit: 1, measured: time },
  ]);
}

/** The other budgets, in the same form. */
export async function measureBudgets() {
  return judged([
    { text: "first createMill of a process", limit: 5, unit: " ms", measured: await firstMill() },
    { text: "kernel, gzipped", limit: 64, unit: " KiB", measured: gzipSync(readFileSync(KERNEL)).length / 1024 },
    { text: "an unbounded map's chunk", limit: 17, unit: " KiB", measured: await chunkMemory({ firstVisit: false }) },
    { text: "the same with first visits", limit: 33, unit: " KiB", measured: await chunkMemory({ firstVisit: true }) },
  ]);
}

function judged(budgets) {
  return budgets.map((budget) => ({ ...budget, met: budget.measured <= budget.limit }));
}

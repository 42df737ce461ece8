// The bars that are no ratio: the time to make a mill, the size of the kernel, the memory of an unbounded map.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { median } from "./harness.mjs";

const run = promisify(execFile);
const KERNEL = new URL("../dist/kernel.wasm", import.meta.url);
const STARTS = 7;
const STEPS = 1e8;
const WALKERS = 100;

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

/** The budgets in the form of `judge`: {text, limit, measured, unit, met}. */
export async function measureBudgets() {
  const budgets = [
    { text: "first createMill of a process", limit: 5, unit: " ms", measured: await firstMill() },
    { text: "kernel, gzipped", limit: 64, unit: " KiB", measured: gzipSync(readFileSync(KERNEL)).length / 1024 },
    { text: "an unbounded map's chunk", limit: 17, unit: " KiB", measured: await chunkMemory({ firstVisit: false }) },
    { text: "the same with first visits", limit: 33, unit: " KiB", measured: await chunkMemory({ firstVisit: true }) },
  ];
  return budgets.map((budget) => ({ ...budget, met: budget.measured <= budget.limit }));
}

// Whole jobs, on one and on several threads, against the kernel's part of them. Two figures count: how much of the
// speed-up of independent loops a job has, and how much longer it takes than its walks and windows alone.

import { mkdtemp, rm } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { REGION, SHORT_REGION, SHORT_SIDE, SHORT_STEPS, SHORT_WALK, SIDE, STEPS, WALK } from "../inputs/jobs.mjs";
import { kernelThreads } from "../kernelThreads.mjs";
import { jobs as openJobs } from "../ours.mjs";

/** Numbers of threads. A case leaves out numbers above the number of cores. */
export const THREADS = [1, 2, 4];
/** Maximum memory of all threads together. */
const MAX_MEMORY = 2 ** 32;

/** The names of the cases without bars begin with this word. */
export const SHORT = "short";

export const jobs = {
  name: "jobs",
  unit: "cell",
  cases: [
    { name: "walk", unit: "step", open: (notice) => openCase(WALK, { ops: STEPS, notice }) },
    { name: `region ${SIDE}`, open: (notice) => openCase(REGION, { ops: SIDE ** 2, notice }) },
    { name: `${SHORT} walk`, unit: "step", open: (notice) => openCase(SHORT_WALK, { ops: SHORT_STEPS, notice }) },
    { name: `${SHORT} region`, open: (notice) => openCase(SHORT_REGION, { ops: SHORT_SIDE ** 2, notice }) },
  ],
};

/** The name of a row. The row of our jobs on one thread is the one that all rows are compared with. */
export function rowName(what, threads) {
  if (threads === 1) return what === "job" ? "rollmill" : `${what}, 1 thread`;
  return `${what === "job" ? "rollmill" : what}, ${threads} threads`;
}

async function openCase(input, { ops, notice }) {
  const run = await openJobs(input);
  const folder = await mkdtemp(join(tmpdir(), "rollmill-bench-"));
  process.once("exit", () => run.removeNow(folder));
  // a finished job in `folder`: the kernel reads the maps of its finite layers
  const { digest, counts } = await run.make(join(folder, "job"), { threads: 1, maxMemory: MAX_MEMORY });
  const cores = cpus().length;
  const numbers = THREADS.filter((threads) => threads <= cores);
  if (numbers.length < THREADS.length) {
    notice(`no figures for ${THREADS.filter((n) => n > cores).join(", ")} threads: this machine has ${cores} cores`);
  }
  const all = counts.reduce((sum, count) => sum + count, 0);
  const given = { run, ops, folder, digest };
  return {
    law: counts.map((count) => count / all),
    draws: all,
    contenders: (await Promise.all(numbers.map((threads) => contendersOn(threads, given)))).flat(),
  };
}

async function contendersOn(threads, { run, ops, folder, digest }) {
  const settings = { threads, maxMemory: MAX_MEMORY };
  const kernel = await kernelThreads(join(folder, "job"), settings);
  const job = async () => {
    const place = await mkdtemp(join(tmpdir(), "rollmill-bench-"));
    try {
      const start = performance.now();
      const result = await run.make(join(place, "job"), settings);
      const time = performance.now() - start;
      if (result.digest !== digest) throw new Error(`The digest on ${threads} threads is ${result.digest}.`);
      return { time, counts: result.counts };
    } finally {
      await rm(place, { recursive: true });
    }
  };
  const perOp = (time) => (time * 1e6) / ops;
  return [
    {
      name: rowName("job", threads),
      reference: threads > 1,
      time: async () => perOp((await job()).time),
      sample: async () => (await job()).counts,
    },
    {
      name: rowName("kernel", threads),
      reference: true,
      time: async () => perOp((await kernel.run()).time),
      sample: async () => (await kernel.run()).counts,
    },
    {
      name: rowName("loops", threads),
      reference: true,
      // for the work of all threads together
      time: async () => {
        const { time, share } = await kernel.loops();
        return perOp(time) / (share * threads);
      },
    },
  ];
}

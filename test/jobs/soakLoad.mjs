// Measures what a job promises about time: that `load` is kept, how long it still takes, and what it will need.
// node test/jobs/soakLoad.mjs [--only load|left] [--minutes 10] [--load 0.5]
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { createJob, loadJob, planJob } from "../../dist/jobs/index.js";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    minutes: { type: "string", default: "10" },
    load: { type: "string", default: "0.5" },
  },
});
const EXAMPLES = fileURLToPath(new URL("../../examples/", import.meta.url));
let failures = 0;

/** Reads an example, with other cells and without exports. */
async function sourceOf(name, extent) {
  const file = join(EXAMPLES, name);
  const read = (path) => {
    if (!existsSync(path)) return undefined;
    const text = readFileSync(path, "utf8");
    return path === file ? JSON.stringify({ ...JSON.parse(text), ...(extent && { extent }), exports: [] }) : text;
  };
  const { spec, issues } = await loadJob(file, read);
  if (spec === undefined) throw new Error(JSON.stringify(issues));
  return spec;
}

async function withJob(source, use) {
  const folder = mkdtempSync(join(tmpdir(), "rollmill-soak-"));
  try {
    return await use(await createJob(join(folder, "job"), source, { seed: "moria" }), join(folder, "job"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function check(isGood, line) {
  if (!isGood) failures++;
  console.log(`${isGood ? "ok " : "BAD"} ${line}`);
}

const square = (side) => ({ row0: 0, col0: 0, rows: side, cols: side });

/** Two threads: each minute must have the share of the cores, within 5 points. The machine must be idle otherwise. */
async function load(minutes, wanted) {
  const source = await sourceOf("continent.json", square(65_536));
  await withJob(source, async (job) => {
    const stop = new AbortController();
    const used = [];
    const usedMs = () => Object.values(process.cpuUsage()).reduce((sum, us) => sum + us / 1000, 0);
    let [last, lastMs] = [usedMs(), performance.now()];
    const timer = setInterval(() => {
      const [now, nowMs] = [usedMs(), performance.now()];
      used.push((now - last) / (nowMs - lastMs) / availableParallelism());
      [last, lastMs] = [now, nowMs];
      const share = used.at(-1);
      check(Math.abs(share - wanted) <= 0.05, `minute ${used.length}: ${(100 * share).toFixed(1)}% of the cores`);
      if (used.length >= minutes) stop.abort();
    }, 60_000);
    await job.run({ threads: 2, load: wanted, signal: stop.signal }).catch((cause) => {
      if (!stop.signal.aborted) throw cause;
    });
    clearInterval(timer);
  });
}

const JOBS = [
  ["continent.json, 8192²", "continent.json", square(8192)],
  ["highlands-job.json", "highlands-job.json"],
];

function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

async function measure() {
  for (const [name, file, extent] of JOBS) {
    const source = await sourceOf(file, extent);
    const beganPlan = performance.now();
    const { needs } = await planJob(source);
    const planMs = performance.now() - beganPlan;
    await withJob(source, async (job, folder) => {
      const samples = [];
      const beganMs = performance.now();
      const threads = availableParallelism();
      await job.run({
        threads,
        onProgress: ({ seconds, phase, share }) =>
          samples.push({ atMs: performance.now() - beganMs, seconds, phase, share }),
      });
      const totalMs = performance.now() - beganMs;
      const late = samples.filter(({ atMs }) => atMs >= totalMs / 10 && atMs <= 0.9 * totalMs);
      // relative to what is left
      const errors = late.map(({ atMs, seconds = 0 }) => (seconds * 1000) / (totalMs - atMs) - 1);
      const worst = errors.reduce((a, b) => (Math.abs(b) > Math.abs(a) ? b : a), 0);
      const mean = errors.reduce((sum, one) => sum + Math.abs(one), 0) / errors.length;
      if (process.env.SHOW)
        for (const { atMs, seconds, phase, share } of samples.filter(
          (_, n) => n % Math.ceil(samples.length / 20) === 0,
        ))
          console.log(
            `   ${(atMs / totalMs).toFixed(2)} ${phase} ${(100 * share).toFixed(0)}% left ${seconds?.toFixed(1)} true ${((totalMs - atMs) / 1000).toFixed(1)}`,
          );
      check(
        Math.abs(worst) <= 0.25,
        `${name}: ${(totalMs / 1000).toFixed(1)} s; time left after a tenth: mean error ${(100 * mean).toFixed(0)}%, worst ${(100 * worst).toFixed(0)}%`,
      );
      const disk = bytesIn(folder);
      const ratios = [needs.disk / disk, ((needs.seconds / threads) * 1000) / totalMs];
      check(
        ratios[0] > 0.5 && ratios[0] < 2,
        `${name}: disk ${needs.disk.toExponential(2)} of ${disk.toExponential(2)}, × ${ratios[0].toFixed(2)}`,
      );
      check(
        ratios[1] > 0.5 && ratios[1] < 2,
        `${name}: time ${(needs.seconds / threads).toFixed(1)} s, × ${ratios[1].toFixed(2)}; planned in ${planMs.toFixed(0)} ms`,
      );
    });
  }
}

if (values.only === undefined || values.only === "load") await load(Number(values.minutes), Number(values.load));
if (values.only !== "load") await measure();
process.exitCode = failures > 0 ? 1 : 0;

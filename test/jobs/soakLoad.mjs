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

/** Reads an example that `change` has changed. */
async function sourceOf(name, change) {
  const file = join(EXAMPLES, name);
  const read = (path) => {
    if (!existsSync(path)) return undefined;
    const text = readFileSync(path, "utf8");
    return path === file ? JSON.stringify(change(JSON.parse(text))) : text;
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
  const source = await sourceOf("continent.json", (job) => ({ ...job, extent: square(65_536), exports: [] }));
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

/** Many times the walkers of examples/job.json, and results in bulk. */
function largeIsle({ world, ...job }) {
  const [land, hills] = world.layers;
  const layers = [
    { ...land, walkers: 2400, steps: 400_000 },
    { ...hills, walkers: 480, steps: 80_000 },
  ];
  const bulk = [{ name: "finds", table: "finds", count: 150_000_000 }];
  return { ...job, world: { ...world, layers }, bulk, exports: ["png", "parquet"] };
}

const JOBS = [
  ["continent.json, 16384²", "continent.json", (job) => ({ ...job, extent: square(16_384) })],
  ["highlands-job.json", "highlands-job.json", (job) => job],
  ["job.json with many walkers", "job.json", largeIsle],
];

/**
 * Returns the errors of the time left, at each hundredth of the wall time between 10 % and 90 %: |told − true| / true.
 * `told` is the last progress line less the time since, as the command prints it. `true` is the time until `run`
 * returned, exports included. Other programs on the machine change both.
 */
function errorsOf(samples, totalMs) {
  return Array.from({ length: 81 }, (_, n) => {
    const nowMs = (totalMs * (n + 10)) / 100;
    const { atMs, seconds = 0 } = samples.findLast((sample) => sample.atMs <= nowMs);
    const [told, left] = [Math.max(0, seconds * 1000 - (nowMs - atMs)), totalMs - nowMs];
    return { share: n + 10, told, left, error: told / left - 1 };
  });
}

function bytesIn(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile());
  return files.reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0);
}

async function measure() {
  for (const [name, file, change] of JOBS) {
    const source = await sourceOf(file, change);
    const beganPlan = performance.now();
    const { needs } = await planJob(source);
    const planMs = performance.now() - beganPlan;
    await withJob(source, async (job, folder) => {
      const samples = [];
      const beganMs = performance.now();
      const threads = availableParallelism();
      const onProgress = ({ seconds, phase }) => samples.push({ atMs: performance.now() - beganMs, seconds, phase });
      await job.run({ threads, onProgress });
      const totalMs = performance.now() - beganMs;
      const errors = errorsOf(samples, totalMs);
      const mean = (of) => (100 * errors.reduce((sum, one) => sum + of(one.error), 0)) / errors.length;
      if (process.env.SHOW) {
        for (const { share, told, left } of errors.filter((one) => one.share % 5 === 0)) {
          console.log(`   ${share} %: told ${(told / 1000).toFixed(1)} s, true ${(left / 1000).toFixed(1)} s`);
        }
      }
      const worst = errors.reduce((most, { error }) => (Math.abs(error) > Math.abs(most) ? error : most), 0);
      const sizes = `mean error ${mean(Math.abs).toFixed(0)}%, bias ${mean(Number).toFixed(0)}%, worst ${(100 * worst).toFixed(0)}%`;
      const seconds = (totalMs / 1000).toFixed(1);
      check(mean(Math.abs) <= 25, `${name}: ${seconds} s; time left after a tenth: ${sizes}`);
      // without the cells, the disk is only an upper bound, and the time is rough
      if (needs.cells === undefined) return;
      const disk = bytesIn(join(folder, "parts"));
      const tasksMs = samples.find(({ phase }) => phase.startsWith("export"))?.atMs ?? totalMs;
      const ratios = [needs.disk / disk, ((needs.seconds / threads) * 1000) / tasksMs];
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

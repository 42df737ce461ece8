// Makes a world in advance, as a job in a folder: by default examples/highlands-job.json in out/highlands-job. Ctrl+C
// pauses it, and the same command goes on.
// Run: npm start [-- JOB.json] [-- --seed TEXT] [-- --out DIR] [-- --threads N]

import { randomBytes } from "node:crypto";
import { basename, extname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { RollmillError } from "rollmill";
import { createJob, loadJob, openJob } from "rollmill/jobs";
import { approximate, print, readOptionalText, refuse, runProgram } from "./program.mjs";

const HELP = `Usage: npm start -- [job] [options]

Makes everything that a job asks for: a map, what stands on it, and results in bulk. The same job gives the same bytes
on every machine, with any number of threads. Ctrl+C pauses it; the same command goes on.

Arguments:
  job            job file (default: examples/highlands-job.json); its fields are in docs/formats/README.md

Options:
  --seed <text>  seed, instead of the seed in the job file
  --out <dir>    folder of the job; created if missing (default: out/ and the name of the job file)
  --threads <n>  number of threads (default: one for each core)
  --help         display this help
`;

async function main() {
  const { file, seed, out, threads, help } = readArguments();
  if (help) return print(process.stdout, HELP);
  const job = (await openedJob(out, seed)) ?? (await newJob(out, file, seed));
  const stop = new AbortController();
  process.once("SIGINT", () => stop.abort(PAUSE));
  const startedAt = performance.now();
  const made = job.status().result === undefined;
  const result = await job.run({ threads, signal: stop.signal, onProgress: progressBar() }).catch((cause) => {
    if (cause !== PAUSE) throw cause;
    job.pause();
  });
  if (result === undefined) {
    print(process.stderr, `paused at ${percent(job.status().share)}; the same command goes on\n`);
    process.exitCode = 130;
    return;
  }
  const seconds = made ? (performance.now() - startedAt) / 1000 : undefined;
  print(process.stdout, summaryOf(job, result, { out, seconds }));
}

const PAUSE = new Error("Ctrl+C was pressed");

function readArguments() {
  const text = { type: "string" };
  const options = { seed: text, out: text, threads: text, help: { type: "boolean", short: "h" } };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    if (positionals.length > 1) throw new Error(`expected one job file, got ${positionals.length}`);
    const [file = fileURLToPath(new URL("highlands-job.json", import.meta.url))] = positionals;
    const { seed, out = join("out", basename(file, extname(file))), threads, help } = values;
    if (threads !== undefined && !/^[1-9]\d{0,3}$/.test(threads))
      throw new Error(`--threads is not a count: ${threads}`);
    return { file: shown(file), seed, out, threads: threads === undefined ? undefined : Number(threads), help };
  } catch (cause) {
    return refuse("cli.usage", `${cause.message.split(". ")[0]}. Run npm start -- --help for the options.`, { cause });
  }
}

/** Opens the job in a folder. Returns undefined if there is none. */
async function openedJob(out, seed) {
  const job = await openJob(out).catch((cause) => {
    if (cause instanceof RollmillError && cause.code === "job.missing") return undefined;
    throw cause;
  });
  if (job === undefined || seed === undefined || job.seed === seed) return job;
  const message = `the folder has a job with the seed ${JSON.stringify(job.seed)}: choose another folder with --out`;
  return refuse("job.exists", message, { where: { file: shown(out) } });
}

async function newJob(out, file, seed) {
  const { spec, issues } = await loadJob(file, readOptionalText);
  if (spec === undefined) throw new RollmillError(issues);
  return createJob(out, spec, { seed: seed ?? spec.job.seed ?? randomBytes(8).toString("hex") });
}

// ── texts ──

/** Returns a function for the option `onProgress`. On a terminal, it draws a bar with the phase and the remaining time. */
function progressBar() {
  if (!process.stderr.isTTY) return undefined;
  const startedAt = performance.now();
  let first;
  return ({ phase, share, done, tasks }) => {
    first ??= share;
    const seconds = (performance.now() - startedAt) / 1000;
    const left = share > first ? `  ${Math.ceil(((1 - share) / (share - first)) * seconds)} s left` : "";
    const bar = "█".repeat(Math.floor(share * 30)).padEnd(30, "░");
    const line = `${bar} ${percent(share)}  ${phase}${left}`;
    process.stderr.write(`\r\x1b[K${share === 1 && done === tasks ? "" : line.slice(0, process.stderr.columns)}`);
  };
}

function summaryOf(job, { digest, totals }, { out, seconds }) {
  const placements = Object.values(totals.placements).reduce((sum, count) => sum + count, 0);
  const { exports } = job.status();
  const files = { png: ["picture", "preview.png"], report: ["report", "report.html"] };
  const folder = shown(out);
  return [
    `${job.name}, seed ${JSON.stringify(job.seed)}\n`,
    line("cells", count(totals.cells)),
    line("steps", count(totals.steps)),
    line("placements", count(placements)),
    seconds === undefined
      ? line("time", "made before; delete the folder to make it again")
      : line("time", `${seconds.toFixed(1)} s, ${approximate(totals.cells / seconds)} cells a second`),
    line("digest", digest),
    ...exports.map(({ kind, done }) => {
      const [name, file] = files[kind] ?? [kind, ""];
      return line(
        name,
        done ? join(folder, "exports", file) : `failed; ${join(folder, "events.ndjson")} has the reason`,
      );
    }),
    "\nTry next:\n",
    `  npx rollmill job export ${folder} --tiles      # a map to drag and zoom: exports/tiles/index.html\n`,
    `  npx rollmill job export ${folder} --parquet    # everything that stands on the map\n`,
    `  npx rollmill job verify ${folder}              # reads every byte and checks it\n`,
    "  npm start -- examples/small.json --seed TEXT      # a small part of the world, with another seed\n",
  ].join("");
}

function line(name, text) {
  return `  ${name.padEnd(11)} ${text}\n`;
}

function count(value) {
  return value.toLocaleString("en");
}

function percent(share) {
  return `${(100 * share).toFixed(1)} %`;
}

/** Returns a path as a user would write it: relative to the current folder if the file is inside it, else absolute. */
function shown(file) {
  const path = relative("", resolve(file));
  return path.startsWith("..") ? resolve(file) : path;
}

await runProgram(main, { catchesSignals: true });

import { join, relative } from "node:path";
import type { Command } from "commander";
import { error, fail, formatIssue, RollmillError } from "../../errors/index.js";
import {
  checkSpace,
  createJob,
  extendJob,
  type Job,
  type JobFlaw,
  type JobOptions,
  type JobPlan,
  type JobResult,
  type JobReuse,
  type JobSource,
  type JobStatus,
  loadJob,
  openJob,
  planJob,
} from "../../jobs/index.js";
import { type Limits, limitsOf, MIN_MEMORY, threadMemoryOf } from "../../jobs/plan/space.js";
import { specOf } from "../../spec/index.js";
import { choice, define, type Flags, option, required, shellWord } from "../command.js";
import { report } from "../shared/documents.js";
import { readOptionalPart } from "../shared/files.js";
import { Exit, FAILED, type Io, note, pathIn, printLines, SIGNAL_CODES, type Signal } from "../shared/io.js";
import { bytesOf, bytesText, chooseSeed, countOf, JSON_DOCUMENT, SEED, threadsOption } from "../shared/options.js";
import { approximate, withProgress } from "../shared/progress.js";
import { windowOf } from "../walk/map.js";
import { LIMITS, type LimitFlags, limitsIn } from "./limits.js";
import { durationText, jobReporter, percentText, type RunTotals } from "./progress.js";

export const SPEC = ["<spec>", 'JSON spec; "-" is stdin'] as const;
export const FOLDER = ["<dir>", "the folder of the job"] as const;

function memoryOption(what: string) {
  return option("--max-memory <bytes>", `maximum memory of ${what}, such as 256m or 2g`, bytesOf(MIN_MEMORY));
}

export const RUN = [
  threadsOption("one for each core"),
  memoryOption("all threads together (default: 1g for each thread, at most 3/4 of the machine's memory)"),
  option("--nice", "let other programs go first: lower the priority of the threads"),
] as const;
type RunFlags = Flags<typeof RUN> & Partial<LimitFlags>;

export const ORDER = choice(
  "--order <order>",
  "order of the map's sectors; concentric makes the middle of the map first",
  ["concentric", "row"],
).default("concentric");

export const FROM = option(
  "--from <folder>",
  "the folder of an earlier job, from which the job takes what did not change",
);

const VERIFY = [option("--repair", "delete the damaged files, and make them again"), ...RUN, JSON_DOCUMENT] as const;
const RESUME = [...RUN, ...LIMITS, option("--yes", "go on even if the disk or the memory may be too small")] as const;

export function addJobStart(job: Command, io: Io): void {
  define(job.command("start"), io, {
    examples: [
      "job start {examples/job.json} isle --seed moria --threads 1",
      "job start {examples/job.json} isle2 --from isle --threads 1",
    ],
    takes: [SPEC, ["<dir>", "the folder of the job; created if it does not exist"]],
    description: "make everything that a job describes, in a folder; print the digest and the totals",
    options: [
      SEED,
      ...RUN,
      ...LIMITS,
      ORDER,
      FROM,
      option("--no-run", "only create the job; run it later with job resume or job work"),
      option("--yes", "start even if the disk or the memory may be too small"),
    ],
    async run(flags, file, folder) {
      // refuses wrong limits before the folder is created
      if (flags.run) limitsOf(flags);
      const { job, plan } = await createFrom(io, file, folder, flags);
      if (flags.run) return finish(io, job, folder, flags);
      job.set(limitsIn(flags));
      const at = shellWord(folder);
      note(io, `the job is in ${at}; to make it: rollmill job resume ${at}`);
      note(
        io,
        `or task by task, in any order: rollmill job work ${at} --phase ${shellWord(plan.phases[0].name)} --task K`,
      );
    },
  });
  define(job.command("resume"), io, {
    examples: ["job resume isle --threads 1"],
    takes: [FOLDER],
    description: "go on with a job that was paused, or whose process or machine failed",
    options: RESUME,
    run: (flags, folder) => resume(io, flags, folder),
  });
}

export function addJobExtend(job: Command, io: Io): void {
  define(job.command("extend"), io, {
    examples: ["job extend isle --order row --threads 1"],
    takes: [FOLDER],
    description: "enlarge the map of a job, and make the new cells",
    options: [
      option("--extent <row0,col0,row1,col1>", "the new cells, corners inclusive, with all present cells", windowOf),
      choice("--order <order>", "change the order of the map's sectors", ["concentric", "row"]),
      option("--no-run", "only change the job; make the cells later with job resume or job work"),
      ...RESUME,
    ],
    async run({ extent, order, run, ...flags }, folder) {
      if (run) limitsOf(flags);
      await extendJob(pathIn(io, folder), { extent, order });
      if (run) return resume(io, flags, folder);
      note(io, `to make the new cells: rollmill job resume ${shellWord(folder)}`);
    },
  });
}

export function addJobWork(job: Command, io: Io): void {
  define(job.command("work"), io, {
    examples: ['job work isle --phase "walk land" --task 0'],
    takes: [FOLDER],
    description: "do one task, for schedulers with array jobs; many processes and machines may do this at once",
    options: [
      required("--task <k>", "the number of the task in its phase, from 0", countOf(0, Number.MAX_SAFE_INTEGER)),
      option("--phase <name>", 'the phase, such as cells or "walk land" (default: the first unfinished phase)'),
      memoryOption("the process (default: 1g)"),
    ],
    async run({ task, phase, maxMemory }, folder) {
      const job = await openJob(pathIn(io, folder));
      const isFinished = job.work({ task, phase, maxMemory });
      if (isFinished) note(io, `the job is finished; see it with: rollmill job status ${shellWord(folder)}`);
      else note(io, `task ${task} is done`);
    },
  });
}

async function resume(io: Io, flags: Flags<typeof RESUME>, folder: string): Promise<void> {
  const path = pathIn(io, folder);
  const job = await openJob(path);
  const { result, share } = job.status();
  if (result !== undefined) note(io, "the job is finished already");
  // the files of the finished tasks are on the disk already, so only the rest needs free space
  const needs = { ...job.needs, disk: job.needs.disk * (1 - share) };
  if (result === undefined && !flags.yes) checkSpace(needs, { folder: path, maxMemory: flags.maxMemory });
  await finish(io, job, folder, flags);
}

async function finish(io: Io, job: Job, folder: string, flags: RunFlags): Promise<void> {
  if (job.result === undefined) noteMemory(io, threadMemoryOf(job.opened), limitsOf(flags));
  await runAndPrint(io, job, folder, inThisProcess(job, flags));
}

/** Warns if the threads have too little memory for the maps of scattered layers. */
function noteMemory(io: Io, threadMemory: number, { threads, maxMemory }: Limits): void {
  const share = maxMemory / threads;
  if (share >= threadMemory) return;
  const enough = `--max-memory ${Math.ceil((threads * threadMemory) / 2 ** 20)}m`;
  const fewer = Math.floor(maxMemory / threadMemory);
  const remedy = fewer > 0 ? `${enough} or --threads ${fewer}` : enough;
  const [has, needs] = [bytesText(share), bytesText(threadMemory)];
  note(io, `warning: each thread has ${has}, and the maps around a sector need ${needs}.`);
  note(io, `So a thread walks the same regions again for each sector, which can take ten times as long. Use ${remedy}`);
}

export function addJobVerify(job: Command, io: Io): void {
  define(job.command("verify"), io, {
    examples: ["job verify isle", "job verify isle --repair --threads 1"],
    takes: [FOLDER],
    description: "read every byte of a job, and list the files that are damaged or missing; exit 1 if there are any",
    options: VERIFY,
    run: (flags, folder) => verify(io, flags, folder),
  });
}

async function verify(io: Io, flags: Flags<typeof VERIFY>, folder: string): Promise<void> {
  const job = await openJob(pathIn(io, folder));
  const before = digestOf(job);
  const flaws = await flawsOf(io, job, flags.repair);
  await report(io, flags, {
    head: { command: "job verify", seed: job.seed, name: job.name },
    data: () => flaws,
    lines: () => flaws.map(({ issue }) => formatIssue(issue)),
  });
  if (flaws.length === 0) return note(io, `no file is damaged${before === undefined ? "" : `; digest ${before}`}`);
  note(io, `damaged or missing files: ${flaws.length}`);
  if (!flags.repair) {
    note(io, `to make them again: rollmill job verify ${shellWord(folder)} --repair`);
    throw new Exit(FAILED);
  }
  if (before === undefined) {
    note(io, `deleted these files; to make them again and finish the job: rollmill job resume ${shellWord(folder)}`);
    return;
  }
  const { result } = await runJob(io, job, folder, inThisProcess(job, flags));
  const remaining = await flawsOf(io, job);
  for (const { issue } of remaining) note(io, formatIssue(issue));
  const isOther = before !== null && before !== result.digest;
  if (isOther) note(io, `the digest was ${before}, but now it is ${result.digest}`);
  if (remaining.length > 0 || isOther) throw new Exit(FAILED);
  note(io, `the files are made again; the digest is ${before === null ? "" : "restored: "}${result.digest}`);
}

/** Returns the digest of a finished job. Null: the digest's file is damaged. Undefined: the job is not finished. */
function digestOf(job: Job): string | undefined | null {
  try {
    return job.result?.digest;
  } catch (cause) {
    if (cause instanceof RollmillError && cause.code === "job.damaged") return null;
    throw cause;
  }
}

function flawsOf(io: Io, job: Job, repair = false): Promise<readonly JobFlaw[]> {
  return withProgress(io, { what: "verifying", unit: "files" }, (onProgress) => job.verify({ repair, onProgress }));
}

/** Reads a job and its world. The files must be in the folder of the job's file, or in a folder inside it. */
export async function readJob(io: Io, file: string): Promise<JobSource> {
  return specOf(await loadJob(file, (path) => readOptionalPart(io, file, path)));
}

type CreateFlags = Flags<readonly [typeof SEED, typeof ORDER]> & {
  readonly yes: boolean | undefined;
  readonly maxMemory?: number | undefined;
  readonly from?: string | undefined;
};

/**
 * Creates a job from its file, and prints its plan to stderr. Without `--yes`, checks the disk and `maxMemory` first.
 */
export async function createFrom(io: Io, file: string, folder: string, flags: CreateFlags) {
  const { order, yes, maxMemory } = flags;
  const from = flags.from === undefined ? undefined : pathIn(io, flags.from);
  const source = await readJob(io, file);
  const path = pathIn(io, folder);
  await refuseOther(path, folder);
  const plan = await planJob(source, { from, seed: flags.seed });
  if (!yes) checkSpace(plan.needs, { folder: path, maxMemory });
  const { seed, announce } = chooseSeed(io, plan.seed);
  const job = await createJob(path, source, { seed, order, from });
  announce();
  for (const line of planLines(plan)) note(io, line.replaceAll("\t", "  "));
  return { job, plan };
}

async function refuseOther(path: string, folder: string): Promise<void> {
  let status: JobStatus;
  try {
    status = (await openJob(path)).status();
  } catch (cause) {
    if (cause instanceof RollmillError && cause.code === "job.missing") return;
    throw cause;
  }
  const at = shellWord(folder);
  const see = `See it with \`rollmill job status ${at}\``;
  const goOn = `Go on with \`rollmill job resume ${at}\``;
  const remedies = {
    finished: see,
    running: `Watch it with \`rollmill job status ${at} --watch\``,
    queued: see,
    paused: goOn,
    stopped: goOn,
    cancelled: `Delete its files with \`rollmill job cancel ${at}\``,
  };
  const remedy = `${remedies[status.state]}, or choose another folder`;
  const problem = `this folder already contains a job: ${phraseOf(status)}`;
  fail(error("job.exists", { problem, remedy, where: { file: folder } }));
}

/** Returns a phrase about a job, such as `"coast", paused at 43.2%`. */
export function phraseOf({ name, state, share }: JobStatus): string {
  return `${JSON.stringify(name)}, ${state === "finished" ? state : `${state} at ${percentText(share)}%`}`;
}

export function planLines(plan: JobPlan): readonly string[] {
  const { name, phases, needs, reuse } = plan;
  const { cells, steps, disk, seconds, threadMemory } = needs;
  return [
    `job\t${name}`,
    `cells\t${cells === undefined ? "the rectangle that the walkers reach" : cells}`,
    `steps\tabout ${approximate(steps)}`,
    `disk\tabout ${bytesText(disk)}${cells === undefined ? ", and the cells" : ""}`,
    `time\tabout ${durationText(seconds)} for one thread`,
    ...(threadMemory > 0 ? [`memory\tabout ${bytesText(threadMemory)} for each thread`] : []),
    ...phases.map((phase) => `phase\t${phase.name}\t${tasksText(phase.tasks)}`),
    ...(reuse === undefined ? [] : reuseLines(reuse)),
  ];
}

function reuseLines({ refusal, pieces }: JobReuse): readonly string[] {
  if (refusal !== undefined) return [`reuse\tnothing: ${refusal}`];
  return pieces.map(({ kind, name, reused, bytes }) =>
    reused ? `reuse\t${kind}\t${name}\tabout ${bytesText(bytes)}` : `make\t${kind}\t${name}`,
  );
}

function tasksText(tasks: number | undefined): string {
  if (tasks === undefined) return "one task for each sector that the walkers reach";
  return tasks === 1 ? "1 task" : `${tasks} tasks`;
}

type Run = (call: Required<Pick<JobOptions, "signal" | "onProgress">>) => Promise<JobResult | undefined>;

const PAUSE = new Error("a signal paused the job");

/**
 * Works on a job until it is finished, with progress on stderr. A signal pauses the job. Throws Exit with code 128 + n
 * if signal n paused the job, and with code 1 if another process paused or cancelled it.
 */
async function runJob(io: Io, job: Job, folder: string, run: Run) {
  const stop = new AbortController();
  let signal: Signal | undefined;
  const release = io.onSignal?.((received) => {
    signal = received;
    note(io, "pausing; a second signal ends the process at once");
    stop.abort(PAUSE);
  });
  const reporter = jobReporter(io);
  try {
    const result = await run({ signal: stop.signal, onProgress: reporter.onProgress });
    if (result !== undefined) return { result, totals: reporter.stop() };
  } catch (cause) {
    if (cause !== PAUSE) throw cause;
    job.pause();
  } finally {
    reporter.stop();
    release?.();
  }
  const { state, share } = job.status();
  if (state === "cancelled") note(io, "the job was cancelled by another process, and its files are deleted");
  else note(io, `paused at ${percentText(share)}%; to go on: rollmill job resume ${shellWord(folder)}`);
  throw new Exit(signal === undefined ? FAILED : SIGNAL_CODES[signal]);
}

function inThisProcess(job: Job, { threads, maxMemory, nice, ...limits }: RunFlags): Run {
  return (call) => job.run({ threads, maxMemory, nice, ...limitsIn(limits), ...call });
}

/** Prints the result to stdout. To stderr, prints the speed, the exports, and commands that the user can run next. */
export async function runAndPrint(io: Io, job: Job, folder: string, run: Run): Promise<void> {
  const { result, totals } = await runJob(io, job, folder, run);
  await printLines(io, resultLines(result));
  if (Object.keys(totals.amounts).length > 0) note(io, speedLine(totals));
  const at = shellWord(folder);
  note(io, `the result is in ${at}: result.json lists its parts`);
  for (const { kind, done, main } of job.status().exports) {
    const file = shellWord(join(folder, relative(job.folder, main)));
    if (done) note(io, `${kind}: ${file}`);
    else note(io, `${kind} failed: events.ndjson in ${at} has the reason; rollmill job resume ${at} tries again`);
  }
  note(io, `next: rollmill job verify ${at}    # reads every byte and checks it`);
  note(io, `      rollmill job clean ${at}     # deletes files that the finished job no longer needs`);
}

export function resultLines({ digest, world, extent, totals }: JobResult): readonly string[] {
  const { row0, col0, rows, cols } = extent;
  const { cells, steps, terrain, placements } = totals;
  const share = (count: number) => (count / Math.max(1, cells)).toPrecision(6);
  return [
    `digest\t${digest}`,
    `world\t${world}`,
    ...(cells === 0 ? [] : [`window\t${[row0, col0, row0 + rows - 1, col0 + cols - 1].join(" ")}`]),
    `cells\t${cells}`,
    `steps\t${steps}`,
    ...Object.entries(terrain).map(([name, count]) => `terrain\t${name}\t${count}\t${share(count)}`),
    ...Object.entries(placements).map(([name, count]) => `placement\t${name}\t${count}`),
  ];
}

function speedLine({ seconds, amounts }: RunTotals): string {
  const rates = Object.entries(amounts)
    .filter(([unit, amount]) => amount > 0 && ["steps", "cells", "results"].includes(unit))
    .map(([unit, amount]) => `${approximate(amount)} ${unit} (${approximate(amount / Math.max(seconds, 1e-3))}/s)`);
  const took = seconds < 60 ? `${seconds.toFixed(1)} s` : durationText(seconds);
  return rates.length === 0 ? took : `${took}: ${rates.join(", ")}`;
}

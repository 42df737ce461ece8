import type { Command } from "commander";
import { formatIssue, RollmillError } from "../../errors/index.js";
import { checkSpace, type Job, type JobFlaw, type JobNeeds, openJob } from "../../jobs/index.js";
import { type Limits, limitsOf } from "../../jobs/runner/limits.js";
import { define, type Flags, option, required, shellWord } from "../command.js";
import { report } from "../shared/documents.js";
import { Exit, FAILED, type Io, note, pathIn } from "../shared/io.js";
import { bytesText, countOf, JSON_DOCUMENT, SEED } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { createFrom, FOLDER, memoryOption, ORDER, RUN, type RunFlags, SPEC } from "./folder.js";
import { inThisProcess, printResult, runJob } from "./run.js";

const RESUME = [...RUN, option("--yes", "go on even if the disk or the memory may be too small")] as const;

export function addJobStart(job: Command, io: Io): void {
  define(job.command("start"), io, {
    examples: ["job start {examples/job.json} isle --seed moria --threads 1"],
    takes: [SPEC, ["<dir>", "the folder of the job; created if it does not exist"]],
    description: "make everything that a job describes, in a folder; print the digest and the totals",
    options: [
      SEED,
      ...RUN,
      ORDER,
      option("--no-run", "only create the job; run it later with job resume or job work"),
      option("--yes", "start even if the disk or the memory may be too small"),
    ],
    async run(flags, file, folder) {
      // before the folder is created
      if (flags.run) limitsOf(flags);
      const { job, plan } = await createFrom(io, file, folder, flags);
      if (flags.run) return finish(io, job, folder, flags);
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

export function addJobWork(job: Command, io: Io): void {
  define(job.command("work"), io, {
    examples: ['job work isle --phase "walk land" --task 0'],
    takes: [FOLDER],
    description: "do one task, for schedulers with array jobs; many processes and machines may do this at once",
    options: [
      required("--task <k>", "the number of the task in its phase, from 0", countOf(0, Number.MAX_SAFE_INTEGER)),
      option("--phase <name>", 'the phase, such as cells or "walk land" (default: the first one that is not finished)'),
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
  if (job.result === undefined) noteMemory(io, job.needs, limitsOf(flags));
  await printResult(io, job, folder, await runJob(io, job, folder, inThisProcess(job, flags)));
}

/** Warns if the threads have too little memory for the maps of scattered layers. */
function noteMemory(io: Io, { threadMemory }: JobNeeds, { threads, maxMemory }: Limits): void {
  const share = maxMemory / threads;
  if (share >= threadMemory) return;
  const enough = `--max-memory ${Math.ceil((threads * threadMemory) / 2 ** 20)}m`;
  const fewer = Math.floor(maxMemory / threadMemory);
  const remedy = fewer > 0 ? `${enough} or --threads ${fewer}` : enough;
  const [has, needs] = [bytesText(share), bytesText(threadMemory)];
  note(io, `warning: each thread has ${has}, and the maps around a sector need ${needs}.`);
  note(io, `It walks the same regions again for each sector, which can take ten times as long. Use ${remedy}`);
}

const VERIFY = [option("--repair", "delete the damaged files, and make them again"), ...RUN, JSON_DOCUMENT] as const;

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
  const flaws = flawsOf(io, job, flags.repair);
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
  const remaining = flawsOf(io, job);
  for (const { issue } of remaining) note(io, formatIssue(issue));
  const isOther = before !== null && before !== result.digest;
  if (isOther) note(io, `the digest was ${before}, but now it is ${result.digest}`);
  if (remaining.length > 0 || isOther) throw new Exit(FAILED);
  note(io, `made again; the digest is ${before === null ? "" : "restored: "}${result.digest}`);
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

function flawsOf(io: Io, job: Job, repair = false): readonly JobFlaw[] {
  return withProgress(io, { what: "verifying", unit: "files" }, (onProgress) => job.verify({ repair, onProgress }));
}

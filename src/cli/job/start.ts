import type { Command } from "commander";
import { checkSpace, type Job, type JobNeeds, openJob } from "../../jobs/index.js";
import { type Limits, limitsOf } from "../../jobs/runner/limits.js";
import { define, type Flags, option, required, shellWord } from "../command.js";
import { type Io, note, pathIn } from "../shared/io.js";
import { bytesText, countOf, SEED } from "../shared/options.js";
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

import type { Command } from "commander";
import { checkSpace, type Job, type JobNeeds, openJob } from "../jobs/index.js";
import { type Limits, limitsOf } from "../jobs/runner/limits.js";
import { withExamples } from "./examples.js";
import { type Io, note, pathIn } from "./io.js";
import { type CreateFlags, createFrom, orderOption } from "./jobCreate.js";
import { type RunFlags, runOptions } from "./jobFolder.js";
import { inThisProcess, printResult, runJob } from "./jobRun.js";
import { bytesText, seedOption } from "./options.js";
import { shellWord } from "./shellWord.js";

interface ResumeFlags extends RunFlags {
  readonly yes?: boolean;
}

interface StartFlags extends RunFlags, CreateFlags {
  /** False with `--no-run`. */
  readonly run: boolean;
}

export function addJobStart(job: Command, io: Io): void {
  const start = withExamples(job.command("start"), io, "job start {examples/job.json} isle --seed moria --threads 1")
    .argument("<spec>", 'JSON spec; "-" is stdin')
    .argument("<dir>", "the folder of the job; created if it does not exist")
    .description("make everything that a job describes, in a folder; print the digest and the totals")
    .addOption(seedOption());
  for (const option of runOptions()) start.addOption(option);
  start
    .addOption(orderOption())
    .option("--no-run", "only create the job; run it later with job resume or job work")
    .option("--yes", "start even if the disk or the memory may be too small")
    .action((file: string, folder: string, flags: StartFlags) => startJob(io, { file, folder }, flags));
  const resume = withExamples(job.command("resume"), io, "job resume isle --threads 1")
    .argument("<dir>", "the folder of the job")
    .description("go on with a job that was paused, or whose process or machine failed");
  for (const option of runOptions()) resume.addOption(option);
  resume
    .option("--yes", "go on even if the disk or the memory may be too small")
    .action((folder: string, flags: ResumeFlags) => resumeJob(io, folder, flags));
}

async function startJob(
  io: Io,
  paths: { readonly file: string; readonly folder: string },
  flags: StartFlags,
): Promise<void> {
  // before the folder is created
  if (flags.run) limitsOf(flags);
  const { job, plan } = await createFrom(io, paths, flags);
  const { folder } = paths;
  if (flags.run) return finish(io, job, { folder, flags });
  const at = shellWord(folder);
  note(io, `the job is in ${at}; to make it: rollmill job resume ${at}`);
  note(io, `or task by task, in any order: rollmill job work ${at} --phase ${shellWord(plan.phases[0].name)} --task K`);
}

async function resumeJob(io: Io, folder: string, flags: ResumeFlags): Promise<void> {
  const path = pathIn(io, folder);
  const job = await openJob(path);
  const { result, share } = job.status();
  if (result !== undefined) note(io, "the job is finished already");
  // the files of the finished tasks are on the disk already, so only the rest needs free space
  const needs = { ...job.needs, disk: job.needs.disk * (1 - share) };
  if (result === undefined && !flags.yes) checkSpace(needs, { folder: path, maxMemory: flags.maxMemory });
  await finish(io, job, { folder, flags });
}

async function finish(
  io: Io,
  job: Job,
  { folder, flags }: { readonly folder: string; readonly flags: RunFlags },
): Promise<void> {
  if (job.result === undefined) noteMemory(io, job.needs, limitsOf(flags));
  const { result, totals } = await runJob(io, job, { folder, run: inThisProcess(job, flags) });
  await printResult(io, { job, result }, { folder, totals });
}

/** Warns if the threads have too little memory for the maps of scattered layers. */
function noteMemory(io: Io, { threadMemory }: JobNeeds, { threads, maxMemory }: Limits): void {
  const share = maxMemory / threads;
  if (share >= threadMemory) return;
  const enough = `--max-memory ${Math.ceil((threads * threadMemory) / 2 ** 20)}m`;
  const fewer = Math.floor(maxMemory / threadMemory);
  const remedy = fewer > 0 ? `${enough} or --threads ${fewer}` : enough;
  note(
    io,
    `warning: each thread has ${bytesText(share)}, and the maps around a sector need ${bytesText(threadMemory)}.`,
  );
  note(io, `It walks the same regions again for each sector, which can take ten times as long. Use ${remedy}`);
}

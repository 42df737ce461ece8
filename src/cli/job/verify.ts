import type { Command } from "commander";
import { formatIssue, RollmillError } from "../../errors/index.js";
import { type Job, type JobFlaw, openJob } from "../../jobs/index.js";
import { withExamples } from "../examples.js";
import { printDocument } from "../shared/envelope.js";
import { Exit, FAILED, type Io, note, pathIn, print } from "../shared/io.js";
import { jsonOption } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { shellWord } from "../shared/shellWord.js";
import { addRunOptions, type RunFlags } from "./folder.js";
import { inThisProcess, runJob } from "./run.js";

interface VerifyFlags extends RunFlags {
  readonly repair?: boolean;
  readonly json?: boolean;
}

export function addJobVerify(job: Command, io: Io): void {
  const verify = withExamples(job.command("verify"), io, "job verify isle", "job verify isle --repair --threads 1")
    .argument("<dir>", "the folder of the job")
    .description("read every byte of a job, and list the files that are damaged or missing; exit 1 if there are any")
    .option("--repair", "delete the damaged files, and make them again");
  addRunOptions(verify)
    .addOption(jsonOption())
    .action((folder: string, flags: VerifyFlags) => verifyJob(io, folder, flags));
}

async function verifyJob(io: Io, folder: string, flags: VerifyFlags): Promise<void> {
  const job = await openJob(pathIn(io, folder));
  const before = digestOf(job);
  const flaws = flawsOf(io, job, flags.repair);
  if (flags.json) await printDocument(io, { command: "job verify", seed: job.seed, name: job.name }, flaws);
  else await print(io, flaws.map(({ issue }) => `${formatIssue(issue)}\n`).join(""));
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

import type { Command } from "commander";
import { formatIssue, RollmillError } from "../../errors/index.js";
import { type Job, type JobFlaw, openJob } from "../../jobs/index.js";
import { define, type Flags, option, shellWord } from "../command.js";
import { report } from "../shared/documents.js";
import { Exit, FAILED, type Io, note, pathIn } from "../shared/io.js";
import { JSON_DOCUMENT } from "../shared/options.js";
import { withProgress } from "../shared/progress.js";
import { FOLDER, RUN } from "./folder.js";
import { inThisProcess, runJob } from "./run.js";

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

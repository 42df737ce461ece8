import { setTimeout as delay } from "node:timers/promises";
import type { Command } from "commander";
import { error, fail, safeLines } from "../../errors/index.js";
import { type Job, openJob } from "../../jobs/index.js";
import { withExamples } from "../examples.js";
import { type Io, note, pathIn } from "../shared/io.js";
import { bytesText } from "../shared/options.js";
import { shellWord } from "../shared/shellWord.js";
import { phraseOf } from "./folder.js";
import { percentText } from "./progress.js";

/** For the runner to stop. */
const MAX_WAIT_MS = 60_000;
const LOOK_MS = 100;

export function addJobControl(job: Command, io: Io): void {
  const folder = "the folder of the job";
  withExamples(job.command("pause"), io, "job pause isle")
    .argument("<dir>", folder)
    .description("stop the process that works on a job, on any machine; the finished tasks stay")
    .action((dir: string) => pause(io, dir));
  withExamples(job.command("clean"), io, "job clean isle")
    .argument("<dir>", folder)
    .description("delete what a finished job no longer needs: the parts of walkers and of merged layers")
    .action((dir: string) => clean(io, dir));
  withExamples(job.command("cancel"), io, "job cancel isle --yes")
    .argument("<dir>", folder)
    .description("stop a job and delete its files; exports stay")
    .option("--yes", "do not ask")
    .action((dir: string, flags: { readonly yes?: boolean }) => cancel(io, dir, flags));
}

async function pause(io: Io, folder: string): Promise<void> {
  const job = await openJob(pathIn(io, folder));
  const before = job.state;
  if (before !== "running" && before !== "queued") {
    return note(io, `nobody works on the job: ${phraseOf(job.status())}`);
  }
  job.pause();
  await untilStopped(job);
  const { state, share } = job.status();
  if (state === "running") {
    note(io, "the process that works on the job will stop after its current task");
    return;
  }
  note(io, `${state} at ${percentText(share)}%; to go on: rollmill job resume ${shellWord(folder)}`);
}

async function untilStopped(job: Job): Promise<void> {
  for (let waitedMs = 0; waitedMs < MAX_WAIT_MS && job.state === "running"; waitedMs += LOOK_MS) await delay(LOOK_MS);
}

async function clean(io: Io, folder: string): Promise<void> {
  const bytes = (await openJob(pathIn(io, folder))).clean();
  note(io, `deleted ${bytesText(bytes)}; the result of the job is still complete`);
}

async function cancel(io: Io, folder: string, { yes }: { readonly yes?: boolean }): Promise<void> {
  const job = await openJob(pathIn(io, folder));
  const found = phraseOf(job.status());
  if (!yes && !(await isConfirmed(io, `Delete the job ${found}, in ${shellWord(folder)}? [y/N] `))) {
    return note(io, "nothing is deleted");
  }
  await job.cancel();
  note(io, `deleted the job ${found}`);
}

/** Asks a question on the terminal. Throws `cli.usage` without a terminal. */
async function isConfirmed({ stdin, stderr }: Io, question: string): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) {
    const problem = "job cancel asks before it deletes files, but stdin or stderr is not a terminal";
    fail(error("cli.usage", { problem, remedy: "Add --yes to delete the files without a question" }));
  }
  stderr.write(safeLines(question));
  let answer = "";
  for await (const bytes of stdin) {
    answer += Buffer.from(bytes).toString("utf8");
    if (answer.includes("\n")) break;
  }
  return /^\s*y(?:es)?\s*$/i.test(answer.split("\n")[0]);
}

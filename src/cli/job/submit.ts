import type { Command } from "commander";
import { runOnQueue, submitJob } from "../../bullmq/index.js";
import { error, fail, oneLine } from "../../errors/index.js";
import { openJob } from "../../jobs/index.js";
import { define, type Flags, option, shellWord } from "../command.js";
import { type Io, note, pathIn } from "../shared/io.js";
import { SEED } from "../shared/options.js";
import { createFrom, ORDER } from "./folder.js";
import { addressOf, addressText, QUEUE } from "./queueOptions.js";
import { printResult, runJob } from "./run.js";

const SUBMIT = [
  SEED,
  ...QUEUE,
  option("--root <dir>", "the folder that all workers share; the job is below it (default: the folder around <dir>)"),
  ORDER,
  option("--wait", "wait until the job is finished, and show its progress; Ctrl-C pauses the job"),
  option("--yes", "submit even if the disk may be too small"),
] as const;

export function addJobSubmit(job: Command, io: Io): void {
  define(job.command("submit"), io, {
    examples: [
      "job submit {examples/job.json} maps/isle --seed moria --root maps --redis redis://127.0.0.1",
      "job submit maps/isle --root maps --redis redis://127.0.0.1",
    ],
    takes: [["<paths...>", "the JSON spec and the new folder of a job, or only the folder of an existing job"]],
    description:
      "let the workers of a queue do a job, on any number of machines; they skip the tasks that are finished",
    options: SUBMIT,
    run: (flags, paths) => submit(io, flags, paths),
  }).usage("[options] [spec] <dir>");
}

async function submit(io: Io, flags: Flags<typeof SUBMIT>, paths: readonly string[]): Promise<void> {
  if (paths.length > 2) {
    fail(error("cli.usage", { problem: "too many paths", got: paths.join(" "), expected: "[spec] <dir>" }));
  }
  const folder = paths[paths.length - 1];
  if (paths.length === 2) await createFrom(io, paths[0], folder, flags);
  const root = flags.root === undefined ? undefined : pathIn(io, flags.root);
  const options = { ...addressOf(flags), ...(root !== undefined && { root }) };
  const path = pathIn(io, folder);
  const at = shellWord(folder);
  if (flags.wait) {
    const job = await openJob(path);
    const onWait = (reason: string) => note(io, `the job waits: ${oneLine(reason)}`);
    const done = await runJob(io, job, folder, (call) => runOnQueue(path, { ...options, ...call, onWait }));
    return printResult(io, job, folder, done);
  }
  const submission = await submitJob(path, options);
  if (submission === undefined) return note(io, `the job is finished already; see it with: rollmill job status ${at}`);
  note(io, `submitted ${submission.job} as ${submission.id}`);
  note(io, `watch it: rollmill job status ${at} --watch ${addressText(flags)}`);
  note(io, `it needs a worker: rollmill job worker --root ${shellWord(flags.root ?? "DIR")} ${addressText(flags)}`);
}

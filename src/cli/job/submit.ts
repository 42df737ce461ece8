import type { Command } from "commander";
import { runOnQueue, submitJob } from "../../bullmq/index.js";
import { error, fail, oneLine } from "../../errors/index.js";
import { type JobOptions, openJob } from "../../jobs/index.js";
import { withExamples } from "../examples.js";
import { type Io, note, pathIn } from "../shared/io.js";
import { shellWord } from "../shared/shellWord.js";
import { addCreateOptions, type CreateFlags, createFrom } from "./folder.js";
import { addQueueOptions, addressOf, addressText, type QueueFlags } from "./queueOptions.js";
import { printResult, runJob } from "./run.js";

interface SubmitFlags extends QueueFlags, Omit<CreateFlags, "maxMemory"> {
  readonly root?: string;
  readonly wait?: boolean;
}

export function addJobSubmit(job: Command, io: Io): void {
  const submit = withExamples(
    job.command("submit"),
    io,
    "job submit {examples/job.json} maps/isle --seed moria --root maps --redis redis://127.0.0.1",
    "job submit maps/isle --root maps --redis redis://127.0.0.1",
  )
    .usage("[options] [spec] <dir>")
    .argument("<paths...>", "the JSON spec and the new folder of a job, or only the folder of an existing job")
    .description(
      "let the workers of a queue do a job, on any number of machines; they skip the tasks that are finished",
    );
  const root = "the folder that all workers share; the job is below it (default: the folder around <dir>)";
  addCreateOptions(submit, (command) => addQueueOptions(command).option("--root <dir>", root))
    .option("--wait", "wait until the job is finished, and show its progress; Ctrl-C pauses the job")
    .option("--yes", "submit even if the disk may be too small")
    .action((paths: readonly string[], flags: SubmitFlags) => submitTo(io, paths, flags));
}

async function submitTo(io: Io, paths: readonly string[], flags: SubmitFlags): Promise<void> {
  if (paths.length > 2) {
    const problem = "too many paths";
    fail(error("cli.usage", { problem, got: paths.join(" "), expected: "[spec] <dir>" }));
  }
  const folder = paths[paths.length - 1];
  if (paths.length === 2) await createFrom(io, { file: paths[0], folder }, flags);
  const root = flags.root === undefined ? undefined : pathIn(io, flags.root);
  const options = { ...addressOf(flags), ...(root !== undefined && { root }) };
  const path = pathIn(io, folder);
  const at = shellWord(folder);
  if (flags.wait) {
    const job = await openJob(path);
    const onWait = (reason: string) => note(io, `the job waits: ${oneLine(reason)}`);
    const run = (call: Pick<JobOptions, "signal" | "onProgress">) => runOnQueue(path, { ...options, ...call, onWait });
    return printResult(io, job, folder, await runJob(io, job, folder, run));
  }
  const submission = await submitJob(path, options);
  if (submission === undefined) return note(io, `the job is finished already; see it with: rollmill job status ${at}`);
  note(io, `submitted ${submission.job} as ${submission.id}`);
  note(io, `watch it: rollmill job status ${at} --watch ${addressText(flags)}`);
  note(io, `it needs a worker: rollmill job worker --root ${shellWord(flags.root ?? "DIR")} ${addressText(flags)}`);
}

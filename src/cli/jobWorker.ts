import { type Command, InvalidArgumentError, Option } from "commander";
import { startWorker } from "../bullmq/index.js";
import { withExamples } from "./examples.js";
import { type Io, note, pathIn } from "./io.js";
import { type RunFlags, runOptions } from "./jobFolder.js";
import { integer } from "./options.js";
import { addressOf, type QueueFlags, queueOptions } from "./queueOptions.js";
import { WorkerLog } from "./workerLog.js";

interface WorkerFlags extends QueueFlags, RunFlags {
  readonly root: string;
  readonly pauseAbove?: number;
  readonly lostAfter: number;
  readonly grace: number;
  readonly verbose?: boolean;
}

export function addJobWorker(job: Command, io: Io): void {
  const worker = withExamples(
    job.command("worker"),
    io,
    "job worker --root maps --redis redis://127.0.0.1",
    "job worker --root maps --redis redis://127.0.0.1 --nice --pause-above 2",
  )
    .description("do the tasks of a queue, until a signal ends the worker; run one on each machine")
    .requiredOption("--root <dir>", "the folder that all workers share; the worker refuses jobs outside it");
  for (const option of [...queueOptions(), ...runOptions()]) worker.addOption(option);
  worker
    .addOption(
      new Option(
        "--pause-above <load>",
        "take no new task while the load of the other programs of this machine is above this number",
      ).argParser(positive),
    )
    .addOption(
      new Option(
        "--lost-after <s>",
        "a worker that is silent for this many seconds counts as lost; use the same number for all workers",
      )
        .argParser(integer(2, 3600))
        .default(30),
    )
    .addOption(
      new Option("--grace <s>", "after SIGTERM or Ctrl-C, wait this many seconds for the running tasks to end")
        .argParser(integer(0, 3600))
        .default(10),
    )
    .option("--verbose", "print a line when a task begins and when it ends")
    .action((flags: WorkerFlags) => work(io, flags));
}

async function work(io: Io, flags: WorkerFlags): Promise<void> {
  const { threads, maxMemory, nice, pauseAbove, lostAfter, grace, verbose = false } = flags;
  const log = new WorkerLog(io, { verbose });
  const worker = await startWorker({
    ...addressOf(flags),
    root: pathIn(io, flags.root),
    threads,
    maxMemory,
    nice,
    pauseAbove,
    lostAfter: lostAfter * 1000,
    onEvent: (event) => log.add(event),
  });
  const release = await new Promise<(() => void) | undefined>((resolve) => {
    const stop = io.onSignal?.((signal) => {
      note(
        io,
        `${signal}: waits up to ${grace} s for the running tasks to end; a second signal ends the worker at once`,
      );
      resolve(stop);
    });
  });
  await worker.close({ grace: grace * 1000 });
  release?.();
  log.stop();
}

function positive(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError("Expected a number greater than 0, such as 2.5.");
}

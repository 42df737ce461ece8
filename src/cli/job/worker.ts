import { type Command, InvalidArgumentError } from "commander";
import { startWorker } from "../../bullmq/index.js";
import { define, option, required } from "../command.js";
import { type Io, note, pathIn } from "../shared/io.js";
import { integer } from "../shared/options.js";
import { RUN } from "./folder.js";
import { addressOf, QUEUE } from "./queueOptions.js";
import { WorkerLog } from "./workerLog.js";

export function addJobWorker(job: Command, io: Io): void {
  define(job.command("worker"), io, {
    examples: [
      "job worker --root maps --redis redis://127.0.0.1",
      "job worker --root maps --redis redis://127.0.0.1 --nice --pause-above 2",
    ],
    description: "do the tasks of a queue, until a signal ends the worker; run one on each machine",
    options: [
      required("--root <dir>", "the folder that all workers share; the worker refuses jobs outside it"),
      ...QUEUE,
      ...RUN,
      option(
        "--pause-above <load>",
        "take no new task while the load of the other programs of this machine is above this number",
        positive,
      ),
      option(
        "--lost-after <s>",
        "a worker that is silent for this many seconds counts as lost; use the same number for all workers",
        integer(2, 3600),
        30,
      ),
      option(
        "--grace <s>",
        "after SIGTERM or Ctrl-C, wait this many seconds for the running tasks to end",
        integer(0, 3600),
        10,
      ),
      option("--verbose", "print a line when a task begins and when it ends"),
    ],
    async run(flags) {
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
          const second = "a second signal ends the worker at once";
          note(io, `${signal}: waits up to ${grace} s for the running tasks to end; ${second}`);
          resolve(stop);
        });
      });
      await worker.close({ grace: grace * 1000 });
      release?.();
      log.stop();
    },
  });
}

function positive(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError("Expected a number greater than 0, such as 2.5.");
}

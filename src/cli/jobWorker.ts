import { type Command, InvalidArgumentError, Option } from "commander";
import { startWorker, type WorkerEvent } from "../bullmq/index.js";
import { withExamples } from "./examples.js";
import { type Io, note, pathIn } from "./io.js";
import { type RunFlags, runOptions } from "./jobFolder.js";
import { integer } from "./options.js";
import { addressOf, type QueueFlags, queueOptions } from "./queueOptions.js";

/** Time between two lines about the finished tasks, in milliseconds. */
const LINE_MS = 30_000;
/** Minimum time between two lines about the same error of the connection, in milliseconds. */
const SAME_ERROR_MS = 30_000;

interface WorkerFlags extends QueueFlags, RunFlags {
  readonly root: string;
  readonly pauseAbove?: number;
  readonly lostAfter: number;
  readonly grace: number;
  readonly verbose?: boolean;
}

/** Adds `rollmill job worker`. */
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

/** Prints the events of a worker. */
class WorkerLog {
  readonly #io: Io;
  readonly #verbose: boolean;
  readonly #timer: NodeJS.Timeout;
  #done = 0;
  #running = 0;
  #printed = 0;
  #lastError = { message: "", atMs: Number.NEGATIVE_INFINITY };

  constructor(io: Io, { verbose }: { readonly verbose: boolean }) {
    this.#io = io;
    this.#verbose = verbose;
    // `unref`: the process must end when the worker's connection is closed, even though this timer still runs
    this.#timer = setInterval(() => this.#summary(), LINE_MS).unref();
  }

  add(event: WorkerEvent): void {
    if (event.kind === "begun") this.#running++;
    else if ("ticket" in event) this.#running--;
    if (event.kind === "done") this.#done++;
    const line = this.#lineOf(event);
    if (line !== undefined) note(this.#io, line);
  }

  stop(): void {
    clearInterval(this.#timer);
    note(this.#io, `stopped after ${this.#done} tasks`);
  }

  #lineOf(event: WorkerEvent): string | undefined {
    switch (event.kind) {
      case "ready":
        return `ready: ${event.threads} threads, jobs below ${event.root}, queue ${event.queue}`;
      case "begun":
      case "done":
      case "skipped":
        return this.#verbose ? `${event.kind}: ${event.ticket}` : undefined;
      case "returned":
        return `given back: ${event.ticket}`;
      case "failed":
        return `${event.isLast ? "failed" : "failed, to be tried again"}: ${event.ticket}: ${event.cause.message}`;
      case "lost":
        return `another worker was lost; its task ${event.id} is in the queue again`;
      case "paused":
        return `paused: the load of other programs is ${event.load.toFixed(1)}`;
      case "resumed":
        return `resumed: the load of other programs is ${event.load.toFixed(1)}`;
      case "error":
        return this.#isRepeated(event.cause.message) ? undefined : `queue: ${event.cause.message}`;
    }
  }

  /**
   * Whether the log need not print an error, because the last printed error was equal and less than SAME_ERROR_MS ago.
   * A lost database causes many equal errors in a second.
   */
  #isRepeated(message: string): boolean {
    const nowMs = performance.now();
    if (message === this.#lastError.message && nowMs < this.#lastError.atMs + SAME_ERROR_MS) return true;
    this.#lastError = { message, atMs: nowMs };
    return false;
  }

  #summary(): void {
    if (this.#done === this.#printed) return;
    this.#printed = this.#done;
    note(this.#io, `${this.#done} tasks done, ${this.#running} running`);
  }
}

function positive(text: string): number {
  const value = Number(text);
  if (text.trim() !== "" && value > 0 && value < Number.POSITIVE_INFINITY) return value;
  throw new InvalidArgumentError("Expected a number greater than 0, such as 2.5.");
}

import type { Command } from "commander";
import { runOnQueue, startWorker, submitJob, type WorkerEvent } from "../../bullmq/index.js";
import { oneLine } from "../../errors/index.js";
import { openJob } from "../../jobs/index.js";
import { shownUrl } from "../../jobs/queue/shownUrl.js";
import { define, type Flags, option, required, shellWord } from "../command.js";
import { type Io, note, pathIn, refuse } from "../shared/io.js";
import { integer, SEED } from "../shared/options.js";
import { PAUSE_ABOVE, positive } from "./limits.js";
import { createFrom, ORDER, RUN, runAndPrint } from "./start.js";

const PREFIX = "rollmill";

/** The address of the queue. Passwords are safer in environment variables: other users see the options of commands. */
export const QUEUE = [
  option("--redis <url>", "URL of the queue's Redis or Valkey server, such as redis://:password@host:6379")
    .env("ROLLMILL_REDIS")
    .conflicts("postgres"),
  option("--postgres <url>", "URL of the queue's PostgreSQL database, such as postgres://user:password@host/db").env(
    "ROLLMILL_POSTGRES",
  ),
  option("--prefix <name>", "prefix that identifies the queue; a server can have several queues").default(PREFIX),
] as const;
type QueueFlags = Partial<Flags<typeof QUEUE>>;

export function addressOf({ redis, postgres, prefix }: QueueFlags) {
  return { redis, postgres, prefix: prefix || undefined };
}

/** Returns the options for the queue's address as a user types them, without the password. */
export function addressText({ redis, postgres, prefix = PREFIX }: QueueFlags): string {
  const [flag, url] = redis === undefined ? ["--postgres", postgres] : ["--redis", redis];
  const address = `${flag} ${url === undefined ? "URL" : shellWord(shownUrl(url))}`;
  return prefix === PREFIX ? address : `${address} --prefix ${shellWord(prefix)}`;
}

const SUBMIT = [
  SEED,
  ...QUEUE,
  option("--root <dir>", "the folder that all workers share; the job is inside it (default: the parent of <dir>)"),
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
    takes: [["<paths...>", "[spec] <dir>: spec and new folder of a job, or only the folder of an existing job"]],
    description: "let the workers of a queue do a job, on any number of machines; finished tasks are skipped",
    options: SUBMIT,
    run: (flags, paths) => submit(io, flags, paths),
  }).usage("[options] [spec] <dir>");
}

async function submit(io: Io, flags: Flags<typeof SUBMIT>, paths: readonly string[]): Promise<void> {
  if (paths.length > 2) {
    refuse("too many paths", { got: paths.join(" "), expected: "[spec] <dir>" });
  }
  const folder = paths[paths.length - 1];
  if (paths.length === 2) await createFrom(io, paths[0], folder, flags);
  const root = flags.root === undefined ? undefined : pathIn(io, flags.root);
  const options = { ...addressOf(flags), root };
  const path = pathIn(io, folder);
  const at = shellWord(folder);
  if (flags.wait) {
    const job = await openJob(path);
    const onWait = (reason: string) => note(io, `the job waits: ${oneLine(reason)}`);
    return runAndPrint(io, job, folder, (call) => runOnQueue(path, { ...options, ...call, onWait }));
  }
  const submission = await submitJob(path, options);
  if (submission === undefined) return note(io, `the job is finished already; see it with: rollmill job status ${at}`);
  note(io, `submitted ${submission.job} as ${submission.id}`);
  note(io, `watch it: rollmill job status ${at} --watch ${addressText(flags)}`);
  note(io, `it needs a worker: rollmill job worker --root ${shellWord(flags.root ?? "DIR")} ${addressText(flags)}`);
}

export function addJobWorker(job: Command, io: Io): void {
  define(job.command("worker"), io, {
    examples: [
      "job worker --root maps --redis redis://127.0.0.1",
      "job worker --root maps --redis redis://127.0.0.1 --nice --pause-above 2",
    ],
    description: "do the tasks of a queue, until a signal ends the worker; run one worker on each machine",
    options: [
      required("--root <dir>", "the folder that all workers share; the worker refuses jobs outside it"),
      ...QUEUE,
      ...RUN,
      option("--pause-above <load>", PAUSE_ABOVE, positive),
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
      const log = workerLog(io, { verbose });
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

const LINE_MS = 30_000;
/** The least time between two lines about the same error. */
const SAME_ERROR_MS = 30_000;

const MAX_MESSAGES = 100;

export function workerLog(io: Io, { verbose }: { readonly verbose: boolean }) {
  let [done, running, printed] = [0, 0, 0];
  const printedMs = new Map<string, number>();
  // `unref` lets the process end when the worker's connection is closed, although this timer still runs
  const timer = setInterval(() => {
    if (done !== printed) note(io, `${done} tasks done, ${running} running`);
    printed = done;
  }, LINE_MS).unref();

  function lineOf(event: WorkerEvent): string | undefined {
    switch (event.kind) {
      case "ready":
        return `ready: ${event.threads} threads, jobs below ${event.root}, queue ${event.queue}`;
      case "begun":
      case "done":
      case "waits":
      case "skipped":
      case "taken":
        return verbose ? `${event.kind}: ${event.ticket}` : undefined;
      case "returned":
        return `given back: ${event.ticket}`;
      case "refused":
        return unlessRepeated(event.cause.message, `given back: ${event.ticket}: `);
      case "failed":
        return `${event.isLast ? "failed" : "failed, to be tried again"}: ${event.ticket}: ${event.cause.message}`;
      case "lost":
        return `another worker was lost; its task ${event.id} is in the queue again`;
      case "paused":
      case "resumed":
        return `${event.kind}: the load of other programs is ${event.load.toFixed(1)}`;
      case "error":
        return unlessRepeated(event.cause.message, "queue: ");
    }
  }

  /** Returns a line, or undefined for a repeated error. A lost connection can cause many equal errors in a second. */
  function unlessRepeated(message: string, head: string): string | undefined {
    const nowMs = performance.now();
    if (nowMs < (printedMs.get(message) ?? Number.NEGATIVE_INFINITY) + SAME_ERROR_MS) return undefined;
    if (printedMs.size === MAX_MESSAGES) printedMs.clear();
    printedMs.set(message, nowMs);
    return head + message;
  }

  return {
    add(event: WorkerEvent): void {
      if ("isTask" in event && event.isTask) running += event.kind === "begun" ? 1 : -1;
      if (event.kind === "done" && event.isTask) done++;
      const line = lineOf(event);
      if (line !== undefined) note(io, oneLine(line));
    },
    stop(): void {
      clearInterval(timer);
      note(io, `stopped after ${done} tasks`);
    },
  };
}

import { dirname, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Queue } from "bullmq";
import { error, fail, oneLine } from "../../errors/index.js";
import { checkFunction, checkPath, readOptions } from "../../spec/index.js";
import { CODE_HASH } from "../codeHash.js";
import { logEvent, putControl, readControl } from "../folder/control.js";
import { type OpenedJob, refuseOtherBuild } from "../folder/manifest.js";
import { hashOf } from "../folder/store.js";
import { type Job, openJob } from "../job.js";
import { JobTables } from "../plan/phases.js";
import { type Runner, runPhases, whileDesired } from "../runner/running.js";
import type { JobOptions, JobResult } from "../types.js";
import { type QueueAddress, withQueues } from "./queues.js";
import { pathUnder } from "./root.js";
import { SUBMIT_AGAIN, type SubmissionState, submissionState } from "./status.js";
import { controlMark, STEPS, type StepData, TASKS, type TaskData, TICKET_OPTIONS } from "./tickets.js";

/** Options of {@link submitJob}. */
export interface SubmitOptions extends QueueAddress {
  /** The folder that the workers share; the job must be in it. Default: the parent of the job's folder. */
  readonly root?: string | undefined;
}

/** Options of {@link runOnQueue}. */
export interface QueueRunOptions extends SubmitOptions, Pick<JobOptions, "signal" | "onProgress"> {
  /** Called with each new reason why the job waits, for example that no worker has the folder of the job. */
  readonly onWait?: ((reason: string) => void) | undefined;
}

/** A job that was handed to a queue. */
export interface Submission {
  /** The folder of the job, relative to the root of the workers. */
  readonly job: string;
  /** The number of the submission. A later submission of the job has a larger number. */
  readonly generation: number;
  /** The id of the step ticket, under which dashboards show the job. */
  readonly id: string;
}

const ADDRESS = ["redis", "postgres", "prefix", "root"];

/**
 * Hands a job to the workers of a queue, and returns at once. The workers do only the tasks that are not done yet. A
 * new submission replaces an earlier submission of the same job.
 *
 * @returns undefined if the job is finished already, with all its exports.
 * @throws RollmillError `job.missing`, `job.version`, `job.damaged`; `queue.root` if the folder is not below the root;
 * `queue.connect` if the database does not answer within 5 seconds; `file.read`, `file.write`.
 */
export async function submitJob(folder: string, given: SubmitOptions): Promise<Submission | undefined> {
  const { job, address, path } = await opened(folder, readOptions("submitJob", given, ADDRESS));
  return withQueues(address, async (queues) => submit(job, await queues.ready(STEPS), path));
}

/**
 * Hands a job to the workers of a queue, and waits until it is finished: like `Job.run`, but other machines do the
 * work. When the signal is aborted, pauses the job.
 *
 * @returns the result, or undefined if another process paused or cancelled the job.
 * @throws RollmillError `queue.failed` with the reason if a task failed; the errors of {@link submitJob}; the reason of
 * an aborted signal.
 */
export async function runOnQueue(folder: string, given: QueueRunOptions): Promise<JobResult | undefined> {
  const known = [...ADDRESS, "signal", "onProgress", "onWait"];
  const { signal, onProgress, onWait, ...options } = readOptions("runOnQueue", given, known);
  checkFunction("onWait", onWait ?? (() => undefined));
  signal?.throwIfAborted();
  const { job, address, path } = await opened(folder, options);
  return withQueues(address, async (queues) => {
    const steps = await queues.ready(STEPS);
    const submission = await submit(job, steps, path);
    if (submission === undefined) return job.status().result;
    const { id, generation } = submission;
    const wait = { steps, tasks: queues.queue(TASKS), id, onWait };
    try {
      const desired = { desired: "queue", generation } as const;
      const result = await whileDesired(job.opened.store, desired, signal, (stop) =>
        runPhases(job.opened, queueRunner(job.opened, wait), { signal: stop, onProgress }),
      );
      const failure = result === undefined ? job.status().failure : await untilEnded(wait, signal);
      if (failure === undefined) return result;
      const problem = `a task failed on a worker (${oneLine(failure)})`;
      return fail(error("queue.failed", { problem, remedy: `Remove the cause. ${SUBMIT_AGAIN}` }));
    } catch (cause) {
      if (signal?.aborted) job.pause();
      throw cause;
    }
  });
}

async function opened(folder: string, given: SubmitOptions) {
  checkPath("folder", folder);
  const { root = dirname(resolve(folder)), ...address } = given;
  checkPath("root", root);
  const job = await openJob(folder);
  refuseOtherBuild(job.opened);
  return { job, address, path: await pathUnder(root, folder) };
}

async function submit(job: Job, steps: Queue<StepData>, path: string): Promise<Submission | undefined> {
  const { store } = job.opened;
  const { result, exports } = job.status();
  if (result !== undefined && exports.every(({ done }) => done)) return undefined;
  const { generation: last = 0 } = readControl(store);
  const generation = Math.max(Date.now(), last + 1);
  // BullMQ ignores a new ticket if the queue has a ticket with the same id, so each submission has its own id
  const id = `${hashOf(path).slice(0, 12)}.${generation}`;
  // writes the request before it adds the ticket: a worker skips a ticket without a request
  putControl(store, { desired: "queue", generation, ticket: id });
  const submission = { job: path, generation, code: CODE_HASH, control: controlMark(job.folder) };
  await steps.add(job.name, { ...submission, rounds: {} }, { ...TICKET_OPTIONS, jobId: id });
  logEvent(store, "submitted", { id });
  return { job: path, generation, id };
}

const LOOK_MS = 500;
/** Maximum share of the time for looks into the folder. A look is slow if the folder has many files. */
const LOOK_SHARE = 1 / 10;
/** At the second look, and then each time after this many looks, the runner asks the queue about the submission. */
const LOOKS = 10;

/** `id` is the id of the step ticket. */
interface WaitCall {
  readonly steps: Queue<StepData>;
  readonly tasks: Queue<TaskData>;
  readonly id: string;
  readonly onWait: ((reason: string) => void) | undefined;
}

/** Returns a runner that only waits for parts. The step ticket, not this runner, takes the job from phase to phase. */
function queueRunner(job: OpenedJob, call: WaitCall): Runner {
  const tables = new JobTables(job);
  let last: SubmissionState | undefined;

  /** Reports why the job waits. Throws if it cannot go on. */
  async function ask(): Promise<void> {
    const [now, before] = [await submissionState(call, call.id), last];
    last = now;
    if (now.state === "lost") refuse(`${now.reason}`);
    if (now.state === "failed") refuse(`a task failed on a worker (${now.reason})`);
    // waits for a second `done`: the workers may have written the last parts after the last look
    if (now.state === "done" && before?.state === "done")
      refuse("the workers have ended the job, but it has no result");
    if (now.reason !== undefined && now.reason !== before?.reason) call.onWait?.(now.reason);
  }

  return {
    async run(phase, tasks, { signal, onTask }) {
      const parts = tables.tasks(phase).map(({ part }) => part);
      let remaining = [...tasks];
      for (let looks = 1; remaining.length > 0; looks++) {
        const beganMs = performance.now();
        const stored = new Set(job.store.list("parts"));
        for (const k of remaining) if (stored.has(parts[k])) onTask(k);
        remaining = remaining.filter((k) => !stored.has(parts[k]));
        if (remaining.length === 0) return;
        await delayOr(signal, Math.max(LOOK_MS, (performance.now() - beganMs) / LOOK_SHARE));
        if (looks === 2 || looks % LOOKS === 0) await ask();
      }
    },
    close: () => Promise.resolve(),
  };
}

/** Waits until the step ticket has ended. The ticket ends only after it has made the exports of the job. */
async function untilEnded(call: WaitCall, signal: AbortSignal | undefined): Promise<undefined> {
  for (;;) {
    const { state } = await submissionState(call, call.id);
    if (state !== "waiting" && state !== "running") return undefined;
    await delayOr(signal, LOOK_MS);
  }
}

function refuse(problem: string): never {
  return fail(error("queue.failed", { problem, remedy: SUBMIT_AGAIN }));
}

async function delayOr(signal: AbortSignal | undefined, ms: number): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => signal?.throwIfAborted());
}

import { error, fail } from "../../errors/index.js";
import { holdWorker, sweepWorkers } from "../folder/locks.js";
import { type Job, openJob } from "../job.js";
import { phasesOf } from "../plan/phases.js";
import type { Limits } from "../plan/space.js";
import type { Runner } from "../runner/running.js";
import { ThreadRunner } from "../runner/threads.js";
import { checkFolder } from "./root.js";
import { folderOf, isElsewhere, isOver, keyOf, type Submission, type TaskData } from "./tickets.js";

const LOOK_MS = 500;
/** The threads of a job end when no task has needed them for this long. */
const IDLE_MS = 30_000;

type SlotOptions = Limits & { readonly root: string };

const OVER = new Error("the submission is over");

/** Gives all threads and all memory of a worker to one submission at a time. Other submissions wait for their turn. */
export function newSlots(options: SlotOptions) {
  const waiting: { readonly submission: Submission; readonly begin: (slot: Slot) => void }[] = [];
  let current: Slot | undefined;
  /** Number of tasks in the current slot. */
  let users = 0;
  let idle: NodeJS.Timeout | undefined;

  function beginNext(): void {
    clearTimeout(idle);
    for (let [first] = waiting; first !== undefined; [first] = waiting) {
      if (!current?.serves(first.submission)) {
        if (users > 0) return;
        current = newSlot(first.submission, options, current?.end());
        current.over.addEventListener("abort", () => users === 0 && endSoon());
      }
      users++;
      waiting.shift();
      first.begin(current);
    }
    if (users === 0) endSoon();
  }

  /** Ends a slot without tasks. If the submission is over, ends it now; otherwise, waits for further tasks first. */
  function endSoon(): void {
    const slot = current;
    const end = () => {
      if (current === slot) current = undefined;
      void slot?.end();
    };
    if (slot?.over.aborted) end();
    else idle = setTimeout(end, IDLE_MS).unref();
  }

  return {
    async during<T>(submission: Submission, work: (slot: Slot) => Promise<T>): Promise<T> {
      // a ticket of a job that this worker does not have must not end the work on another job
      if (!current?.serves(submission)) await folderOf(options.root, submission);
      const slot = await new Promise<Slot>((begin) => {
        waiting.push({ submission, begin });
        beginNext();
      });
      try {
        return await work(slot);
      } finally {
        users--;
        beginNext();
      }
    },
    async close(): Promise<void> {
      clearTimeout(idle);
      await current?.end();
    },
  };
}

type Slot = ReturnType<typeof newSlot>;

/** Opens the job of a submission, and starts its threads. First waits for `before`, the end of the previous slot. */
function newSlot(submission: Submission, options: SlotOptions, before: Promise<void> | undefined) {
  const over = new AbortController();
  const endings: (() => unknown)[] = [];
  let isBroken = false;
  let runner: Runner | undefined;
  let ended: Promise<void> | undefined;
  const job = open();
  job.catch(() => {
    isBroken = true;
  });

  async function open(): Promise<Job> {
    await before;
    const { root } = options;
    const folder = await folderOf(root, submission);
    await checkFolder(root, folder);
    const opened = await openJob(folder);
    look(folder);
    const timer = setInterval(() => look(folder), LOOK_MS);
    endings.push(() => clearInterval(timer));
    await sweepWorkers(folder);
    endings.push(await holdWorker(folder));
    return opened;
  }

  function look(folder: string): void {
    try {
      if (isOver(folder, submission)) over.abort(OVER);
    } catch (cause) {
      // if the folder cannot be read now, the next look tries again
      if (!isElsewhere(cause)) return;
      isBroken = true;
      over.abort(cause);
    }
  }

  async function end(): Promise<void> {
    await job.catch(() => undefined);
    await runner?.close();
    for (const ending of endings) await ending();
  }

  return {
    job,
    /** Aborted with {@link OVER}, or with an error if the worker has lost the folder, such as a network drive. */
    over: over.signal,
    /** Whether the slot is for this submission. Always false if the job could not be opened or the folder was lost. */
    serves: (other: Submission) => !isBroken && keyOf(other) === keyOf(submission),
    async runner(): Promise<Runner> {
      const { opened } = await job;
      runner ??= new ThreadRunner(opened, options);
      return runner;
    },
    end(): Promise<void> {
      ended ??= end();
      return ended;
    },
  };
}

/** A ticket is skipped if its submission is over. */
export type Outcome = "done" | "skipped";

/** Does a task. `signal` must be aborted when another worker has the ticket, or when this worker stops. */
export function doTask(slots: ReturnType<typeof newSlots>, data: TaskData, signal: AbortSignal): Promise<Outcome> {
  return slots.during(data, async (slot) => {
    const { opened } = await slot.job;
    if (slot.over.aborted) return skipped(slot.over);
    const phase = phasesOf(opened).find(({ name }) => name === data.phase);
    const problem = "the ticket names a phase that the job does not have";
    if (phase === undefined) return fail(error("job.task", { problem, got: data.phase }));
    const runner = await slot.runner();
    try {
      const either = AbortSignal.any([signal, slot.over]);
      await runner.run(phase, [data.k], { signal: either, onTask: () => undefined });
      return "done";
    } catch (cause) {
      if (slot.over.aborted && !signal.aborted) return skipped(slot.over);
      throw cause;
    }
  });
}

/** Returns "skipped" if the submission is over. Throws if the worker has lost the folder of the job. */
function skipped({ reason }: AbortSignal): Outcome {
  if (reason === OVER) return "skipped";
  throw reason;
}

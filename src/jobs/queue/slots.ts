import { error, fail } from "../../errors/index.js";
import { holdWorker, sweepWorkers } from "../folder/locks.js";
import { type Job, openJob } from "../job.js";
import { phasesOf } from "../plan/phases.js";
import type { Limits } from "../runner/limits.js";
import type { Runner } from "../runner/running.js";
import { ThreadRunner } from "../runner/threads.js";
import { checkFolder } from "./root.js";
import { folderOf, isElsewhere, isOver } from "./standing.js";
import { keyOf, type Submission, type TaskData } from "./tickets.js";

const LOOK_MS = 500;
/** The threads of a job end when no task has needed them for this long. */
const IDLE_MS = 30_000;

/** `root` is a real path. */
type SlotOptions = Limits & { readonly root: string };

const OVER = new Error("the submission is over");

/** Gives all threads and all memory of a worker to one submission at a time. Other submissions wait for the end. */
export class Slots {
  readonly #options: SlotOptions;
  readonly #waiting: { readonly submission: Submission; readonly begin: (slot: Slot) => void }[] = [];
  #current: Slot | undefined;
  /** Tasks in the current slot. */
  #users = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: SlotOptions) {
    this.#options = options;
  }

  async during<T>(submission: Submission, work: (slot: Slot) => Promise<T>): Promise<T> {
    // a ticket of a job that this worker does not have must not end the work on another job
    if (!this.#current?.serves(submission)) await folderOf(this.#options.root, submission);
    const slot = await new Promise<Slot>((begin) => {
      this.#waiting.push({ submission, begin });
      this.#beginNext();
    });
    try {
      return await work(slot);
    } finally {
      this.#users--;
      this.#beginNext();
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#current?.end();
  }

  #beginNext(): void {
    clearTimeout(this.#idle);
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (!this.#current?.serves(first.submission)) {
        if (this.#users > 0) return;
        this.#current = new Slot(first.submission, this.#options, this.#current?.end());
        this.#current.over.addEventListener("abort", () => this.#users === 0 && this.#endSoon());
      }
      this.#users++;
      this.#waiting.shift();
      first.begin(this.#current);
    }
    if (this.#users === 0) this.#endSoon();
  }

  /** Call it when no task is in the slot. If the submission is not over, a further task may arrive. */
  #endSoon(): void {
    const slot = this.#current;
    const end = () => {
      if (this.#current === slot) this.#current = undefined;
      void slot?.end();
    };
    if (slot?.over.aborted) end();
    else this.#idle = setTimeout(end, IDLE_MS).unref();
  }
}

/** The opened job and the threads of a submission. */
class Slot {
  /** Opened once for all tasks of the slot. */
  readonly job: Promise<Job>;
  readonly #submission: Submission;
  readonly #options: SlotOptions;
  readonly #over = new AbortController();
  readonly #endings: (() => unknown)[] = [];
  #isBroken = false;
  #runner: Runner | undefined;
  #ended: Promise<void> | undefined;

  /** `before`: the previous slot has freed its threads and its memory. */
  constructor(submission: Submission, options: SlotOptions, before: Promise<void> | undefined) {
    this.#submission = submission;
    this.#options = options;
    this.job = this.#open(before);
    this.job.catch(() => {
      this.#isBroken = true;
    });
  }

  /** If the job could not be opened, the next task gets a new slot. */
  serves(submission: Submission): boolean {
    return !this.#isBroken && keyOf(submission) === keyOf(this.#submission);
  }

  /** Aborted with {@link OVER}, or with an error if the worker has lost the folder, such as a network drive. */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  async runner(): Promise<Runner> {
    const { opened } = await this.job;
    this.#runner ??= new ThreadRunner(opened, this.#options);
    return this.#runner;
  }

  end(): Promise<void> {
    this.#ended ??= (async () => {
      await this.job.catch(() => undefined);
      await this.#runner?.close();
      for (const ending of this.#endings) await ending();
    })();
    return this.#ended;
  }

  async #open(before: Promise<void> | undefined): Promise<Job> {
    await before;
    const { root } = this.#options;
    const folder = await folderOf(root, this.#submission);
    await checkFolder(root, folder);
    const job = await openJob(folder);
    this.#look(folder);
    const timer = setInterval(() => this.#look(folder), LOOK_MS);
    this.#endings.push(() => clearInterval(timer));
    await sweepWorkers(folder);
    this.#endings.push(await holdWorker(folder));
    return job;
  }

  #look(folder: string): void {
    try {
      if (isOver(folder, this.#submission)) this.#over.abort(OVER);
    } catch (cause) {
      // then a later look finds a change
      if (!isElsewhere(cause)) return;
      this.#isBroken = true;
      this.#over.abort(cause);
    }
  }
}

/** A ticket is skipped if its submission is over. */
export type Outcome = "done" | "skipped";

/** The signal is aborted when another worker has the ticket now, or when this worker stops. */
export function doTask(slots: Slots, data: TaskData, signal: AbortSignal): Promise<Outcome> {
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

/** Throws if the worker has lost the folder of the job. */
function skipped({ reason }: AbortSignal): Outcome {
  if (reason === OVER) return "skipped";
  throw reason;
}

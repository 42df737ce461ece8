import { randomUUID } from "node:crypto";
import { sweepWorkers, whileHolding, workerLock } from "../folder/locks.js";
import { type Job, openJob } from "../job.js";
import type { Limits } from "../runner/limits.js";
import { ThreadRunner } from "../runner/threads.js";
import type { Runner } from "../runner/types.js";
import { checkFolder } from "./root.js";
import { folderOf, isElsewhere, isOver } from "./standing.js";
import type { Submission } from "./tickets.js";

/** Time between two looks of a worker at the request in `control.json`, in milliseconds. */
const LOOK_MS = 500;
/** The threads of a job end when no task has needed them for this long, in milliseconds. */
const IDLE_MS = 30_000;

interface TurnOptions extends Limits {
  /** The folder that contains the folders of all jobs. The path has no symbolic links. */
  readonly root: string;
}

/** The abort reason of {@link Turn.over} if the submission is over. */
export const OVER = new Error("the submission is over");

/**
 * Gives all threads and all memory of a worker to one submission at a time. Tasks of the same submission share a turn.
 * If a task of a second submission arrives, it waits until the running tasks have ended, and all later tasks wait
 * behind it. Then the second submission has the next turn. A queue hands out all tasks of a phase one after another, so
 * turns are long.
 */
export class Turns {
  readonly #options: TurnOptions;
  readonly #waiting: { readonly submission: Submission; readonly begin: (turn: Turn) => void }[] = [];
  #current: Turn | undefined;
  /** Number of tasks that share the current turn. */
  #users = 0;
  #idle: NodeJS.Timeout | undefined;

  constructor(options: TurnOptions) {
    this.#options = options;
  }

  /**
   * Does some work in a turn of a submission.
   *
   * @throws The errors of `folderOf` and of the work.
   */
  async during<T>(submission: Submission, work: (turn: Turn) => Promise<T>): Promise<T> {
    // a ticket of a job that this worker does not have must not end the turn of another job
    if (!this.#current?.serves(submission)) await folderOf(this.#options.root, submission);
    const turn = await new Promise<Turn>((begin) => {
      this.#waiting.push({ submission, begin });
      this.#beginNext();
    });
    try {
      return await work(turn);
    } finally {
      this.#users--;
      this.#beginNext();
    }
  }

  /** Ends the threads. Call it only when no work is running. */
  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#current?.end();
  }

  #beginNext(): void {
    clearTimeout(this.#idle);
    for (let [first] = this.#waiting; first !== undefined; [first] = this.#waiting) {
      if (!this.#current?.serves(first.submission)) {
        if (this.#users > 0) return;
        this.#current = this.#newTurn(first.submission);
      }
      this.#users++;
      this.#waiting.shift();
      first.begin(this.#current);
    }
    if (this.#users === 0) this.#endSoon();
  }

  #newTurn(submission: Submission): Turn {
    const turn = new Turn(submission, this.#options, this.#current?.end());
    turn.over.addEventListener("abort", () => this.#users === 0 && this.#endSoon());
    return turn;
  }

  /**
   * Ends the current turn. Call it when no task runs in the turn. If the submission is over, the turn ends at once.
   * Otherwise it ends after {@link IDLE_MS}, because a further task of the submission may arrive.
   */
  #endSoon(): void {
    const turn = this.#current;
    const end = () => {
      if (this.#current === turn) this.#current = undefined;
      void turn?.end();
    };
    if (turn?.over.aborted) end();
    else this.#idle = setTimeout(end, IDLE_MS).unref();
  }
}

/** The turn of a submission: its opened job and its threads. */
class Turn {
  readonly #submission: Submission;
  readonly #options: TurnOptions;
  readonly #opened: Promise<Job>;
  readonly #over = new AbortController();
  /** The functions to call when the turn ends. */
  readonly #endings: (() => unknown)[] = [];
  /** Whether the job could not be opened. */
  #isBroken = false;
  #runner: Runner | undefined;
  #ended: Promise<void> | undefined;

  /** @param before - Fulfilled when the previous turn has freed its threads and its memory. */
  constructor(submission: Submission, options: TurnOptions, before: Promise<void> | undefined) {
    this.#submission = submission;
    this.#options = options;
    this.#opened = this.#open(before);
    this.#opened.catch(() => {
      this.#isBroken = true;
    });
  }

  /**
   * Whether tasks of a submission can run in this turn. If the job could not be opened, no further task can: the cause
   * may have passed, so the next task gets a new turn.
   */
  serves({ job, generation, code, control }: Submission): boolean {
    const own = this.#submission;
    const isSame = job === own.job && generation === own.generation && code === own.code && control === own.control;
    return isSame && !this.#isBroken;
  }

  /**
   * The job. It is opened once for all tasks of the turn.
   *
   * @throws RollmillError `queue.root`, `job.missing`, `job.version`, `job.damaged`, `file.read`, `file.write`.
   */
  get job(): Promise<Job> {
    return this.#opened;
  }

  /**
   * Aborted with {@link OVER} when the submission is over. Aborted with an error if the worker has lost the folder, for
   * example because its network drive was unmounted.
   */
  get over(): AbortSignal {
    return this.#over.signal;
  }

  /** Returns the threads of the job. */
  async runner(): Promise<Runner> {
    const { opened } = await this.#opened;
    this.#runner ??= new ThreadRunner(opened, this.#options);
    return this.#runner;
  }

  /** Ends the threads, and releases the lock that shows that this worker works on the job. */
  end(): Promise<void> {
    this.#ended ??= this.#end();
    return this.#ended;
  }

  async #end(): Promise<void> {
    await this.#opened.catch(() => undefined);
    await this.#runner?.close();
    for (const ending of this.#endings) await ending();
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
    await this.#mark(folder);
    return job;
  }

  #look(folder: string): void {
    try {
      if (isOver(folder, this.#submission)) this.#over.abort(OVER);
    } catch (cause) {
      // if the file system does not answer now, a later look finds a change
      if (!isElsewhere(cause)) return;
      this.#isBroken = true;
      this.#over.abort(cause);
    }
  }

  /** Takes the lock of a worker. The lock is held until the turn ends. */
  async #mark(folder: string): Promise<void> {
    const { promise: ended, resolve: end } = deferred();
    const { promise: begun, resolve: begin } = deferred();
    const held = whileHolding(folder, workerLock(randomUUID()), () => {
      begin();
      return ended;
    });
    await Promise.race([begun, held]);
    this.#endings.push(() => {
      end();
      return held;
    });
  }
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

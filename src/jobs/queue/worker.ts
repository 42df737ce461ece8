import { once } from "node:events";
import { realpath } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { Queue, Job as Ticket, Worker } from "bullmq";
import { messageOf, type RollmillError } from "../../errors/index.js";
import { failToRead } from "../../files/problem.js";
import { checkFunction, checkInteger, checkPath, readOptions, refuseArgument } from "../../spec/index.js";
import { logEvent, putControl } from "../folder/control.js";
import { FolderStore } from "../folder/store.js";
import { type Limits, limitsOf } from "../plan/space.js";
import { LOAD_MS, otherLoad } from "../runner/load.js";
import { loadQueues, type QueueAddress, type Queues } from "./queues.js";
import { checkFolder } from "./root.js";
import { doTask, newSlots, type Outcome } from "./slots.js";
import { complain } from "./status.js";
import { takeStep } from "./steps.js";
import {
  checkTicket,
  folderOf,
  isElsewhere,
  isOver,
  keyOf,
  MalformedTicket,
  STEPS,
  type StepData,
  type Submission,
  TASKS,
  type TaskData,
  ticketName,
} from "./tickets.js";

const LOST_AFTER_MS = 30_000;
const MIN_LOST_AFTER_MS = 2000;
const MAX_LOST_AFTER_MS = 3_600_000;
/** Number of looks for lost workers while a lock lasts. BullMQ needs two looks to find a lost worker. */
const LOOKS = 6;
/** Tasks at once for each thread: while the part of one task goes to the disk, the thread does the next. */
const TASKS_PER_THREAD = 2;
const MIN_LOOK_MS = 1000;
/** BullMQ fails a task after this many lost workers. No task gets there: a lost worker is not the fault of its task. */
const MAX_LOST = 1_000_000;
const GRACE_MS = 10_000;
/** Time to give the tickets of stopped tasks, which end within milliseconds, back to the queue. */
const LATE_MS = 3000;
/** A ticket that this worker refused is back in its queue after at most this long. */
const RETURN_MS = 500;
/** A worker that refused a ticket waits this long, so that it does not race through the tickets of other workers. */
const PASS_MS = 100;

/**
 * `ticket` names a task, such as `task 3 of the phase "cells" of isle`, or a step, which takes a job to its next phase.
 */
type TicketEvent = { readonly ticket: string; readonly isTask: boolean };

/** How the work on a ticket ended. */
type TicketEnd =
  /**
   * `waits`: a step waits for the tasks of a phase, and begins again after them. `skipped`: the submission of the
   * ticket is over. `returned`: the worker stops, and gives the ticket back. `taken`: another worker gets the ticket.
   */
  | { readonly kind: "done" | "waits" | "skipped" | "returned" | "taken" }
  /** The worker gave the ticket back: it has another root, a copy of the folder, or another build of Rollmill. */
  | { readonly kind: "refused"; readonly cause: RollmillError }
  /** If `isLast` is true, the job has failed. Otherwise the task will be tried again. */
  | { readonly kind: "failed"; readonly cause: Error; readonly isLast: boolean };

/** An event of a worker. After each `begun`, exactly one other event says how the work on the ticket ended. */
export type WorkerEvent =
  /** The worker begins to take tasks. */
  | { readonly kind: "ready"; readonly threads: number; readonly root: string; readonly queue: string }
  | (TicketEvent & ({ readonly kind: "begun" } | TicketEnd))
  /** Some other worker was lost while it worked on the ticket with this id. */
  | { readonly kind: "lost"; readonly id: string }
  /** `paused`: the load of other programs has risen above the limit. `resumed`: it is not above the limit any more. */
  | { readonly kind: "paused" | "resumed"; readonly load: number }
  /** An error that does not end the worker. For example, the database does not answer, so the worker tries again. */
  | { readonly kind: "error"; readonly cause: Error };

/** Options of {@link startWorker}. */
export interface WorkerOptions extends QueueAddress {
  /** The worker works only on jobs in this folder and below it. */
  readonly root: string;
  /** Number of threads, and of tasks at once. Default: one for each core. */
  readonly threads?: number | undefined;
  /** Maximum memory of all threads together in bytes. Default: as for `Job.run`. */
  readonly maxMemory?: number | undefined;
  /** If true, lowers the priority of the threads, so that other programs go first. Default false. */
  readonly nice?: boolean | undefined;
  /**
   * Takes no new task while the load of the other programs of the machine is above this number. The load is the average
   * number of running threads in the last minute. Default: no limit.
   */
  readonly pauseAbove?: number | undefined;
  /**
   * If a worker is silent for this many milliseconds, other workers get its tasks. Default 30,000. All workers of a
   * queue should have the same number.
   */
  readonly lostAfter?: number | undefined;
  readonly onEvent?: ((event: WorkerEvent) => void) | undefined;
}

const OPTIONS = ["redis", "postgres", "prefix", "root", "threads", "maxMemory", "nice", "pauseAbove", "lostAfter"];

/**
 * Starts a worker: does tasks of a queue, on several threads, until it is closed. Any number of workers on any number
 * of machines may work on a queue. All must see the folders of the jobs, and must have the same build of Rollmill.
 *
 * @throws RollmillError `queue.connect` if the database does not answer within 5 seconds; `file.read` if the root does
 * not exist; `argument.type`, `argument.range`, `argument.option` for invalid options.
 */
export async function startWorker(given: WorkerOptions): Promise<QueueWorker> {
  const options = readOptions("startWorker", given, [...OPTIONS, "onEvent"]);
  const { root, pauseAbove, lostAfter = LOST_AFTER_MS, onEvent = () => undefined } = options;
  checkPath("root", root);
  const limits = limitsOf(options);
  checkInteger("lostAfter", lostAfter, MIN_LOST_AFTER_MS, MAX_LOST_AFTER_MS);
  checkFunction("onEvent", onEvent);
  if (pauseAbove !== undefined && !(typeof pauseAbove === "number" && pauseAbove > 0)) {
    refuseArgument("pauseAbove", pauseAbove, "a number greater than 0");
  }
  const { redis, postgres, prefix } = options;
  const real = await realpath(root).catch((cause: unknown) => failToRead(root, cause));
  const queues = await loadQueues({ redis, postgres, prefix });
  const tasks = await queues.ready(TASKS).catch(async (cause: unknown) => {
    await queues.close();
    throw cause;
  });
  return new QueueWorker(queues, tasks, { ...limits, root: real, pauseAbove, lostAfter, onEvent });
}

/** `root` is an absolute path without links. */
interface Settings extends Limits, Pick<WorkerOptions, "root" | "pauseAbove"> {
  readonly lostAfter: number;
  readonly onEvent: (event: WorkerEvent) => void;
}

type WaitingTicket = Ticket<StepData | TaskData>;

/** The queue of steps or the queue of tasks: its BullMQ worker, and what this worker does with a ticket. */
interface Line {
  readonly worker: Worker;
  readonly gate: ReturnType<typeof gateOf>;
  readonly refusals: ReturnType<typeof newRefusals>;
  /** The signal is aborted if the ticket now belongs to another worker, or if this worker stops. */
  readonly work: (ticket: WaitingTicket, token: string, signal: AbortSignal) => Promise<Outcome | "waits">;
}

/** A worker of a queue. */
export class QueueWorker {
  readonly #queues: Queues;
  readonly #tasks: Queue<TaskData>;
  readonly #steps: Queue<StepData>;
  readonly #settings: Settings;
  readonly #slots: ReturnType<typeof newSlots>;
  readonly #lines: readonly Line[];
  readonly #stop = new AbortController();
  readonly #load: ReturnType<typeof otherLoad>;
  readonly #timer: NodeJS.Timeout | undefined;
  #tickets = 0;
  #isPaused = false;
  #closed: Promise<void> | undefined;

  /** @internal Use {@link startWorker}. */
  constructor(queues: Queues, tasks: Queue<TaskData>, settings: Settings) {
    this.#queues = queues;
    this.#tasks = tasks;
    this.#steps = queues.queue(STEPS);
    this.#settings = settings;
    this.#slots = newSlots(settings);
    this.#load = otherLoad(settings.threads);
    this.#lines = [
      this.#newLine(STEPS, 1, (ticket, token, signal) => this.#step(ticket as Ticket<StepData>, token, signal)),
      this.#newLine(TASKS, settings.threads * TASKS_PER_THREAD, (ticket, _, signal) =>
        doTask(this.#slots, ticket.data as TaskData, signal),
      ),
    ];
    const { threads, root, pauseAbove, onEvent } = settings;
    if (pauseAbove !== undefined) this.#timer = setInterval(() => this.#followLoad(pauseAbove), LOAD_MS);
    onEvent({ kind: "ready", threads, root, queue: queues.place });
  }

  /**
   * Stops the worker. The running tasks have `grace` milliseconds to end, by default 10,000. Then the worker stops
   * them, and gives their tickets back to the queue. A second call with a smaller `grace` shortens the wait.
   */
  close({ grace = GRACE_MS }: { readonly grace?: number } = {}): Promise<void> {
    const timer = setTimeout(() => this.#stop.abort(STOPPED), grace);
    this.#closed ??= this.#close();
    return this.#closed.finally(() => clearTimeout(timer));
  }

  async #close(): Promise<void> {
    clearInterval(this.#timer);
    for (const { gate } of this.#lines) gate.end();
    const closed = Promise.allSettled(this.#lines.map(({ worker }) => worker.close()));
    // if the database does not answer, BullMQ would wait for ever
    const isClosed = await Promise.race([closed.then(() => true), this.#untilLate().then(() => false)]);
    await this.#slots.close();
    if (isClosed) await this.#queues.close();
    else this.#queues.abandon();
  }

  async #untilLate(): Promise<void> {
    const { signal } = this.#stop;
    if (!signal.aborted) await once(signal, "abort");
    await delay(LATE_MS, undefined, { ref: false });
  }

  #newLine(name: string, concurrency: number, work: Line["work"]): Line {
    const { lostAfter, onEvent } = this.#settings;
    const worker = this.#queues.worker(
      name,
      // BullMQ passes a signal only to a function with three parameters
      (ticket: Ticket, token?: string, lost?: AbortSignal) => this.#process(line, ticket, token ?? "", lost ?? NEVER),
      {
        concurrency,
        lockDuration: lostAfter,
        stalledInterval: Math.max(MIN_LOOK_MS, lostAfter / LOOKS),
        maxStalledCount: MAX_LOST,
      },
    );
    const onError = (cause: Error) => onEvent({ kind: "error", cause });
    worker.on("error", onError);
    worker.on("stalled", (id) => onEvent({ kind: "lost", id }));
    // the locks of these tickets were not renewed: another worker has the tickets now, or will have them soon
    worker.on("lockRenewalFailed", (ids) => {
      for (const id of ids) worker.cancelJob(id, "another worker has the task");
    });
    const line: Line = { worker, gate: gateOf(worker, onError), refusals: newRefusals(), work };
    return line;
  }

  /** Works on a ticket. `lost` is aborted when the worker has lost its lock of the ticket. */
  async #process(line: Line, ticket: WaitingTicket, token: string, lost: AbortSignal): Promise<Outcome> {
    const { onEvent } = this.#settings;
    const about = { ticket: ticketName(ticket.data), isTask: ticket.queueName === TASKS };
    // this end stays if the ticket's lock was lost, or if giving the ticket back failed
    let end: TicketEnd = { kind: "taken" };
    onEvent({ kind: "begun", ...about });
    this.#tickets++;
    try {
      checkTicket(ticket.data);
      line.refusals.throwKnown(ticket.data);
      const outcome = await line.work(ticket, token, AbortSignal.any([lost, this.#stop.signal]));
      line.refusals.reset();
      end = { kind: outcome };
      if (outcome !== "waits") return outcome;
    } catch (cause) {
      const failed = await this.#afterError(line, ticket, token, { cause, isLost: lost.aborted });
      end = failed.end;
      throw failed.thrown;
    } finally {
      this.#tickets--;
      onEvent({ ...end, ...about });
    }
    throw new this.#queues.bullmq.WaitingChildrenError();
  }

  /** Gives the ticket back if another attempt or worker may help. Returns its end, and the error for BullMQ. */
  async #afterError(
    line: Line,
    ticket: WaitingTicket,
    token: string,
    { cause, isLost }: { readonly cause: unknown; readonly isLost: boolean },
  ): Promise<{ readonly end: TicketEnd; readonly thrown: unknown }> {
    const { WaitingError, UnrecoverableError } = this.#queues.bullmq;
    if (this.#stop.signal.aborted) {
      await ticket.moveToWait(token);
      return { end: { kind: "returned" }, thrown: new WaitingError() };
    }
    if (isLost) return { end: { kind: "taken" }, thrown: cause };
    if (cause instanceof MalformedTicket) {
      return { end: { kind: "failed", cause, isLast: true }, thrown: new UnrecoverableError(cause.message) };
    }
    if (isElsewhere(cause)) {
      const thrown = await this.#queues.giveBack(ticket, token, RETURN_MS);
      await this.#complain(line, ticket, cause);
      return { end: { kind: "refused", cause }, thrown };
    }
    const isLast = ticket.attemptsMade + 1 >= (ticket.opts.attempts ?? 1);
    if (isLast) await this.#noteFailure(ticket.data, cause);
    return { end: { kind: "failed", cause: cause as Error, isLast }, thrown: cause };
  }

  async #complain({ refusals, gate }: Line, { id = "", parent, data }: WaitingTicket, cause: RollmillError) {
    const { isNew, pauseMs } = refusals.add(id, data, cause);
    if (isNew) await complain(this.#steps, parent?.id ?? id, this.#settings.root, cause.message);
    if (pauseMs > 0) gate.closeFor(pauseMs, "no ticket for this worker");
    else await delay(PASS_MS, undefined, { signal: this.#stop.signal }).catch(() => undefined);
  }

  async #step(ticket: Ticket<StepData>, token: string, signal: AbortSignal): Promise<Outcome | "waits"> {
    const { root } = this.#settings;
    const folder = await folderOf(root, ticket.data);
    await checkFolder(root, folder);
    return takeStep(ticket, token, { folder, tasks: this.#tasks, signal });
  }

  /** Stores why the job failed. All workers then skip the other tasks of the submission. */
  async #noteFailure(data: StepData | TaskData, cause: unknown): Promise<void> {
    try {
      const folder = await folderOf(this.#settings.root, data);
      if (isOver(folder, data)) return;
      const store = new FolderStore(folder);
      const failure = `${ticketName(data)}: ${messageOf(cause)}`;
      logEvent(store, "failed", { reason: failure });
      putControl(store, { desired: "run", failure });
    } catch {
      // the reason is not lost, because the queue has it too
    }
  }

  #followLoad(most: number): void {
    const load = this.#load(performance.now(), this.#tickets);
    if (load > most === this.#isPaused) return;
    this.#isPaused = !this.#isPaused;
    this.#settings.onEvent({ kind: this.#isPaused ? "paused" : "resumed", load });
    for (const { gate } of this.#lines) {
      if (this.#isPaused) gate.close("load");
      else gate.open("load");
    }
  }
}

const STOPPED = new Error("the worker stops");
const NEVER = new AbortController().signal;

/** Keeps a worker of BullMQ paused while there is at least one reason for a pause. */
function gateOf(worker: Worker, onError: (cause: Error) => void) {
  const reasons = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const follow = (changed: Promise<void> | void) => void Promise.resolve(changed).catch(onError);
  const close = (reason: string) => {
    reasons.add(reason);
    // with `true`, `pause` does not wait for the running tasks
    if (reasons.size === 1) follow(worker.pause(true));
  };
  const open = (reason: string) => {
    if (reasons.delete(reason) && reasons.size === 0) follow(worker.resume());
  };
  return {
    close,
    open,
    closeFor(ms: number, reason: string) {
      clearTimeout(timer);
      close(reason);
      timer = setTimeout(() => open(reason), ms);
    },
    end: () => clearTimeout(timer),
  };
}

const FIRST_PAUSE_MS = 500;
const MAX_PAUSE_MS = 5000;
const MAX_SEEN = 100_000;

/** Remembers tickets that a worker gave back. When a ticket comes again, the worker pauses, each time twice as long. */
export function newRefusals() {
  /** The cause of each submission's refusal, since the last pause. */
  const causes = new Map<string, RollmillError>();
  const seen = new Set<string>();
  let pauseMs = FIRST_PAUSE_MS;
  return {
    /** If a ticket of the same submission was given back, throws the cause. */
    throwKnown(submission: Submission): void {
      const cause = causes.get(keyOf(submission));
      if (cause !== undefined) throw cause;
    },
    /** Remembers a ticket. `isNew`: the ticket is the first of its submission since the last pause. */
    add(id: string, submission: Submission, cause: RollmillError) {
      const isNew = causes.get(keyOf(submission)) !== cause;
      causes.set(keyOf(submission), cause);
      if (!seen.has(id) && seen.size < MAX_SEEN) {
        seen.add(id);
        return { isNew, pauseMs: 0 };
      }
      const now = { isNew, pauseMs };
      seen.clear();
      causes.clear();
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS);
      return now;
    },
    reset(): void {
      seen.clear();
      pauseMs = FIRST_PAUSE_MS;
    },
  };
}

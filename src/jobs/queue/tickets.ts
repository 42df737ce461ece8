import { error, oneLine, RollmillError, show } from "../../errors/index.js";
import { filePathFlaw } from "../../spec/index.js";
import { hashOf } from "../folder/checked.js";

/*
 * The entries of the two queues. BullMQ calls an entry a "job". In Rollmill, a job is the work in a folder. So we call
 * an entry a *ticket*.
 *
 *   rollmill-steps   one step ticket for each submission of a job. It takes the job from phase to phase
 *   rollmill-tasks   one task ticket for each missing task of the open phase. Its parent is the step ticket
 *
 * Only the files of a job decide which tasks are done. A task ticket only asks a worker to do a task.
 */

export const STEPS = "rollmill-steps";
export const TASKS = "rollmill-tasks";

/** Number of finished tickets that a queue keeps, and number of failed tickets. */
export const MAX_KEPT = 1000;

/** Messages show at most this many characters of the path of a job. */
const MAX_SHOWN = 200;

/** What each ticket says about its job. A worker compares it with what it has: see `standing.ts`. */
export interface Submission {
  /** The folder of the job, relative to the root of the workers, with `/`. */
  readonly job: string;
  /**
   * The number of this submission: the time in milliseconds since 1970. Each submission of a job has a larger number
   * than the previous one. So if the time is not larger, this number is the previous number plus 1.
   */
  readonly generation: number;
  /** The hash of the code of the build that submitted the job. Only the same build makes the same parts. */
  readonly code: string;
  /** The identity of the file `control.json` that the submission wrote. A copy of the folder has another one. */
  readonly control: string;
}

/** The data of a step ticket. */
export interface StepData extends Submission {
  /** For each phase, by name: how many times its missing tasks were put into the queue. */
  readonly rounds: Readonly<Record<string, number>>;
}

/** The data of a task ticket. */
export interface TaskData extends Submission {
  /** The name of the phase. */
  readonly phase: string;
  readonly k: number;
}

/** A ticket that no worker can do, because no submission has written it. */
export class MalformedTicket extends RollmillError {}

/**
 * Checks the data of a ticket. Anybody who can write to the queue can write a ticket with any data.
 *
 * @throws MalformedTicket `queue.root` if the ticket does not name a folder below a root; `job.task` for other flaws.
 */
export function checkTicket(data: unknown): asserts data is StepData | TaskData {
  const { job, generation, code, control, phase, k, rounds }: Readonly<Record<string, unknown>> = Object(data);
  if (typeof job !== "string" || filePathFlaw(job) !== undefined) {
    const expected = "a path below the root, such as maps/isle";
    const problem = "the ticket does not name a folder of a job";
    throw new MalformedTicket([error("queue.root", { problem, got: job, expected })]);
  }
  const isSubmission = isCount(generation) && typeof code === "string" && typeof control === "string";
  const isStep = typeof rounds === "object" && rounds !== null && Object.values(rounds).every(isCount);
  if (isSubmission && (isStep || (typeof phase === "string" && isCount(k)))) return;
  const expected = "a ticket that a submission has written";
  throw new MalformedTicket([error("job.task", { problem: "the ticket is malformed", expected })]);
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** Returns the name of a ticket for messages, such as `task 3 of the phase "cells" of isle`. */
export function ticketName(data: unknown): string {
  const { job, phase, k }: Readonly<Record<string, unknown>> = Object(data);
  const name = typeof job === "string" ? job.slice(0, MAX_SHOWN) : show(job);
  return oneLine(phase === undefined ? `a step of ${name}` : `task ${show(k)} of the phase ${show(phase)} of ${name}`);
}

/**
 * Returns the id of a step ticket. BullMQ ignores a new ticket if the queue has one with the same id. So each
 * submission has its own id.
 */
export function stepId({ job, generation }: Pick<StepData, "job" | "generation">): string {
  return `${hashOf(job).slice(0, 12)}.${generation}`;
}

/**
 * Returns the id of a task ticket. The id depends only on the step ticket, the phase, the round and the task. So if the
 * same ticket is added twice, the queue keeps only one.
 */
export function taskId(step: string, { phase, round, k }: { phase: number; round: number; k: number }): string {
  return `${step}.${phase}.${round}.${k}`;
}

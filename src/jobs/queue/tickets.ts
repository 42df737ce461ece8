import { hashOf } from "../sealed.js";

/*
 * What is in the queue. In BullMQ's words each of these is a "job". Here a job is what a folder has, so we say *ticket*.
 *
 *   rollmill-steps   one step ticket for each submission of a job: it goes from phase to phase
 *   rollmill-tasks   one task ticket for each task of the phase that is open; its parent is the step ticket
 *
 * Files are the truth: a ticket only says which task somebody should look at.
 */

export const STEPS = "rollmill-steps";
export const TASKS = "rollmill-tasks";

/** What a step ticket says. */
export interface StepData {
  /** The folder of the job, relative to the root of the workers, with `/`. */
  readonly job: string;
  /** The number of the submission: milliseconds since 1970, or more if the number before was not smaller. */
  readonly generation: number;
  /** How many times the tasks of each phase were enqueued, by the name of the phase. */
  readonly rounds: Readonly<Record<string, number>>;
}

/** What a task ticket says. */
export interface TaskData {
  readonly job: string;
  readonly generation: number;
  /** The name of the phase. */
  readonly phase: string;
  readonly k: number;
}

/** The id of a step ticket. A new submission has a new id, so what an earlier one left in the queue is not in its way. */
export function stepId({ job, generation }: Pick<StepData, "job" | "generation">): string {
  return `${hashOf(job).slice(0, 12)}.${generation}`;
}

/** The id of a task ticket. The ids of a round are always the same, so tickets that are added twice are added once. */
export function taskId(step: string, { phase, round, k }: { phase: number; round: number; k: number }): string {
  return `${step}.${phase}.${round}.${k}`;
}

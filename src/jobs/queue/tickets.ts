import { hashOf } from "../sealed.js";

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
export const MOST_KEPT = 1000;

/** The data of a step ticket. */
export interface StepData {
  /** The folder of the job, relative to the root of the workers, with `/`. */
  readonly job: string;
  /**
   * The number of this submission: the time in milliseconds since 1970. Each submission of a job has a larger number
   * than the previous one. So if the time is not larger, this number is the previous number plus 1.
   */
  readonly generation: number;
  /** For each phase, by name: how many times its missing tasks were put into the queue. */
  readonly rounds: Readonly<Record<string, number>>;
}

/** The data of a task ticket. */
export interface TaskData {
  readonly job: string;
  readonly generation: number;
  /** The name of the phase. */
  readonly phase: string;
  readonly k: number;
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

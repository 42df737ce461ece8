import { statSync } from "node:fs";
import { join } from "node:path";
import { error, fail, oneLine, RollmillError, show } from "../../errors/index.js";
import { failToRead } from "../../files/problem.js";
import { filePathFlaw } from "../../spec/index.js";
import { CODE_HASH } from "../codeHash.js";
import { CONTROL, readControl } from "../folder/control.js";
import { FolderStore } from "../folder/store.js";
import { folderUnder } from "./root.js";

/*
 * The entries of the two queues. BullMQ calls an entry a "job"; we call it a *ticket*, because a job is the work in a
 * folder.
 *
 *   rollmill-steps   one step ticket for each submission of a job. It takes the job from phase to phase
 *   rollmill-tasks   one task ticket for each missing task of the open phase. Its parent is the step ticket
 *
 * Only the files of a job decide which tasks are done. A task ticket only asks a worker to do a task.
 */

export const STEPS = "rollmill-steps";
export const TASKS = "rollmill-tasks";

/** A queue keeps this many finished tickets, and this many failed tickets. */
export const MAX_KEPT = 1000;

/** A ticket is tried again after 1, 2, 4 and 8 seconds. A lost worker does not count as an attempt. */
export const TICKET_OPTIONS = {
  attempts: 5,
  backoff: { type: "exponential", delay: 1000 },
  removeOnComplete: { count: MAX_KEPT },
  removeOnFail: { count: MAX_KEPT },
} as const;

/** A message shows this many characters of the path of a job. */
const MAX_SHOWN = 200;

/** The submission of a ticket. {@link isOver} compares it with the folder of the job. */
export interface Submission {
  /** Path of the job's folder, relative to the root of the workers, with `/`. */
  readonly job: string;
  /** The time in milliseconds since 1970, or the number of the previous submission plus 1 if the time is not larger. */
  readonly generation: number;
  /** SHA-256 of the code that submitted the job. Only the same code makes the same parts. */
  readonly code: string;
  /** The {@link controlMark} after the submission. A copy of the folder has another mark. */
  readonly control: string;
}

export function keyOf({ job, generation, code, control }: Submission): string {
  return JSON.stringify([job, generation, code, control]);
}

export interface StepData extends Submission {
  /** For each phase, by name: how many times its missing tasks were put into the queue. */
  readonly rounds: Readonly<Record<string, number>>;
}

export interface TaskData extends Submission {
  readonly phase: string;
  readonly k: number;
}

/** The error for a ticket that does not come from a submission. */
export class MalformedTicket extends RollmillError {}

/** Throws MalformedTicket `queue.root` or `job.task`: anybody who can write to the queue can write any data. */
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

/** Returns a name for messages, such as `task 3 of the phase "cells" of isle`. */
export function ticketName(data: unknown): string {
  const { job, phase, k }: Readonly<Record<string, unknown>> = Object(data);
  const name = typeof job === "string" ? job.slice(0, MAX_SHOWN) : show(job);
  return oneLine(phase === undefined ? `a step of ${name}` : `task ${show(k)} of the phase ${show(phase)} of ${name}`);
}

/** Error codes of a ticket whose job this worker does not have, but another worker may have. */
const ELSEWHERE: readonly string[] = ["queue.root", "job.missing", "job.version"];
const NS_PER_MS = 1_000_000n;

export function isElsewhere(cause: unknown): cause is RollmillError {
  return cause instanceof RollmillError && ELSEWHERE.includes(cause.code);
}

export async function folderOf(root: string, submission: Submission): Promise<string> {
  if (submission.code !== CODE_HASH) {
    const problem = "another build of Rollmill submitted the job";
    const remedy = "Use the same version of Rollmill on all machines";
    fail(error("job.version", { problem, got: submission.code, expected: CODE_HASH, remedy }));
  }
  const folder = await folderUnder(root, submission.job);
  isOver(folder, submission);
  return folder;
}

/**
 * Whether a submission is over, because its request has changed or a task has failed. Throws `queue.root` for a copy of
 * the folder: an old copy has a smaller generation (it only grows), a later copy has another {@link controlMark}.
 */
export function isOver(folder: string, { generation, control }: Submission): boolean {
  const { desired, generation: last = 0 } = readControl(new FolderStore(folder));
  if (last > generation) return true;
  if (last === generation && desired !== "queue") return true;
  if (last === generation && isSameFile(controlMark(folder), control)) return false;
  const problem = last < generation ? "the folder is older than the submission" : "the folder is a copy";
  const expected = "the folder that was submitted";
  const remedy = "Start the worker with the --root that all machines share. If the job was moved, submit it again";
  return fail(error("queue.root", { problem, expected, remedy, where: { file: folder } }));
}

/** Returns the inode of `control.json` and the time of its last change. Only the file system can set this time. */
export function controlMark(folder: string): string {
  const path = join(folder, CONTROL);
  try {
    const { ino, ctimeNs } = statSync(path, { bigint: true });
    return `${ino} ${ctimeNs / NS_PER_MS}`;
  } catch (cause) {
    return failToRead(path, cause);
  }
}

/** An equal inode or an equal time is enough: new permissions change the time, and some drives change the inode. */
function isSameFile(mark: string, other: string): boolean {
  const [ino, time] = mark.split(" ");
  const [otherIno, otherTime] = other.split(" ");
  return ino === otherIno || time === otherTime;
}

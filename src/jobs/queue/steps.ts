import type { Queue, Job as Ticket } from "bullmq";
import { error, fail } from "../../errors/index.js";
import { logEvent, readControl } from "../control.js";
import { FolderStore } from "../store/folderStore.js";
import type { ExportName } from "../types.js";
import { apart } from "./apart.js";
import type { Outcome } from "./tasks.js";
import { type StepData, type TaskData, taskId } from "./tickets.js";

/** Tickets are added in pieces of this many: between two pieces, other messages have their turn. */
const PIECE = 1000;
/** The tasks of a phase are enqueued at most this many times. More often, somebody deletes or damages the parts. */
const MOST_ROUNDS = 5;

/**
 * What BullMQ does with a task ticket. A task that throws is tried again after 1, 2, 4 and 8 seconds; then it fails,
 * and its job with it. A lost worker does not count as a try. A few finished tickets stay, for dashboards and for the
 * rate.
 */
const TASK_OPTIONS = {
  attempts: 5,
  backoff: { type: "exponential", delay: 1000 },
  failParentOnFailure: true,
  removeOnComplete: { count: 1000 },
  removeOnFail: { count: 1000 },
} as const;

interface StepCall {
  /** The folder of the job. */
  readonly folder: string;
  /** The queue of task tickets. */
  readonly tasks: Queue<TaskData>;
  readonly signal: AbortSignal;
}

/** What became of a step ticket: it is at its end, or it must wait for the task tickets that it has added. */
type StepOutcome = Outcome | "waits";

/**
 * Takes a job from phase to phase: adds a ticket for each task that is left of the first open phase, and waits until
 * they are done. When no task is left, writes the result and makes the exports.
 *
 * It can be stopped anywhere and done again: the files say what is left, and a ticket that is there already is not
 * added again.
 *
 * @returns `waits` when task tickets are open. The queue calls this function again when they are done.
 */
export async function takeStep(ticket: Ticket<StepData>, token: string, call: StepCall): Promise<StepOutcome> {
  const { folder, tasks, signal } = call;
  const store = new FolderStore(folder);
  for (;;) {
    const { unprocessed = 0 } = await ticket.getDependenciesCount({ unprocessed: true });
    if (unprocessed > 0 && (await ticket.moveToWaitingChildren(token))) return "waits";
    if (isOver(store, ticket.data)) return "skipped";
    const survey = await apart({ kind: "survey", folder }, signal);
    if (survey === undefined || survey.isFinished) {
      for (const name of survey?.exports ?? []) await exportApart(store, name, call);
      await ticket.updateProgress(100);
      return "done";
    }
    const { phase, index, left, share } = survey;
    const round = (ticket.data.rounds[phase] ?? 0) + 1;
    if (round > MOST_ROUNDS) {
      const problem = `all tasks of the phase ${JSON.stringify(phase)} were done ${MOST_ROUNDS} times, but parts are still missing`;
      const remedy =
        "Check whether a program deletes files of the folder, or its disk is damaged. Then submit the job again";
      fail(error("job.damaged", { problem, got: `${left.length} missing parts`, remedy, where: { file: folder } }));
    }
    await ticket.updateData({ ...ticket.data, rounds: { ...ticket.data.rounds, [phase]: round } });
    await ticket.updateProgress(Math.floor(share * 100));
    for (let from = 0; from < left.length; from += PIECE) {
      signal.throwIfAborted();
      await tasks.addBulk(left.slice(from, from + PIECE).map((k) => taskTicket(ticket, { phase, index, round, k })));
    }
    logEvent(store, "enqueued", { phase, tasks: survey.tasks, left: left.length });
  }
}

function taskTicket(
  { id = "", data, queueQualifiedName }: Ticket<StepData>,
  { phase, index, round, k }: { phase: string; index: number; round: number; k: number },
) {
  const { job, generation } = data;
  return {
    name: `${phase} ${k}`,
    data: { job, generation, phase, k } satisfies TaskData,
    opts: {
      ...TASK_OPTIONS,
      jobId: taskId(id, { phase: index, round, k }),
      parent: { id, queue: queueQualifiedName },
    },
  };
}

/** Whether the user wants something else of the job than this submission. */
export function isOver(store: FolderStore, { generation }: Pick<StepData, "generation">): boolean {
  const control = readControl(store);
  return control.wish !== "queue" || control.generation !== generation;
}

/** Makes an export. It is not part of the result, so an export that fails is only logged. */
async function exportApart(
  store: FolderStore,
  name: ExportName,
  { folder, signal }: Pick<StepCall, "folder" | "signal">,
): Promise<void> {
  try {
    await apart({ kind: "export", folder, name }, signal);
    logEvent(store, "exported", { kind: name });
  } catch (cause) {
    signal.throwIfAborted();
    logEvent(store, "export failed", { kind: name, reason: String(cause) });
  }
}

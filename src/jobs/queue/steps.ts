import type { Queue, Job as Ticket } from "bullmq";
import { error, fail } from "../../errors/index.js";
import { logEvent } from "../folder/control.js";
import { RUNNER, whileHolding } from "../folder/locks.js";
import { FolderStore } from "../folder/store.js";
import type { ExportName } from "../types.js";
import { apart } from "./apart.js";
import { isOver } from "./standing.js";
import type { Outcome } from "./tasks.js";
import { MAX_KEPT, type StepData, type TaskData, taskId } from "./tickets.js";

/** Tickets are added in batches of this size. Between two batches, messages about other tickets can go to the queue. */
const PIECE = 1000;
/**
 * The missing tasks of a phase are enqueued at most this many times. If parts are still missing after that, a program
 * or a faulty disk deletes or damages them.
 */
const MAX_ROUNDS = 5;

/**
 * The options of a task ticket for BullMQ. A task that throws is tried again after 1, 2, 4 and 8 seconds. If it throws
 * again, the task fails, and its job fails too. A lost worker does not count as an attempt. The last 1,000 finished
 * tickets stay in the queue, for dashboards and for the rate of `queueStatus`.
 */
const TASK_OPTIONS = {
  attempts: 5,
  backoff: { type: "exponential", delay: 1000 },
  failParentOnFailure: true,
  removeOnComplete: { count: MAX_KEPT },
  removeOnFail: { count: MAX_KEPT },
} as const;

interface StepCall {
  /** The folder of the job. */
  readonly folder: string;
  /** The queue of task tickets. */
  readonly tasks: Queue<TaskData>;
  readonly signal: AbortSignal;
}

/** The outcome of a step ticket. `waits`: the ticket must wait for the task tickets that it has added. */
type StepOutcome = Outcome | "waits";

/**
 * Takes a job from phase to phase. Finds the first phase that is not finished, adds a ticket for each missing task of
 * this phase, and returns `waits`. When these tasks are done, the queue hands out the step ticket again, and a worker
 * calls this function again. If no task of the job is left, writes the result and makes the exports.
 *
 * @throws RollmillError `queue.root` if the folder is not the folder that was submitted; the errors of the step.
 *
 * A call can be stopped anywhere and repeated: the files of the job say what is left, and the queue ignores a ticket
 * that it already has.
 */
export async function takeStep(ticket: Ticket<StepData>, token: string, call: StepCall): Promise<StepOutcome> {
  const { folder, tasks, signal } = call;
  const store = new FolderStore(folder);
  for (;;) {
    const { unprocessed = 0 } = await ticket.getDependenciesCount({ unprocessed: true });
    if (unprocessed > 0 && (await ticket.moveToWaitingChildren(token))) return "waits";
    if (isOver(folder, ticket.data)) return "skipped";
    const survey = await apart({ kind: "survey", folder }, signal);
    if (survey === undefined || survey.isFinished) {
      for (const name of survey?.exports ?? []) await exportApart(store, name, call);
      await ticket.updateProgress(100);
      return "done";
    }
    const { phase, index, remaining, share } = survey;
    const round = (ticket.data.rounds[phase] ?? 0) + 1;
    if (round > MAX_ROUNDS) {
      const problem = `all tasks of the phase ${JSON.stringify(phase)} were done ${MAX_ROUNDS} times, but parts are still missing`;
      const remedy =
        "Check whether a program deletes files of the folder, or its disk is damaged. Then submit the job again";
      fail(
        error("job.damaged", { problem, got: `${remaining.length} missing parts`, remedy, where: { file: folder } }),
      );
    }
    await ticket.updateData({ ...ticket.data, rounds: { ...ticket.data.rounds, [phase]: round } });
    await ticket.updateProgress(Math.floor(share * 100));
    for (let from = 0; from < remaining.length; from += PIECE) {
      signal.throwIfAborted();
      await tasks.addBulk(
        remaining.slice(from, from + PIECE).map((k) => taskTicket(ticket, { phase, index, round, k })),
      );
    }
    logEvent(store, "enqueued", { phase, tasks: survey.tasks, remaining: remaining.length });
  }
}

function taskTicket(
  { id = "", data, queueQualifiedName }: Ticket<StepData>,
  { phase, index, round, k }: { phase: string; index: number; round: number; k: number },
) {
  const { rounds: _, ...submission } = data;
  return {
    name: `${phase} ${k}`,
    data: { ...submission, phase, k } satisfies TaskData,
    opts: {
      ...TASK_OPTIONS,
      jobId: taskId(id, { phase: index, round, k }),
      parent: { id, queue: queueQualifiedName },
    },
  };
}

/** Makes an export in another thread. Exports are not part of the result, so a failed export is only logged. */
async function exportApart(
  store: FolderStore,
  name: ExportName,
  { folder, signal }: Pick<StepCall, "folder" | "signal">,
): Promise<void> {
  try {
    await whileHolding(folder, RUNNER, () => apart({ kind: "export", folder, name }, signal));
    logEvent(store, "exported", { kind: name });
  } catch (cause) {
    signal.throwIfAborted();
    logEvent(store, "export failed", { kind: name, reason: String(cause) });
  }
}

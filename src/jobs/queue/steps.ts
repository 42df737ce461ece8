import type { Queue, Job as Ticket } from "bullmq";
import { error, fail } from "../../errors/index.js";
import { logEvent } from "../folder/control.js";
import { RUNNER, whileHolding } from "../folder/locks.js";
import { FolderStore } from "../folder/store.js";
import type { ExportName } from "../types.js";
import { apart } from "./apart.js";
import type { Outcome } from "./slots.js";
import { isOver } from "./standing.js";
import { MAX_KEPT, type StepData, type TaskData, taskId } from "./tickets.js";

/** Between two batches of tickets, messages about other tickets can go to the queue. */
const PIECE = 1000;
/** If parts of a phase are missing after this many rounds, something deletes or damages them. */
const MAX_ROUNDS = 5;

/**
 * A task is tried again after 1, 2, 4 and 8 seconds. Then its job fails. A lost worker does not count as an attempt.
 */
const TASK_OPTIONS = {
  attempts: 5,
  backoff: { type: "exponential", delay: 1000 },
  failParentOnFailure: true,
  removeOnComplete: { count: MAX_KEPT },
  removeOnFail: { count: MAX_KEPT },
} as const;

interface StepCall {
  readonly folder: string;
  readonly tasks: Queue<TaskData>;
  readonly signal: AbortSignal;
}

/** `waits`: for the task tickets that the step has added. */
type StepOutcome = Outcome | "waits";

/**
 * Takes a job from phase to phase. Adds a ticket for each missing task of the first phase that is not finished, and
 * returns `waits`. When these tasks are done, the queue hands out the step ticket again. If no task remains, writes the
 * result and makes the exports. Throws `queue.root` if the folder is not the one that was submitted.
 *
 * A call can be stopped anywhere and repeated: the files of the job say what remains, and the queue ignores a ticket
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

/** Exports are not part of the result, so a failed one is only logged. */
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

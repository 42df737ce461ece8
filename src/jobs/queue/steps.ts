import { Worker } from "node:worker_threads";
import type { Queue, Job as Ticket } from "bullmq";
import { error, fail } from "../../errors/index.js";
import { logEvent } from "../folder/control.js";
import { RUNNER, whileHolding } from "../folder/locks.js";
import { FolderStore } from "../folder/store.js";
import { unpackError } from "../runner/packedError.js";
import type { ExportName } from "../types.js";
import type { ApartAnswer, ApartCall, Survey } from "./apartThread.js";
import type { Outcome } from "./slots.js";
import { isOver, type StepData, type TaskData, TICKET_OPTIONS } from "./tickets.js";

/** Tickets in a batch. Between two batches, messages about other tickets can go to the queue. */
const PIECE = 1000;
/** A round does a phase's missing tasks. If parts are missing after this many, something deletes or damages them. */
const MAX_ROUNDS = 5;

interface StepCall {
  readonly folder: string;
  readonly tasks: Queue<TaskData>;
  readonly signal: AbortSignal;
}

/**
 * Takes a job from phase to phase. Adds a ticket for each missing task of the first phase that is not finished, and
 * returns `waits`. When these tasks are done, the queue hands out the step ticket again. If no task remains, writes the
 * result and makes the exports. A call can be stopped anywhere and repeated: the files of the job show what remains.
 */
export async function takeStep(ticket: Ticket<StepData>, token: string, call: StepCall): Promise<Outcome | "waits"> {
  const { folder, tasks, signal } = call;
  const { id = "", queueQualifiedName } = ticket;
  const store = new FolderStore(folder);
  for (;;) {
    const { unprocessed = 0 } = await ticket.getDependenciesCount({ unprocessed: true });
    if (unprocessed > 0 && (await ticket.moveToWaitingChildren(token))) return "waits";
    if (isOver(folder, ticket.data)) return "skipped";
    const survey = await apart({ folder }, signal);
    if (survey === undefined || survey.isFinished) {
      for (const name of survey?.exports ?? []) await exportApart(store, name, call);
      await ticket.updateProgress(100);
      return "done";
    }
    const { phase, index, tasks: all, remaining, share } = survey;
    const { rounds, ...submission } = ticket.data;
    const round = (rounds[phase] ?? 0) + 1;
    if (round > MAX_ROUNDS) {
      const problem = `all tasks of the phase ${JSON.stringify(phase)} were done ${MAX_ROUNDS} times, but parts are still missing`;
      const remedy =
        "Check whether a program deletes files in the folder, or the disk is damaged. Then submit the job again";
      fail(
        error("job.damaged", { problem, got: `${remaining.length} missing parts`, remedy, where: { file: folder } }),
      );
    }
    await ticket.updateData({ ...submission, rounds: { ...rounds, [phase]: round } });
    await ticket.updateProgress(Math.floor(share * 100));
    for (let from = 0; from < remaining.length; from += PIECE) {
      signal.throwIfAborted();
      const piece = remaining.slice(from, from + PIECE).map((k) => {
        const data: TaskData = { ...submission, phase, k };
        // the queue keeps only one of several tickets with the same id
        const jobId = `${id}.${index}.${round}.${k}`;
        const parent = { id, queue: queueQualifiedName };
        return { name: `${phase} ${k}`, data, opts: { ...TICKET_OPTIONS, failParentOnFailure: true, jobId, parent } };
      });
      await tasks.addBulk(piece);
    }
    logEvent(store, "enqueued", { phase, tasks: all, remaining: remaining.length });
  }
}

/** Exports are not part of the result, so a failed export is only logged. */
async function exportApart(store: FolderStore, name: ExportName, { folder, signal }: StepCall): Promise<void> {
  try {
    await whileHolding(folder, RUNNER, () => apart({ folder, name }, signal));
    logEvent(store, "exported", { kind: name });
  } catch (cause) {
    signal.throwIfAborted();
    logEvent(store, "export failed", { kind: name, reason: String(cause) });
  }
}

/** Works in a new thread: the calling thread must be free to renew locks. Returns undefined for an export. */
function apart(call: ApartCall, signal: AbortSignal): Promise<Survey | undefined> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const thread = new Worker(new URL("./apartThread.js", import.meta.url), { workerData: call });
    const abort = () => {
      reject(signal.reason as Error);
      void thread.terminate();
    };
    signal.addEventListener("abort", abort, { once: true });
    thread.on("message", (answer: ApartAnswer) => {
      if ("thrown" in answer) reject(unpackError(answer.thrown));
      else resolve(answer.survey);
    });
    thread.on("error", reject);
    thread.on("exit", (code) => {
      signal.removeEventListener("abort", abort);
      reject(new Error(`the thread ended with exit code ${code}`));
    });
  });
}

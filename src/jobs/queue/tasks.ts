import { error, fail } from "../../errors/index.js";
import { phasesOf } from "../plan/phases.js";
import type { TaskData } from "./tickets.js";
import { OVER, type Turns } from "./turns.js";

/** The result of a ticket. A ticket is skipped if its submission is over. */
export type Outcome = "done" | "skipped";

/**
 * Does the task of a ticket, unless its submission is over.
 *
 * @param signal - Aborted when another worker has the ticket now, or when this worker stops.
 * @throws The reason of the signal; the errors of opening the job and of the task; `queue.root`, `job.missing` and
 * `job.version` if this worker does not have the job.
 */
export function doTask(turns: Turns, data: TaskData, signal: AbortSignal): Promise<Outcome> {
  return turns.during(data, async (turn) => {
    const { opened } = await turn.job;
    if (turn.over.aborted) return skipped(turn.over);
    const phase = phasesOf(opened).find(({ name }) => name === data.phase);
    if (phase === undefined) {
      const problem = "the ticket names a phase that the job does not have";
      return fail(error("job.task", { problem, got: data.phase }));
    }
    const runner = await turn.runner();
    try {
      const either = AbortSignal.any([signal, turn.over]);
      await runner.run(phase, [data.k], { signal: either, onTask: () => undefined });
      return "done";
    } catch (cause) {
      if (turn.over.aborted && !signal.aborted) return skipped(turn.over);
      throw cause;
    }
  });
}

/** The outcome of a task whose turn has ended. Throws if the worker has lost the folder of the job. */
function skipped({ reason }: AbortSignal): Outcome {
  if (reason === OVER) return "skipped";
  throw reason;
}

import { error, fail } from "../../errors/index.js";
import { phasesOf } from "../plan/phases.js";
import { OVER, type Slots } from "./slots.js";
import type { TaskData } from "./tickets.js";

/** A ticket is skipped if its submission is over. */
export type Outcome = "done" | "skipped";

/**
 * Does the task of a ticket, unless its submission is over. The signal is aborted when another worker has the ticket
 * now, or when this worker stops.
 */
export function doTask(slots: Slots, data: TaskData, signal: AbortSignal): Promise<Outcome> {
  return slots.during(data, async (slot) => {
    const { opened } = await slot.job;
    if (slot.over.aborted) return skipped(slot.over);
    const phase = phasesOf(opened).find(({ name }) => name === data.phase);
    if (phase === undefined) {
      const problem = "the ticket names a phase that the job does not have";
      return fail(error("job.task", { problem, got: data.phase }));
    }
    const runner = await slot.runner();
    try {
      const either = AbortSignal.any([signal, slot.over]);
      await runner.run(phase, [data.k], { signal: either, onTask: () => undefined });
      return "done";
    } catch (cause) {
      if (slot.over.aborted && !signal.aborted) return skipped(slot.over);
      throw cause;
    }
  });
}

/** Throws if the worker has lost the folder of the job. */
function skipped({ reason }: AbortSignal): Outcome {
  if (reason === OVER) return "skipped";
  throw reason;
}

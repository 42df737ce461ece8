import type { FinishStage } from "./finish.js";
import type { WorldPlan } from "./types.js";

/** Returns the stages that finish a world, in the order in which they run. */
export function finishStages(_: WorldPlan): readonly FinishStage[] {
  return [];
}

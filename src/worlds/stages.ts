import type { FinishStage } from "./finish.js";
import { StampStage } from "./stamps.js";
import type { WorldSpec } from "./types.js";

/** Returns the stages that finish a world, in the order in which they run. */
export function finishStages(spec: Pick<WorldSpec, "placements" | "stamps" | "walk">): readonly FinishStage[] {
  return spec.placements.some(({ stamps }) => stamps !== undefined) ? [new StampStage(spec)] : [];
}

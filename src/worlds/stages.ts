import type { FinishStage } from "./finish.js";
import { PathStage } from "./paths.js";
import { StampStage } from "./stamps.js";
import type { WorldSpec } from "./types.js";

type Finished = Pick<WorldSpec, "placements" | "paths" | "stamps" | "grid">;

/** Returns the stages that finish a world, in the order in which they run. */
export function finishStages(spec: Finished): readonly FinishStage[] {
  const { paths, placements, grid } = spec;
  const hasStamps = placements.some(({ stamps }) => stamps !== undefined);
  return [...paths.map((path) => new PathStage(path, grid)), ...(hasStamps ? [new StampStage(spec)] : [])];
}

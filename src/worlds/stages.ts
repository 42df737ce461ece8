import type { FinishStage } from "./finish.js";
import { PathStage } from "./paths.js";
import type { WorldSpec } from "./types.js";

/** Returns the stages that finish a world, in the order in which they run. */
export function finishStages({ paths, walk }: Pick<WorldSpec, "paths" | "walk">): readonly FinishStage[] {
  return paths.map((path) => new PathStage(path, walk.grid));
}

import { compileWalk } from "../walks/compile.js";
import { worldCosts } from "./costs.js";
import type { WorldPlan, WorldSpec } from "./types.js";

/** Compiles the layers of a world, and computes the cost of each layer. A pure function. */
export function compileWorld(spec: WorldSpec, { name }: { readonly name: string }): WorldPlan {
  const walk = compileWalk(spec.walk, { name });
  return { name, spec, walk, costs: worldCosts(spec, walk.layers) };
}

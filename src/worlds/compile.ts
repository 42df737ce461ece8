import { compileWalk } from "../walks/compile.js";
import { haloOf, layersOfTerrain, worldCosts } from "./costs.js";
import type { WorldPlan, WorldSpec } from "./types.js";

/** The last plan of each spec: a job plans, checks and makes one world, each with a mill of its own. */
const plans = new WeakMap<WorldSpec, WorldPlan>();

/**
 * Compiles the layers of a world. Computes what the terrain needs from the layers, and what each layer costs. A pure
 * function.
 */
export function compileWorld(spec: WorldSpec, { name }: { readonly name: string }): WorldPlan {
  const known = plans.get(spec);
  if (known?.name === name) return known;
  const walk = compileWalk(spec.walk, { name });
  const terrain = { terrainLayers: layersOfTerrain(spec), halo: haloOf(spec) };
  const plan = { name, spec, walk, ...terrain, costs: worldCosts(walk.layers, terrain) };
  plans.set(spec, plan);
  return plan;
}

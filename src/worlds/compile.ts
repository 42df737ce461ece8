import { compileWalk } from "../walks/compile.js";
import { haloOf, layersOfTerrain, worldCosts } from "./costs.js";
import type { WorldPlan, WorldSpec } from "./types.js";

/**
 * Compiles the layers of a world. Computes what the terrain needs from the layers, and what each layer costs. A pure
 * function.
 */
export function compileWorld(spec: WorldSpec, { name }: { readonly name: string }): WorldPlan {
  const walk = compileWalk(spec.walk, { name });
  const terrain = { terrainLayers: layersOfTerrain(spec), halo: haloOf(spec) };
  return { name, spec, walk, ...terrain, costs: worldCosts(walk.layers, terrain) };
}

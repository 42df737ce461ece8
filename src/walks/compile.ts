import { DIRECTIONS, RESTING } from "./directions.js";
import type { LayerPlan, LayerSpec, TensorPlan, TensorSpec, WalkPlan, WalkSpec } from "./types.js";

/** Combines the weights of each layer and names its random words. Pure. Cost: O(layers). */
export function compileWalk(spec: WalkSpec, { name }: { readonly name: string }): WalkPlan {
  const layers = spec.layers.map((layer) =>
    spec.layered
      ? compileLayer(layer, { name: layer.name, streamName: `${name}/${layer.name}` })
      : compileLayer(layer, { name, streamName: name }),
  );
  return { name, grid: spec.grid, layers };
}

function compileLayer(spec: LayerSpec, names: { readonly name: string; readonly streamName: string }): LayerPlan {
  return { ...spec, ...names, tensor: compileTensor(spec.tensor) };
}

/**
 * The weights of each heading: with heading d, `combined[d·6 + c] = absolute[c] · relative[(c − d) mod 6]`; at rest, the
 * absolute weights. A heading whose combined weights are all 0 keeps its zeros: there a step uses the absolute weights.
 * Pure.
 */
export function compileTensor({ absolute, relative }: TensorSpec): TensorPlan {
  const combined = DIRECTIONS.flatMap((_, heading) => combine({ absolute, relative }, heading));
  return { combined: Uint32Array.from([...combined, ...absolute]) };
}

/** The six combined weights of a heading 0 … 5. Products above 2⁵³ are rounded, and far above any total allowed. */
export function combine({ absolute, relative }: TensorSpec, heading: number): number[] {
  return absolute.map((weight, c) => weight * relative[(c - heading + RESTING) % RESTING]);
}

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
 * Combines the weights of each heading. A heading d = 0 … 5 has
 * `combined[6·d + c] = absolute[c] · relative[(c − d) mod 6]`; resting has the absolute weights. If all combined
 * weights of a heading are 0, they stay 0, and its steps use the absolute weights. Pure.
 */
export function compileTensor({ absolute, relative }: TensorSpec): TensorPlan {
  const combined = DIRECTIONS.flatMap((_, heading) => combine({ absolute, relative }, heading));
  return { combined: Uint32Array.from([...combined, ...absolute]) };
}

/** The six combined weights of a heading 0 … 5. A product above 2⁵³ is rounded; the parser refuses such weights. */
export function combine({ absolute, relative }: TensorSpec, heading: number): number[] {
  return absolute.map((weight, c) => weight * relative[(c - heading + RESTING) % RESTING]);
}

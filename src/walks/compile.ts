import { DIRECTIONS, RESTING } from "./directions.js";
import type { LayerPlan, LayerSpec, TensorPlan, TensorSpec, WalkPlan, WalkSpec } from "./types.js";

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
 * With a heading d = 0 … 5, a step in direction c is the turn (c − d) mod 6. So `combined[6·d + c] = absolute[c] ·
 * relative[(c − d) mod 6]`. For heading 6 (resting), the six weights are the absolute weights. If all six weights of a
 * heading are 0, the kernel uses the absolute weights.
 */
export function compileTensor({ absolute, relative }: TensorSpec): TensorPlan {
  const combined = DIRECTIONS.flatMap((_, heading) => combine({ absolute, relative }, heading));
  return { combined: Uint32Array.from([...combined, ...absolute]) };
}

/** Returns the weights for a heading 0 … 5. The parser refuses weights whose products could exceed 2⁵³. */
export function combine({ absolute, relative }: TensorSpec, heading: number): number[] {
  return absolute.map((weight, c) => weight * relative[(c - heading + RESTING) % RESTING]);
}

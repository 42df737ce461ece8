import { DIRECTIONS, RESTING } from "./directions.js";
import type { LayerPlan, TensorPlan, TensorSpec, WalkPlan, WalkSpec } from "./types.js";

export function compileWalk(spec: WalkSpec, { name }: { readonly name: string }): WalkPlan {
  const layers = spec.layers.map((layer): LayerPlan => {
    const names = spec.layered ? { streamName: `${name}/${layer.name}` } : { name, streamName: name };
    return { ...layer, ...names, tensor: compileTensor(layer.tensor) };
  });
  return { name, grid: spec.grid, layers };
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

/** For a heading 0 … 5. The parser refuses weights whose products could exceed 2⁵³. */
export function combine({ absolute, relative }: TensorSpec, heading: number): number[] {
  return absolute.map((weight, c) => weight * relative[(c - heading + RESTING) % RESTING]);
}

import { DIRECTIONS, RESTING } from "./directions.js";
import type { LayerPlan, LayerSpec, TensorPlan, TensorSpec, WalkPlan, WalkSpec } from "./types.js";

/**
 * Computes the combined weights of each layer, and the name that selects its random words. A pure function. Cost:
 * O(layers).
 */
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
 * Computes the weights of a step for each heading. For the heading d = 0 … 5, a step in direction c is the turn (c − d)
 * mod 6, so `combined[6·d + c] = absolute[c] · relative[(c − d) mod 6]`. The heading 6 (resting) has the absolute
 * weights. If all six weights of a heading are 0, they stay 0 here, and the kernel uses the absolute weights instead. A
 * pure function.
 */
export function compileTensor({ absolute, relative }: TensorSpec): TensorPlan {
  const combined = DIRECTIONS.flatMap((_, heading) => combine({ absolute, relative }, heading));
  return { combined: Uint32Array.from([...combined, ...absolute]) };
}

/**
 * Returns the six weights of a step for a heading 0 … 5. A product above 2⁵³ is rounded, but the parser refuses weights
 * with such large products.
 */
export function combine({ absolute, relative }: TensorSpec, heading: number): number[] {
  return absolute.map((weight, c) => weight * relative[(c - heading + RESTING) % RESTING]);
}

import { DIRECTIONS, RESTING } from "./directions.js";
import type { LayerPlan, LayerSpec, TensorPlan, TensorSpec, WalkPlan, WalkSpec } from "./types.js";

export function compileWalk(spec: WalkSpec, { name }: { readonly name: string }): WalkPlan {
  const layers = spec.layers.map((layer): LayerPlan => {
    const names = spec.layered ? { streamName: `${name}/${layer.name}` } : { name, streamName: name };
    return { ...layer, ...names, tensor: compileTensor(layer.tensor) };
  });
  return { name, grid: spec.grid, layers };
}

/**
 * Computes the weights of steps. For a walker with heading d = 0 … 5, a step in direction c is the turn (c − d) mod 6,
 * and has the weight `combined[6·d + c] = absolute[c] · relative[(c − d) mod 6]`. Heading 6 (resting) has the absolute
 * weights. If all six weights of a heading are 0, the kernel uses the absolute weights.
 */
export function compileTensor({ absolute, relative }: TensorSpec): TensorPlan {
  const combined = DIRECTIONS.flatMap((_, heading) => combine({ absolute, relative }, heading));
  return { combined: Uint32Array.from([...combined, ...absolute]) };
}

/** Returns the six weights of a heading 0 … 5. The parser ensures that their sum is at most 2³² − 1. */
export function combine({ absolute, relative }: TensorSpec, heading: number): number[] {
  return absolute.map((weight, c) => weight * relative[(c - heading + RESTING) % RESTING]);
}

/** Returns the ascending indices of the layers that `closed`, `open` or `until` of a layer names. */
export function layersMet({ closedLayers, openLayers, until }: Omit<References, "start">): number[] {
  return inOrder([...closedLayers, ...openLayers, ...(until === undefined ? [] : [until.layer])]);
}

/** Returns the layers that decide on which cells walkers can start. */
export function layersOfStarts({ start, closedLayers, openLayers }: Omit<References, "until">): number[] {
  return inOrder([...closedLayers, ...openLayers, ...(start.kind === "layer" ? [start.layer] : [])]);
}

export function layersUsedBy(layer: References): number[] {
  return inOrder([...layersMet(layer), ...layersOfStarts(layer)]);
}

type References = Pick<LayerSpec, "closedLayers" | "openLayers" | "until" | "start">;

export function inOrder(layers: readonly number[]): number[] {
  return [...new Set(layers)].sort((a, b) => a - b);
}

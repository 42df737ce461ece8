import type { LayerSpec } from "./types.js";

/** Returns the indices of the layers that `closed`, `open` or `until` of a layer names, ascending and distinct. */
export function layersMet({ closedLayers, openLayers, until }: Omit<References, "start">): number[] {
  return inOrder([...closedLayers, ...openLayers, ...(until === undefined ? [] : [until.layer])]);
}

/** Returns the indices of the layers that decide on which cells walkers can start: `start`, `closed` and `open`. */
export function layersOfStarts({ start, closedLayers, openLayers }: Omit<References, "until">): number[] {
  return inOrder([...closedLayers, ...openLayers, ...(start.kind === "layer" ? [start.layer] : [])]);
}

/** Returns the indices of all layers that a layer refers to, ascending and distinct. */
export function layersUsedBy(layer: References): number[] {
  return inOrder([...layersMet(layer), ...layersOfStarts(layer)]);
}

type References = Pick<LayerSpec, "closedLayers" | "openLayers" | "until" | "start">;

function inOrder(layers: readonly number[]): number[] {
  return [...new Set(layers)].sort((a, b) => a - b);
}

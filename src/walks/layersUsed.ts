import type { LayerSpec } from "./types.js";

/** The layers that `closed`, `open` or `until` of a layer names: their indices, ascending. */
export function layersMet({ closedLayers, openLayers, until }: Omit<References, "start">): number[] {
  return inOrder([...closedLayers, ...openLayers, ...(until === undefined ? [] : [until.layer])]);
}

/** The layers that decide on which cells walkers can start. */
export function layersOfStarts({ start, closedLayers, openLayers }: Omit<References, "until">): number[] {
  return inOrder([...closedLayers, ...openLayers, ...(start.kind === "layer" ? [start.layer] : [])]);
}

export function layersUsedBy(layer: References): number[] {
  return inOrder([...layersMet(layer), ...layersOfStarts(layer)]);
}

type References = Pick<LayerSpec, "closedLayers" | "openLayers" | "until" | "start">;

/** Each layer once, ascending. */
export function inOrder(layers: readonly number[]): number[] {
  return [...new Set(layers)].sort((a, b) => a - b);
}

import type { LayerMap, Mill, Walk, WalkInput } from "../../index.js";
import { stemOf } from "../shared/files.js";
import { refuse } from "../shared/io.js";

export const WALKING = { what: "walking", unit: "steps" } as const;

/** A spec without a name gets the name of its file. */
export function openWalk(mill: Mill, input: unknown, file: string): Walk {
  const named = (input as { name?: unknown } | null)?.name;
  const name = typeof named === "string" && named !== "" ? named : stemOf(file, "walk");
  return mill.walk(name, input as WalkInput, { file });
}

/** Changes the number of walkers or steps of one layer. The mill checks the result later. */
export function changedLayer(
  input: unknown,
  name: string | undefined,
  changes: { walkers: number | undefined; steps: number | undefined },
): unknown {
  if (typeof input !== "object" || input === null) return input;
  const { layers } = input as { layers?: unknown };
  if (!Array.isArray(layers)) return { ...input, ...changes };
  const only = layers.length === 1;
  return { ...input, layers: layers.map((layer) => (only || layer?.name === name ? { ...layer, ...changes } : layer)) };
}

/** Returns the maps of the layers before `layer`, by name. Skips scattered layers. */
export function earlierMaps(walk: Walk, layer: string | undefined): Record<string, LayerMap> {
  const maps: Record<string, LayerMap> = {};
  for (const { name, side } of walk.layers.slice(0, layerIndex(walk, layer))) {
    if (side === undefined) maps[name] = walk.runLayer({ layer: name, earlier: maps });
  }
  return maps;
}

/** Returns the index of the layer with a name; of the only layer if the name is undefined. */
export function layerIndex(walk: Walk, layer: string | undefined): number {
  const { layers } = walk;
  const index = layer === undefined && layers.length === 1 ? 0 : layers.findIndex(({ name }) => name === layer);
  if (index >= 0) return index;
  const expected = layers.map(({ name }) => name).join(" or ");
  const problem =
    layer === undefined ? "the walk has several layers" : `the walk has no layer ${JSON.stringify(layer)}`;
  return refuse(problem, { expected, remedy: "Choose one layer with --layer" });
}

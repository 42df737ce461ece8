import { error, fail } from "../errors/index.js";
import type { LayerMap, Mill, Walk, WalkInput } from "../index.js";
import { stemOf } from "./inputFile.js";

/** The words of the progress bar while a command walks. */
export const WALKING = { what: "walking", unit: "steps" } as const;

/** Opens the walk of a spec. If the spec has no name, the walk has the name of the file. */
export function openWalk(mill: Mill, input: unknown, file: string): Walk {
  const named = (input as { name?: unknown } | null)?.name;
  const name = typeof named === "string" && named !== "" ? named : stemOf(file, "walk");
  return mill.walk(name, input as WalkInput, { file });
}

/**
 * Changes the number of walkers or steps of one layer. Does not check the spec or the result: the mill checks the
 * result later.
 */
export function changedLayer(
  input: unknown,
  name: string | undefined,
  changes: { walkers?: number; steps?: number },
): unknown {
  if (typeof input !== "object" || input === null) return input;
  const { layers } = input as { layers?: unknown };
  if (!Array.isArray(layers)) return { ...input, ...changes };
  const only = layers.length === 1;
  return { ...input, layers: layers.map((layer) => (only || layer?.name === name ? { ...layer, ...changes } : layer)) };
}

/** Returns the maps of the layers before `layer`, with the layer names as keys. Skips scattered layers. */
export function earlierMaps(walk: Walk, layer: string | undefined): Record<string, LayerMap> {
  const maps: Record<string, LayerMap> = {};
  for (const { name, side } of walk.layers.slice(0, layerIndex(walk, layer))) {
    if (side === undefined) maps[name] = walk.runLayer({ layer: name, earlier: maps });
  }
  return maps;
}

/**
 * Returns the index of a layer.
 *
 * @param layer - the layer's name; undefined for the only layer.
 * @throws RollmillError `cli.usage` if the walk has no such layer, or if `layer` is undefined and the walk has several
 * layers.
 */
export function layerIndex(walk: Walk, layer: string | undefined): number {
  const { layers } = walk;
  const index = layer === undefined && layers.length === 1 ? 0 : layers.findIndex(({ name }) => name === layer);
  if (index >= 0) return index;
  const expected = layers.map(({ name }) => name).join(" or ");
  const problem =
    layer === undefined ? "the walk has several layers" : `the walk has no layer ${JSON.stringify(layer)}`;
  return fail(error("cli.usage", { problem, expected, remedy: "Choose one layer with --layer" }));
}

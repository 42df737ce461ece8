import { DIRECTIONS, RESTING } from "./directions.js";
import type { FieldRange, LayerPlan, LayerSpec, TensorPlan, TensorSpec, WalkPlan, WalkSpec } from "./types.js";

export function compileWalk(spec: WalkSpec, { name }: { readonly name: string }): WalkPlan {
  const layers = spec.layers.map((layer): LayerPlan => {
    const names = spec.layered ? { streamName: `${name}/${layer.name}` } : { name, streamName: name };
    return { ...layer, ...names, tensor: compileTensor(layer.tensor) };
  });
  return { name, grid: spec.grid, layers, fields: spec.fields, ranges: spec.ranges };
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

/** Returns the numbers of the sources that walkers meet on their way, ascending. */
export function sourcesMet({
  closedLayers,
  openLayers,
  until,
  slope,
}: Omit<References, "start" | "stuckOf">): number[] {
  return inOrder([...closedLayers, ...openLayers, ...defined(until?.layer), ...defined(slope?.source)]);
}

/** Returns the sources that decide on which cells walkers can start. */
export function sourcesOfStarts({ start, closedLayers, openLayers }: References): number[] {
  return inOrder([...closedLayers, ...openLayers, ...(start.kind === "layer" ? [start.layer] : [])]);
}

export function sourcesUsedBy(layer: References): number[] {
  return inOrder([...sourcesMet(layer), ...sourcesOfStarts(layer), ...defined(layer.stuckOf)]);
}

function defined(source: number | undefined): number[] {
  return source === undefined ? [] : [source];
}

type References = Pick<LayerSpec, "closedLayers" | "openLayers" | "until" | "start" | "slope" | "stuckOf">;

/**
 * What a layer refers to by number: the layers of the walk, then the fields of its world, then the ranges of these
 * fields. Only a slope refers to a whole field.
 */
export type Source =
  | { readonly layer: number; readonly field: undefined; readonly range: undefined }
  | { readonly layer: undefined; readonly field: number; readonly range: FieldRange | undefined };

type SourceLists = Pick<WalkSpec, "fields" | "ranges"> & { readonly layers: readonly { readonly name: string }[] };

export function sourceAt({ layers, fields, ranges }: SourceLists, source: number): Source {
  if (source < layers.length) return { layer: source, field: undefined, range: undefined };
  const field = source - layers.length;
  if (field < fields.length) return { layer: undefined, field, range: undefined };
  const range = ranges[field - fields.length];
  return { layer: undefined, field: range.field, range };
}

/** Returns a name for each source. A layer's name has no "/". */
export function sourceNames({ layers, fields, ranges }: SourceLists): string[] {
  const rangeName = ({ field, least, most }: FieldRange) => `field/${fields[field]}/${least}…${most}`;
  return [...layers.map(({ name }) => name), ...fields.map((name) => `field/${name}`), ...ranges.map(rangeName)];
}

/** Whether walkers of a layer can end before their last step. */
export function endsEarly({ until, slope }: Pick<LayerSpec, "until" | "slope">): boolean {
  return until !== undefined || slope?.stuck === "end";
}

export function inOrder(layers: readonly number[]): number[] {
  return [...new Set(layers)].sort((a, b) => a - b);
}

import type { Bounds } from "./chunk.js";
import type { LayerMap } from "./layerMap.js";
import { mergeLayerMaps } from "./merge.js";

/** The result of one layer. */
export interface LayerResult {
  readonly name: string;
  /** Steps of all its walkers together; exact up to 2⁵³ − 1. */
  readonly steps: number;
  readonly map: LayerMap;
}

/** Figures of a map, ready for JSON. */
export interface MapSummary {
  /** Visited cells. */
  readonly cells: number;
  /** Steps of all walkers together. */
  readonly steps: number;
  readonly visits: number;
  readonly maxVisits: number;
  /** [row0, col0, row1, col1], inclusive; null for an empty map. */
  readonly bounds: Bounds | null;
  /** SHA-256 of the visited cells: {@link LayerMap.digest}. */
  readonly digest: string;
}

/** The result of a walk: its layers and their sum. */
export class WalkMap {
  /** The layers in the walk's order; one if the spec has no `layers`. */
  readonly layers: readonly LayerResult[];
  #total: LayerMap | undefined;

  constructor(layers: Iterable<LayerResult>) {
    this.layers = [...layers];
  }

  /** The sum of the layers' visits, cell by cell; the layer's own map if there is one layer. Computed at the first access. */
  get total(): LayerMap {
    this.#total ??= sumOf(this.layers.map((layer) => layer.map));
    return this.#total;
  }

  /** The layer of a name; undefined if there is none. */
  layer(name: string): LayerResult | undefined {
    return this.layers.find((layer) => layer.name === name);
  }

  /** Figures of the sum, and of each layer under `layers`. Cost: a digest of each map. */
  summary(): MapSummary & { readonly layers: readonly (MapSummary & { readonly name: string })[] } {
    const steps = this.layers.reduce((sum, layer) => sum + layer.steps, 0);
    const layers = this.layers.map((layer) => ({ name: layer.name, ...summarize(layer.map, layer.steps) }));
    return { ...summarize(this.total, steps), layers };
  }
}

function sumOf(maps: readonly LayerMap[]): LayerMap {
  return maps.length === 1 ? maps[0] : mergeLayerMaps(maps, { firstVisits: false });
}

function summarize(map: LayerMap, steps: number): MapSummary {
  const { cells, visits, maxVisits, bounds } = map;
  return { cells, steps, visits, maxVisits, bounds, digest: map.digest() };
}

import type { LayerMap } from "./layerMap.js";
import type { Bounds } from "./mapChunk.js";
import { mergeLayerMaps } from "./mergeMaps.js";

/** One layer's outcome. */
export interface LayerResult {
  readonly name: string;
  /** Steps taken by all its walkers together; exact up to 2⁵³ − 1. */
  readonly steps: number;
  readonly map: LayerMap;
}

/** A map in seven numbers, ready for JSON. */
export interface MapSummary {
  /** Visited cells. */
  readonly cells: number;
  /** Steps of all walkers together. */
  readonly steps: number;
  readonly visits: number;
  readonly maxVisits: number;
  /** [row0, col0, row1, col1], inclusive; null for an empty map. */
  readonly bounds: Bounds | null;
  /** sha256 of the visited cells, see {@link LayerMap.digest}. */
  readonly digest: string;
}

/** A walk's outcome: its layers, and their sum. */
export class WalkMap {
  /** The layers in the walk's order; one for a walk written without `layers`. */
  readonly layers: readonly LayerResult[];
  #total: LayerMap | undefined;

  constructor(layers: Iterable<LayerResult>) {
    this.layers = [...layers];
  }

  /** The sum of the layers' visits, cell by cell; the layer's own map where there is one. Made when first asked for. */
  get total(): LayerMap {
    this.#total ??= sumOf(this.layers.map((layer) => layer.map));
    return this.#total;
  }

  /** The layer of that name. */
  layer(name: string): LayerResult | undefined {
    return this.layers.find((layer) => layer.name === name);
  }

  /** Figures of the sum, and of each layer under `layers`. */
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

import type { LongCall } from "../../calls/index.js";
import { readFields } from "../../errors/index.js";
import { checkInteger, checkText, readEntries, readOptions, refuseArgument } from "../../spec/index.js";
import type { Bounds } from "./chunk.js";
import { type FirstVisitSummary, LayerMap } from "./layerMap.js";
import { mergeLayerMaps } from "./merge.js";

const MOST_LAYERS = 256;

/** The result of one layer. */
export interface LayerResult {
  readonly name: string;
  /** Sum of the steps of the layer's walkers; exact up to 2⁵³ − 1. */
  readonly steps: number;
  /** Number of walkers that ended early because of `until`. Absent if the layer has no `until`. */
  readonly ended?: number | undefined;
  readonly map: LayerMap;
}

/** Statistics of a map as JSON. */
export interface MapSummary {
  readonly cells: number;
  /** The steps of all walkers. */
  readonly steps: number;
  /** Number of walkers that ended early because of `until`. Absent if no layer has `until`. */
  readonly ended?: number;
  readonly visits: number;
  readonly maxVisits: number;
  /** The smallest rectangle that contains all visited cells, corners inclusive; null for an empty map. */
  readonly bounds: Bounds | null;
  /** The coordinates of the cells; absent if they are axial. */
  readonly coordinates?: "odd-r";
  /** SHA-256 of the visited cells, the result of {@link LayerMap.digest}. */
  readonly digest: string;
  /** Statistics of the first visits; absent if the map has none. */
  readonly firstVisits?: FirstVisitSummary;
}

/** The result of a walk: one result for each layer, and the sum of all layers' maps. */
export class WalkMap {
  /** The layers in the order of the walk; one layer if the spec has no `layers`. */
  readonly layers: readonly LayerResult[];
  #total: LayerMap | undefined;

  /**
   * @throws RollmillError `argument.type` for an entry that is not a layer result; `argument.range` for more than 256
   * layers.
   */
  constructor(layers: Iterable<LayerResult>) {
    this.layers = readEntries("layers", layers, { of: "layers", most: MOST_LAYERS }).map(readLayer);
  }

  /**
   * The sum of the layers' visits, cell by cell. If every layer keeps first visits, it has the smallest first visit of
   * each cell. Each layer counts its steps from 0. Computed at the first access.
   */
  get total(): LayerMap {
    this.#total ??= sumOf(this.layers, {});
    return this.#total;
  }

  /** Returns the layer with a name, or undefined if the walk has no such layer. */
  layer(name: string): LayerResult | undefined {
    checkText("name", name);
    return this.layers.find((layer) => layer.name === name);
  }

  /**
   * Returns the statistics of the total map. The field `layers` has the statistics of each layer.
   *
   * Cost: computes {@link total}, and the digest of each map.
   *
   * @throws RollmillError `argument.option`, `argument.type`; the reason of an aborted signal.
   */
  summary(
    options: Pick<LongCall, "signal"> = {},
  ): MapSummary & { readonly layers: readonly (MapSummary & { readonly name: string })[] } {
    const call = readOptions("summary", options, ["signal"]);
    const steps = this.layers.reduce((sum, layer) => sum + layer.steps, 0);
    const layers = this.layers.map((layer) => ({ name: layer.name, ...summarize(layer, call) }));
    this.#total ??= sumOf(this.layers, call);
    const endings = this.layers.map(({ ended }) => ended).filter((each) => each !== undefined);
    const ended = endings.length === 0 ? undefined : endings.reduce((sum, each) => sum + each, 0);
    return { ...summarize({ map: this.#total, steps, ended }, call), layers };
  }
}

export function resultOf(name: string, map: LayerMap, { endsEarly }: { readonly endsEarly: boolean }): LayerResult {
  const { steps = 0, ended = 0 } = map.walkerTotals ?? {};
  return endsEarly ? { name, steps, ended, map } : { name, steps, map };
}

function readLayer(layer: LayerResult, i: number): LayerResult {
  const { name, steps, ended, map } = readFields(`layer ${i}`, layer, ["name", "steps", "ended", "map"]);
  checkText(`layers[${i}].name`, name);
  checkInteger(`layers[${i}].steps`, steps, 0, Number.MAX_SAFE_INTEGER);
  if (!(map instanceof LayerMap)) refuseArgument(`layers[${i}].map`, map, "the map of a layer");
  if (ended !== undefined) checkInteger(`layers[${i}].ended`, ended, 0, Number.MAX_SAFE_INTEGER);
  return { name, steps, ...(ended !== undefined && { ended }), map };
}

function sumOf(layers: readonly LayerResult[], { signal }: LongCall): LayerMap {
  const maps = layers.map(({ map }) => map);
  return maps.length === 1
    ? maps[0]
    : mergeLayerMaps(maps, { firstVisits: maps.every((map) => map.hasFirstVisits), signal });
}

function summarize({ map, steps, ended }: Omit<LayerResult, "name">, call: LongCall): MapSummary {
  const { cells, visits, maxVisits, bounds } = map;
  const place = map.coordinates === "axial" ? { bounds } : { bounds, coordinates: map.coordinates };
  const walkers = ended === undefined ? { steps } : { steps, ended };
  const summary = { cells, ...walkers, visits, maxVisits, ...place, digest: map.digest(call) };
  const firstVisits = map.firstVisitSummary(call);
  return firstVisits === undefined ? summary : { ...summary, firstVisits };
}

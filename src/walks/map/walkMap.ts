import { type LongCall, Watch } from "../../calls/index.js";
import { error, fail, readFields } from "../../errors/index.js";
import { checkFlag, checkInteger, checkText, readEntries, readOptions, refuseArgument } from "../../spec/index.js";
import { type Bounds, CHUNK_CELLS, type MapChunk, placeKey } from "./chunk.js";
import { allOrNone, type FirstVisitSummary, LayerMap, type WalkerTotals } from "./layerMap.js";

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
  /** Statistics of the first visits; absent if the map has no first visits. */
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
   * The sum of the layers' visits, cell by cell. If every layer keeps first visits, the total has the smallest first
   * visit of each cell. Each layer counts its steps from 0. Computed at the first access.
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
   * Returns the statistics of the total map. The field `layers` has the statistics of each layer. Cost: computes
   * {@link total}, and the digest of each map.
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
    const endings = this.layers.flatMap(({ ended }) => ended ?? []);
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
  if (maps.length === 1) return maps[0];
  return mergeLayerMaps(maps, { firstVisits: maps.every((map) => map.hasFirstVisits), signal });
}

function summarize({ map, steps, ended }: Omit<LayerResult, "name">, call: LongCall): MapSummary {
  const { cells, visits, maxVisits, bounds, coordinates } = map;
  const walkers = ended === undefined ? { steps } : { steps, ended };
  const place = coordinates === "axial" ? { bounds } : { bounds, coordinates };
  const digest = map.digest(call);
  const firstVisits = map.firstVisitSummary(call);
  return { cells, ...walkers, visits, maxVisits, ...place, digest, ...(firstVisits && { firstVisits }) };
}

const MOST_MAPS = 1_000_000;

/** Options of {@link mergeLayerMaps}. Progress counts the merged chunks. */
export interface MergeOptions extends LongCall {
  /** If true (the default), merges first visits too: all maps must have them, or none. If false, drops them. */
  readonly firstVisits?: boolean | undefined;
}

/**
 * Merges maps cell by cell: adds up the visits (at most 2³² − 1), and keeps the smallest first visit. Also adds up the
 * `walkerTotals` of all maps with visits. The order of the maps does not matter, and you can merge them in one call or
 * in several. If only one map has a chunk, the result shares this chunk with the map. Cost: O(cells) for each chunk
 * that several maps have.
 *
 * @param maps - At most a million maps.
 * @throws RollmillError `argument.type`, `argument.range`; `walk.mismatch` if the maps with visited cells have
 * different coordinates, or if only some of them keep first visits; `argument.option`, `argument.callback`; the reason
 * of an aborted signal.
 */
export function mergeLayerMaps(maps: Iterable<LayerMap>, options: MergeOptions = {}): LayerMap {
  const read = readOptions("mergeLayerMaps", options, ["firstVisits", "signal", "onProgress"]);
  const { firstVisits = true, signal, onProgress } = read;
  checkFlag("firstVisits", firstVisits);
  const given = readEntries("maps", maps, { of: "maps", most: MOST_MAPS });
  for (const [i, map] of given.entries()) {
    if (!(map instanceof LayerMap)) refuseArgument(`maps[${i}]`, map, "the map of a layer");
  }
  const filled = given.filter((map) => map.cells > 0);
  if (firstVisits) allOrNone(filled.map((map) => map.hasFirstVisits));
  if (filled.length === 1 && (firstVisits || !filled[0].hasFirstVisits)) return filled[0];
  const [coordinates = "axial", ...others] = new Set(filled.map((map) => map.coordinates));
  if (others.length > 0) {
    const problem = "some maps have axial coordinates and some have odd-r coordinates";
    fail(error("walk.mismatch", { problem, expected: "maps of grids with the same coordinates" }));
  }
  signal?.throwIfAborted();
  const groups = new Map<number, MapChunk[]>();
  for (const chunk of filled.flatMap((map) => [...map.chunks()])) {
    const key = placeKey(chunk.chunkRow, chunk.chunkCol);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [chunk]);
    else group.push(chunk);
  }
  const watch = new Watch("the maps", groups.size, { signal, onProgress });
  const merged = Array.from(groups.values(), (group, i) => {
    const chunk = mergeChunks(group, firstVisits);
    watch.passed(i + 1);
    return chunk;
  });
  return new LayerMap(merged, { signal, walkerTotals: sumOfTotals(filled), coordinates });
}

function sumOfTotals(maps: readonly LayerMap[]): WalkerTotals | undefined {
  const totals = maps.flatMap(({ walkerTotals }) => walkerTotals ?? []);
  if (totals.length < maps.length) return undefined;
  const sumOf = (key: keyof WalkerTotals) => totals.reduce((sum, each) => sum + each[key], 0);
  return { walkers: sumOf("walkers"), steps: sumOf("steps"), ended: sumOf("ended") };
}

/** Merges the chunks of one place. Their first visits are kept unless `firstVisits` is false. */
export function mergeChunks(group: readonly MapChunk[], firstVisits = true): MapChunk {
  const { chunkRow, chunkCol } = group[0];
  const visits = group.map((chunk) => chunk.visits).reduce(sum);
  const steps = group.map((chunk) => chunk.firstVisit).filter((each) => each !== undefined);
  if (!firstVisits || steps.length === 0) return { chunkRow, chunkCol, visits };
  return { chunkRow, chunkCol, visits, firstVisit: steps.reduce(least) };
}

function sum(a: Uint32Array, b: Uint32Array): Uint32Array {
  const out = new Uint32Array(CHUNK_CELLS);
  for (let i = 0; i < CHUNK_CELLS; i++) out[i] = Math.min(a[i] + b[i], 0xffff_ffff);
  return out;
}

function least(a: Uint32Array, b: Uint32Array): Uint32Array {
  const out = new Uint32Array(CHUNK_CELLS);
  for (let i = 0; i < CHUNK_CELLS; i++) out[i] = Math.min(a[i], b[i]);
  return out;
}

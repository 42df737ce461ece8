import { type LongCall, Watch } from "../../calls/index.js";
import { error, fail } from "../../errors/index.js";
import { checkFlag, readEntries, readOptions, refuseArgument } from "../../spec/index.js";
import { CHUNK_CELLS, type MapChunk, placeKey } from "./chunk.js";
import { allOrNone, LayerMap, type WalkerTotals } from "./layerMap.js";

const MOST_MAPS = 1_000_000;

/** Options of {@link mergeLayerMaps}. Progress counts the merged chunks. */
export interface MergeOptions extends LongCall {
  /** If true (the default), merges first visits too: all maps must have them, or none. If false, drops them. */
  readonly firstVisits?: boolean | undefined;
}

/**
 * Merges maps cell by cell: adds up the visits (at most 2³² − 1), and keeps the smallest first visit. Also adds up the
 * `walkerTotals` of all maps with visits. The order of the maps does not matter, and you can merge them in one call or
 * in several. If only one map has a chunk, the result shares this chunk with the map.
 *
 * Cost: O(cells) for each chunk that several maps have.
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

/** Returns undefined if the totals of a map are not known. */
function sumOfTotals(maps: readonly LayerMap[]): WalkerTotals | undefined {
  const totals = maps.map(({ walkerTotals }) => walkerTotals).filter((each) => each !== undefined);
  if (totals.length < maps.length) return undefined;
  return totals.reduce(
    (a, b) => ({ walkers: a.walkers + b.walkers, steps: a.steps + b.steps, ended: a.ended + b.ended }),
    { walkers: 0, steps: 0, ended: 0 },
  );
}

function mergeChunks(group: readonly MapChunk[], firstVisits: boolean): MapChunk {
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

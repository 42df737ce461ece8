import { type LongCall, Watch } from "../../calls/index.js";
import { error, fail, located } from "../../errors/index.js";
import { readEntries, readOptions } from "../../spec/index.js";
import { LayerMap } from "../map/layerMap.js";
import { mergeLayerMaps } from "../map/merge.js";
import { type LayerResult, resultOf } from "../map/walkMap.js";
import { decodeRun, type SavedRun } from "./savedRun.js";

const MOST_RUNS = 100_000;

/** Several saved runs of one layer, merged into one result. */
export interface MergedRuns {
  /** The name of the walk. */
  readonly walk: string;
  /**
   * The result of the layer. If the runs cover all walkers and all steps, it equals the result that `walk.run()` gives
   * for the layer.
   */
  readonly result: LayerResult;
  /** The walkers of the runs, as ascending ranges `from` … `to` − 1. Adjacent ranges are joined. */
  readonly walkers: readonly { readonly from: number; readonly to: number }[];
  /** Number of steps by which each run was advanced. */
  readonly steps: number;
}

/**
 * Merges saved runs of one layer (the bytes from `run.save()`), for example from several machines. Does not need the
 * walk itself. The order of the runs does not matter.
 *
 * Cost: O(bytes). Progress counts the runs that were read.
 *
 * @param runs - The bytes of each run: 1 … 100,000 runs.
 * @throws RollmillError `snapshot.invalid`, `snapshot.version` for bytes that are not a saved run; `walk.mismatch` for
 * runs of different layers, seeds or specs, with different numbers of steps, or if two runs have the same walker. The
 * path of these issues names the run, such as `runs[2]`. Also
 * `argument.type`, `argument.range`, `argument.option`, `argument.callback`; the reason of an aborted signal.
 */
export function mergeSavedRuns(runs: Iterable<Uint8Array>, options: LongCall = {}): MergedRuns {
  const call = readOptions("mergeSavedRuns", options, ["signal", "onProgress"]);
  const given = readEntries("runs", runs, { of: "saved runs", most: MOST_RUNS });
  if (given.length === 0) {
    fail(error("argument.range", { problem: "there is no run to merge", expected: "at least one saved run" }));
  }
  const watch = new Watch("the runs", given.length, call);
  const saved = given.map((bytes, i) => {
    const run = located(pathOf(i), () => decodeRun(bytes));
    watch.passed(i + 1);
    return run;
  });
  const walkers = joinedRanges(saved);
  const [{ walk, layer, steps, endsEarly }] = saved;
  const map = mergeLayerMaps(saved.map(mapOfRun), { signal: call.signal });
  return { walk, result: resultOf(layer, map, { endsEarly }), walkers, steps };
}

function pathOf(run: number): string {
  return `runs[${run}]`;
}

function mapOfRun({ map, from, to, steps, coordinates, placeOf }: SavedRun): LayerMap {
  let [ended, taken] = [0, 0];
  for (let i = 0; i < to - from; i++) {
    const place = placeOf(i);
    ended += place.ended;
    taken += place.ended === 1 ? place.stepsHigh * 2 ** 32 + place.stepsLow : steps;
  }
  return new LayerMap(map, { coordinates, walkerTotals: { walkers: to - from, steps: taken, ended } });
}

function joinedRanges(runs: readonly SavedRun[]): { from: number; to: number }[] {
  const [first] = runs;
  for (const [i, run] of runs.entries()) {
    if (identityOf(run) !== identityOf(first)) {
      const problem = "the run and the first run belong to different layers, seeds or specs";
      mismatch(i, problem, `a run of layer ${first.layer} of walk ${first.walk}`);
    }
    if (run.steps !== first.steps) {
      const problem = "the run and the first run have different numbers of steps";
      mismatch(i, problem, `a run that was advanced by ${first.steps} steps`);
    }
  }
  const joined: { from: number; to: number }[] = [];
  const numbers = [...runs.keys()].sort((a, b) => runs[a].from - runs[b].from || runs[a].to - runs[b].to);
  for (const number of numbers) {
    const { from, to } = runs[number];
    const last = joined.at(-1);
    if (last !== undefined && from < last.to && to > from) {
      mismatch(number, `another run has walker ${from} too`, "runs without a common walker");
    }
    if (last?.to === from) last.to = to;
    else if (to > from) joined.push({ from, to });
  }
  return joined;
}

function identityOf({ walk, layer, fingerprint, earlier }: SavedRun): string {
  const digests = Object.entries(earlier).sort(([a], [b]) => Number(a) - Number(b));
  return JSON.stringify([walk, layer, fingerprint, digests]);
}

function mismatch(run: number, problem: string, expected: string): never {
  return fail(error("walk.mismatch", { problem, expected, where: { path: pathOf(run) } }));
}

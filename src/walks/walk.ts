import { forkKey, type StreamKey, startsKey } from "../address.js";
import { Guarded, type LongCall, type Odds, type Services, type Setup } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { checkInteger, readEntries, readOptions, refuseArgument } from "../spec/index.js";
import { endsEarly, sourceNames, sourcesMet, sourcesUsedBy } from "./compile.js";
import { type Direction, directionNumber, headingNumber } from "./directions.js";
import type { LayerSource } from "./kernel.js";
import { type LayerParts, type LayerSetup, openParts, type PartsOptions, wholeLayer } from "./layerParts.js";
import { LayerRun } from "./layerRun.js";
import type { LayerMap } from "./map/layerMap.js";
import { type LayerResult, resultOf, WalkMap } from "./map/walkMap.js";
import { stepOdds } from "./odds.js";
import { cellsOf, coordinatesOf, readPlace, single } from "./rectangles.js";
import { damaged, decodeRun, fingerprintOf, type SavedRun } from "./saved/savedRun.js";
import { earlierMap } from "./starts.js";
import type { LayerInfo, LayerOptions, LayerPlan, RunLayerOptions, StepOptions, WalkPlan } from "./types.js";

const LEAST_MEMORY = 2 ** 20;
const MOST_MEMORY = 2 ** 32;

const MOST_CLOSED = 1000;
const LONG_CALL = ["signal", "onProgress"];
const LAYER_OPTIONS = ["layer", "walkers", "region", "earlier"];

type Region = readonly [i: number, j: number];

type Part = Pick<LayerSetup, "earlier" | "walkers"> & { readonly region: Region | undefined };

/**
 * Drunken walks over a hex grid, in one layer or several. With the same spec, the steps of walker w depend only on the
 * seed, the walk's name, the layer's name and w. So you can run the walkers in any order, on any thread or machine, and
 * add up their maps.
 *
 * Source: the drunken-walk study of 2016 (docs/formats/walks.md).
 */
export class Walk extends Guarded<WalkPlan> {
  readonly #openKernel: Services["openKernel"];

  /** @internal */
  constructor(setup: Setup<WalkPlan>, { openKernel }: Pick<Services, "openKernel">) {
    super(setup);
    this.#openKernel = openKernel;
  }

  /** @internal */
  protected override copy(setup: Setup<WalkPlan>): Walk {
    return new Walk(setup, { openKernel: this.#openKernel });
  }

  /** The layers, in the order in which they run. One layer if the spec has no `layers`. */
  get layers(): readonly LayerInfo[] {
    return this.plan.layers.map(({ name, walkers, scatter, steps, firstVisit, ...ends }) => {
      const info = { name, walkers, steps, firstVisit, endsEarly: endsEarly(ends) };
      return scatter === undefined ? info : { ...info, side: scatter.side };
    });
  }

  /**
   * Runs every layer to its last step, one layer after another. Memory: one kernel at a time, and all layers' maps.
   *
   * @throws The errors of {@link runLayer}; `walk.scattered` if a layer is scattered: it has no whole map.
   */
  run(options: LongCall = {}): WalkMap {
    return this.alone(() => this.#run(readOptions("walk.run", options, LONG_CALL)));
  }

  /**
   * Runs some walkers of one layer to their last step, and returns their map. {@link mergeLayerMaps} merges the maps of
   * several such calls.
   *
   * For a scattered layer, runs the walkers of the region `region`. The map of a rectangle is the sum of the maps of
   * all regions within `steps` cells of the rectangle. `mill.world` computes this sum.
   *
   * @throws RollmillError `argument.range` for a layer or walkers that the walk does not have, `argument.option`,
   * `argument.type`, `walk.mismatch` if the map of an earlier layer is missing, `walk.closed-start`, `walk.scattered`
   * if the layer is scattered and the call names no region, `kernel.memory`, `argument.busy`, `argument.callback`,
   * `argument.disposed`.
   */
  runLayer(given: RunLayerOptions = {}): LayerMap {
    return this.alone(() => {
      const options = readOptions("walk.runLayer", given, [...LAYER_OPTIONS, ...LONG_CALL]);
      const plan = this.layerPlan(options.layer);
      return this.#walkAll(plan, this.#part(plan, options), options);
    });
  }

  /**
   * @internal Opens a layer whose walkers run in ranges of at most the length of `walkers`, in at most `maxMemory` bytes.
   * When the map of a range no longer fits, yields it as a part and continues on an empty map. Throws `kernel.memory`
   * only if an empty map is too large.
   */
  openParts(given: PartsOptions = {}): LayerParts {
    this.checkTurn();
    const { maxMemory, ...options } = readOptions("walk.openParts", given, [...LAYER_OPTIONS, "maxMemory"]);
    if (maxMemory !== undefined) checkInteger("maxMemory", maxMemory, LEAST_MEMORY, MOST_MEMORY);
    const plan = this.layerPlan(options.layer);
    return this.#openLayer(plan, this.#part(plan, options), openParts, maxMemory);
  }

  /**
   * Puts some walkers of one layer on their start cells, and returns the run. Advance the run, get its map, then
   * dispose of the run. If the layer is scattered and the region has no open start cell, the run has no walkers.
   *
   * @throws The errors of {@link runLayer}.
   */
  start(given: LayerOptions = {}): LayerRun {
    this.checkTurn();
    const options = readOptions("walk.start", given, LAYER_OPTIONS);
    const plan = this.layerPlan(options.layer);
    return this.#open(plan, this.#part(plan, options));
  }

  /**
   * Continues a run that `run.save()` saved, on any machine. This walk must have the seed, name, forks and spec of the
   * saved run's walk; only the numbers of walkers and steps may differ, if the layer still has all walkers of the run.
   * Cost: O(bytes).
   *
   * @param given - `earlier`: the maps of the layers to which `closed`, `open` or `until` of this layer refers.
   * @throws RollmillError `argument.type`, `argument.option`; `snapshot.invalid` for bytes that are not a saved run of
   * this walk; `snapshot.version` for another version of the format or of the random words; `walk.mismatch` if the map
   * of an earlier layer is missing, or is not the map that the saved run used; `kernel.memory`, `argument.busy`,
   * `argument.disposed`.
   */
  resume(bytes: Uint8Array, given: Pick<LayerOptions, "earlier"> = {}): LayerRun {
    this.checkTurn();
    const { earlier } = readOptions("walk.resume", given, ["earlier"]);
    const saved = decodeRun(bytes);
    const plan = this.plan.layers.find(({ name }) => name === saved.layer);
    if (
      plan === undefined ||
      saved.to > mostWalkers(plan) ||
      this.#fingerprint(plan, saved.region) !== saved.fingerprint
    ) {
      const problem = "the saved run does not belong to this walk";
      const got = `layer ${saved.layer} of walk ${saved.walk}`;
      const remedy = "Use the seed, the name, the forks and the spec of the walk that was saved";
      return fail(error("snapshot.invalid", { problem, got, expected: `a run of walk ${this.name}`, remedy }));
    }
    const isRight = saved.firstVisits === plan.firstVisit && saved.endsEarly === endsEarly(plan);
    if (!isRight || saved.coordinates !== coordinatesOf(this.plan.grid)) damaged();
    const { from, to, region } = saved;
    const part = { earlier: this.#maps(earlier), walkers: { from, to }, region };
    for (const [index, digest] of Object.entries(this.#earlierDigests(plan, part.earlier))) {
      if (saved.earlier[index] === digest) continue;
      const name = JSON.stringify(this.plan.layers[Number(index)].name);
      const problem = `the map of the earlier layer ${name} differs from the map that the saved run used`;
      fail(error("walk.mismatch", { problem, expected: "the same map as when the run was started" }));
    }
    return this.#open(plan, part, saved);
  }

  /**
   * Returns the exact odds of a step, in the order NW, NE, E, SE, SW, W. `none` is the probability of resting, 0 or 1.
   *
   * @throws RollmillError `argument.range` for an unknown layer, heading or direction; `argument.option`.
   */
  odds(options: StepOptions = {}): Odds<Direction> {
    const {
      layer,
      heading = "resting",
      closed = [],
    } = readOptions("walk.odds", options, ["layer", "heading", "closed"]);
    const { tensor } = this.layerPlan(layer);
    const directions = readEntries("closed", closed, { of: "directions", most: MOST_CLOSED }).map(directionNumber);
    return stepOdds(tensor, headingNumber(heading), new Set(directions));
  }

  #run({ signal, onProgress }: LongCall): WalkMap {
    const { layers } = this.plan;
    const scattered = layers.find(({ scatter }) => scatter !== undefined);
    if (scattered !== undefined) this.#refuseScattered(scattered, "so the walk has no whole map");
    const total = layers.reduce((sum, { walkers, steps }) => sum + walkers * steps, 0);
    const results: LayerResult[] = [];
    let before = 0;
    for (const plan of layers) {
      const start = before;
      const report = onProgress && (({ done }: { readonly done: number }) => onProgress({ done: start + done, total }));
      const walkers = { from: 0, to: plan.walkers };
      const part = { earlier: results.map(({ map }) => map), walkers, region: undefined };
      const map = this.#walkAll(plan, part, { signal, onProgress: report });
      results.push(resultOf(plan.name, map, { endsEarly: endsEarly(plan) }));
      before += plan.walkers * plan.steps;
    }
    return new WalkMap(results);
  }

  #walkAll(plan: LayerPlan, part: Part, { signal, onProgress }: LongCall): LayerMap {
    signal?.throwIfAborted();
    return this.#openLayer(plan, part, (...of) => wholeLayer(...of, { signal, onProgress }));
  }

  #open(plan: LayerPlan, part: Part, saved?: SavedRun): LayerRun {
    const { region } = part;
    const identity = () => {
      const [fingerprint, earlier] = [this.#fingerprint(plan, region), this.#earlierDigests(plan, part.earlier)];
      return { walk: this.name, layer: plan.name, fingerprint, earlier, region };
    };
    return this.#openLayer(plan, part, (source, setup) => new LayerRun(source, { ...setup, identity, saved }));
  }

  /** Calls `use` with a layer in a separate kernel. Frees the kernel if `use` or the setup throws. */
  #openLayer<T>(
    plan: LayerPlan,
    { region: place, ...part }: Part,
    use: (source: LayerSource, setup: LayerSetup) => T,
    maxMemory?: number,
  ): T {
    const kernel = this.#openKernel(maxMemory);
    try {
      const stream = this.#keyOf(plan, place);
      const region = place && plan.scatter && cellsOf(single(...place), plan.scatter.side);
      // a density is the same for all regions, so its words come from the stream of the whole layer
      const ofStarts = plan.scatter?.density === undefined ? stream : this.#keyOf(plan, undefined);
      const setup = { ...part, grid: this.plan.grid, region, startStream: startsKey(ofStarts) };
      return use({ kernel, name: plan.streamName, stream, plan }, setup);
    } catch (cause) {
      kernel.dispose();
      throw cause;
    }
  }

  /** Returns the key of a layer; a scattered layer has a separate key for each region. */
  #keyOf(plan: LayerPlan, region: Region | undefined): StreamKey {
    const key = this.stream.keyOf(plan.streamName);
    return region === undefined ? key : forkKey(key, region);
  }

  #fingerprint(plan: LayerPlan, region: Region | undefined): string {
    return fingerprintOf(plan, { grid: this.plan.grid, stream: this.#keyOf(plan, region) });
  }

  /** Returns, by source, the digests of the earlier maps to which `closed`, `open`, `until` or `slope` refers. */
  #earlierDigests(plan: LayerPlan, earlier: Part["earlier"]): Record<string, string> {
    const { grid } = this.plan;
    return Object.fromEntries(sourcesMet(plan).map((index) => [index, earlierMap(earlier, index, grid).digest()]));
  }

  /** @internal Returns the plan of a layer. */
  layerPlan(layer: string | undefined): LayerPlan {
    const { layers } = this.plan;
    const plan = layer === undefined && layers.length === 1 ? layers[0] : layers.find(({ name }) => name === layer);
    if (plan !== undefined) return plan;
    const expected = `one of ${layers.map(({ name }) => JSON.stringify(name)).join(", ")}`;
    const isNamed = layer !== undefined;
    const flaw = isNamed ? "no such layer" : "several layers, and the call does not name one";
    const finding = { problem: `walk ${this.name} has ${flaw}`, ...(isNamed && { got: layer }), expected };
    return fail(error("argument.range", finding));
  }

  #part(plan: LayerPlan, { walkers = {}, region, earlier = {} }: LayerOptions): Part {
    const most = mostWalkers(plan);
    const { from = 0, to = most } = readOptions("walkers", walkers, ["from", "to"]);
    checkInteger("walkers.from", from, 0, most);
    checkInteger("walkers.to", to, from, most);
    const maps = this.#maps(earlier);
    this.#checkFields(plan, maps);
    return { walkers: { from, to }, region: this.#region(plan, region), earlier: maps };
  }

  /** The layers of a world have no fields when they are opened as a walk. */
  #checkFields(plan: LayerPlan, maps: Part["earlier"]): void {
    const missing = sourcesUsedBy(plan).find((source) => source >= this.plan.layers.length && !maps[source]);
    if (missing === undefined) return;
    const problem = `layer ${JSON.stringify(plan.name)} reads a field of a world, and a walk has no fields`;
    fail(error("walk.mismatch", { problem, remedy: "Open the world with mill.world, and call world.start" }));
  }

  #region(plan: LayerPlan, region: LayerOptions["region"]): Region | undefined {
    const { scatter, name } = plan;
    if (scatter === undefined) {
      if (region === undefined) return undefined;
      const problem = `the call names a region, but layer ${JSON.stringify(name)} is not scattered`;
      return fail(error("argument.option", { problem, remedy: 'Remove "region"' }));
    }
    if (region === undefined) return this.#refuseScattered(plan, "and the call does not name a region");
    return readPlace("region", region, scatter.side);
  }

  #refuseScattered({ name }: LayerPlan, why: string): never {
    const problem = `layer ${JSON.stringify(name)} of walk ${this.name} is scattered, ${why}`;
    const remedy = "Open the spec with mill.world, or run one region with walk.start({layer, region})";
    return fail(error("walk.scattered", { problem, remedy }));
  }

  #maps(earlier: LayerOptions["earlier"] = {}): Part["earlier"] {
    if (typeof earlier !== "object" || earlier === null) {
      return refuseArgument("earlier", earlier, "an object with a LayerMap for each name");
    }
    // reads only own keys, because a layer with the name "constructor" must not find an inherited property
    return sourceNames(this.plan).map((name) => (Object.hasOwn(earlier, name) ? earlier[name] : undefined));
  }
}

/** Returns the maximum number of walkers of a layer or, if it is scattered, of a region. */
export function mostWalkers({ scatter, walkers }: LayerPlan): number {
  return scatter?.density === undefined ? walkers : scatter.side ** 2;
}

import type { LongCall } from "../calls/index.js";
import { checkInteger } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { Kernel } from "../kernel/index.js";
import type { LayerMap } from "./layerMap.js";
import { LayerRun } from "./layerRun.js";
import type { LayerPlan, WalkPlan } from "./types.js";
import { type LayerResult, WalkMap } from "./walkMap.js";

/** Walkers walked together when a whole layer is: 1 MiB of their state. */
const SEATS = 2 ** 16;

const MAX_SEATS = 2 ** 32;

/** Which part of a walk. */
export interface LayerOptions {
  /** The layer's name; may be left out where the walk has one layer. */
  readonly layer?: string;
  /** Walkers from … to − 1 of the layer only. Default all. */
  readonly walkers?: { readonly from: number; readonly to: number };
  /** Maps of earlier layers by name, where the layer closes or starts from their cells; all their walkers' maps merged. */
  readonly earlier?: Readonly<Record<string, LayerMap>>;
}

/**
 * Drunken walks over a hex grid, in one layer or several. Walker w's steps are a function of (seed, the layer's name, w)
 * alone, so a map is the sum over its walkers, whatever the order, the threads or the machines.
 *
 * Source: the drunken-walk study of 2016 (docs/formats.md).
 */
export class Walk {
  readonly plan: WalkPlan;
  readonly #createKernel: () => Kernel;

  /** @internal */
  constructor(plan: WalkPlan, createKernel: () => Kernel) {
    this.plan = plan;
    this.#createKernel = createKernel;
  }

  /** The name that the walk's random words go by. */
  get name(): string {
    return this.plan.name;
  }

  /**
   * Walks every layer to its end, in order.
   *
   * @throws RollmillError as {@link runLayer}.
   */
  run(options: LongCall = {}): WalkMap {
    const { layers } = this.plan;
    const total = layers.reduce((sum, { walkers, steps }) => sum + walkers * steps, 0);
    const results: LayerResult[] = [];
    let before = 0;
    for (const plan of layers) {
      const maps = results.map((result) => result.map);
      const report =
        options.onProgress && (({ done }: { done: number }) => options.onProgress?.({ done: before + done, total }));
      const run = this.#open(plan, { from: 0, to: plan.walkers }, { earlier: maps, seats: SEATS });
      const map = run.walkAll(SEATS, { signal: options.signal, onProgress: report });
      results.push({ name: plan.name, steps: plan.walkers * plan.steps, map });
      before += plan.walkers * plan.steps;
    }
    return new WalkMap(results);
  }

  /**
   * Walks some walkers of one layer to its end: the maps of a layer's parts add up to the layer's (`mergeLayerMaps`).
   *
   * @throws RollmillError `argument.range` for a layer or walkers that the walk does not have, `walk.mismatch` where a map
   * of an earlier layer is missing, `walk.closed-start`, `walk.coordinates`, `kernel.memory`.
   */
  runLayer(options: LayerOptions & LongCall = {}): LayerMap {
    const { plan, walkers, earlier } = this.#select(options);
    return this.#open(plan, walkers, { earlier, seats: SEATS }).walkAll(SEATS, options);
  }

  /**
   * Places some walkers of one layer on their start cells, to be advanced step by step.
   *
   * @throws RollmillError as {@link runLayer}.
   */
  start(options: LayerOptions = {}): LayerRun {
    const { plan, walkers, earlier } = this.#select(options);
    return this.#open(plan, walkers, { earlier, seats: MAX_SEATS }).seat(walkers.from, walkers.to);
  }

  #open(
    plan: LayerPlan,
    walkers: { readonly from: number; readonly to: number },
    { earlier, seats }: { readonly earlier: readonly (LayerMap | undefined)[]; readonly seats: number },
  ): LayerRun {
    const kernel = this.#createKernel();
    return new LayerRun(
      kernel,
      { grid: this.plan.grid, plan, earlier, walkers },
      Math.min(seats, walkers.to - walkers.from),
    );
  }

  #select({ layer, walkers, earlier = {} }: LayerOptions) {
    const { layers } = this.plan;
    const plan = layer === undefined && layers.length === 1 ? layers[0] : layers.find(({ name }) => name === layer);
    if (plan === undefined) {
      const expected = layers.map(({ name }) => JSON.stringify(name)).join(" or ");
      return fail(error("argument.range", { problem: `walk ${this.name} has no such layer`, got: layer, expected }));
    }
    const { from = 0, to = plan.walkers } = walkers ?? {};
    checkInteger("walkers.from", from, 0, plan.walkers);
    checkInteger("walkers.to", to, from, plan.walkers);
    const given = new Map(Object.entries(earlier));
    return { plan, walkers: { from, to }, earlier: layers.map(({ name }) => given.get(name)) };
  }
}

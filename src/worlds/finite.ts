import type { LongCall } from "../calls/index.js";
import type { LayerMap, Walk } from "../walks/index.js";
import type { WorldPlan } from "./types.js";

/** The whole maps of the layers that are not scattered. A layer runs when it is first needed. */
export class FiniteLayers {
  readonly #plan: WorldPlan;
  readonly #walk: Walk;
  readonly #maps: (LayerMap | undefined)[];

  /** @param walk - The layers of the world as a walk of the same name. */
  constructor(plan: WorldPlan, walk: Walk) {
    this.#plan = plan;
    this.#walk = walk;
    this.#maps = plan.walk.layers.map(() => undefined);
  }

  /** Memory of the maps, in bytes. */
  get bytes(): number {
    return this.#maps.reduce((sum, map) => sum + (map === undefined ? 0 : map.bytes), 0);
  }

  /** Runs the layers that have not run yet. A layer refers only to earlier layers that are not scattered. */
  run({ signal }: Pick<LongCall, "signal">): void {
    const { layers } = this.#plan.walk;
    for (const [l, { name, scatter }] of layers.entries()) {
      if (scatter !== undefined || this.#maps[l] !== undefined) continue;
      const maps = layers.flatMap((layer, e) => {
        const map = this.#maps[e];
        return map === undefined ? [] : [[layer.name, map] as const];
      });
      this.#maps[l] = this.#walk.runLayer({ layer: name, earlier: Object.fromEntries(maps), signal });
    }
  }

  /** The map of a layer that has run. */
  map(layer: number): LayerMap {
    const map = this.#maps[layer];
    if (map === undefined) throw new Error("every call runs the layers before it reads them");
    return map;
  }
}

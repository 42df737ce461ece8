import type { LongCall } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { LayerMap, Walk } from "../walks/index.js";
import type { NarrowChunk } from "../walks/map/chunk.js";
import type { WorldPlan } from "./types.js";

/** The maps of the layers that are not scattered. */
export interface FiniteMaps {
  /** In bytes. */
  readonly bytes: number;
  /** Makes sure that every map can be read. */
  run(call: Pick<LongCall, "signal">): void;
  map(layer: number): ChunkSource;
}

export interface ChunkSource {
  /** Undefined if the chunk has no visits. */
  chunkAt(chunkRow: number, chunkCol: number): NarrowChunk | undefined;
}

/** Runs a layer when it is first needed. */
export class FiniteLayers implements FiniteMaps {
  readonly #plan: WorldPlan;
  readonly #walk: Walk;
  readonly #maps: (LayerMap | undefined)[];
  readonly #most: number;

  /** @param most - Maximum memory of the maps, in bytes. */
  constructor(plan: WorldPlan, walk: Walk, most: number) {
    this.#plan = plan;
    this.#most = most;
    this.#walk = walk;
    this.#maps = plan.walk.layers.map(() => undefined);
  }

  get bytes(): number {
    return this.#maps.reduce((sum, map) => sum + (map === undefined ? 0 : map.bytes), 0);
  }

  /** A layer refers only to earlier layers that are not scattered. */
  run({ signal }: Pick<LongCall, "signal">): void {
    const { layers } = this.#plan.walk;
    for (const [l, { name, scatter }] of layers.entries()) {
      if (scatter !== undefined || this.#maps[l] !== undefined) continue;
      const maps = layers.flatMap((layer, e) => {
        const map = this.#maps[e];
        return map === undefined ? [] : [[layer.name, map] as const];
      });
      this.#maps[l] = this.#walk.runLayer({ layer: name, earlier: Object.fromEntries(maps), signal });
      const { bytes } = this;
      if (bytes <= this.#most) continue;
      this.#maps[l] = undefined;
      const problem = `the maps of the layers up to ${JSON.stringify(name)}, which are not scattered, take too much memory`;
      const expected = `at most ${this.#most} bytes, which is half of "maxMemory"`;
      const remedy = 'Raise "maxMemory", or scatter the layers';
      fail(error("kernel.memory", { problem, got: bytes, expected, remedy }));
    }
  }

  map(layer: number): LayerMap {
    const map = this.#maps[layer];
    if (map === undefined) throw new Error("every call runs the layers before it reads them");
    return map;
  }
}

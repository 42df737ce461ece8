import type { StreamKey } from "../address.js";
import type { Branch, Watch } from "../calls/index.js";
import { RollmillError } from "../errors/index.js";
import type { Address, Kernel } from "../kernel/index.js";
import { CellMap, type CellTarget, type NarrowTarget } from "../walks/kernel/cellMap.js";
import { KernelScatter, wholeChunks } from "../walks/kernel/scatter.js";
import { CHUNK_SIDE, chunkIndex, placeKey } from "../walks/map/chunk.js";
import type { CellRectangle } from "../walks/map/openCells.js";
import {
  areaUsed,
  cellsOf,
  grown,
  layersUsedBy,
  missingParts,
  regionBytes,
  regionsNear,
  regionsNeeded,
  singles,
} from "./costs.js";
import type { ChunkSource } from "./finite.js";
import { KernelTerrain, type MadeTerrain } from "./kernel/terrain.js";
import type { WorldPlan } from "./types.js";

/** Usual limit for the memory of the maps: enough for windows of a few thousand rows and columns. */
const USUAL_BYTES = 2 ** 27;

/** The parts of a world that its engine needs. */
interface EngineSource {
  readonly kernel: Kernel;
  readonly plan: WorldPlan;
  readonly stream: Branch;
  /** Returns the map of a finite layer. */
  readonly finite: (layer: number) => ChunkSource;
}

/** A rectangle on which layers must be complete. */
export interface Need {
  readonly cells: CellRectangle;
  readonly layers: readonly number[];
}

/** The maps of a world's layers in one generation of the kernel. */
interface Loaded {
  /** The kernel's generation. A trap begins a new generation, in which all old addresses are invalid. */
  readonly generation: number;
  readonly maps: readonly CellMap[];
  /** The scattered layers; undefined for a finite layer. */
  readonly scattered: readonly (KernelScatter | undefined)[];
  readonly terrain: KernelTerrain;
  /**
   * For each scattered layer, the walked regions. For each finite layer, the loaded chunks. The elements of a set are
   * results of {@link placeKey}.
   */
  readonly known: readonly Set<number>[];
}

/**
 * Makes the cells of a world. All layers have a map in one kernel. Regions are added to the maps when they are needed.
 * Their order does not matter, because a count is a sum over regions. A cell is complete when all regions that can
 * reach the cell have been added. If the memory is full, the engine drops the maps and starts with empty ones.
 */
export class WorldEngine {
  readonly #source: EngineSource;
  readonly #keys: readonly StreamKey[];
  /** The kernel's memory below this address is never released. */
  readonly #base: Address;
  #loaded: Loaded | undefined;

  constructor(source: EngineSource) {
    this.#source = source;
    this.#keys = source.plan.walk.layers.map(({ streamName }) => source.stream.keyOf(streamName));
    this.#base = source.kernel.call((exports) => exports.mark());
  }

  /**
   * Drops the maps of earlier calls if there is not enough memory to add the regions that a call needs. If these maps
   * stayed, the memory would become full in the middle of the call, and the regions walked until then would be lost.
   */
  makeRoom(needs: readonly Need[]): void {
    if (this.#loaded === undefined) return;
    const { kernel, plan } = this.#source;
    const { layers } = plan.walk;
    const missing = layers.map(() => new Set<number>());
    for (const need of needs) {
      const margins = layers.map((_, l) => (need.layers.includes(l) ? 0 : undefined));
      for (const [l, range] of regionsNeeded(need.cells, layers, margins).entries()) {
        if (range === undefined) continue;
        for (const { i0, j0 } of singles(range)) missing[l].add(placeKey(i0, j0));
      }
    }
    const used = kernel.call((exports) => exports.mark());
    let bytes = 0;
    for (const [l, places] of missing.entries()) {
      for (const place of places) if (!this.#loaded.known[l].has(place)) bytes += regionBytes(layers[l]);
    }
    if (used + bytes > Math.min(USUAL_BYTES, kernel.maxBytes)) this.#loaded = undefined;
  }

  /**
   * Makes the terrain and the placements of a rectangle of at most {@link MAKE_SIDE} rows and columns.
   *
   * @throws RollmillError `kernel.memory`, `walk.coordinates`; the reason of an aborted signal.
   */
  make(rectangle: CellRectangle, watch: Watch): MadeTerrain {
    return this.#withMemory(() => {
      const { terrain } = this.#open();
      const { terrainLayers, halo } = this.#source.plan;
      const needed = grown(rectangle, halo);
      for (const layer of terrainLayers) this.#ensure(layer, needed, watch);
      return terrain.make(rectangle);
    });
  }

  /** Returns the visits of a rectangle in a layer, row by row. */
  visits(layer: number, rectangle: CellRectangle, watch: Watch): Uint32Array<ArrayBuffer> {
    return this.#withMemory(() => this.#ready(layer, rectangle, watch).visits(rectangle));
  }

  /**
   * Writes the visits of a rectangle in a layer to an array. Also writes the first visits if a second array is given.
   */
  visitsInto(
    layer: number,
    rectangle: CellRectangle,
    {
      visits,
      firstVisits,
    }: { readonly visits: CellTarget | NarrowTarget; readonly firstVisits: CellTarget | undefined },
    watch: Watch,
  ): void {
    this.#withMemory(() => {
      const map = this.#ready(layer, rectangle, watch);
      map.visitsInto(rectangle, visits);
      if (firstVisits !== undefined) map.firstVisitsInto(rectangle, firstVisits);
    });
  }

  /** Frees the kernel. */
  dispose(): void {
    this.#source.kernel.dispose();
  }

  #ready(layer: number, rectangle: CellRectangle, watch: Watch): CellMap {
    this.#open();
    this.#ensure(layer, rectangle, watch);
    return this.#open().maps[layer];
  }

  /**
   * Calls `job`. If the memory is full, drops the maps of earlier calls and calls `job` again. Memory that was used
   * before is faster than new memory. So `job` gets more than {@link USUAL_BYTES} only if it needs more.
   */
  #withMemory<T>(job: () => T): T {
    const { kernel } = this.#source;
    const hasMaps = this.#loaded?.known.some(({ size }) => size > 0) === true;
    const limits = kernel.maxBytes > USUAL_BYTES ? [USUAL_BYTES, kernel.maxBytes] : [kernel.maxBytes];
    if (hasMaps) limits.unshift(limits[0]);
    for (const bytes of limits.slice(0, -1)) {
      kernel.limit(bytes);
      try {
        return job();
      } catch (cause) {
        if (!isMemoryFull(cause)) throw cause;
        this.#loaded = undefined;
      }
    }
    kernel.limit(kernel.maxBytes);
    return job();
  }

  #open(): Loaded {
    const { kernel, plan, stream } = this.#source;
    if (this.#loaded?.generation === kernel.generation) return this.#loaded;
    kernel.call((exports) => exports.release(this.#base));
    const maps: CellMap[] = [];
    const scattered = plan.walk.layers.map((layer, l) => {
      const { streamName: name, scatter } = layer;
      const source = { kernel, name, stream: this.#keys[l], plan: layer };
      const map =
        scatter === undefined
          ? new CellMap({ kernel, name, firstVisits: layer.firstVisit, isNarrow: false, tileSide: CHUNK_SIDE })
          : new KernelScatter({ ...source, plan: { ...layer, scatter } }, (index) => maps[index]);
      maps.push(map instanceof CellMap ? map : map.map);
      return map instanceof CellMap ? undefined : map;
    });
    const addresses = maps.map(({ address }) => address);
    const terrain = new KernelTerrain({ kernel, name: plan.name, plan, maps: addresses, key: stream.key });
    const known = maps.map(() => new Set<number>());
    this.#loaded = { generation: kernel.generation, maps, scattered, terrain, known };
    return this.#loaded;
  }

  /** Adds regions or chunks to the map of a layer, until the map is complete on a rectangle. */
  #ensure(layer: number, rectangle: CellRectangle, watch: Watch): void {
    const { scatter } = this.#source.plan.walk.layers[layer];
    if (scatter === undefined) this.#load(layer, rectangle, watch);
    else this.#walk(layer, rectangle, scatter.side, watch);
  }

  /** Loads the chunks of a finite layer. */
  #load(layer: number, { row0, col0, rows, cols }: CellRectangle, watch: Watch): void {
    const { maps, known } = this.#open();
    const map = this.#source.finite(layer);
    for (let i = chunkIndex(row0); i <= chunkIndex(row0 + rows - 1); i++) {
      for (let j = chunkIndex(col0); j <= chunkIndex(col0 + cols - 1); j++) {
        const place = placeKey(i, j);
        if (known[layer].has(place)) continue;
        const chunk = map.chunkAt(i, j);
        if (chunk !== undefined) maps[layer].loadChunk(chunk);
        known[layer].add(place);
      }
      watch.look();
    }
  }

  /** Walks the regions of a scattered layer whose walkers can reach a rectangle. */
  #walk(layer: number, rectangle: CellRectangle, side: number, watch: Watch): void {
    const plan = this.#source.plan.walk.layers[layer];
    const { scattered, known } = this.#open();
    const range = regionsNear(rectangle, { side, distance: plan.steps });
    for (const part of missingParts(range, (i, j) => !known[layer].has(placeKey(i, j)))) {
      const cells = cellsOf(part, side);
      const area = wholeChunks(grown(cells, plan.steps + 1));
      for (const earlier of layersUsedBy(plan)) this.#ensure(earlier, areaUsed(plan, earlier, cells), watch);
      scattered[layer]?.ensureChunks(area);
      for (let i = part.i0; i <= part.i1; i++) {
        for (let j = part.j0; j <= part.j1; j++) {
          try {
            scattered[layer]?.walkRegion(i, j, () => watch.look());
          } catch (cause) {
            // the maps contain only some of the region's visits
            this.#loaded = undefined;
            throw cause;
          }
          known[layer].add(placeKey(i, j));
          watch.look();
        }
      }
    }
  }
}

/** Whether an error says that the kernel's memory is full. */
export function isMemoryFull(cause: unknown): boolean {
  return cause instanceof RollmillError && cause.issues[0]?.code === "kernel.memory";
}

import type { StreamKey } from "../address.js";
import { allocateResults, type LongCall, type Setup, type Watch } from "../calls/index.js";
import { error, fail, RollmillError } from "../errors/index.js";
import type { Address } from "../kernel/index.js";
import { layersUsedBy } from "../walks/compile.js";
import type { Walk } from "../walks/index.js";
import { CellMap, KernelScatter } from "../walks/kernel/scatter.js";
import { CHUNK_CELLS, CHUNK_SIDE, type NarrowChunk, placeKey } from "../walks/map/chunk.js";
import { LayerMap } from "../walks/map/layerMap.js";
import {
  type CellRectangle,
  cellsOf,
  countOf,
  grown,
  isInside,
  missingParts,
  type RegionRange,
  regionsInside,
  regionsNear,
  singles,
} from "../walks/rectangles.js";
import type { VisitsTarget } from "./compose.js";
import { areaUsed, type Need, neededRegions, regionBytes } from "./costs.js";
import { KernelTerrain, type MadeTerrain } from "./kernel/terrain.js";
import { findWays, type Way, type WayEnds, type WayRequest } from "./kernel/ways.js";
import { REGION_SIDE, type WorldPlan } from "./types.js";
import type { Workspace } from "./workspace.js";

/** Usual limit for the memory of the maps: enough for windows of a few thousand rows and columns. */
const USUAL_BYTES = 2 ** 27;

interface EngineSource extends Pick<Setup<WorldPlan>, "kernel" | "plan" | "stream"> {
  readonly finite: FiniteMaps;
}

interface LoadedLayer {
  readonly map: CellMap;
  /** Walks the regions of a scattered layer. Undefined for a finite layer. */
  readonly scattered: KernelScatter | undefined;
  /** The places of the loaded chunks of a finite layer ({@link placeKey}). */
  readonly chunks: Set<number>;
  readonly complete: CompleteCells;
}

interface Loaded {
  /** The kernel's generation at the time of loading. A trap begins a new generation, without the loaded data. */
  readonly generation: number;
  readonly layers: readonly LoadedLayer[];
  readonly terrain: KernelTerrain;
}

/**
 * Walks the regions that are needed, into a map for each layer, all in one kernel. The order of regions does not
 * matter, because a count is a sum over walkers. A cell is complete when no walker can reach it any more. If the memory
 * is full, the engine drops the maps and starts with empty maps.
 */
export class WorldEngine {
  readonly #source: EngineSource;
  readonly #keys: readonly StreamKey[];
  /** The kernel's memory below this address is never released. */
  readonly #base: Address;
  #loaded: Loaded | undefined;
  #firstLimit: number;

  constructor(source: EngineSource) {
    this.#source = source;
    this.#keys = source.plan.walk.layers.map(({ streamName }) => source.stream.keyOf(streamName));
    this.#base = source.kernel.call((exports) => exports.mark());
    this.#firstLimit = Math.min(USUAL_BYTES, source.kernel.maxBytes);
  }

  /**
   * Reserves the memory that the next call will probably need. If too little is free, drops the earlier maps: if the
   * memory became full in the middle of the call, the regions walked until then would be lost.
   */
  makeRoom(needs: readonly Need[]): void {
    const { kernel, plan } = this.#source;
    const { layers } = plan.walk;
    let [all, missing] = [0, 0];
    for (const [l, regions] of neededRegions(needs, layers).entries()) {
      const scattered = this.#loaded?.layers[l].scattered;
      const isMissing = ({ i0, j0 }: RegionRange) => !scattered?.hasWalked(i0, j0);
      all += regions.size * regionBytes(layers[l]);
      missing += [...regions.values()].filter(isMissing).length * regionBytes(layers[l]);
    }
    const usual = Math.min(USUAL_BYTES, kernel.maxBytes);
    if (kernel.call((exports) => exports.mark()) + missing > usual) this.#loaded = undefined;
    this.#firstLimit = this.#base + all > usual ? kernel.maxBytes : usual;
    // one growth instead of many: after each growth, V8 counts the whole memory anew, and then collects garbage
    kernel.reserve(Math.min(this.#firstLimit, this.#base + all));
  }

  /** Makes a rectangle of at most {@link MAKE_SIDE} rows and columns. Without a workspace, uses new memory. */
  make(rectangle: CellRectangle, watch: Watch, workspace?: Workspace): MadeTerrain {
    return this.#withMemory(() => {
      const { terrain } = this.#open();
      const { terrainLayers, halo } = this.#source.plan;
      const needed = grown(rectangle, halo);
      // begins with later layers: they need larger rectangles of earlier layers than the terrain does
      for (const layer of terrainLayers.toReversed()) this.#ensure(layer, needed, watch);
      return terrain.make(rectangle, workspace);
    });
  }

  /** Computes a field in a rectangle, and calls `take` for each row. */
  field(index: number, rectangle: CellRectangle, watch: Watch, take: (values: Uint16Array, row: number) => void): void {
    this.#withMemory(() => {
      const { terrain } = this.#open();
      const { layers, program } = this.#source.plan.fields[index];
      const needed = grown(rectangle, Math.max(0, ...program.reaches.values()));
      for (const layer of layers.toReversed()) this.#ensure(layer, needed, watch);
      terrain.makeField(index, rectangle, take);
    });
  }

  /** Finds ways over terrain that was made before. */
  findWays(request: WayRequest, pairs: readonly WayEnds[], watch: Watch): (Way | undefined)[] {
    return this.#withMemory(() => {
      this.#open();
      return findWays(this.#source.kernel, request, pairs, () => watch.look());
    });
  }

  /** Whether the map is complete on the rectangle: then the engine needs no more memory to read the visits. */
  isComplete(layer: number, rectangle: CellRectangle): boolean {
    const loaded = this.#loaded;
    if (loaded?.generation !== this.#source.kernel.generation) return false;
    const { scattered, complete, chunks } = loaded.layers[layer];
    if (scattered !== undefined) return complete.has(rectangle);
    return chunksOf(rectangle).every(({ i0, j0 }) => chunks.has(placeKey(i0, j0)));
  }

  /** Returns the visits of whole chunks. */
  map(layer: number, rectangle: CellRectangle, watch: Watch): LayerMap {
    const targets = chunksOf(rectangle).map((place) => {
      const visits = allocateResults(CHUNK_CELLS, 4, (length) => new Uint32Array(length));
      return { place, cells: cellsOf(place, CHUNK_SIDE), visits, firstVisits: undefined, at: 0, stride: CHUNK_SIDE };
    });
    this.visitsInto(layer, rectangle, targets, watch);
    return new LayerMap(targets.map(({ place, visits }) => ({ chunkRow: place.i0, chunkCol: place.j0, visits })));
  }

  visitsAt(layer: number, cell: CellRectangle, watch: Watch): number {
    return this.#withMemory(() => this.#ready(layer, cell, watch).visitsAt(cell));
  }

  visitsInto(layer: number, rectangle: CellRectangle, targets: readonly VisitsTarget[], watch: Watch): void {
    this.#withMemory(() => {
      const map = this.#ready(layer, rectangle, watch);
      for (const { cells, visits, firstVisits, at, stride } of targets) {
        map.visitsInto(cells, { out: visits, at, stride });
        if (firstVisits !== undefined) map.firstVisitsInto(cells, { out: firstVisits, at, stride });
      }
    });
  }

  dispose(): void {
    this.#source.kernel.dispose();
  }

  #ready(layer: number, rectangle: CellRectangle, watch: Watch): CellMap {
    this.#open();
    this.#ensure(layer, rectangle, watch);
    return this.#open().layers[layer].map;
  }

  /**
   * Calls `job`. If the memory is full, drops the maps and the buffers, and calls `job` again. The kernel grows beyond
   * {@link USUAL_BYTES} only if one job needs more, because memory that was used before is faster.
   */
  #withMemory<T>(job: () => T): T {
    const { kernel } = this.#source;
    const limits = this.#firstLimit < kernel.maxBytes ? [this.#firstLimit, kernel.maxBytes] : [kernel.maxBytes];
    if (this.#loaded !== undefined) limits.unshift(limits[0]);
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
    const layers: LoadedLayer[] = [];
    for (const [l, layer] of plan.walk.layers.entries()) {
      const { streamName: name, scatter, firstVisit: firstVisits } = layer;
      const source = { kernel, name, stream: this.#keys[l] };
      const mapOf = (index: number) => layers[index].map;
      const scattered = scatter && new KernelScatter({ ...source, plan: { ...layer, scatter } }, mapOf);
      const map = scattered?.map ?? new CellMap({ kernel, name, firstVisits, isNarrow: false, tileSide: CHUNK_SIDE });
      layers.push({ map, scattered, chunks: new Set(), complete: new CompleteCells() });
    }
    const addresses = layers.map(({ map }) => map.address);
    const terrain = new KernelTerrain(kernel, plan, addresses, stream.key);
    this.#loaded = { generation: kernel.generation, layers, terrain };
    return this.#loaded;
  }

  #ensure(layer: number, rectangle: CellRectangle, watch: Watch): void {
    const { scatter } = this.#source.plan.walk.layers[layer];
    if (scatter === undefined) this.#load(layer, rectangle, watch);
    else this.#walk(layer, rectangle, scatter.side, watch);
  }

  #load(layer: number, rectangle: CellRectangle, watch: Watch): void {
    const loaded = this.#open();
    const { map, chunks } = loaded.layers[layer];
    const source = this.#source.finite.map(layer);
    for (const { i0: i, j0: j } of chunksOf(rectangle)) {
      const place = placeKey(i, j);
      if (chunks.has(place)) continue;
      const chunk = source.chunkAt(i, j);
      if (chunk !== undefined) map.loadChunk(chunk);
      chunks.add(place);
      watch.look();
    }
  }

  #walk(layer: number, rectangle: CellRectangle, side: number, watch: Watch): void {
    const plan = this.#source.plan.walk.layers[layer];
    const loaded = this.#open();
    const { scattered, complete } = loaded.layers[layer];
    if (scattered === undefined || complete.has(rectangle)) return;
    const range = regionsNear(rectangle, { side, distance: plan.steps });
    for (const part of missingParts(range, (i, j) => !scattered.hasWalked(i, j))) {
      const cells = cellsOf(part, side);
      for (const earlier of layersUsedBy(plan)) this.#ensure(earlier, areaUsed(plan, earlier, cells), watch);
      scattered.ensureChunks(grown(cells, plan.steps + 1));
    }
    try {
      for (const { i0: i, j0: j } of singles(range)) scattered.walkRegion(i, j, rectangle, () => watch.look());
    } catch (cause) {
      // drops the maps, because they contain only some of the visits of a region
      this.#loaded = undefined;
      throw cause;
    }
    complete.add(rectangle);
  }
}

class CompleteCells {
  /** The last added rectangle. A call for several layers mostly needs rectangles inside it. */
  #last: CellRectangle | undefined;
  /** The keys of the regions that are completely inside one of the added rectangles. */
  readonly #regions = new Set<number>();

  add(rectangle: CellRectangle): void {
    this.#last = rectangle;
    for (const { i0, j0 } of singles(regionsInside(rectangle, REGION_SIDE))) this.#regions.add(placeKey(i0, j0));
  }

  has(rectangle: CellRectangle): boolean {
    if (this.#last !== undefined && isInside(rectangle, this.#last)) return true;
    const near = regionsNear(rectangle, { side: REGION_SIDE });
    const isWhole = ({ i0, j0 }: RegionRange) => this.#regions.has(placeKey(i0, j0));
    return countOf(near) <= this.#regions.size && singles(near).every(isWhole);
  }
}

function chunksOf(rectangle: CellRectangle): RegionRange[] {
  return singles(regionsNear(rectangle, { side: CHUNK_SIDE }));
}

export function isMemoryFull(cause: unknown): boolean {
  return cause instanceof RollmillError && cause.issues[0]?.code === "kernel.memory";
}

/** The maps of the layers that are not scattered. */
export interface FiniteMaps {
  readonly bytes: number;
  /** Runs all layers, so that every map can be read. */
  run(call: Pick<LongCall, "signal">): void;
  map(layer: number): ChunkSource;
}

export interface ChunkSource {
  /** Returns undefined if the chunk has no visits. */
  chunkAt(chunkRow: number, chunkCol: number): NarrowChunk | undefined;
}

/** Returns the maps of the finite layers. A call of `run` runs the layers once. The maps use at most `most` bytes. */
export function finiteLayers({ walk: { layers } }: WorldPlan, walk: Walk, most: number): FiniteMaps {
  const maps: (LayerMap | undefined)[] = layers.map(() => undefined);

  function refuse(name: string, got: number): never {
    const problem = `the maps of the layers without "scatter", up to ${JSON.stringify(name)}, need too much memory`;
    const expected = `at most ${most} bytes, which is half of "maxMemory"`;
    return fail(error("kernel.memory", { problem, got, expected, remedy: 'Raise "maxMemory", or scatter the layers' }));
  }

  return {
    get bytes() {
      return maps.reduce((sum, map) => sum + (map?.bytes ?? 0), 0);
    },
    // a finite layer refers only to earlier finite layers
    run({ signal }) {
      for (const [l, { name, scatter }] of layers.entries()) {
        if (scatter !== undefined || maps[l] !== undefined) continue;
        const earlier = maps.flatMap((map, e) => (map === undefined ? [] : [[layers[e].name, map] as const]));
        const map = walk.runLayer({ layer: name, earlier: Object.fromEntries(earlier), signal });
        if (this.bytes + map.bytes > most) refuse(name, this.bytes + map.bytes);
        maps[l] = map;
      }
    },
    map(layer) {
      const map = maps[layer];
      if (map === undefined) throw new Error("the layers must run before a map is read");
      return map;
    },
  };
}

import { type ForkId, forkKey, type StreamKey } from "../address.js";
import { addressOfCell, allocateResults, type LongCall, type Setup, type Watch, Words } from "../calls/index.js";
import { error, fail, RollmillError } from "../errors/index.js";
import { type Address, PAGE_BYTES } from "../kernel/index.js";
import { sourceAt, sourcesMet, sourcesUsedBy } from "../walks/compile.js";
import type { Cell, GridSpec, Walk } from "../walks/index.js";
import { CellMap, KernelScatter } from "../walks/kernel/scatter.js";
import { RIM } from "../walks/kernel/slope.js";
import { CHUNK_CELLS, CHUNK_SIDE, type ChunkSource, placeKey } from "../walks/map/chunk.js";
import { LayerMap } from "../walks/map/layerMap.js";
import {
  type CellRectangle,
  cellsOf,
  countOf,
  divided,
  grown,
  isInside,
  isUpright,
  missingParts,
  type RegionRange,
  regionsInside,
  regionsNear,
  singles,
  walkedCells,
} from "../walks/rectangles.js";
import { cellsNeeded } from "./areas.js";
import type { VisitsTarget } from "./compose.js";
import { canWait, cellsOnWay, layersNeeded, type Need, neededRegions, regionBytes } from "./costs.js";
import { type KernelField, openFields } from "./kernel/fields.js";
import { type FieldRows, KernelTerrain } from "./kernel/terrain.js";
import { findWays, type Way, type WayEnds, type WayRequest } from "./kernel/ways.js";
import type { StandingCells } from "./standing.js";
import type { MadeTerrain, StoredCells, TerrainCells } from "./stored.js";
import { REGION_SIDE, type WorldPlan, type WorldSpec } from "./types.js";
import type { Workspace } from "./workspace.js";

/** Maximum rows and columns of chunks whose values are made together. */
const CHUNKS_TOGETHER = 8;
/** The cells of layers have axial coordinates. */
const AXIAL: GridSpec = { kind: "unbounded" };
/** Usual limit for the memory of the maps: enough for windows of a few thousand rows and columns. */
const USUAL_BYTES = 2 ** 27;

interface EngineSource extends Pick<Setup<WorldPlan>, "kernel" | "plan" | "stream"> {
  readonly finite: FiniteMaps;
  readonly stored: StoredCells | undefined;
}

interface LoadedLayer {
  readonly map: CellMap;
  /** Walks the regions of a scattered layer. Undefined for a finite layer. */
  readonly scattered: KernelScatter | undefined;
  /** The walkers of a scattered layer that ended because they were stuck, if another layer shows them. */
  readonly stuck: CellMap | undefined;
  /** The places of the loaded chunks of a finite layer ({@link placeKey}). */
  readonly chunks: Set<number>;
  readonly complete: CompleteCells;
}

interface Loaded {
  /** The kernel's generation at the time of loading. A trap begins a new generation, without the loaded data. */
  readonly generation: number;
  readonly layers: readonly LoadedLayer[];
  /** The fields that layers read. */
  readonly fields: ReadonlyMap<number, KernelField>;
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
  /** The scattered layers whose visits are read from stored cells. */
  #fromStore: ReadonlySet<number> = new Set();
  #firstLimit: number;

  constructor(source: EngineSource) {
    this.#source = source;
    this.#keys = source.plan.walk.layers.map(({ streamName }) => source.stream.keyOf(streamName));
    this.#base = source.kernel.call((exports) => exports.mark());
    this.#firstLimit = Math.min(USUAL_BYTES, source.kernel.maxBytes);
  }

  /** Decides which layers are read from stored cells and not walked, if the next call has these needs. */
  chooseStored(needs: readonly Need[]): void {
    const found = this.#source.stored?.layersFor(needs, this.#fromStore) ?? this.#fromStore;
    // a map must not have visits of both kinds
    if (found !== this.#fromStore) this.#loaded = undefined;
    this.#fromStore = found;
  }

  /**
   * Reserves the memory that the next call will probably need. If too little is free, drops the earlier maps: if the
   * memory became full in the middle of the call, the regions walked until then would be lost.
   */
  makeRoom(needs: readonly Need[]): void {
    const { kernel, plan } = this.#source;
    const { layers } = plan.walk;
    let [all, missing] = [0, 0];
    for (const [l, regions] of neededRegions(needs, plan).entries()) {
      const scattered = this.#loaded?.layers[l].scattered;
      const isMissing = ({ i0, j0 }: RegionRange) => !scattered?.hasWalked(i0, j0);
      all += regions.size * regionBytes(layers[l]);
      missing += [...regions.values()].filter(isMissing).length * regionBytes(layers[l]);
    }
    this.#firstLimit = limitFor(this.#base + all, kernel.maxBytes);
    if (kernel.call((exports) => exports.mark()) + missing > this.#firstLimit) this.#loaded = undefined;
    // one growth instead of many: after each growth, V8 counts the whole memory anew, and then collects garbage
    const pages = Math.ceil(Math.min(this.#firstLimit, this.#base + all) / PAGE_BYTES);
    kernel.call((exports) => exports.reserveMemory(pages));
  }

  /** Makes a rectangle of at most {@link MAKE_SIDE} rows and columns. Without a workspace, uses new memory. */
  make(rectangle: CellRectangle, watch: Watch, workspace?: Workspace): MadeTerrain {
    const { plan, stored } = this.#source;
    const usable = stored?.canMake(rectangle) ? stored : undefined;
    const layers = usable === undefined ? plan.terrainLayers : [];
    const needed = this.#walked(cellsNeeded(plan, rectangle));
    return this.#complete(layers, needed, watch, (terrain) => terrain.make(rectangle, workspace, usable));
  }

  /** Calls `job` when the maps of layers are complete in `cells`. */
  #complete<T>(layers: readonly number[], cells: CellRectangle, watch: Watch, job: (terrain: KernelTerrain) => T): T {
    return this.#withMemory(() => {
      const { terrain } = this.#open();
      // begins with later layers: they need larger rectangles of earlier layers than the terrain does
      for (const layer of layers.toReversed()) this.#ensure(layer, cells, watch);
      return job(terrain);
    });
  }

  /** Makes the terrain of a rectangle inside the grid. */
  ground(rectangle: CellRectangle, watch: Watch): TerrainCells {
    const { terrainLayers, halo } = this.#source.plan;
    const needed = this.#walked(grown(rectangle, halo));
    return this.#complete(terrainLayers, needed, watch, (terrain) => terrain.ground(rectangle));
  }

  /** Adds the sizes and facings to placements of kind k. */
  withTraits(k: number, standing: StandingCells): StandingCells {
    return this.#open().terrain.withTraits(k, standing);
  }

  /** Computes a field in a rectangle, and calls `take` for each row. */
  field(index: number, rectangle: CellRectangle, watch: Watch, take: FieldRows): void {
    this.#field(index, { rectangle, grid: this.#source.plan.spec.grid }, watch, take);
  }

  #field(
    index: number,
    { rectangle, grid }: { readonly rectangle: CellRectangle; readonly grid: WorldSpec["grid"] },
    watch: Watch,
    take: FieldRows,
  ): void {
    const { layers, program } = this.#source.plan.fields[index];
    const needed = walkedCells(grown(rectangle, Math.max(0, ...program.reaches.values())), grid);
    this.#complete(layers, needed, watch, (terrain) => terrain.makeField(index, rectangle, take, grid));
  }

  /** Returns a function that reads the words of a cell in the stream that `ids` lead to. */
  wordsOf(...ids: readonly ForkId[]): (cell: Cell, skipped?: number) => Words {
    const { kernel, stream } = this.#source;
    const key = ids.reduce(forkKey, stream.key);
    return (cell, skipped) =>
      new Words(kernel, key, { ...addressOfCell(cell), ...(skipped !== undefined && { skipped }) });
  }

  /** Finds ways over terrain that was made before. */
  findWays(request: WayRequest, pairs: readonly WayEnds[], watch: Watch): (Way | undefined)[] {
    return this.#withMemory(() => {
      this.#open();
      return findWays(this.#source.kernel, request, pairs, () => watch.look());
    });
  }

  /** Whether the map is complete on the rectangle: then the engine needs no more memory to read the visits. */
  isComplete(layer: number, cells: CellRectangle): boolean {
    const loaded = this.#loaded;
    if (loaded?.generation !== this.#source.kernel.generation) return false;
    const { stuckOf } = this.#source.plan.walk.layers[layer];
    const { scattered, complete, chunks } = loaded.layers[this.#fromStore.has(layer) ? layer : (stuckOf ?? layer)];
    const rectangle = this.#walked(cells);
    if (scattered !== undefined) return complete.has(rectangle);
    return chunksOf(rectangle).every(({ i0, j0 }) => chunks.has(placeKey(i0, j0)));
  }

  /** Returns the visits of whole chunks. The rectangle and the map have the coordinates of walkers. */
  map(layer: number, rectangle: CellRectangle, watch: Watch): LayerMap {
    const targets = chunksOf(rectangle).map((place) => {
      const visits = allocateResults(CHUNK_CELLS, 4, (length) => new Uint32Array(length));
      return { place, cells: cellsOf(place, CHUNK_SIDE), visits, firstVisits: undefined, at: 0, stride: CHUNK_SIDE };
    });
    this.#copyVisits(layer, rectangle, { targets, isOddR: false }, watch);
    return new LayerMap(targets.map(({ place, visits }) => ({ chunkRow: place.i0, chunkCol: place.j0, visits })));
  }

  /** Returns a field in whole chunks, as the map of a source: see {@link valueMap}. */
  valueMap(source: number, rectangle: CellRectangle, watch: Watch): LayerMap {
    const { walk } = this.#source.plan;
    const { field = 0, range } = sourceAt(walk, source);
    const chunks = chunksOf(rectangle).map((place) => {
      const visits = new Uint32Array(CHUNK_CELLS);
      const cells = { rectangle: cellsOf(place, CHUNK_SIDE), grid: walk.grid };
      this.#field(field, cells, watch, (values, row) => {
        visits.set(values, (row & (CHUNK_SIDE - 1)) * CHUNK_SIDE);
      });
      const visitsOf = (value: number) =>
        range === undefined ? value + 1 : Number(value >= range.least && value <= range.most);
      return { chunkRow: place.i0, chunkCol: place.j0, visits: visits.map(visitsOf) };
    });
    return new LayerMap(chunks);
  }

  visitsAt(layer: number, cell: CellRectangle, watch: Watch): number {
    const walked = this.#walked(cell);
    return this.#withMemory(() => this.#ready(layer, walked, watch).visitsAt(walked));
  }

  visitsInto(layer: number, rectangle: CellRectangle, targets: readonly VisitsTarget[], watch: Watch): void {
    const isOddR = isUpright(this.#source.plan.spec.grid);
    this.#copyVisits(layer, this.#walked(rectangle), { targets, isOddR }, watch);
  }

  dispose(): void {
    this.#source.kernel.dispose();
  }

  /** `rectangle` has the coordinates of walkers. `isOddR`: whether the cells of the targets have odd-r coordinates. */
  #copyVisits(
    layer: number,
    rectangle: CellRectangle,
    { targets, isOddR }: { readonly targets: readonly VisitsTarget[]; readonly isOddR: boolean },
    watch: Watch,
  ): void {
    this.#withMemory(() => {
      const map = this.#ready(layer, rectangle, watch);
      for (const { cells, visits, firstVisits, at, stride } of targets) {
        map.visitsInto(cells, { out: visits, at, stride, isOddR });
        if (firstVisits !== undefined) map.firstVisitsInto(cells, { out: firstVisits, at, stride, isOddR });
      }
    });
  }

  /** Converts a rectangle of the grid to the coordinates of walkers. */
  #walked(rectangle: CellRectangle): CellRectangle {
    return walkedCells(rectangle, this.#source.plan.spec.grid);
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
    const fields = openFields(kernel, plan.walk);
    const layers: LoadedLayer[] = [];
    for (const l of plan.walk.layers.keys()) layers.push(this.#openLayer(l, layers, fields));
    const addresses = layers.map(({ map }) => map.address);
    const terrain = new KernelTerrain(kernel, plan, addresses, stream.key);
    this.#loaded = { generation: kernel.generation, layers, fields, terrain };
    return this.#loaded;
  }

  #openLayer(l: number, earlier: readonly LoadedLayer[], fields: Loaded["fields"]): LoadedLayer {
    const { kernel, plan } = this.#source;
    const { layers } = plan.walk;
    const { streamName: name, scatter, firstVisit: firstVisits, stuckOf } = layers[l];
    const opened = { chunks: new Set<number>(), complete: new CompleteCells() };
    const mapWith = (isNarrow: boolean) => new CellMap({ kernel, name, firstVisits, isNarrow, tileSide: CHUNK_SIDE });
    if (scatter === undefined || this.#fromStore.has(l)) {
      return { ...opened, map: mapWith(false), scattered: undefined, stuck: undefined };
    }
    if (stuckOf !== undefined) {
      const map = earlier[stuckOf].stuck ?? mapWith(true);
      return { ...opened, map, scattered: undefined, stuck: undefined };
    }
    const stuck = layers.some((layer) => layer.stuckOf === l) ? mapWith(true) : undefined;
    const addressOf = (source: number) => {
      const { layer, field = 0 } = sourceAt(plan.walk, source);
      return layer === undefined ? (fields.get(field) as KernelField).addressOf(source) : earlier[layer].map.address;
    };
    const source = { kernel, name, stream: this.#keys[l], plan: { ...layers[l], scatter } };
    const scattered = new KernelScatter(source, addressOf, stuck?.address);
    return { ...opened, map: scattered.map, scattered, stuck };
  }

  #ensure(layer: number, rectangle: CellRectangle, watch: Watch): void {
    const { scatter, stuckOf } = this.#source.plan.walk.layers[layer];
    if (this.#fromStore.has(layer)) this.#load(layer, rectangle, watch);
    else if (stuckOf !== undefined) this.#ensure(stuckOf, rectangle, watch);
    else if (scatter === undefined) this.#load(layer, rectangle, watch);
    else this.#walk(layer, rectangle, scatter.side, watch);
  }

  #load(layer: number, rectangle: CellRectangle, watch: Watch): void {
    const loaded = this.#open();
    const { map, chunks } = loaded.layers[layer];
    const { finite, stored } = this.#source;
    const source = stored !== undefined && this.#fromStore.has(layer) ? stored.visitsOf(layer) : finite.map(layer);
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
    const needed = layersNeeded(this.#source.plan, layer, cellsOf(range, side), rectangle);
    for (const [earlier, area] of needed) this.#ensure(earlier, area, watch);
    const mustWait = canWait(this.#source.plan, plan);
    for (const part of missingParts(range, (i, j) => !scattered.hasWalked(i, j))) {
      const cells = cellsOf(part, side);
      // a slope is felt only on the way
      const forStarts = sourcesUsedBy(plan).filter((source) => source !== plan.slope?.source);
      this.#ensureFields(forStarts, cells, watch);
      scattered.ensureChunks(mustWait ? cells : grown(cells, plan.steps + 1));
    }
    if (mustWait) {
      const area = cellsOnWay(plan, rectangle);
      this.#ensureFields(sourcesMet(plan), area, watch);
      scattered.ensureChunks(area);
    }
    try {
      const walk = { mustWait, look: () => watch.look() };
      for (const { i0: i, j0: j } of singles(range)) scattered.walkRegion(i, j, rectangle, walk);
    } catch (cause) {
      // drops the maps, because they contain only some of the visits of a region
      this.#loaded = undefined;
      throw cause;
    }
    complete.add(rectangle);
  }

  /** Makes the values of those sources that are fields. The layers that the fields read must be complete. */
  #ensureFields(sources: readonly number[], area: CellRectangle, watch: Watch): void {
    const { fields, terrain } = this.#open();
    const read = sources.flatMap((source) => sourceAt(this.#source.plan.walk, source).field ?? []);
    for (const field of new Set(read)) {
      const loaded = fields.get(field) as KernelField;
      const range = regionsNear(area, { side: CHUNK_SIDE });
      for (const missing of missingParts(range, (i, j) => !loaded.hasChunk(i, j))) {
        for (const chunks of divided(missing, CHUNKS_TOGETHER)) {
          const around = grown(cellsOf(chunks, CHUNK_SIDE), RIM);
          loaded.store(chunks, terrain.fieldValues(field, around, AXIAL));
          watch.look();
        }
      }
    }
  }
}

/** Returns the memory that the maps may use, if one call needs `bytes`. More than usual only if the call needs more. */
export function limitFor(bytes: number, maxBytes: number): number {
  return bytes > USUAL_BYTES ? maxBytes : Math.min(USUAL_BYTES, maxBytes);
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

import { type ForkId, forkKey, type StreamKey } from "../address.js";
import { Guarded, type LongCall, refuseDisposed, type Setup, Watch } from "../calls/index.js";
import { didYouMean, error, fail } from "../errors/index.js";
import type { Kernel } from "../kernel/index.js";
import { checkFlag, checkInteger, readList, readOptions } from "../spec/index.js";
import { checkRegionIndex, readRegion } from "../walks/coordinates.js";
import { type LayerMap, type LayerPlan, type LayerRun, Walk } from "../walks/index.js";
import { layersUsedBy } from "../walks/layersUsed.js";
import { placeKey } from "../walks/map/chunk.js";
import {
  type CellRectangle,
  cellsOf,
  cellsOfGrid,
  countOf,
  divided,
  grown,
  isInside,
  missingParts,
  overlap,
  type RegionRange,
  readRectangle,
  regionsNear,
  single,
  singles,
} from "../walks/rectangles.js";
import { type MadeRegion, RegionCache } from "./cache.js";
import { mapOfCells } from "./cells.js";
import { type CellsByRegion, RegionComposition, type VisitsByRegion, WindowComposition } from "./compose.js";
import { type ContentMeans, Contents, OrderedContents } from "./contents.js";
import { areaUsed, KERNEL_SHARE, type Need, rangesOf } from "./costs.js";
import { digestOfRegions, digestsOf, type RegionDigest } from "./digest.js";
import { isMemoryFull, WorldEngine } from "./engine.js";
import { FiniteLayers, type FiniteMaps } from "./finite.js";
import type { MadeTerrain, TerrainCells } from "./kernel/terrain.js";
import { type WorldOdds, worldOdds } from "./odds.js";
import { drawWorld, PICTURE_OPTIONS, type WorldPictureOptions } from "./picture.js";
import type { Placement, Placements } from "./placements.js";
import { cellsOfRegion, contentBytes, partOf, placementsAt, terrainIn } from "./regions.js";
import {
  type LayerCost,
  MAKE_SIDE,
  type PlacementSpec,
  REGION_SIDE,
  type TerrainSpec,
  type WindowOptions,
  type WorldOptions,
  type WorldPlan,
} from "./types.js";
import type { WorldWindow } from "./window.js";
import { Workspace } from "./workspace.js";

const DEFAULT_MAX_REGIONS = 2 ** 16;
const MAX_CELLS = 2 ** 28;
const MAX_LAYERS = 256;
const LEAST_MEMORY = 2 ** 22;
const MOST_MEMORY = 2 ** 32;
/** For more layers, the visits of regions that are made together would take more than about 150 MB. */
const LAYERS_TOGETHER = 16;
/** Of a part, along each side. */
const REGIONS_ACROSS = MAKE_SIDE / REGION_SIDE;
const LONG_CALL = ["signal", "onProgress"] as const;
const WINDOW_OPTIONS = ["visits", "contents", ...LONG_CALL] as const;

/** Regions that were made together, or one region of the cache. */
interface MadeCells {
  readonly cells: CellRectangle;
  readonly terrain: TerrainCells;
  readonly regions: readonly MadeRegion[];
}

interface ByRegionOptions extends Pick<LongCall, "signal"> {
  /** Indices of the layers whose visits are needed. */
  readonly layers: readonly number[];
  readonly workspace: Workspace;
  /** The rectangles to which `maxRegions` applies, each alone. Default: the rectangle. */
  readonly limited?: readonly CellRectangle[];
}

/** What one call needs to make a rectangle. */
interface Making {
  readonly rectangle: CellRectangle;
  readonly composition: WindowComposition | RegionComposition;
  readonly engine: WorldEngine;
  readonly watch: Watch;
  /** The memory for regions that do not stay in the cache. */
  readonly workspace?: Workspace | undefined;
}

/** A cell of a world. */
export interface WorldCell<Place extends Placement = Placement> {
  /** The terrain; undefined if the world has no terrain. */
  readonly terrain: TerrainSpec | undefined;
  /** The number of visits in each layer, by the layer's name. */
  readonly visits: Readonly<Record<string, number>>;
  readonly placements: readonly Place[];
}

/**
 * A world: layers of walks, terrain computed from the walks, and things placed on the terrain. A cell depends only on
 * the seed, the name and the spec. So a cell is always the same: alone or as part of a window, today or next year, on
 * any machine. With scattered layers, the world has no end.
 *
 * Cost of a window: the steps of walkers that can matter to the window, and a pass over its cells. Regions of
 * 256 × 256 cells stay in a cache, so a moving window costs only the new regions. The cache and the layers' maps stay
 * within `maxMemory`.
 *
 * Source: "the map can be generated dynamically (on the fly)", from the drunken-walk study of 2016 (docs/formats/worlds.md).
 */
export class World<Place extends Placement = Placement> extends Guarded<WorldPlan> {
  readonly #means: ContentMeans;
  readonly #options: WorldOptions;
  readonly #cache: RegionCache;
  readonly #contents: Contents;
  #engine: WorldEngine | undefined;
  #finite: FiniteMaps | undefined;
  #isDisposed = false;
  readonly #keys: readonly StreamKey[];

  /** @internal */
  constructor(setup: Setup<WorldPlan>, options: WorldOptions, means: ContentMeans) {
    super(setup);
    // not the key of the stream: the inner walk reads the same random words, so it already uses that key
    this.#keys = [forkKey(setup.stream.key, "window")];
    this.#means = means;
    this.#options = options;
    const { maxMemory } = options;
    if (maxMemory !== undefined) checkInteger("maxMemory", maxMemory, LEAST_MEMORY, MOST_MEMORY);
    if (options.maxRegions !== undefined) checkInteger("maxRegions", options.maxRegions, 1, 2 ** 32);
    const share = this.#kernelBytes;
    this.#cache = new RegionCache(() => Math.max(0, share - (this.#finite?.bytes ?? 0)));
    // finds invalid options of contents now, and not in a later call
    this.#contents = new Contents({ ...means, plan: setup.plan, stream: setup.stream });
  }

  /** For each layer, how far its walkers reach and what a region costs. */
  get layers(): readonly LayerCost[] {
    return this.plan.costs;
  }

  /** The terrains. The elements of {@link WorldWindow.terrain} are indices of this list. */
  get terrains(): readonly TerrainSpec[] {
    return this.plan.spec.terrains;
  }

  /** The kinds of placements. */
  get kinds(): readonly (PlacementSpec & { readonly name: Place["kind"] })[] {
    return this.plan.spec.placements;
  }

  /**
   * Returns a world with the same spec but different random words, for example one world for each player. Equal ids
   * give the same world. The fork has its own memory, so dispose of it when you no longer need it.
   *
   * @param id - A text, a safe integer, a bigint of 64 bits, or a pair of 32-bit integers such as coordinates.
   * @throws RollmillError `argument.type`, `argument.range` for an invalid id.
   */
  override fork(id: ForkId): this {
    return super.fork(id);
  }

  /** @internal */
  protected override copy(setup: Setup<WorldPlan>): World<Place> {
    return new World(setup, this.#options, this.#means);
  }

  /** @internal */
  protected override get keys(): readonly StreamKey[] {
    return this.#keys;
  }

  /**
   * Returns a rectangle of `rows` × `cols` cells. Its first cell is (row0, col0). The window has the terrain, the
   * placements with their contents, and the visits of the layers named in the option `visits`.
   *
   * @throws RollmillError `argument.range`, `argument.type`, `argument.option`; `world.window` for cells outside the
   * grid; `world.regions` if a layer would need more than `maxRegions` regions; `walk.closed-start`; `kernel.memory`;
   * `argument.busy`, `argument.callback`, `argument.disposed`.
   */
  window(row0: number, col0: number, rows: number, cols: number, given: WindowOptions = {}): WorldWindow<Place> {
    return this.alone(() => {
      const options = readOptions("world.window", given, WINDOW_OPTIONS);
      return this.#window(this.#rectangle(row0, col0, rows, cols), options);
    });
  }

  /**
   * @internal Makes a rectangle region by region: yields the visits of each layer, in the order of the world, and
   * returns the terrain and the placements. Use each of them before the next step: they are in the memory of
   * `workspace`. The regions do not stay in the cache.
   *
   * @throws The errors of {@link window}.
   */
  *byRegion(
    { row0, col0, rows, cols }: CellRectangle,
    { visits = [], signal }: Pick<WindowOptions, "visits" | "signal">,
    workspace: Workspace,
  ): Generator<VisitsByRegion, CellsByRegion> {
    const steps = this.alone(() => {
      const rectangle = this.#rectangle(row0, col0, rows, cols);
      return this.#byRegion(rectangle, { layers: this.#layersNamed(visits), signal, workspace });
    });
    for (;;) {
      const { done, value } = this.alone(() => steps.next());
      if (done === true) return value;
      yield value;
    }
  }

  /**
   * Returns region (i, j): the cells with rows 256·i … 256·i + 255 and columns 256·j … 256·j + 255. In a bounded grid,
   * returns only the region's cells inside the grid.
   *
   * @throws The errors of {@link window}.
   */
  region(i: number, j: number, given: WindowOptions = {}): WorldWindow<Place> {
    return this.alone(() => {
      const options = readOptions("world.region", given, WINDOW_OPTIONS);
      checkRegionIndex("i", i, REGION_SIDE);
      checkRegionIndex("j", j, REGION_SIDE);
      const whole = cellsOf(single(i, j), REGION_SIDE);
      const cells = overlap(whole, this.#bounds);
      if (cells.rows < 1 || cells.cols < 1) this.#refuseOutside({ ...whole, rows: 1, cols: 1 });
      return this.#window(cells, options);
    });
  }

  /**
   * Returns a cell with its terrain, its visits in every layer and its placements.
   *
   * Cost: makes the region of the cell with the visits of all layers, if it is not made already. Then a few
   * microseconds.
   *
   * @throws The errors of {@link window}.
   */
  at(row: number, col: number): WorldCell<Place> {
    return this.alone(() => {
      const cell = this.#rectangle(row, col, 1, 1);
      const names = this.layers.map(({ name }) => name);
      if (!this.#isMade(cell)) {
        const region = cellsOf(regionsNear(cell, { side: REGION_SIDE }), REGION_SIDE);
        this.#window(overlap(region, this.#bounds), { visits: names });
      }
      const engine = this.#ready({});
      const watch = new Watch(this.name, 1, {});
      const region = this.#regionAt(cell);
      if (region !== undefined) this.#fill(region);
      return {
        terrain: this.terrains[region === undefined ? 0 : terrainIn(region, row, col)],
        visits: Object.fromEntries(names.map((name, layer) => [name, engine.visitsAt(layer, cell, watch)])),
        placements: region === undefined ? [] : (placementsAt(region, cell, this.kinds) as Place[]),
      };
    });
  }

  /**
   * Returns the placements in a rectangle of `rows` × `cols` cells. Its first cell is (row0, col0).
   *
   * @throws The errors of {@link window}.
   */
  placements(
    row0: number,
    col0: number,
    rows: number,
    cols: number,
    given: Omit<WindowOptions, "visits"> = {},
  ): Placements<Place> {
    return this.alone(() => {
      const options = readOptions("world.placements", given, ["contents", ...LONG_CALL]);
      return this.#window(this.#rectangle(row0, col0, rows, cols), options).placements;
    });
  }

  /**
   * Returns the SHA-256 of everything in a rectangle, as 64 hexadecimal digits. It covers the visits and first visits
   * of layers, the terrain, the placements and the contents. Use it to compare worlds that were made on two machines,
   * or with the result of a job. Format: section 5 of docs/determinism.md, "Digest of a world".
   *
   * @param given - Option `visits`: the names of the layers whose visits count. Default: all layers.
   * @throws The errors of {@link window}.
   */
  digest(row0: number, col0: number, rows: number, cols: number, given: Omit<WindowOptions, "contents"> = {}): string {
    return this.alone(() => {
      const { visits, signal, onProgress } = readOptions("world.digest", given, ["visits", ...LONG_CALL]);
      const rectangle = this.#rectangle(row0, col0, rows, cols, Number.MAX_SAFE_INTEGER);
      const chosen = visits === undefined ? [...this.layers.keys()] : this.#layersNamed(visits);
      const layers = this.plan.walk.layers.filter((_, l) => chosen.includes(l));
      return digestOfRegions(this.#digests(rectangle, layers, { signal, onProgress }));
    });
  }

  /**
   * Draws a rectangle of `rows` × `cols` cells, and returns the bytes of a PNG file. The first cell is (row0, col0).
   * The picture shows the terrain in its colours, and a mark for each placement. With the options `darken` and
   * `lighten`, visited cells are darker or lighter, on a log scale from 1 to the highest visit count in the picture.
   *
   * @throws RollmillError `argument.range`, `argument.type`, `argument.option`; the errors of {@link window}, and those
   * of `terrainPng` of `rollmill/formats`.
   */
  picture(row0: number, col0: number, rows: number, cols: number, given: WorldPictureOptions = {}): Uint8Array {
    return this.alone(() => {
      const options = readOptions("world.picture", given, PICTURE_OPTIONS);
      const shown = this.#rectangle(row0, col0, rows, cols);
      const window = (cells: CellRectangle, asked: WindowOptions) => this.#window(cells, asked);
      return drawWorld({ plan: this.plan, bounds: this.#bounds, window }, shown, options);
    });
  }

  /**
   * Computes the share of each terrain and the density of each kind of placement. These odds do not depend on the seed.
   * A terrain that depends on the visits of layers has no known share.
   */
  odds(): WorldOdds {
    return worldOdds(this.plan.spec);
  }

  /**
   * Puts the walkers of one region of a scattered layer on their start cells, and returns the run. Advance the run step
   * by step, then dispose of it.
   *
   * @param given - `layer` is the layer's name. `region` is [i, j], a region of this layer. The side of such a region
   * is the layer's `scatter.side`.
   * @throws RollmillError `argument.range` for a layer that is not scattered; the errors of {@link window} and of
   * `walk.start`.
   */
  start(given: { readonly layer: string; readonly region: readonly [number, number] }): LayerRun {
    return this.alone(() => {
      const { layer: name, region } = readOptions("world.start", given, ["layer", "region"]);
      const [layer] = this.#layersNamed([name]);
      const plan = this.plan.walk.layers[layer];
      if (plan.scatter === undefined) {
        const problem = "the layer is not scattered, so it has no regions";
        return fail(error("argument.range", { problem, got: name, expected: "a layer with `scatter`" }));
      }
      const { side } = plan.scatter;
      const [i, j] = readRegion(region, side);
      const cells = cellsOf(single(i, j), side);
      const used = layersUsedBy(plan).map((index) => ({ index, area: areaUsed(plan, index, cells) }));
      const needs = used.map(({ index, area }) => ({ cells: area, layers: [index] }));
      this.#checkRegions(needs);
      const engine = this.#ready({});
      engine.makeRoom(needs);
      const watch = new Watch(this.name, 0, {});
      const maps = used.map(({ index, area }): [string, LayerMap] => [
        this.layers[index].name,
        mapOfCells(engine.visits(index, area, watch), area),
      ]);
      return this.#walk.start({ layer: name, region: [i, j], earlier: Object.fromEntries(maps) });
    });
  }

  /** @internal Reads the maps of finite layers from elsewhere. Call it before any other method. */
  useMaps(maps: FiniteMaps): void {
    this.#finite = maps;
  }

  /**
   * @internal Opens the contents that come from stocks of the whole world, with full stocks.
   *
   * @throws RollmillError with the errors of the options of a kind.
   */
  ordered(): OrderedContents {
    const { plan, stream } = this;
    return this.alone(() => new OrderedContents({ ...this.#means, plan, stream }));
  }

  /** @internal The layers as a walk. */
  get walk(): Walk {
    return this.#walk;
  }

  /** Frees the world's memory. You can no longer use the world, but you can still use its windows. */
  dispose(): void {
    this.#isDisposed = true;
    this.#engine?.dispose();
    this.#engine = undefined;
    this.#cache.clear();
  }

  /** Calls {@link dispose} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  get #maxMemory(): number {
    return this.#options.maxMemory ?? this.kernel.maxBytes;
  }

  /** The kernel can use half of the world's memory. The cache and the finite layers share the other half. */
  get #kernelBytes(): number {
    return Math.floor(this.#maxMemory * KERNEL_SHARE);
  }

  #openKernel(): Kernel {
    return this.#means.services.openKernel(this.#kernelBytes, this.#maxMemory);
  }

  get #walk(): Walk {
    return new Walk(this.setupWith(this.plan.walk), { openKernel: () => this.#openKernel() });
  }

  #ready({ signal }: Pick<LongCall, "signal">): WorldEngine {
    this.#finite ??= new FiniteLayers(this.plan, this.#walk, this.#kernelBytes);
    const finite = this.#finite;
    finite.run({ signal });
    this.#engine ??= new WorldEngine({
      kernel: this.#openKernel(),
      plan: this.plan,
      stream: this.stream,
      finite: (layer) => finite.map(layer),
    });
    return this.#engine;
  }

  #window(rectangle: CellRectangle, { visits = [], contents = true, ...call }: WindowOptions): WorldWindow<Place> {
    checkFlag("contents", contents);
    const layers = this.#layersNamed(visits);
    this.#checkLimit(rectangle, layers);
    const composition = new WindowComposition(rectangle, this.plan, layers);
    const making = this.#begin(rectangle, { composition, layers, call });
    for (const part of partsOf(rectangle)) for (const layer of layers) this.#readVisits(layer, part, making);
    this.#makeCells(making, contents);
    // the cast is safe: the types of the placements come from the spec of this world
    return composition.window() as WorldWindow<Place>;
  }

  *#byRegion(
    rectangle: CellRectangle,
    { layers, workspace, limited = [rectangle], signal }: ByRegionOptions,
  ): Generator<VisitsByRegion, CellsByRegion> {
    for (const cells of limited) this.#checkLimit(cells, layers);
    const composition = new RegionComposition(rectangle, this.plan, workspace);
    const making = { ...this.#begin(rectangle, { composition, layers, call: { signal } }), workspace };
    for (const layer of layers) {
      const visits = composition.beginLayer(layer);
      for (const part of partsOf(rectangle)) this.#readVisits(layer, part, making);
      yield visits;
    }
    this.#makeCells(making, true);
    return composition.cells();
  }

  #begin(
    rectangle: CellRectangle,
    {
      composition,
      layers,
      call,
    }: {
      readonly composition: WindowComposition | RegionComposition;
      readonly layers: readonly number[];
      readonly call: LongCall;
    },
  ): Making {
    const watch = new Watch(this.name, rectangle.rows * rectangle.cols, call);
    const engine = this.#ready(call);
    const missing = this.#missing(regionsNear(rectangle, { side: REGION_SIDE }));
    engine.makeRoom([{ cells: rectangle, layers }, ...missing.map((part) => this.#needOf(part))]);
    return { rectangle, composition, engine, watch };
  }

  /** Whether the region of a cell, and the visits of the cell in all layers, are made already. */
  #isMade(cell: CellRectangle): boolean {
    if (this.#hasRegions && this.#regionAt(cell) === undefined) return false;
    return this.layers.every((_, layer) => this.#engine?.isComplete(layer, cell) === true);
  }

  #regionAt({ row0, col0 }: CellRectangle): MadeRegion | undefined {
    return this.#cache.get(placeKey(Math.floor(row0 / REGION_SIDE), Math.floor(col0 / REGION_SIDE)));
  }

  /** Whether the cells of the world have more than visits. Without rules, terrain 0 is everywhere. */
  get #hasRegions(): boolean {
    const { rules, placements } = this.plan.spec;
    return rules.length > 0 || placements.length > 0;
  }

  #makeCells(making: Making, contents: boolean): void {
    const { rectangle, composition, watch } = making;
    // the composition begins with terrain 0
    if (!this.#hasRegions) {
      watch.passed(rectangle.rows * rectangle.cols);
      return;
    }
    let done = 0;
    for (const { cells, terrain, regions } of this.#made(regionsNear(rectangle, { side: REGION_SIDE }), making)) {
      done += composition.addTerrain(cells, terrain);
      for (const region of regions) {
        if (contents) this.#fill(region);
        composition.addPlacements(region, contents);
      }
      watch.passed(done);
    }
  }

  /** Where layers must be complete before the regions of a range can be made. */
  #needOf(range: RegionRange): Need {
    const { terrainLayers: layers, halo } = this.plan;
    return { cells: grown(cellsOf(range, REGION_SIDE), halo), layers };
  }

  #missing(range: RegionRange): RegionRange[] {
    return missingParts(range, (i, j) => !this.#cache.has(placeKey(i, j)));
  }

  /** Yields the cached regions of a range, one by one. Then makes the missing ones, and yields them in groups. */
  *#made(range: RegionRange, making: Making): Generator<MadeCells, void> {
    const missing = new Set<number>();
    for (const { i0: i, j0: j } of singles(range)) {
      const region = this.#cache.get(placeKey(i, j));
      if (region === undefined) missing.add(placeKey(i, j));
      else yield { cells: cellsOfRegion(region), terrain: region.terrain, regions: [region] };
    }
    const parts = missingParts(range, (i, j) => missing.has(placeKey(i, j)));
    for (const range of parts) for (const part of divided(range, REGIONS_ACROSS)) yield* this.#make(part, making);
  }

  /** If the regions of a part do not fit in memory together, makes them one by one. */
  *#make(range: RegionRange, making: Making): Generator<MadeCells, void> {
    const { engine, watch, workspace } = making;
    watch.look();
    const cells = cellsOf(range, REGION_SIDE);
    let made: MadeTerrain;
    try {
      made = engine.make(cells, watch, workspace);
    } catch (cause) {
      if (!isMemoryFull(cause) || countOf(range) === 1) throw cause;
      for (const single of singles(range)) yield* this.#make(single, making);
      return;
    }
    const part = partOf(range, made);
    if (workspace === undefined) this.#cache.add(part);
    yield { cells, terrain: made.terrain, regions: [...part.regions.values()] };
  }

  #fill(region: MadeRegion): void {
    if (region.contents !== undefined) return;
    const { i, j, placements } = region;
    region.contents = this.#contents.region(i, j, (kind) => {
      const { rows, cols } = placements[kind];
      return Uint8Array.from(rows, (row, k) => terrainIn(region, row, cols[k]));
    });
    this.#cache.grown(placeKey(i, j), contentBytes(region));
  }

  /** If the maps do not fit in memory, divides the part into two halves and reads them one after another. */
  #readVisits(layer: number, cells: CellRectangle, making: Making): void {
    const { composition, engine, watch } = making;
    try {
      engine.visitsInto(layer, cells, composition.targets(layer, cells), watch);
    } catch (cause) {
      if (!isMemoryFull(cause) || cells.rows * cells.cols === 1) throw cause;
      for (const half of halvesOf(cells)) this.#readVisits(layer, half, making);
    }
  }

  /**
   * Yields the digests of the regions, sorted by i, then j. Makes several regions together, because regions that are
   * made one by one each need the walks around them.
   */
  *#digests(
    rectangle: CellRectangle,
    layers: readonly LayerPlan[],
    { signal, onProgress }: LongCall,
  ): Generator<RegionDigest, void> {
    const watch = new Watch(this.name, rectangle.rows * rectangle.cols, { signal, onProgress });
    const range = regionsNear(rectangle, { side: REGION_SIDE });
    const indices = this.#layersNamed(layers.map(({ name }) => name));
    const cellsIn = (part: RegionRange) => overlap(rectangle, cellsOf(part, REGION_SIDE));
    const inOrder = (a: RegionDigest, b: RegionDigest) => a.i - b.i || a.j - b.j;
    const workspace = new Workspace();
    // the digests of one row of parts
    let band: RegionDigest[] = [];
    let top = range.i0;
    let done = 0;
    for (const part of divided(range, layers.length > LAYERS_TOGETHER ? 1 : REGIONS_ACROSS)) {
      if (part.i0 > top) {
        yield* band.sort(inOrder);
        band = [];
        top = part.i0;
      }
      const cells = cellsIn(part);
      // `maxRegions` applies to each region alone, so the size of a part does not matter
      const limited = singles(part).map(cellsIn);
      band.push(...digestsOf(cells, this.#byRegion(cells, { layers: indices, signal, workspace, limited })));
      done += cells.rows * cells.cols;
      watch.passed(done);
    }
    yield* band.sort(inOrder);
  }

  #rectangle(row0: number, col0: number, rows: number, cols: number, most = MAX_CELLS): CellRectangle {
    const cells = readRectangle({ row0, col0, rows, cols }, most);
    if (!isInside(cells, this.#bounds)) this.#refuseOutside(cells);
    return cells;
  }

  get #bounds(): CellRectangle {
    return cellsOfGrid(this.plan.walk.grid);
  }

  #refuseOutside({ row0, col0, rows, cols }: CellRectangle): never {
    const bounds = this.#bounds;
    const got = `rows ${row0} to ${row0 + rows - 1}, columns ${col0} to ${col0 + cols - 1}`;
    const expected = `rows from 0 to ${bounds.rows - 1}, and columns from 0 to ${bounds.cols - 1}`;
    return fail(
      error("world.window", { problem: `some cells are outside the grid of the world ${this.name}`, got, expected }),
    );
  }

  /** A layer that is named twice is in the result once. */
  #layersNamed(given: readonly string[]): number[] {
    const names = readList("visits", given, { of: "names of layers", most: MAX_LAYERS });
    const known = this.layers.map(({ name }) => name);
    const layers = names.map((name) => {
      const layer = known.indexOf(name as string);
      if (layer >= 0) return layer;
      const expected = `one of ${known.join(", ")}`;
      const hint = typeof name === "string" ? didYouMean(name, known) : {};
      return fail(error("argument.range", { problem: `${this.name} has no such layer`, got: name, expected, ...hint }));
    });
    return [...new Set(layers)];
  }

  #checkLimit(cells: CellRectangle, layers: readonly number[]): void {
    this.#checkRegions([{ cells, layers }, this.#needOf(regionsNear(cells, { side: REGION_SIDE }))]);
  }

  /** Refuses a call before anything is walked. */
  #checkRegions(needs: readonly Need[]): void {
    const { layers } = this.plan.walk;
    const most = this.#options.maxRegions ?? DEFAULT_MAX_REGIONS;
    for (const { layer, range } of rangesOf(needs, layers)) {
      if (countOf(range) <= most) continue;
      const { name, reach, side } = this.layers[layer];
      const problem = `the call needs too many regions of the layer ${JSON.stringify(name)}`;
      const reason = `The visits of a cell depend on cells up to ${reach} rows and columns away`;
      const ways = `Ask for fewer cells, lower "steps" of the layer, raise its "side" above ${side}, or raise "maxRegions"`;
      const remedy = `${reason}. ${ways}`;
      fail(error("world.regions", { problem, got: countOf(range), expected: `at most ${most} regions`, remedy }));
    }
  }

  protected override checkTurn(): void {
    super.checkTurn();
    if (this.#isDisposed) refuseDisposed(this.name, "the world");
  }
}

/** Divides a rectangle as its regions are made. */
function partsOf(rectangle: CellRectangle): CellRectangle[] {
  const parts = divided(regionsNear(rectangle, { side: REGION_SIDE }), REGIONS_ACROSS);
  return Array.from(parts, (part) => overlap(rectangle, cellsOf(part, REGION_SIDE)));
}

function halvesOf({ row0, col0, rows, cols }: CellRectangle): CellRectangle[] {
  const half = Math.ceil(Math.max(rows, cols) / 2);
  return rows >= cols
    ? [
        { row0, col0, rows: half, cols },
        { row0: row0 + half, col0, rows: rows - half, cols },
      ]
    : [
        { row0, col0, rows, cols: half },
        { row0, col0: col0 + half, rows, cols: cols - half },
      ];
}

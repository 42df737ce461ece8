import { forkKey, type StreamKey } from "../address.js";
import { Guarded, type LongCall, refuseDisposed, type Setup, Watch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import type { Kernel } from "../kernel/index.js";
import { checkFlag, checkInteger, readList, readOptions } from "../spec/index.js";
import { sourceAt, sourceNames } from "../walks/compile.js";
import { type LayerMap, type LayerRun, Walk } from "../walks/index.js";
import { placeKey } from "../walks/map/chunk.js";
import {
  type CellRectangle,
  cellsOf,
  cellsOfGrid,
  checkRegionIndex,
  contains,
  countOf,
  divided,
  grown,
  isInside,
  missingParts,
  overlap,
  type RegionRange,
  readPlace,
  readRectangle,
  regionsNear,
  single,
  singles,
} from "../walks/rectangles.js";
import { cellsNeeded } from "./areas.js";
import { type CellsByRegion, Composition, regionBlocks, type VisitsByRegion, type WorldWindow } from "./compose.js";
import { type ContentMeans, type ContentNoun, contentMakers, contentNoun, OrderedContents } from "./contents.js";
import { KERNEL_SHARE, layersNeeded, type Need, rangesOf, sourcesNeeded, walkedNeeds } from "./costs.js";
import { digestOfRegions, digestsOf, type RegionDigest } from "./digest.js";
import { type FiniteMaps, finiteLayers, isMemoryFull, WorldEngine } from "./engine.js";
import { doorOf, type Entered, type EnterOptions, setupOf } from "./entrances.js";
import { type FinishStage, Ground, type StageMeans } from "./finish.js";
import { indicesOf } from "./indices.js";
import { nearestCell } from "./nearest.js";
import { type WorldOdds, worldOdds } from "./odds.js";
import { drawWorld, PICTURE_OPTIONS, type WorldPictureOptions } from "./picture.js";
import type { Placement, Placements } from "./placements.js";
import { RealmSeats } from "./realms.js";
import {
  BYTES_PER_CONTENT,
  cellsOfRegion,
  type MadeRegion,
  partOf,
  placementsAt,
  RegionCache,
  terrainIn,
} from "./regions.js";
import { finishStages } from "./stages.js";
import type { MadeTerrain, StoredCells, TerrainCells } from "./stored.js";
import {
  type ContentSpec,
  type FieldPlan,
  type FieldSpec,
  type LayerCost,
  MAKE_SIDE,
  type PlacementSpec,
  REGION_SIDE,
  type RealmSpec,
  type TerrainSpec,
  type WindowOptions,
  type WorldOptions,
  type WorldPath,
  type WorldPlan,
} from "./types.js";
import { Workspace } from "./workspace.js";

const DEFAULT_MAX_REGIONS = 2 ** 16;
const MAX_CELLS = 2 ** 28;
const MAX_NAMES = 256;
/** Greatest and usual distance of a nearest placement. */
const [MAX_WITHIN, DEFAULT_WITHIN] = [2048, 256];
const LEAST_MEMORY = 2 ** 22;
const MOST_MEMORY = 2 ** 32;
/** Maximum number of layers for making regions together. With more, their visits would take more than about 150 MB. */
const LAYERS_TOGETHER = 16;
/** Number of regions along each side of a part. The regions of a part are made together. */
const REGIONS_ACROSS = MAKE_SIDE / REGION_SIDE;
const LONG_CALL = ["signal", "onProgress"] as const;
const WINDOW_OPTIONS = ["visits", "fields", "realms", "contents", ...LONG_CALL] as const;

/** The list whose names an option has, and the word for one of them in messages. */
const NAMED = { visits: ["layers", "layer"], fields: ["fields", "field"], realms: ["realms", "realms"] } as const;

interface MadeCells {
  readonly cells: CellRectangle;
  readonly terrain: TerrainCells;
  readonly regions: Iterable<MadeRegion>;
}

interface Making extends StageMeans {
  /** Memory that later regions use again. Absent if the regions stay in the cache. */
  readonly workspace?: Workspace | undefined;
}

interface Composed {
  readonly rectangle: CellRectangle;
  readonly composition: Composition;
  /** The seats of the realms to find. Absent without realms. */
  readonly seats?: RealmSeats | undefined;
}

type Composing = Making & Composed;

/** A cell of a world. */
export interface WorldCell<Place extends Placement = Placement> {
  /** The terrain of the cell; undefined if the world has no terrain. */
  readonly terrain: TerrainSpec | undefined;
  /** The number of visits in each layer, by the layer's name. */
  readonly visits: Readonly<Record<string, number>>;
  /** The value of each field, 0 … 65,535, by the field's name. */
  readonly fields: Readonly<Record<string, number>>;
  readonly placements: readonly Place[];
  /** The seat of the realm to which the cell belongs, by the name of the realms; undefined if it belongs to none. */
  readonly realms: Readonly<Record<string, Place | undefined>>;
  /** Only in a world with paths or stamps, which can lay another terrain: the terrain that the rules give the cell. */
  readonly base?: TerrainSpec | undefined;
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
 * Source: "the map can be generated dynamically (on the fly)", from the drunken-walk study of 2016
 * (docs/formats/worlds.md).
 */
export class World<Place extends Placement = Placement> extends Guarded<WorldPlan> {
  readonly #means: ContentMeans;
  readonly #options: WorldOptions;
  readonly #stages: readonly FinishStage[];
  readonly #cache: RegionCache;
  /** The regions before the stages. The same cache as `#cache` if there are no stages. */
  readonly #base: RegionCache;
  readonly #workspace = new Workspace();
  readonly #contents: ReturnType<typeof contentMakers>;
  #engine: WorldEngine | undefined;
  #finite: FiniteMaps | undefined;
  #stored: StoredCells | undefined;
  #isDisposed = false;
  readonly #keys: readonly StreamKey[];
  /** Where {@link enter} entered this world; undefined if it is not a child world. */
  readonly entered: Entered | undefined;

  /** @internal */
  constructor(setup: Setup<WorldPlan>, options: WorldOptions, means: ContentMeans, entered?: Entered) {
    super(setup);
    this.entered = entered;
    // a key of its own: the inner walk uses the key of the stream, so its calls would be refused as busy
    this.#keys = [forkKey(setup.stream.key, "window")];
    this.#means = means;
    this.#options = options;
    const { maxMemory } = options;
    if (maxMemory !== undefined) checkInteger("maxMemory", maxMemory, LEAST_MEMORY, MOST_MEMORY);
    if (options.maxRegions !== undefined) checkInteger("maxRegions", options.maxRegions, 1, 2 ** 32);
    this.#stages = finishStages(setup.plan.spec);
    const isFinished = this.#stages.length > 0;
    const share = this.#kernelBytes;
    const most = () => Math.max(0, share - (this.#finite?.bytes ?? 0)) / (isFinished ? 2 : 1);
    this.#cache = new RegionCache(most);
    this.#base = isFinished ? new RegionCache(most) : this.#cache;
    // finds invalid options of contents now, and not in a later call
    this.#contents = contentMakers({ ...means, plan: setup.plan, stream: setup.stream });
  }

  /** For each layer, how far its walkers reach and what a region costs. */
  get layers(): readonly LayerCost[] {
    return this.plan.costs;
  }

  /** The fields, in the order of the spec. */
  get fields(): readonly FieldSpec[] {
    return this.plan.spec.fields;
  }

  /** The terrains. The elements of {@link WorldWindow.terrain} are indices of this list. */
  get terrains(): readonly TerrainSpec[] {
    return this.plan.spec.terrains;
  }

  /** The kinds of placements. */
  get kinds(): readonly (PlacementSpec & { readonly name: Place["kind"] })[] {
    return this.plan.spec.placements;
  }

  /** The realms, in the order of the spec. */
  get realms(): readonly RealmSpec[] {
    return this.plan.spec.realms;
  }

  /** @internal */
  protected override copy(setup: Setup<WorldPlan>): World<Place> {
    return new World(setup, this.#options, this.#means, this.entered);
  }

  /** @internal */
  protected override get keys(): readonly StreamKey[] {
    return this.#keys;
  }

  /**
   * Returns `rows` × `cols` cells, of which the first is (row0, col0). The window has the terrain, the placements with
   * their contents, and the visits of the layers named in the option `visits`.
   *
   * @throws RollmillError `argument.range`, `argument.type`, `argument.option`; `world.window` for cells outside the
   * grid; `world.regions` if a layer would need more than `maxRegions` regions; `walk.closed-start`; `kernel.memory`;
   * `argument.busy`, `argument.callback`, `argument.disposed`.
   */
  window(cells: CellRectangle, given: WindowOptions = {}): WorldWindow<Place> {
    return this.alone(() => {
      const options = readOptions("world.window", given, WINDOW_OPTIONS);
      return this.#window(this.#rectangle(cells), options);
    });
  }

  /** @internal Makes the regions of a range, for {@link compose} of the same world in another thread. */
  regionsIn(range: RegionRange, call: Pick<LongCall, "signal">): MadeRegion[] {
    return this.alone(() => {
      const made = this.#hasRegions ? this.#made(range, this.#begin(cellsOf(range, REGION_SIDE), [], call)) : [];
      return Array.from(made, ({ regions }) => [...regions]).flat();
    });
  }

  /**
   * @internal Makes a rectangle region by region: yields the visits of each layer, then returns the rest. Use a result
   * before the next step, which uses the memory of `workspace` again. The regions do not stay in the cache.
   */
  *byRegion(
    cells: CellRectangle,
    { visits = [], signal }: Pick<WindowOptions, "visits" | "signal">,
    workspace: Workspace,
  ): Generator<VisitsByRegion, CellsByRegion> {
    const steps = this.alone(() => {
      const rectangle = this.#rectangle(cells);
      const layers = this.#named("visits", visits);
      this.#checkLimit(rectangle, layers);
      return this.#byRegion(rectangle, layers, signal, workspace);
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
   * @throws The errors of {@link World.window}.
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
   * Returns a cell with its terrain, its visits in every layer, its placements and the seats of its realms. Cost: a few
   * microseconds, and for realms a pass over the cells that are at most `within` steps away. If the region of the cell
   * is not in the cache, first makes this region with the visits of all layers.
   *
   * @throws The errors of {@link World.window}.
   */
  at(row: number, col: number): WorldCell<Place> {
    return this.alone(() => {
      const cell = this.#rectangle({ row0: row, col0: col, rows: 1, cols: 1 });
      const names = this.layers.map(({ name }) => name);
      const isMade = !this.#hasRegions || this.#regionAt(cell) !== undefined;
      if (!isMade || !names.every((_, layer) => this.#engine?.isComplete(layer, cell))) {
        const region = cellsOf(regionsNear(cell, { side: REGION_SIDE }), REGION_SIDE);
        this.#window(overlap(region, this.#bounds), { visits: names });
      }
      const engine = this.#ready({});
      const watch = new Watch(this.name, 1, {});
      const region = this.#regionAt(cell);
      if (region !== undefined) this.#fill(region);
      const fields: Record<string, number> = {};
      for (const [f, { name }] of this.plan.fields.entries()) {
        engine.field(f, cell, watch, ([value]) => {
          fields[name] = value;
        });
      }
      return {
        terrain: this.terrains[region === undefined ? 0 : terrainIn(region, row, col)],
        visits: Object.fromEntries(names.map((name, layer) => [name, engine.visitsAt(layer, cell, watch)])),
        fields,
        placements: region === undefined ? [] : (placementsAt(region, cell, this.kinds) as Place[]),
        realms: this.#realmsAt(cell),
        ...(this.#stages.length > 0 && { base: this.terrains[this.#before(cell).terrain[0]] }),
      };
    });
  }

  #realmsAt(cell: CellRectangle): WorldCell<Place>["realms"] {
    const names = this.realms.map(({ name }) => name);
    if (names.length === 0) return {};
    const window = this.#window(cell, { realms: names });
    return Object.fromEntries(names.map((name) => [name, window.realmAt(name, cell.row0, cell.col0)]));
  }

  /**
   * Returns the placements in a window of `rows` × `cols` cells. Its first cell is (row0, col0).
   *
   * @throws The errors of {@link World.window}.
   */
  placements(cells: CellRectangle, given: Omit<WindowOptions, "visits"> = {}): Placements<Place> {
    return this.alone(() => {
      const options = readOptions("world.placements", given, ["contents", ...LONG_CALL]);
      return this.#window(this.#rectangle(cells), options).placements;
    });
  }

  /**
   * Returns the placement of a kind that is nearest to a cell, and its distance in steps. Among several at this
   * distance, the first one by row, then column. Undefined if there is none within the distance.
   *
   * Cost: makes the regions of 256 × 256 cells around the cell, ring by ring, until no further region can have a nearer
   * placement.
   *
   * @param given - Option `within`: the greatest distance, 0 … 2,048. Default 256.
   * @throws RollmillError `argument.range` for an unknown kind; the errors of {@link World.window}.
   */
  nearest<Kind extends Place["kind"]>(
    kind: Kind,
    row: number,
    col: number,
    given: { readonly within?: number | undefined } = {},
  ): { readonly placement: Place & { readonly kind: Kind }; readonly distance: number } | undefined {
    return this.alone(() => {
      const { within = DEFAULT_WITHIN } = readOptions("world.nearest", given, ["within"]);
      checkInteger("within", within, 0, MAX_WITHIN);
      const known = this.kinds.map(({ name }) => name);
      const [number] = indicesOf([kind], { known, problem: `${this.name} has no such kind of placements` });
      const cell = this.#rectangle({ row0: row, col0: col, rows: 1, cols: 1 });
      const found = nearestCell({ cell, within, grid: this.plan.spec.grid }, (region) => {
        const { kinds, rows, cols } = this.#window(region, { contents: false }).placements;
        return [...kinds.keys()].filter((k) => kinds[k] === number).map((k) => [rows[k], cols[k]] as const);
      });
      if (found === undefined) return undefined;
      const { placements } = this.#window({ ...cell, row0: found.cell[0], col0: found.cell[1] }, {});
      // the cast is safe: a placement of this kind stands on the cell
      const placement = placements.at(placements.kinds.indexOf(number)) as Place & { readonly kind: Kind };
      return { placement, distance: found.distance };
    });
  }

  /**
   * Returns the child world to which a placement on this cell leads: a world of its own, with the spec that `enters` of
   * the kind names. It depends only on the seed, the name and the spec of this world, and on the kind, the cell and the
   * level. Each call returns a new world with memory of its own, so dispose of it. Cost: that of {@link World.at}, and
   * of compiling the spec in the first call.
   *
   * @throws RollmillError `argument.range` if no placement on the cell has `enters`, or if it has fewer levels; the
   * errors of {@link World.window}; the errors that `mill.world` throws for the contents of the child world.
   */
  enter(row: number, col: number, given: EnterOptions<Place["kind"]> = {}): World {
    const { kind, level = 1 } = readOptions("world.enter", given, ["kind", "level"]);
    const standing = this.placements({ row0: row, col0: col, rows: 1, cols: 1 }, { contents: false });
    const door = doorOf(
      this.kinds,
      [...standing].map((one) => one.kind),
      kind,
    );
    const { setup, entered } = setupOf(door, { row, col, level }, this.setupWith(this.plan));
    return new World(setup, this.#options, this.#means, entered);
  }

  /**
   * Returns the paths that have a cell in a window of `rows` × `cols` cells, and the pairs of places that have no way
   * and of which one is in the window. They are sorted by kind, in the order of the spec, then by `from` and `to`.
   *
   * @throws The errors of {@link World.window}.
   */
  paths(cells: CellRectangle, given: LongCall = {}): WorldPath[] {
    return this.alone(() => {
      const call = readOptions("world.paths", given, LONG_CALL);
      const rectangle = this.#rectangle(cells);
      this.#checkLimit(rectangle, []);
      return this.#pathsIn(rectangle, call);
    });
  }

  #pathsIn(rectangle: CellRectangle, call: LongCall): WorldPath[] {
    const making = this.#begin(rectangle, [], call);
    const found = new Map<string, WorldPath>();
    const onPath = (path: WorldPath) => {
      const cells = path.cells.length === 0 ? [path.from, path.to] : path.cells;
      if (!cells.some(([row, col]) => contains(rectangle, row, col))) return;
      found.set([path.name, ...path.from, ...path.to].join(), path);
    };
    const kinds = this.plan.spec.paths.map(({ name }) => name);
    // the stamps come after the paths
    const stages = this.#stages.slice(0, kinds.length);
    for (const part of stages.length === 0 ? [] : partsOf(rectangle)) {
      const range = regionsNear(part, { side: REGION_SIDE });
      this.#ground(range, making).finish(range, stages, { ...making, onPath });
    }
    making.watch.passed(rectangle.rows * rectangle.cols);
    const orderOf = ({ name, from, to }: WorldPath) => [kinds.indexOf(name), ...from, ...to];
    return [...found.values()].sort((a, b) => compareLists(orderOf(a), orderOf(b)));
  }

  /**
   * Returns the SHA-256 of everything in a window, as 64 hexadecimal digits. It covers the visits and first visits
   * of layers, the terrain, the placements and the contents. Use it to compare worlds that were made on two machines,
   * or with the result of a job. Child worlds are not a part of it. Format: section 5 of docs/determinism.md, "Digest
   * of a world".
   *
   * @param given - Option `visits`: the names of the layers whose visits count. Default: all layers.
   * @throws The errors of {@link World.window}.
   */
  digest(window: CellRectangle, given: Omit<WindowOptions, "contents"> = {}): string {
    return this.alone(() => {
      const { visits, signal, onProgress } = readOptions("world.digest", given, ["visits", ...LONG_CALL]);
      const rectangle = this.#rectangle(window, Number.MAX_SAFE_INTEGER);
      const named = visits === undefined ? [...this.layers.keys()] : this.#named("visits", visits);
      const layers = named.sort((a, b) => a - b);
      const watch = new Watch(this.name, rectangle.rows * rectangle.cols, { signal, onProgress });
      const cellsIn = (part: RegionRange) => overlap(rectangle, cellsOf(part, REGION_SIDE));
      const workspace = new Workspace();
      const digests: RegionDigest[] = [];
      let done = 0;
      // makes several regions together, because each part also needs the walks around it
      const across = layers.length > LAYERS_TOGETHER ? 1 : REGIONS_ACROSS;
      for (const part of divided(regionsNear(rectangle, { side: REGION_SIDE }), across)) {
        // `maxRegions` applies to each region alone, so the size of a part does not matter
        for (const region of singles(part)) this.#checkLimit(cellsIn(region), layers);
        const cells = cellsIn(part);
        digests.push(...digestsOf(cells, this.#byRegion(cells, layers, signal, workspace)));
        done += cells.rows * cells.cols;
        watch.passed(done);
      }
      return digestOfRegions(digests.sort((a, b) => a.i - b.i || a.j - b.j));
    });
  }

  /**
   * Draws a window of `rows` × `cols` cells, and returns the bytes of a PNG file. The first cell is (row0, col0).
   * The picture shows the terrain in its colours, and a mark for each placement. With the options `darken` and
   * `lighten`, visited cells are darker or lighter, on a log scale from 1 to the highest visit count in the picture.
   *
   * @throws RollmillError `argument.range`, `argument.type`, `argument.option`; the errors of {@link World.window} and
   * of `terrainPng` of `rollmill/formats`.
   */
  picture(cells: CellRectangle, given: WorldPictureOptions = {}): Uint8Array {
    return this.alone(() => {
      const options = readOptions("world.picture", given, PICTURE_OPTIONS);
      const shown = this.#rectangle(cells);
      return drawWorld(this.plan, shown, options, (window, request) => this.#window(window, request));
    });
  }

  /**
   * The share of each terrain and the density of each kind of placement, which do not depend on the seed. A terrain
   * that depends on the visits of layers has no known share, nor has any terrain in a world with paths.
   */
  odds(): WorldOdds {
    return worldOdds(this.plan.spec);
  }

  /**
   * Puts the walkers of one region of a scattered layer on their start cells, and returns the run. Advance the run step
   * by step, then dispose of it.
   *
   * @param given - `layer` is the layer's name. `region` is [i, j], a region of this layer. The side of such a region
   * is the layer's `scatter.side`. In an unbounded odd-r grid, the region and the run have axial coordinates:
   * `axialToOddR` converts them.
   * @throws RollmillError `argument.range` for a layer that is not scattered; the errors of {@link World.window} and of
   * `walk.start`.
   */
  start(given: { readonly layer: string; readonly region: readonly [number, number] }): LayerRun {
    return this.alone(() => {
      const { layer, region } = readOptions("world.start", given, ["layer", "region"]);
      return this.walk.start({ layer, region, earlier: this.#earlierMaps(layer, region) });
    });
  }

  /** @internal The maps that the walkers of a region of a scattered layer need, by the names of their layers. */
  earlierMaps(layer: string, region: readonly [number, number]): Record<string, LayerMap> {
    return this.alone(() => this.#earlierMaps(layer, region));
  }

  #earlierMaps(name: string, region: readonly [number, number]): Record<string, LayerMap> {
    const [layer] = this.#named("visits", [name]);
    const plan = this.plan.walk.layers[layer];
    if (plan.scatter === undefined || plan.stuckOf !== undefined) {
      const flaw = plan.scatter === undefined ? "is not scattered, so it has no regions" : "has no walkers of its own";
      const finding = { problem: `the layer ${flaw}`, got: name, expected: "a layer with `scatter`" };
      return fail(error("argument.range", finding));
    }
    const { side } = plan.scatter;
    const cells = cellsOf(single(...readPlace("region", region, side)), side);
    const needs = Array.from(layersNeeded(this.plan, layer, cells), ([l, area]) => ({ cells: area, layers: [l] }));
    this.#checkRegions(needs);
    const engine = this.#ready({});
    engine.makeRoom(needs);
    const watch = new Watch(this.name, 0, {});
    const names = sourceNames(this.plan.walk);
    return Object.fromEntries(
      sourcesNeeded(plan, cells).map(({ source, area }) => {
        const { layer: earlier } = sourceAt(this.plan.walk, source);
        const map = earlier === undefined ? engine.valueMap(source, area, watch) : engine.map(earlier, area, watch);
        return [names[source], map] as const;
      }),
    );
  }

  /** @internal The terrain of a rectangle before paths and stamps, row by row, and the placements in and around it. */
  before(cells: CellRectangle): Pick<Ground, "terrain" | "placements"> {
    return this.alone(() => {
      const { terrain, placements } = this.#before(cells);
      return { terrain: terrain.slice(), placements };
    });
  }

  /** @internal Reads the maps of finite layers from elsewhere. Call it before any other method. */
  useMaps(maps: FiniteMaps): void {
    this.#finite = maps;
  }

  /** @internal Takes cells that were made before, instead of making them. Call it before any other method. */
  useStored(stored: StoredCells): void {
    this.#stored = stored;
  }

  /** @internal Makes the terrain of cells before the stages, with the maps of the cells that were made last. */
  ground(cells: CellRectangle, { signal }: Pick<LongCall, "signal">): TerrainCells {
    return this.alone(() => this.#ready({ signal }).ground(cells, new Watch(this.name, 1, { signal })));
  }

  /** @internal Returns the values of a field, row by row, without making the terrain. */
  fieldValues(name: string, cells: CellRectangle, call: Pick<LongCall, "signal"> = {}): Uint16Array<ArrayBuffer> {
    return this.alone(() => {
      const [field] = this.#named("fields", [name]);
      const rectangle = this.#rectangle(cells);
      const engine = this.#ready(call);
      engine.makeRoom(this.#walked([needOfField(this.plan.fields[field], rectangle)]));
      const watch = new Watch(this.name, rectangle.rows * rectangle.cols, call);
      const values = new Uint16Array(rectangle.rows * rectangle.cols);
      for (const part of partsOf(rectangle)) {
        const at = (row: number) => (row - rectangle.row0) * rectangle.cols + part.col0 - rectangle.col0;
        engine.field(field, part, watch, (found, row) => values.set(found, at(row)));
      }
      return values;
    });
  }

  /** @internal Opens the contents that come from stocks of the whole world, with full stocks. */
  ordered(): OrderedContents {
    const { plan, stream } = this;
    return this.alone(() => new OrderedContents({ ...this.#means, plan, stream }));
  }

  /** @internal Opens the noun of a content of a kind, as {@link contentNoun} does. */
  contentNoun(
    kind: PlacementSpec,
    content: ContentSpec,
    placed: Parameters<typeof contentNoun>[2],
  ): ContentNoun | undefined {
    const { plan, stream } = this;
    return contentNoun(kind, content, placed, { ...this.#means, plan, stream });
  }

  /** @internal The layers as a walk. */
  get walk(): Walk {
    return new Walk(this.setupWith(this.plan.walk), { openKernel: () => this.#openKernel() });
  }

  /**
   * Frees the world's memory. You can no longer use the world, but you can still use its windows. A fork has its own
   * memory, so dispose of it too.
   */
  dispose(): void {
    this.#isDisposed = true;
    this.#engine?.dispose();
    this.#engine = undefined;
    this.#cache.clear();
    this.#base.clear();
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

  #ready({ signal }: Pick<LongCall, "signal">): WorldEngine {
    const { plan, stream } = this;
    const finite = this.#finite ?? finiteLayers(plan, this.walk, this.#kernelBytes);
    this.#finite = finite;
    finite.run({ signal });
    const stored = this.#stored;
    this.#engine ??= new WorldEngine({ kernel: this.#openKernel(), plan, stream, finite, stored });
    return this.#engine;
  }

  #window(
    rectangle: CellRectangle,
    { visits = [], fields: named = [], realms = [], contents = true, ...call }: WindowOptions,
  ): WorldWindow<Place> {
    checkFlag("contents", contents);
    const layers = this.#named("visits", visits);
    const fields = this.#named("fields", named);
    const seats = new RealmSeats(this.plan, this.#named("realms", realms), rectangle);
    this.#checkLimit(rectangle, layers, fields);
    const forSeats = this.#needOf(this.#baseOf(regionsNear(seats.area, { side: REGION_SIDE })));
    this.#checkRegions(this.#walked([forSeats]));
    const composition = new Composition(rectangle, this.plan, [{ ...rectangle, at: 0 }], new Workspace());
    for (const layer of layers) composition.addLayer(layer);
    const making = { rectangle, composition, seats, ...this.#begin(rectangle, layers, call, seats.area) };
    const pieces = partsOf(rectangle);
    for (const part of pieces) for (const layer of layers) this.#readVisits(layer, part, making);
    for (const field of fields) {
      const take = composition.addField(field);
      for (const part of pieces) this.#readField(field, part, making, take);
    }
    this.#makeCells(making, contents);
    // the cast is safe: the types of the placements come from the spec of this world
    return composition.window(seats.realms(rectangle, pieces)) as WorldWindow<Place>;
  }

  *#byRegion(
    rectangle: CellRectangle,
    layers: readonly number[],
    signal: LongCall["signal"],
    workspace: Workspace,
  ): Generator<VisitsByRegion, CellsByRegion> {
    const regions = regionBlocks(rectangle);
    const composition = new Composition(rectangle, this.plan, regions, workspace);
    const making = { rectangle, composition, ...this.#begin(rectangle, layers, { signal }), workspace };
    for (const layer of layers) {
      const visits = composition.beginLayer(layer);
      for (const part of partsOf(rectangle)) this.#readVisits(layer, part, making);
      yield visits;
    }
    this.#makeCells(making, true);
    return { ...composition.cells(), regions };
  }

  /** `area` has the cells whose regions are needed. */
  #begin(rectangle: CellRectangle, layers: readonly number[], call: LongCall, area = rectangle): Making {
    const watch = new Watch(this.name, rectangle.rows * rectangle.cols, call);
    const engine = this.#ready(call);
    const range = regionsNear(area, { side: REGION_SIDE });
    const missing = missingFrom(this.#cache, range)
      .filter((part) => !this.#stored?.isFinished(cellsOf(part, REGION_SIDE)))
      .flatMap((part) => missingFrom(this.#base, this.#baseOf(part)))
      .filter((part) => !this.#stored?.canMake(cellsOf(part, REGION_SIDE)));
    const needs = [{ cells: rectangle, layers }, ...missing.map((part) => this.#needOf(part))];
    engine.chooseStored(needs);
    engine.makeRoom(this.#walked(needs));
    return { engine, watch };
  }

  #regionAt({ row0, col0 }: CellRectangle): MadeRegion | undefined {
    return this.#cache.get(placeKey(Math.floor(row0 / REGION_SIDE), Math.floor(col0 / REGION_SIDE)));
  }

  /** Whether regions must be made. Without rules, terrain 0 is everywhere. */
  get #hasRegions(): boolean {
    const { rules, placements } = this.plan.spec;
    return rules.length > 0 || placements.length > 0;
  }

  #makeCells(making: Composing, contents: boolean): void {
    const { rectangle, watch, seats } = making;
    // without regions, no cell has to be made: the composition begins with terrain 0
    if (!this.#hasRegions) watch.passed(rectangle.rows * rectangle.cols);
    const range = regionsNear(seats?.area ?? rectangle, { side: REGION_SIDE });
    let done = 0;
    for (const made of this.#hasRegions ? this.#made(range, making) : []) {
      done += this.compose(made, making, contents);
      watch.passed(done);
    }
  }

  /** @internal Adds cells to a window. Returns the number of cells of the window among them. */
  compose(
    { cells, terrain, regions }: MadeCells,
    { rectangle, composition, seats }: Composed,
    contents: boolean,
  ): number {
    for (const region of regions) {
      const { rows, cols } = overlap(cellsOfRegion(region), rectangle);
      if (contents && ((rows > 0 && cols > 0) || seats?.isNeeded(region))) this.#fill(region);
      composition.addPlacements(region, contents);
      seats?.add(region, contents);
    }
    return composition.addTerrain(cells, terrain);
  }

  /** Returns where layers must be complete before the regions of a range can be made. */
  #needOf(range: RegionRange): Need {
    return { cells: cellsNeeded(this.plan, cellsOf(range, REGION_SIDE)), layers: this.plan.terrainLayers };
  }

  /** Returns the cells that can matter to the finished cells of a range. */
  #groundOf(range: RegionRange): CellRectangle {
    return overlap(grown(cellsOf(range, REGION_SIDE), this.plan.margin), this.#bounds);
  }

  #baseOf(range: RegionRange): RegionRange {
    return regionsNear(this.#groundOf(range), { side: REGION_SIDE });
  }

  #made(range: RegionRange, making: Making): Iterable<MadeCells> {
    const make = (part: RegionRange) => {
      const cells = cellsOf(part, REGION_SIDE);
      if (this.#stored?.isFinished(cells)) {
        const made = this.#stored.finished(cells);
        return [{ cells, terrain: made.terrain, regions: partOf(part, made).regions.values() }];
      }
      return this.#stages.length === 0 ? this.#make(part, making) : this.#finish(part, making);
    };
    return regionsFrom(this.#cache, range, make);
  }

  /** Makes a part, and then changes its cells. */
  #finish(range: RegionRange, making: Making): Iterable<MadeCells> {
    const make = (part: RegionRange) => {
      return withTraits(this.#ground(part, making).finish(part, this.#stages, making), making.engine);
    };
    return partsMade(range, { make, cache: making.workspace === undefined ? this.#cache : undefined });
  }

  /** Returns the cells that can matter to the finished cells of a range, before the stages. */
  #ground(range: RegionRange, making: Making): Ground {
    // without a workspace, so that the regions stay in the cache: the parts around this one need some of them
    const make = (part: RegionRange) => this.#make(part, { ...making, workspace: undefined });
    const given = { kinds: this.kinds.length, workspace: this.#workspace };
    return new Ground(this.#groundOf(range), regionsFrom(this.#base, this.#baseOf(range), make), given);
  }

  /** Returns cells before the stages, in memory that the next call uses again. */
  #before(cells: CellRectangle): Ground {
    const making = this.#begin(cells, [], {});
    const range = regionsNear(cells, { side: REGION_SIDE });
    const made = regionsFrom(this.#base, range, (part) => this.#make(part, making));
    return new Ground(cells, made, { kinds: this.kinds.length, workspace: this.#workspace });
  }

  #make(range: RegionRange, { engine, watch, workspace }: Making): Iterable<MadeCells> {
    const make = (part: RegionRange) => {
      watch.look();
      const made = engine.make(cellsOf(part, REGION_SIDE), watch, workspace);
      // stages read no traits, and can add placements
      return this.#stages.length === 0 ? withTraits(made, engine) : made;
    };
    return partsMade(range, { make, cache: workspace === undefined ? this.#base : undefined });
  }

  #fill(region: MadeRegion): void {
    if (region.contents !== undefined) return;
    const { i, j, placements } = region;
    region.contents = this.#contents.map((make, kind) => {
      const { terrains } = placements[kind];
      return make && (this.#stored?.contents(kind, i, j) ?? make({ i, j, terrains }));
    });
    const numbers = this.kinds.map(({ contents }) => contents.length);
    const made = region.contents.reduce((sum, content, kind) => sum + (content?.length ?? 0) * numbers[kind], 0);
    this.#cache.grown(placeKey(i, j), made * BYTES_PER_CONTENT);
  }

  /** Reads visits. If the maps do not fit in memory, reads two halves of the cells one after another. */
  #readVisits(layer: number, cells: CellRectangle, making: Composing): void {
    const { composition, engine, watch } = making;
    try {
      engine.visitsInto(layer, cells, composition.targets(layer, cells), watch);
    } catch (cause) {
      if (!isMemoryFull(cause) || cells.rows * cells.cols === 1) throw cause;
      for (const half of halvesOf(cells)) this.#readVisits(layer, half, making);
    }
  }

  #readField(field: number, part: CellRectangle, { engine, watch }: Making, take: FieldRows): void {
    engine.field(field, part, watch, (values, row) => take(values, row, part.col0));
  }

  #rectangle(given: CellRectangle, most = MAX_CELLS): CellRectangle {
    const cells = readRectangle(given, most);
    if (!isInside(cells, this.#bounds)) this.#refuseOutside(cells);
    return cells;
  }

  get #bounds(): CellRectangle {
    return cellsOfGrid(this.plan.spec.grid);
  }

  #refuseOutside({ row0, col0, rows, cols }: CellRectangle): never {
    const bounds = this.#bounds;
    const got = `rows ${row0} to ${row0 + rows - 1}, columns ${col0} to ${col0 + cols - 1}`;
    const [lastRow, lastCol] = [bounds.row0 + bounds.rows - 1, bounds.col0 + bounds.cols - 1];
    const expected = `rows from ${bounds.row0} to ${lastRow}, and columns from ${bounds.col0} to ${lastCol}`;
    const problem = `some cells are outside the grid of the world ${this.name}`;
    return fail(error("world.window", { problem, got, expected }));
  }

  /** Returns the indices of the names that an option of a call has. */
  #named(option: keyof typeof NAMED, given: readonly string[]): number[] {
    const [list, noun] = NAMED[option];
    const names = readList(option, given, { of: `names of ${list}`, most: MAX_NAMES });
    const known = this[list].map(({ name }) => name);
    return indicesOf(names, { known, problem: `${this.name} has no such ${noun}` });
  }

  #checkLimit(cells: CellRectangle, layers: readonly number[], fields: readonly number[] = []): void {
    const forFields = fields.map((field) => needOfField(this.plan.fields[field], cells));
    const forRegions = this.#needOf(this.#baseOf(regionsNear(cells, { side: REGION_SIDE })));
    this.#checkRegions(this.#walked([{ cells, layers }, ...forFields, forRegions]));
  }

  /** Converts needs in the coordinates of the grid. */
  #walked(needs: readonly Need[]): Need[] {
    return needs.flatMap((need) => walkedNeeds(need, this.plan.spec.grid));
  }

  #checkRegions(needs: readonly Need[]): void {
    const most = this.#options.maxRegions ?? DEFAULT_MAX_REGIONS;
    for (const { layer, range } of rangesOf(needs, this.plan)) {
      if (countOf(range) <= most) continue;
      const { name, reach, side } = this.layers[layer];
      const problem = `the call needs too many regions of the layer ${JSON.stringify(name)}`;
      const reason = `The visits of a cell depend on cells up to ${reach} rows and columns away`;
      const ways = `Ask for fewer cells, lower "steps" of the layer, raise its "side" above ${side}, or raise "maxRegions"`;
      const finding = { problem, got: countOf(range), expected: `at most ${most} regions` };
      fail(error("world.regions", { ...finding, remedy: `${reason}. ${ways}` }));
    }
  }

  /** @internal */
  protected override checkTurn(): void {
    super.checkTurn();
    if (this.#isDisposed) refuseDisposed(this.name, "the world");
  }
}

function missingFrom(cache: RegionCache, range: RegionRange): RegionRange[] {
  return missingParts(range, (i, j) => !cache.has(placeKey(i, j)));
}

/** Yields the cached regions, and then makes the missing regions in groups. */
function* regionsFrom(
  cache: RegionCache,
  range: RegionRange,
  make: (part: RegionRange) => Iterable<MadeCells>,
): Generator<MadeCells, void> {
  const missing = new Set<number>();
  for (const { i0: i, j0: j } of singles(range)) {
    const region = cache.get(placeKey(i, j));
    if (region === undefined) missing.add(placeKey(i, j));
    else yield { cells: cellsOfRegion(region), terrain: region.terrain, regions: [region] };
  }
  const parts = missingParts(range, (i, j) => missing.has(placeKey(i, j)));
  for (const range of parts) for (const part of divided(range, REGIONS_ACROSS)) yield* make(part);
}

/** Makes a part, and adds it to the cache. If its regions do not fit in memory together, makes them one by one. */
function* partsMade(
  range: RegionRange,
  means: { readonly make: (part: RegionRange) => MadeTerrain; readonly cache: RegionCache | undefined },
): Generator<MadeCells, void> {
  let made: MadeTerrain;
  try {
    made = means.make(range);
  } catch (cause) {
    if (!isMemoryFull(cause) || countOf(range) === 1) throw cause;
    for (const single of singles(range)) yield* partsMade(single, means);
    return;
  }
  const part = partOf(range, made);
  means.cache?.add(part);
  yield { cells: cellsOf(range, REGION_SIDE), terrain: made.terrain, regions: part.regions.values() };
}

/** Adds the sizes and facings to all placements. */
function withTraits({ terrain, placements }: MadeTerrain, engine: WorldEngine): MadeTerrain {
  return { terrain, placements: placements.map((standing, k) => engine.withTraits(k, standing)) };
}

type FieldRows = ReturnType<Composition["addField"]>;

/** Returns where layers must be complete before a field can be computed. */
function needOfField({ program, layers }: FieldPlan, cells: CellRectangle): Need {
  return { cells: grown(cells, Math.max(0, ...program.reaches.values())), layers };
}

/** Cuts a rectangle into parts. The regions of a part are made together, and the parts one after another. */
export function partsOf(rectangle: CellRectangle): CellRectangle[] {
  const parts = divided(regionsNear(rectangle, { side: REGION_SIDE }), REGIONS_ACROSS);
  return Array.from(parts, (part) => overlap(rectangle, cellsOf(part, REGION_SIDE)));
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  const k = a.findIndex((one, i) => one !== b[i]);
  return k < 0 ? 0 : a[k] - b[k];
}

function halvesOf(cells: CellRectangle): CellRectangle[] {
  const { row0, col0, rows, cols } = cells;
  const half = Math.ceil(Math.max(rows, cols) / 2);
  const first = rows < cols ? { ...cells, cols: half } : { ...cells, rows: half };
  const place = rows < cols ? { col0: col0 + half, cols: cols - half } : { row0: row0 + half, rows: rows - half };
  return [first, { ...cells, ...place }];
}

import { allocateResults } from "../calls/index.js";
import type { CellTarget, NarrowTarget } from "../walks/kernel/cellMap.js";
import { LargeCounts } from "../walks/map/narrowCounts.js";
import type { CellRectangle } from "../walks/map/openCells.js";
import type { MadeRegion } from "./cache.js";
import {
  type Block,
  type CellsByRegion,
  indexIn,
  piecesOf,
  type RegionBlock,
  regionBlocks,
  type VisitsByRegion,
} from "./cellsByRegion.js";
import { contains, overlap } from "./costs.js";
import type { StandingCells, TerrainCells } from "./kernel/terrain.js";
import { type PlacementPart, Placements } from "./placements.js";
import { cellsOfRegion } from "./regions.js";
import type { WorldPlan } from "./types.js";
import { WorldWindow } from "./window.js";
import { Workspace } from "./workspace.js";

/** The visits of a layer. */
interface WideLayer {
  readonly out: Uint32Array<ArrayBuffer>;
}

/** The visits of a layer in their short form. */
interface NarrowLayer {
  readonly out: Uint8Array<ArrayBuffer>;
  readonly large: LargeCounts;
}

/** Where to write the visits and the first visits of some cells of a layer. */
export interface VisitsTarget {
  readonly cells: CellRectangle;
  readonly visits: CellTarget | NarrowTarget;
  readonly firstVisits: CellTarget | undefined;
}

/** The visits and the first visits of a layer, in memory for a whole rectangle. */
interface LayerArrays {
  readonly visits: WideLayer | NarrowLayer;
  readonly firstVisits: Uint32Array<ArrayBuffer> | undefined;
}

/**
 * Assembles the terrain and the placements of a rectangle from regions, which can be added in any order. The terrain
 * consists of blocks: one block for the rows of a {@link WorldWindow}, or one for each region of {@link CellsByRegion}.
 */
abstract class Assembly {
  protected readonly rectangle: CellRectangle;
  protected readonly plan: WorldPlan;
  protected readonly terrain: Uint8Array<ArrayBuffer>;
  readonly #blocks: readonly Block[];
  readonly #parts: { readonly i: number; readonly j: number; readonly parts: readonly PlacementPart[] }[] = [];

  constructor(
    rectangle: CellRectangle,
    plan: WorldPlan,
    { blocks, workspace }: { blocks: readonly Block[]; workspace: Workspace },
  ) {
    this.rectangle = rectangle;
    this.plan = plan;
    this.terrain = workspace.bytes("terrain", rectangle.rows * rectangle.cols);
    // without rules, terrain 0 is everywhere, and nothing else writes it
    if (plan.spec.rules.length === 0) this.terrain.fill(0);
    this.#blocks = blocks;
  }

  /** Returns where to write the visits and the first visits of a layer, for a part of the rectangle. */
  abstract targets(layer: number, part: CellRectangle): VisitsTarget[];

  /** Copies terrain. Skips cells outside the rectangle. Returns the number of copied cells. */
  addTerrain(given: CellRectangle, { cells: source, at, stride }: TerrainCells): number {
    let copied = 0;
    for (const { block, cells } of piecesOf(given, this.#blocks)) {
      let from = at + (cells.row0 - given.row0) * stride + cells.col0 - given.col0;
      let to = indexIn(block, cells.row0, cells.col0);
      for (let r = 0; r < cells.rows; r++) {
        this.terrain.set(source.subarray(from, from + cells.cols), to);
        from += stride;
        to += block.cols;
      }
      copied += cells.rows * cells.cols;
    }
    return copied;
  }

  /** Adds those placements of a region that are inside the window. */
  addPlacements(region: MadeRegion, hasContents: boolean): void {
    const cells = overlap(cellsOfRegion(region), this.rectangle);
    const parts = region.placements.flatMap((standing, kind): PlacementPart[] => {
      const inside = placedIn(standing, cells);
      const contents = hasContents ? region.contents?.[kind] : undefined;
      return inside.ranks.length === 0 ? [] : [{ kind, ...inside, contents }];
    });
    this.#parts.push({ i: region.i, j: region.j, parts });
  }

  protected get placements(): Placements {
    const parts = this.#parts.sort((a, b) => a.i - b.i || a.j - b.j).flatMap((region) => region.parts);
    return new Placements(
      parts,
      this.plan.spec.placements.map(({ name }) => name),
    );
  }

  /** Returns the targets for a part of the rectangle, in the memory of a layer. */
  protected targetsIn({ visits, firstVisits }: LayerArrays, part: CellRectangle): VisitsTarget[] {
    return piecesOf(part, this.#blocks).map(({ block, cells }) => {
      const place = { at: indexIn(block, cells.row0, cells.col0), stride: block.cols };
      return {
        cells,
        visits: { ...visits, ...place },
        firstVisits: firstVisits && { out: firstVisits, ...place },
      };
    });
  }

  /** Returns memory for the first visits of a layer, if the layer keeps them. */
  protected firstVisitsOf(layer: number): Uint32Array<ArrayBuffer> | undefined {
    return this.plan.walk.layers[layer].firstVisit ? wordsFor(this.rectangle) : undefined;
  }
}

/** Assembles a window. */
export class WindowAssembly extends Assembly {
  readonly #layers: ReadonlyMap<number, LayerArrays & { readonly visits: WideLayer }>;

  /** @param layers - Indices of the layers whose visits the window will have. */
  constructor(rectangle: CellRectangle, plan: WorldPlan, layers: readonly number[]) {
    super(rectangle, plan, { blocks: [{ ...rectangle, at: 0 }], workspace: new Workspace() });
    this.#layers = new Map(
      layers.map((layer) => [layer, { visits: { out: wordsFor(rectangle) }, firstVisits: this.firstVisitsOf(layer) }]),
    );
  }

  override targets(layer: number, part: CellRectangle): VisitsTarget[] {
    const arrays = this.#layers.get(layer);
    if (arrays === undefined) throw new Error("the window has the visits of this layer");
    return this.targetsIn(arrays, part);
  }

  /** Returns the window. Call it after all regions have been added. */
  window(): WorldWindow {
    const { rectangle, terrain, placements } = this;
    const { spec, walk } = this.plan;
    const layers = [...this.#layers].map(([layer, arrays]) => ({ ...arrays, name: walk.layers[layer].name }));
    return new WorldWindow({
      ...rectangle,
      terrain,
      terrains: spec.terrains,
      visits: new Map(layers.map(({ name, visits }) => [name, visits.out])),
      firstVisits: new Map(layers.flatMap(({ name, firstVisits }) => (firstVisits ? [[name, firstVisits]] : []))),
      placements,
    });
  }
}

/**
 * Assembles a rectangle region by region. It has the visits of one layer at a time. So these stay in the cache of
 * the core until the caller has hashed and written them.
 */
export class RegionAssembly extends Assembly {
  readonly #regions: readonly RegionBlock[];
  readonly #workspace: Workspace;
  #layer: (LayerArrays & { readonly visits: NarrowLayer; readonly layer: number }) | undefined;

  constructor(rectangle: CellRectangle, plan: WorldPlan, workspace: Workspace) {
    const regions = regionBlocks(rectangle);
    super(rectangle, plan, { blocks: regions, workspace });
    this.#regions = regions;
    this.#workspace = workspace;
  }

  /** Begins with the visits of a layer. They replace those of the layer before. */
  beginLayer(layer: number): void {
    const cells = this.rectangle.rows * this.rectangle.cols;
    const visits = { out: this.#workspace.bytes("visits", cells), large: new LargeCounts(cells) };
    this.#layer = { visits, firstVisits: this.firstVisitsOf(layer), layer };
  }

  override targets(layer: number, part: CellRectangle): VisitsTarget[] {
    if (this.#layer?.layer !== layer) throw new Error("the assembly has begun with this layer");
    return this.targetsIn(this.#layer, part);
  }

  /** Returns the visits of the layer. Call it after they have been written to the targets of the whole rectangle. */
  visits(): VisitsByRegion {
    if (this.#layer === undefined) throw new Error("the assembly has begun with a layer");
    const { layer, visits, firstVisits } = this.#layer;
    const counts = { bytes: visits.out, large: visits.large.inOrder(visits.out) };
    return { layer: this.plan.walk.layers[layer], counts, firstVisits };
  }

  /** Returns the cells. Call it after all regions have been added. */
  cells(): CellsByRegion {
    const { rectangle, terrain, placements } = this;
    return { ...rectangle, regions: this.#regions, terrain, placements };
  }
}

/** Returns memory for a number for each cell of a rectangle. */
function wordsFor({ rows, cols }: CellRectangle): Uint32Array<ArrayBuffer> {
  return allocateResults(rows * cols, 4, (length) => new Uint32Array(length));
}

/**
 * `cells` is a part of a region. Returns the placements inside this part, and their indices among all placements of the
 * region.
 */
function placedIn({ rows, cols }: StandingCells, cells: CellRectangle): Omit<PlacementPart, "kind" | "contents"> {
  const ranks = new Uint32Array(rows.length);
  let count = 0;
  for (let k = 0; k < rows.length; k++) if (contains(cells, rows[k], cols[k])) ranks[count++] = k;
  // the usual case: the window contains the whole region
  if (count === rows.length) return { rows, cols, ranks };
  const inside = ranks.slice(0, count);
  return {
    rows: Int32Array.from(inside, (k) => rows[k]),
    cols: Int32Array.from(inside, (k) => cols[k]),
    ranks: inside,
  };
}

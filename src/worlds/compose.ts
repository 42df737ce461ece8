import { allocateResults } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { checkInteger } from "../spec/index.js";
import { type LayerPlan, NEVER } from "../walks/index.js";
import { NarrowCounts } from "../walks/map/chunkCodec.js";
import { type CellRectangle, cellsOf, overlap, regionsNear, singles } from "../walks/rectangles.js";
import { type Placement, type PlacementPart, Placements } from "./placements.js";
import type { RealmCells } from "./realms.js";
import { type MadeRegion, placementParts } from "./regions.js";
import type { TerrainCells } from "./stored.js";
import { REGION_SIDE, type TerrainSpec, type WorldPlan } from "./types.js";
import type { Workspace } from "./workspace.js";

/** A rectangle whose cells are in an array, row by row, from index `at`. */
export interface Block extends CellRectangle {
  readonly at: number;
}

/** The cells of region (i, j) that are in a rectangle. */
export interface RegionBlock extends Block {
  readonly i: number;
  readonly j: number;
}

/**
 * The visits of a layer in a rectangle: region by region, by i, then j. Digests and parts of jobs use this order. It
 * would take more time to cut the regions out of longer rows.
 */
export interface VisitsByRegion {
  readonly layer: LayerPlan;
  readonly counts: Pick<NarrowCounts, "bytes" | "large">;
  readonly firstVisits: Uint32Array<ArrayBuffer> | undefined;
}

/** The terrain and the placements of a rectangle. The terrain is in the order of {@link VisitsByRegion}. */
export interface CellsByRegion extends CellRectangle {
  readonly regions: readonly RegionBlock[];
  readonly terrain: Uint8Array<ArrayBuffer>;
  readonly placements: Placements;
}

export function regionBlocks(rectangle: CellRectangle): RegionBlock[] {
  let at = 0;
  return singles(regionsNear(rectangle, { side: REGION_SIDE })).map((region): RegionBlock => {
    const cells = overlap(rectangle, cellsOf(region, REGION_SIDE));
    const block = { ...cells, i: region.i0, j: region.j0, at };
    at += cells.rows * cells.cols;
    return block;
  });
}

export function piecesOf(part: CellRectangle, blocks: readonly Block[]) {
  return blocks.flatMap((block) => {
    const cells = overlap(part, block);
    return cells.rows > 0 && cells.cols > 0 ? [{ block, cells }] : [];
  });
}

export function indexIn({ at, row0, col0, cols }: Omit<Block, "rows">, row: number, col: number): number {
  return at + (row - row0) * cols + col - col0;
}

/** The cells of an array, as in a {@link Block}, whose rows may have more cells than the block: `cols` each. */
interface BlockOf<Values> extends Omit<Block, "rows"> {
  readonly values: Values;
}

/** Copies cells that both arrays have. */
export function copyCells(
  { row0, col0, rows, cols }: CellRectangle,
  from: BlockOf<Uint8Array | Uint32Array>,
  to: BlockOf<Uint8Array | Uint32Array>,
): void {
  for (let row = row0; row < row0 + rows; row++) {
    const first = indexIn(from, row, col0);
    to.values.set(from.values.subarray(first, first + cols), indexIn(to, row, col0));
  }
}

interface LayerArrays<Visits = Uint32Array<ArrayBuffer> | NarrowCounts> {
  readonly visits: Visits;
  readonly firstVisits: Uint32Array<ArrayBuffer> | undefined;
}

/** Where to write visits: the first cell at index `at`, and each row `stride` elements after the row before it. */
export interface VisitsTarget extends LayerArrays {
  readonly cells: CellRectangle;
  readonly at: number;
  readonly stride: number;
}

/** Composes a rectangle from regions in any order. The arrays have one block for all regions, or a block for each. */
export class Composition {
  readonly #rectangle: CellRectangle;
  readonly #plan: WorldPlan;
  readonly #workspace: Workspace;
  readonly #terrain: Uint8Array<ArrayBuffer>;
  readonly #layers = new Map<number, LayerArrays>();
  readonly #fields = new Map<number, Uint16Array<ArrayBuffer>>();
  readonly #blocks: readonly Block[];
  readonly #parts: { i: number; j: number; parts: readonly PlacementPart[] }[] = [];

  constructor(rectangle: CellRectangle, plan: WorldPlan, blocks: readonly Block[], workspace: Workspace) {
    this.#rectangle = rectangle;
    this.#plan = plan;
    this.#workspace = workspace;
    this.#terrain = workspace.bytes("terrain", rectangle.rows * rectangle.cols);
    // without rules, terrain 0 is everywhere, and nothing else writes it
    if (plan.spec.rules.length === 0) this.#terrain.fill(0);
    this.#blocks = blocks;
  }

  addLayer(layer: number): void {
    this.#layers.set(layer, { visits: this.#words(), firstVisits: this.#firstVisits(layer) });
  }

  /** Adds a field, and returns a function that takes its rows in a part of the rectangle. */
  addField(field: number): (values: Uint16Array, row: number, col0: number) => void {
    const { row0, col0, rows, cols } = this.#rectangle;
    const array = allocateResults(rows * cols, 2, (length) => new Uint16Array(length));
    this.#fields.set(field, array);
    return (values, row, first) => array.set(values, (row - row0) * cols + first - col0);
  }

  /**
   * Reuses the memory of the previous layer's visits. So the visits of a layer stay in the processor's cache until the
   * caller has hashed and written them. Read the visits when all targets have been written.
   */
  beginLayer(layer: number): VisitsByRegion {
    const { rows, cols } = this.#rectangle;
    const counts = new NarrowCounts(this.#workspace.bytes("visits", rows * cols));
    const firstVisits = this.#firstVisits(layer);
    this.#layers.clear();
    this.#layers.set(layer, { visits: counts, firstVisits });
    return { layer: this.#plan.walk.layers[layer], counts, firstVisits };
  }

  #firstVisits(layer: number): Uint32Array<ArrayBuffer> | undefined {
    return this.#plan.walk.layers[layer].firstVisit ? this.#words() : undefined;
  }

  #words(): Uint32Array<ArrayBuffer> {
    const { rows, cols } = this.#rectangle;
    return allocateResults(rows * cols, 4, (length) => new Uint32Array(length));
  }

  targets(layer: number, part: CellRectangle): VisitsTarget[] {
    const arrays = this.#layers.get(layer);
    if (arrays === undefined) throw new Error("the visits of this layer were not added");
    return piecesOf(part, this.#blocks).map(({ block, cells }) => {
      return { ...arrays, cells, at: indexIn(block, cells.row0, cells.col0), stride: block.cols };
    });
  }

  /** Copies terrain. Skips cells outside the rectangle. Returns the number of copied cells. */
  addTerrain(given: CellRectangle, { cells: values, at, stride }: TerrainCells): number {
    let copied = 0;
    for (const { block, cells } of piecesOf(given, this.#blocks)) {
      copyCells(cells, { ...given, at, cols: stride, values }, { ...block, values: this.#terrain });
      copied += cells.rows * cells.cols;
    }
    return copied;
  }

  addPlacements(region: MadeRegion, hasContents: boolean): void {
    const parts = placementParts(region, this.#rectangle, hasContents);
    this.#parts.push({ i: region.i, j: region.j, parts });
  }

  cells() {
    const parts = this.#parts.sort((a, b) => a.i - b.i || a.j - b.j).flatMap((region) => region.parts);
    const placements = new Placements(parts, this.#plan.spec.placements);
    return { ...this.#rectangle, terrain: this.#terrain, placements };
  }

  window(realms: WindowParts<Placement>["realms"]): WorldWindow {
    const { spec, walk } = this.#plan;
    const layers = [...this.#layers].flatMap(([layer, { visits, firstVisits }]) =>
      visits instanceof Uint32Array ? [[walk.layers[layer].name, { visits, firstVisits }] as const] : [],
    );
    const fields = new Map(Array.from(this.#fields, ([field, values]) => [spec.fields[field].name, values]));
    return new WorldWindow({ ...this.cells(), terrains: spec.terrains, layers: new Map(layers), fields, realms });
  }
}

interface WindowParts<Place extends Placement> extends CellRectangle {
  readonly terrain: Uint8Array<ArrayBuffer>;
  readonly terrains: readonly TerrainSpec[];
  readonly layers: ReadonlyMap<string, LayerArrays<Uint32Array<ArrayBuffer>>>;
  readonly fields: ReadonlyMap<string, Uint16Array<ArrayBuffer>>;
  readonly placements: Placements<Place>;
  readonly realms: ReadonlyMap<string, RealmCells<Place>>;
}

/** A rectangle of a world. It is a copy: it shares no memory with the world. */
export class WorldWindow<Place extends Placement = Placement> implements CellRectangle {
  readonly row0: number;
  readonly col0: number;
  readonly rows: number;
  readonly cols: number;
  /**
   * The terrain of each cell, row by row, as an index into {@link terrains}. 255 means that the cell is outside a
   * bounded grid. If the world has no terrain, all elements are 0.
   */
  readonly terrain: Uint8Array<ArrayBuffer>;
  readonly terrains: readonly TerrainSpec[];
  readonly placements: Placements<Place>;
  readonly #layers: WindowParts<Place>["layers"];
  readonly #fields: WindowParts<Place>["fields"];
  readonly #realms: WindowParts<Place>["realms"];

  /** @internal */
  constructor(parts: WindowParts<Place>) {
    this.row0 = parts.row0;
    this.col0 = parts.col0;
    this.rows = parts.rows;
    this.cols = parts.cols;
    this.terrain = parts.terrain;
    this.terrains = parts.terrains;
    this.placements = parts.placements;
    this.#layers = parts.layers;
    this.#fields = parts.fields;
    this.#realms = parts.realms;
  }

  /**
   * The terrain of a cell; undefined outside a bounded grid, and if the world has no terrain.
   *
   * @throws RollmillError `argument.range` for a cell outside the window.
   */
  terrainAt(row: number, col: number): TerrainSpec | undefined {
    return this.terrains[this.terrain[this.#indexOf(row, col)]];
  }

  /**
   * The visits of each cell in a layer, row by row.
   *
   * @throws RollmillError `argument.range` for a layer that the option `visits` of the window did not name.
   */
  visits(layer: string): Uint32Array<ArrayBuffer> {
    return this.#countsOf(layer, "visits");
  }

  /**
   * The first visit of each cell in a layer, row by row; 2³² − 1 for a cell without visits.
   *
   * @throws RollmillError `argument.range` for a layer that keeps no first visits, or that the option `visits` of the
   * window did not name.
   */
  firstVisits(layer: string): Uint32Array<ArrayBuffer> {
    return this.#countsOf(layer, "firstVisits");
  }

  /**
   * The number of visits of a cell in a layer.
   *
   * @throws The errors of {@link visits} and {@link terrainAt}.
   */
  visitsAt(layer: string, row: number, col: number): number {
    return this.visits(layer)[this.#indexOf(row, col)];
  }

  /**
   * The step of the first visit of a cell in a layer; undefined for a cell without visits.
   *
   * @throws The errors of {@link firstVisits} and {@link terrainAt}.
   */
  firstVisitAt(layer: string, row: number, col: number): number | undefined {
    const step = this.firstVisits(layer)[this.#indexOf(row, col)];
    return step === NEVER ? undefined : step;
  }

  /**
   * The value of each cell in a field, row by row: 0 … 65,535.
   *
   * @throws RollmillError `argument.range` for a field that the option `fields` of the window did not name.
   */
  field(name: string): Uint16Array<ArrayBuffer> {
    const values = this.#fields.get(name);
    if (values !== undefined) return values;
    return refuseAbsent(name, { noun: "field", known: [...this.#fields.keys()], option: "fields" });
  }

  /**
   * The value of a cell in a field, 0 … 65,535.
   *
   * @throws The errors of {@link field} and {@link terrainAt}.
   */
  fieldAt(name: string, row: number, col: number): number {
    return this.field(name)[this.#indexOf(row, col)];
  }

  /**
   * The realms of the cells, with their seats.
   *
   * @throws RollmillError `argument.range` for realms that the option `realms` of the window did not name.
   */
  realms(name: string): RealmCells<Place> {
    const found = this.#realms.get(name);
    if (found !== undefined) return found;
    return refuseAbsent(name, { noun: "realm", known: [...this.#realms.keys()], option: "realms" });
  }

  /**
   * The seat of the realm to which a cell belongs; undefined for a cell without realm.
   *
   * @throws The errors of {@link realms} and {@link terrainAt}.
   */
  realmAt(name: string, row: number, col: number): Place | undefined {
    const { seats, cells } = this.realms(name);
    const seat = cells[this.#indexOf(row, col)];
    return seat < seats.length ? seats.at(seat) : undefined;
  }

  /** @internal The visits and the first visits of a layer that the window contains. */
  countsOf(layer: string): LayerArrays<Uint32Array<ArrayBuffer>> {
    return { visits: this.visits(layer), firstVisits: this.#layers.get(layer)?.firstVisits };
  }

  #indexOf(row: number, col: number): number {
    checkInteger("row", row, this.row0, this.row0 + this.rows - 1);
    checkInteger("col", col, this.col0, this.col0 + this.cols - 1);
    return (row - this.row0) * this.cols + col - this.col0;
  }

  #countsOf(layer: string, kind: keyof LayerArrays): Uint32Array<ArrayBuffer> {
    const counts = this.#layers.get(layer)?.[kind];
    if (counts !== undefined) return counts;
    const known = [...this.#layers].flatMap(([name, arrays]) => (arrays[kind] === undefined ? [] : [name]));
    return refuseAbsent(layer, { noun: "layer", known, option: "visits" });
  }
}

function refuseAbsent(
  got: string,
  { noun, known, option }: { noun: string; known: readonly string[]; option: string },
) {
  const problem = `the window does not contain the requested data of this ${noun}`;
  const expected = known.length === 0 ? `no ${noun}, because the call named none` : `one of ${known.join(", ")}`;
  const remedy = `Name the ${noun} in the option \`${option}\``;
  return fail(error("argument.range", { problem, got, expected, remedy }));
}

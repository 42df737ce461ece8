import { unlessRefused } from "../../errors/index.js";
import { CHUNK_CELLS, CHUNK_SIDE, type ChunkSource, NEVER } from "../../walks/map/chunk.js";
import { widened } from "../../walks/map/chunkCodec.js";
import {
  type CellRectangle,
  cellsOf,
  cellsOfGrid,
  contains,
  isInside,
  isUpright,
  overlap,
  single,
} from "../../walks/rectangles.js";
import {
  type Block,
  copyCells,
  indexIn,
  piecesOf,
  type RegionBlock,
  regionBlocks,
  type VisitsByRegion,
} from "../../worlds/compose.js";
import type { RegionContents } from "../../worlds/contents.js";
import type { Need } from "../../worlds/costs.js";
import { chosen, joined, type PlacedCells, type StandingCells } from "../../worlds/standing.js";
import type { MadeTerrain, StoredCells } from "../../worlds/stored.js";
import { NO_TERRAIN, REGION_SIDE } from "../../worlds/types.js";
import type { OpenedJob } from "../folder/manifest.js";
import { countsIn, openPart, partName, wordsIn } from "../folder/part.js";
import { failDamaged, jsonIn } from "../folder/store.js";
import type { JobKeys } from "../plan/keys.js";
import { JobTables, sectorsIn } from "../plan/phases.js";
import { cellsOfSector, sectorName } from "../plan/sectors.js";
import type { Sector } from "../types.js";
import { byteCache } from "./byteCache.js";
import { areTerrains, groupsOf, RIM, readPlacements } from "./placements.js";
import { layersStored, needsNoLayers, rimOf } from "./reach.js";

const LINE_FEED = 0x0a;
/** Estimated bytes of a placement in memory. */
const PLACE_BYTES = 20;

/** The sections of a layer in a sector. */
type StoredVisits = Pick<VisitsByRegion, "counts" | "firstVisits">;

/** Returns undefined if the job has no earlier job, or one of another build. */
export function earlierCells(job: OpenedJob, maxBytes: number): EarlierCells | undefined {
  const { keys: own, from } = job;
  if (own === undefined || from?.keys === undefined) return undefined;
  return new EarlierCells(job, from, { own, old: from.keys }, maxBytes);
}

/**
 * The cells of an earlier job, as far as its keys are equal to those of `job`. Reads a sector when a cell of it is
 * needed, checks all bytes that are used, and caches the latest sectors. A damaged sector counts as missing.
 */
export class EarlierCells implements StoredCells {
  readonly #job: OpenedJob;
  readonly #from: OpenedJob;
  readonly #keys: { readonly own: JobKeys; readonly old: JobKeys };
  readonly #extent: CellRectangle;
  /** For each layer, the kept layer of the earlier job with the same visits, or -1. */
  readonly #layers: readonly number[];
  readonly #visits: ReturnType<typeof byteCache<LayerInSector | undefined>>;
  readonly #sectorOf: ReturnType<typeof byteCache<EarlierSector | undefined>>;
  /** For each kind, the kind of the earlier job with the same cells, placements or contents, or -1. */
  readonly #standing: readonly number[];
  readonly #placed: readonly number[];
  readonly #contents: readonly number[];
  readonly #isGround: boolean;

  constructor(job: OpenedJob, from: OpenedJob, keys: { own: JobKeys; old: JobKeys }, maxBytes: number) {
    const { own, old } = keys;
    this.#job = job;
    this.#from = from;
    this.#keys = keys;
    const none = { row0: 0, col0: 0, rows: 0, cols: 0 };
    this.#extent = unlessRefused(() => new JobTables(from).extent) ?? none;
    this.#sectorOf = byteCache<EarlierSector | undefined>(maxBytes, (sector) => sector?.bytes ?? 0);
    this.#visits = byteCache<LayerInSector | undefined>(maxBytes, (one) => (one === undefined ? 0 : sizeOf(one)));
    this.#layers = job.plan.walk.layers.map((_, l) => {
      const other = old.layerWith(own.layer(l));
      return other >= 0 && from.manifest.visits.includes(from.plan.walk.layers[other].name) ? other : -1;
    });
    const same = (of: "standing" | "placed" | "content") =>
      own.kinds.map((kind) => old.kinds.findIndex((other) => other[of] === kind[of]));
    [this.#standing, this.#placed, this.#contents] = [same("standing"), same("placed"), same("content")];
    this.#isGround = !own.hasStages && !old.hasStages && own.ground === old.ground;
  }

  hasStanding(k: number, cells: CellRectangle): boolean {
    return this.#isGround && this.#standing[k] >= 0 && this.#has(cells);
  }

  canMake(cells: CellRectangle): boolean {
    return needsNoLayers(this.#job.plan, this, cells);
  }

  layersFor(needs: readonly Need[], before: ReadonlySet<number>): ReadonlySet<number> {
    if (needs.every(({ layers }) => layers.length === 0)) return before;
    const found = layersStored(needs, this.#job.plan, this);
    return [...found].join() === [...before].join() ? before : found;
  }

  /** Whether all of these cells that are inside the grid are stored. */
  #has(cells: CellRectangle): boolean {
    const inside = overlap(cells, cellsOfGrid(this.#job.spec.grid));
    if (inside.rows < 1 || inside.cols < 1) return true;
    return isInside(inside, this.#extent) && sectorsIn(inside, "row").every((sector) => this.#sector(sector));
  }

  /** Whether the terrain of cells before the stages is stored, with the cells around the extent. */
  hasGround(cells: CellRectangle): boolean {
    if (!this.#isGround || this.#has(cells)) return this.#isGround;
    const inside = overlap(cells, cellsOfGrid(this.#job.spec.grid));
    const within = overlap(inside, this.#extent);
    if (within.rows < 1 || within.cols < 1) return false;
    const sectors = sectorsIn(within, "row").map((sector) => this.#sector(sector));
    const covered = sectors.reduce(
      (sum, sector) => sum + (sector === undefined ? 0 : cellsIn(sector.blocks, inside)),
      0,
    );
    return covered === inside.rows * inside.cols;
  }

  groundInto(cells: CellRectangle, values: Uint8Array, strideBytes: number): void {
    const to = { ...cells, at: 0, cols: strideBytes, values };
    for (const { terrain, blocks } of this.#sectors(cells)) {
      for (const { block, cells: piece } of piecesOf(cells, blocks)) {
        copyCells(piece, { ...block, values: terrain }, to);
      }
    }
  }

  standing(k: number, cells: CellRectangle): PlacedCells | undefined {
    if (!this.hasStanding(k, cells)) return undefined;
    const { rows, cols } = this.#ofKind(this.#standing[k], cells);
    const order = Array.from(rows.keys()).sort((a, b) => rows[a] - rows[b] || cols[a] - cols[b]);
    return { rows: Int32Array.from(order, (p) => rows[p]), cols: Int32Array.from(order, (p) => cols[p]) };
  }

  isFinished(cells: CellRectangle): boolean {
    const { own, old } = this.#keys;
    return own.terrain === old.terrain && !this.#placed.includes(-1) && this.#has(cells);
  }

  finished(cells: CellRectangle): MadeTerrain {
    const terrain = new Uint8Array(cells.rows * cells.cols).fill(NO_TERRAIN);
    this.groundInto(cells, terrain, cells.cols);
    const placements = this.#placed.map((kind, k) => this.#withTraits(k, this.#ofKind(kind, cells)));
    return { terrain: { cells: terrain, at: 0, stride: cells.cols }, placements };
  }

  contents(k: number, i: number, j: number): RegionContents | undefined {
    const kind = this.#contents[k];
    const cells = cellsOf(single(i, j), REGION_SIDE);
    if (kind < 0 || !this.#has(cells)) return undefined;
    // a region lies in one sector, or it has no cell in the grid
    const { from, length } = this.#sectors(cells)[0]?.groups.get(groupKey(i, j, kind)) ?? { from: 0, length: 0 };
    return { length, at: (rank) => this.#sectors(cells)[0].content(from + rank) };
  }

  /** Whether the visits of a layer are stored in cells. */
  hasVisits(l: number, cells: CellRectangle): boolean {
    if (this.#layers[l] < 0 || !isInside(cells, this.#extent)) return false;
    return sectorsIn(cells, "row").every((sector) => this.#visitsIn(this.#layers[l], sector) !== undefined);
  }

  visitsOf(l: number): ChunkSource {
    const shiftOf = isUpright(this.#job.spec.grid) ? (row: number) => Math.floor(row / 2) : () => 0;
    const { firstVisit } = this.#job.plan.walk.layers[l];
    return {
      chunkAt: (chunkRow, chunkCol) => {
        const visits = new Uint32Array(CHUNK_CELLS);
        const first = firstVisit ? new Uint32Array(CHUNK_CELLS).fill(NEVER) : undefined;
        for (let r = 0; r < CHUNK_SIDE; r++) {
          const row0 = chunkRow * CHUNK_SIDE + r;
          const cells = { row0, col0: chunkCol * CHUNK_SIDE + shiftOf(row0), rows: 1, cols: CHUNK_SIDE };
          this.#copyVisits(this.#layers[l], cells, { visits, first, at: r * CHUNK_SIDE });
        }
        const isVisited = visits.some((count) => count > 0);
        return isVisited ? { chunkRow, chunkCol, visits, ...(first && { firstVisit: first }) } : undefined;
      },
    };
  }

  /** Returns the visits of a kept layer in a sector, if the earlier job has the same cells of this sector. */
  visits(l: number, sector: Sector, { rows, cols }: CellRectangle): StoredVisits | undefined {
    const same = cellsOfSector(sector, this.#extent);
    if (this.#layers[l] < 0 || same.rows !== rows || same.cols !== cols) return undefined;
    return unlessRefused(() => readVisits(this.#from, sector, this.#layers[l], rows * cols));
  }

  /** Copies the visits of stored cells in one row. */
  #copyVisits(
    layer: number,
    cells: CellRectangle,
    to: { visits: Uint32Array; first?: Uint32Array | undefined; at: number },
  ) {
    const inside = overlap(cells, this.#extent);
    if (inside.rows < 1 || inside.cols < 1) return;
    for (const sector of sectorsIn(inside, "row")) {
      const stored = this.#visitsIn(layer, sector) ?? this.#fail(sector);
      for (const { block, cells: piece } of piecesOf(inside, stored.blocks)) {
        const from = indexIn(block, piece.row0, piece.col0);
        const at = to.at + piece.col0 - cells.col0;
        to.visits.set(stored.visits.subarray(from, from + piece.cols), at);
        if (stored.first && to.first) to.first.set(stored.first.subarray(from, from + piece.cols), at);
      }
    }
  }

  #visitsIn(layer: number, sector: Sector) {
    return this.#visits(`${sectorName(sector)} ${layer}`, () =>
      unlessRefused(() => {
        const cells = cellsOfSector(sector, this.#extent);
        const stored = readVisits(this.#from, sector, layer, cells.rows * cells.cols);
        return stored && { visits: widened(stored.counts), first: stored.firstVisits, blocks: regionBlocks(cells) };
      }),
    );
  }

  #ofKind(kind: number, cells: CellRectangle): StandingCells {
    const found = this.#sectors(cells).map(({ placements }) => {
      const { rows, cols, kinds } = placements;
      const isWanted = (p: number) => kinds[p] === kind && contains(cells, rows[p], cols[p]);
      return chosen(placements, Uint32Array.from(rows.keys()).filter(isWanted));
    });
    return found.length === 1 ? found[0] : joined(found);
  }

  #withTraits(k: number, { sizes, facings, ...standing }: StandingCells): StandingCells {
    const kind = this.#job.spec.placements[k];
    return { ...standing, sizes: kind.sizes && sizes, facings: kind.facing ? facings : undefined };
  }

  #sectors(cells: CellRectangle): EarlierSector[] {
    const inside = overlap(cells, this.#extent);
    if (inside.rows < 1 || inside.cols < 1) return [];
    return sectorsIn(inside, "row").map((sector) => this.#sector(sector) ?? this.#fail(sector));
  }

  /** Fails for a sector that was whole when it was looked for, but is read again and has changed. */
  #fail(sector: Sector): never {
    return failDamaged(this.#from.store, partName.cells(sector));
  }

  #sector(sector: Sector): EarlierSector | undefined {
    return this.#sectorOf(sectorName(sector), () => unlessRefused(() => readSector(this.#from, sector, this.#extent)));
  }
}

interface LayerInSector {
  readonly visits: Uint32Array;
  readonly first: Uint32Array | undefined;
  readonly blocks: readonly RegionBlock[];
}

function sizeOf({ visits, first }: LayerInSector): number {
  return visits.byteLength + (first?.byteLength ?? 0);
}

/** Returns undefined if the part is missing. Throws `job.damaged`. */
function readVisits(job: OpenedJob, sector: Sector, layer: number, cells: number): StoredVisits | undefined {
  const { name, firstVisit } = job.plan.walk.layers[layer];
  const file = partName.cells(sector);
  const part = openPart(job, file);
  if (part === undefined) return undefined;
  const bytes = part.section(`visits ${name}`) ?? failDamaged(job.store, file);
  const first = firstVisit ? part.section(`first ${name}`) : undefined;
  const isWhole = countsIn(bytes, cells) !== undefined && (!firstVisit || first?.length === 4 * cells);
  if (!isWhole) failDamaged(job.store, file);
  const counts = { bytes: new Uint8Array(bytes.subarray(0, cells)), large: wordsIn(bytes.subarray(cells)) };
  return { counts, firstVisits: first && wordsIn(first) };
}

type EarlierSector = NonNullable<ReturnType<typeof readSector>>;

/** Returns how many cells of a rectangle are in the blocks. */
function cellsIn(blocks: readonly Block[], cells: CellRectangle): number {
  return piecesOf(cells, blocks).reduce((sum, { cells: { rows, cols } }) => sum + rows * cols, 0);
}

/** Reads everything but the visits. Returns undefined if the part is missing. Throws `job.damaged`. */
function readSector(job: OpenedJob, sector: Sector, extent: CellRectangle) {
  const { store } = job;
  const name = partName.cells(sector);
  const part = openPart(job, name);
  if (part === undefined) return undefined;
  const cells = cellsOfSector(sector, extent);
  const blocks: Block[] = regionBlocks(cells);
  const own = part.section("terrain") ?? failDamaged(store, name);
  if (own.length !== cells.rows * cells.cols) failDamaged(store, name);
  const rim = part.section(RIM) ?? new Uint8Array();
  let at = own.length;
  for (const strip of rimOf(job.spec, cells, extent).strips) {
    blocks.push({ ...strip, at });
    at += strip.rows * strip.cols;
  }
  const terrain = rim.length === 0 ? own : Buffer.concat([own, rim]);
  // a job that has grown can have the rim of its earlier extent
  if (terrain.length !== at) blocks.splice(regionBlocks(cells).length);
  if (!areTerrains(job.spec, terrain)) failDamaged(store, name);
  const { contents, ...placements } = readPlacements(job, sector);
  const text = contents();
  const ends = lineEnds(text);
  if (ends.length !== placements.rows.length) failDamaged(store, name);
  return {
    terrain,
    blocks,
    placements,
    groups: new Map(
      Array.from(groupsOf(placements), ({ kind, i, j, from, to }) => [
        groupKey(i, j, kind),
        { from, length: to - from },
      ]),
    ),
    bytes: terrain.length + text.length + PLACE_BYTES * ends.length,
    content(p: number): unknown {
      const line = text.subarray(p === 0 ? 0 : ends[p - 1] + 1, ends[p]);
      const content = line.length === 0 ? undefined : jsonIn(line);
      return content === undefined && line.length > 0 ? failDamaged(store, name) : content;
    },
  };
}

function lineEnds(text: Uint8Array): number[] {
  const ends: number[] = [];
  for (let end = text.indexOf(LINE_FEED); end >= 0; end = text.indexOf(LINE_FEED, end + 1)) ends.push(end);
  return ends;
}

function groupKey(i: number, j: number, kind: number): string {
  return `${i} ${j} ${kind}`;
}

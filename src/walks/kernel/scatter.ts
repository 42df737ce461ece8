import { startsKey } from "../../address.js";
import { type Address, BATCH_RESULTS, type Kernel, NO_ADDRESS, Status } from "../../kernel/index.js";
import {
  CellSetKind,
  GridKind,
  LARGE_TILE_SIDE,
  MOST_SEATS,
  ScatterPlan,
  Share,
  WalkerGroup,
} from "../../kernel/layout.js";
import { type LayerSource, markChunks, putChunk, uploadTensor } from "../kernel.js";
import { closedCells } from "../map/cellSet.js";
import { CHUNK_SIDE, type NarrowChunk, placeKey } from "../map/chunk.js";
import { type ArrayCells, FULL_BYTE, NarrowCounts } from "../map/chunkCodec.js";
import { ALL_CELLS, type CellRectangle, regionsNear } from "../rectangles.js";
import type { LayerPlan, ScatterSpec } from "../types.js";
import { shareRecord } from "./share.js";
import { useSlope } from "./slope.js";

interface ScatterSource extends LayerSource {
  readonly plan: LayerPlan & { readonly scatter: ScatterSpec };
}

/** A walker that can reach a rectangle goes on until it has at most this many steps more than it needs (groups.ts). */
export const SPARE_STEPS = 35;
/** Approximate number of steps between two calls of `look`. */
const STEPS_PER_LOOK = 2 ** 20;
/** A layer with at least this many steps for each cell of a region has large tiles. */
const LEAST_VISITS = 1 / 4;
const CELLS_PER_WALKER = 128;
/** With a density, regions have different numbers of walkers, so groups are small: few of their seats stay empty. */
const DENSITY_SEATS = 64;

/**
 * A scattered layer in a kernel that it shares with other layers. The map is final in a rectangle when
 * {@link walkRegion} has been called for every region within `steps` cells of the rectangle. A walker takes only the
 * steps that can reach the rectangle, and waits until another rectangle needs its other steps.
 */
export class KernelScatter {
  readonly map: CellMap;
  readonly #source: ScatterSource;
  readonly #layer: Address;
  readonly #seats: number;
  /** For each walked region, by its {@link placeKey}: the groups of walkers that can take further steps. */
  readonly #regions = new Map<number, readonly Address[]>();

  /**
   * @param addressOf - Returns the address of the map of a source; for the field of a slope, that of its values.
   * @param stuck - The address of the map that counts the walkers that end because they are stuck.
   */
  constructor(source: ScatterSource, addressOf: (source: number) => Address, stuck?: Address) {
    const { kernel, name, plan } = source;
    this.#source = source;
    const most = plan.scatter.density === undefined ? Math.min(MOST_SEATS, plan.walkers) : DENSITY_SEATS;
    this.#seats = Math.max(1, Math.min(most, Math.floor(STEPS_PER_LOOK / (plan.steps + 1))));
    this.map = new CellMap({ kernel, name, firstVisits: plan.firstVisit, isNarrow: true, tileSide: tileSideOf(plan) });
    const tensor = uploadTensor(kernel, plan.tensor, `the tensor of layer ${name}`);
    markChunks(kernel, {
      map: this.map.address,
      kind: CellSetKind.CLOSED,
      set: closedCells(plan.closedCells),
      purpose: `the closed cells of layer ${name}`,
    });
    const fields = { ...layerFields(source), ...sourceFields(source, addressOf) };
    const record = { map: this.map.address, tensor, ...fields, seats: this.#seats };
    const address = place(kernel, ScatterPlan.bytes, name);
    kernel.write(address, ScatterPlan, record);
    if (plan.slope !== undefined) {
      useSlope(kernel, plan.slope, { map: this.map.address, values: addressOf(plan.slope.source), stuck, name });
    }
    const layer = kernel.call((exports) => exports.createScatter(address));
    this.#layer = kernel.taken(layer, `the walkers of layer ${name}`);
  }

  /** Marks closed cells and end cells in the chunks of a rectangle. Maps of earlier layers must be final there. */
  ensureChunks(rectangle: CellRectangle): void {
    const { i0, j0, i1, j1 } = regionsNear(rectangle, { side: CHUNK_SIDE });
    const isDone = this.#source.kernel.call((exports) => exports.prepareChunks(this.#layer, i0, j0, i1, j1));
    if (!isDone) this.#outOfMemory();
  }

  hasWalked(i: number, j: number): boolean {
    return this.#regions.has(placeKey(i, j));
  }

  /**
   * Moves the walkers of region (i, j) until none can reach the rectangle any more. Before, {@link ensureChunks} must
   * cover all cells within `steps` + 1 cells of the region. If `mustWait` is true, all walkers wait, and it is enough
   * to cover the region, and the cells within `steps` + {@link SPARE_STEPS} + 1 cells of the rectangle. If `look`
   * throws, the map is no longer valid.
   */
  walkRegion(
    i: number,
    j: number,
    rectangle: CellRectangle,
    { mustWait = false, look = () => undefined }: { readonly mustWait?: boolean; readonly look?: () => void } = {},
  ): void {
    const place = placeKey(i, j);
    const groups = this.#regions.get(place);
    if (groups?.length === 0) return;
    const walkers = groups === undefined ? this.#beginRegion(i, j) : 0;
    const wanted = mustWait || walkers <= mostWaiting(this.#source.plan.scatter) ? rectangle : ALL_CELLS;
    const open: Address[] = [];
    for (const group of groups ?? this.#seatedGroups(walkers)) {
      if (this.#walkGroup(group, wanted)) open.push(group);
      look();
    }
    this.#regions.set(place, open);
  }

  /** Returns the number of walkers of region (i, j). */
  #beginRegion(i: number, j: number): number {
    return this.#source.kernel.runStreams((exports) => exports.beginRegion(this.#layer, i, j));
  }

  *#seatedGroups(walkers: number): Generator<Address, void> {
    const { kernel, name } = this.#source;
    for (let first = 0; first < walkers; first += this.#seats) {
      const count = Math.min(this.#seats, walkers - first);
      const group = kernel.runStreams((exports) => exports.seatGroup(this.#layer, first, count));
      yield kernel.taken(group, `layer ${name}`);
    }
  }

  /** Moves a group of walkers. Returns whether they can take further steps. */
  #walkGroup(group: Address, { row0, col0, rows, cols }: CellRectangle): boolean {
    const { kernel } = this.#source;
    const status = kernel.runStreams((exports) =>
      exports.walkGroup(this.#layer, group, row0, col0, row0 + rows - 1, col0 + cols - 1),
    );
    if (status !== Status.OK) this.#outOfMemory();
    return kernel.read(group, WalkerGroup).left > 0;
  }

  #outOfMemory(): never {
    return this.#source.kernel.outOfMemory(`layer ${this.#source.name}`);
  }
}

/** Walkers cross fewer borders of large tiles. But these take more memory, and cannot have closed or end cells. */
export function tileSideOf({ scatter, walkers, steps, start, slope, ...plan }: LayerPlan): number {
  const hasSets = [plan.closedCells, plan.closedLayers, plan.openLayers].some(({ length }) => length > 0);
  if (scatter === undefined || hasSets || plan.until !== undefined || start.kind === "layer") return CHUNK_SIDE;
  // a slope reads the values of fields chunk by chunk
  if (slope !== undefined) return CHUNK_SIDE;
  return walkers * steps >= LEAST_VISITS * scatter.side ** 2 ? LARGE_TILE_SIDE : CHUNK_SIDE;
}

/**
 * Returns the maximum number of walkers of a region that can wait. Waiting walkers, of 80 bytes each, take at most 5/8
 * byte for each cell. The map takes a byte or more.
 */
export function mostWaiting({ side }: ScatterSpec): number {
  return Math.floor(side ** 2 / CELLS_PER_WALKER);
}

function layerFields({ kernel, name, stream, plan }: ScatterSource) {
  const { walkers, steps, scatter, headings: given } = plan;
  const headings = place(kernel, given.length, name);
  kernel.u8(headings, given.length).set(given);
  const { side, density: share } = scatter;
  const density = share === undefined ? NO_ADDRESS : place(kernel, Share.bytes, name);
  if (share !== undefined) kernel.write(density, Share, shareRecord(startsKey(stream), share));
  const key = { key0: stream.k0, key1: stream.k1 };
  return { ...key, side, walkers, steps, headings, headingCount: given.length, density };
}

function sourceFields({ kernel, name, plan }: LayerSource, addressOf: (source: number) => Address) {
  const list = (sources: readonly number[]): Address => {
    if (sources.length === 0) return NO_ADDRESS;
    const address = place(kernel, 4 * sources.length, name);
    kernel.u32(address, sources.length).set(sources.map(addressOf));
    return address;
  };
  const { start, closedLayers, openLayers, until } = plan;
  return {
    starts: start.kind === "layer" ? addressOf(start.layer) : NO_ADDRESS,
    closed: list(closedLayers),
    closedCount: closedLayers.length,
    open: list(openLayers),
    openCount: openLayers.length,
    until: until === undefined ? NO_ADDRESS : addressOf(until.layer),
    untilOutside: Number(until?.kind === "outside"),
  };
}

function place(kernel: Kernel, bytes: number, name: string): Address {
  const address = kernel.call((exports) => exports.allocate(bytes));
  return kernel.taken(address, `layer ${name}`);
}

interface CellMapSetup {
  readonly kernel: Kernel;
  readonly name: string;
  readonly firstVisits: boolean;
  /** Whether a count takes one byte instead of four. A narrow map cannot store chunks. */
  readonly isNarrow: boolean;
  /** CHUNK_SIDE; or LARGE_TILE_SIDE, if the map has neither closed cells nor end cells. */
  readonly tileSide: number;
}

interface CellTarget extends Pick<ArrayCells, "at" | "stride"> {
  readonly out: Uint32Array | NarrowCounts;
  /** Whether the rectangle is in odd-r coordinates, although the map is axial. Default false. */
  readonly isOddR?: boolean;
}

/**
 * The visits of one layer on an unbounded map. One kernel can hold the maps of several layers. The first cell of a
 * rectangle must be in the range of coordinates. Cells beyond the range have no visits.
 */
export class CellMap {
  readonly address: Address;
  readonly #kernel: Kernel;
  readonly #name: string;

  constructor({ kernel, name, firstVisits, isNarrow, tileSide }: CellMapSetup) {
    this.#kernel = kernel;
    this.#name = name;
    const made = kernel.call((exports) =>
      exports.createMap(GridKind.UNBOUNDED, 0, 0, Number(firstVisits), 0, Number(isNarrow), tileSide),
    );
    this.address = kernel.taken(made, `the map of layer ${name}`);
  }

  /** Adds the visits of a stored chunk. Load each chunk only once. */
  loadChunk(chunk: NarrowChunk): void {
    putChunk(this.#kernel, chunk);
    const status = this.#kernel.call((exports) => exports.storeChunk(this.address));
    if (status !== Status.OK) this.#kernel.outOfMemory(`the map of layer ${this.#name}`);
  }

  visitsAt({ row0, col0 }: CellRectangle): number {
    return this.#kernel.call((exports) => exports.visitsAt(this.address, row0, col0)) >>> 0;
  }

  visitsInto(rectangle: CellRectangle, target: CellTarget): void {
    this.#readInto(rectangle, "copyVisits", target);
  }

  /** Copies first visits to `target`: 2³² − 1 for a cell without visits. The map must keep first visits. */
  firstVisitsInto(rectangle: CellRectangle, target: CellTarget): void {
    this.#readInto(rectangle, "copyFirstVisits", target);
  }

  #readInto(
    { row0, col0, rows, cols }: CellRectangle,
    copy: "copyVisits" | "copyFirstVisits",
    target: CellTarget,
  ): void {
    const { at, stride } = target;
    const oddR = Number(target.isOddR ?? false);
    const { window } = this.#kernel;
    const width = Math.min(cols, BATCH_RESULTS);
    const height = Math.floor(BATCH_RESULTS / width);
    for (let row = 0; row < rows; row += height) {
      const partRows = Math.min(height, rows - row);
      for (let col = 0; col < cols; col += width) {
        const partCols = Math.min(width, cols - col);
        const part = [row0 + row, col0 + col, partRows, partCols] as const;
        this.#kernel.call((exports) => exports[copy](this.address, ...part, oddR, window));
        this.#takeWindow(target.out, { rows: partRows, cols: partCols, at: at + row * stride + col, stride });
      }
    }
  }

  #takeWindow(out: CellTarget["out"], cells: ArrayCells): void {
    const kernel = this.#kernel;
    const length = cells.rows * cells.cols;
    if (!(out instanceof NarrowCounts)) copyRows(kernel.windowView, out, cells);
    // usually no count is large, and the kernel converts all counts to bytes
    else if (kernel.call((exports) => exports.narrowWindow(length, FULL_BYTE)) !== 0) {
      copyRows(kernel.u8(kernel.window, length), out.bytes, cells);
    } else out.write(kernel.windowView, cells);
  }
}

type Counts = Uint8Array | Uint32Array;

function copyRows(from: Counts, to: Counts, { rows, cols, at, stride }: ArrayCells): void {
  // without gaps between the rows in `to`, all rows are copied at once
  const pieces = stride === cols ? 1 : rows;
  const length = (rows * cols) / pieces;
  for (let p = 0; p < pieces; p++) to.set(from.subarray(p * length, (p + 1) * length), at + p * stride);
}

import type { StreamKey } from "../address.js";
import { halvesOf, placeOf } from "../calls/index.js";
import {
  type Address,
  type Kernel,
  type KernelExports,
  NO_ADDRESS,
  PAGE_BYTES,
  Status,
  within,
} from "../kernel/index.js";
import { CellSetKind, CHUNK_SIDE, ChunkHead, Endings, GridKind, WalkerPlace } from "../kernel/layout.js";
import { endsEarly } from "./compile.js";
import { uploadValues, useSlope } from "./kernel/slope.js";
import type { CellSet } from "./map/cellSet.js";
import {
  bySector,
  CHUNK_CELLS,
  type ChunkPlace,
  checkCell,
  type MapChunk,
  type NarrowChunk,
  NEVER,
  placeKey,
} from "./map/chunk.js";
import type { StoredChunk } from "./map/chunkCodec.js";
import type { LayerMap } from "./map/layerMap.js";
import { coordinatesOf } from "./rectangles.js";
import type { Cell, GridSpec, LayerPlan, TensorPlan } from "./types.js";

export type { WalkerPlace } from "../kernel/layout.js";

const GRID_KINDS = { unbounded: GridKind.UNBOUNDED, bounded: GridKind.BOUNDED, torus: GridKind.TORUS } as const;

export interface LayerSource {
  readonly kernel: Kernel;
  readonly name: string;
  readonly stream: StreamKey;
  readonly plan: LayerPlan;
}

/** Memory ran out: earlier walkers took all their steps, the walker in seat `seat` took `steps`, later walkers none. */
export type Halt = Readonly<Record<"seat" | "steps", number>>;

/** Draws a number 0 … bound − 1 from the random word at (stream, plane, index). `bound` is 1 … 2^32. */
export function drawBelow(kernel: Kernel, stream: StreamKey, plane: number, index: number, bound: number): number {
  const { block, offset } = placeOf(index);
  if (bound === 2 ** 32) return kernel.run(stream, (exports) => exports.wordOf(plane, 0, block, offset)) >>> 0;
  return kernel.run(stream, (exports) => exports.belowOf(plane, 0, block, offset, bound)) >>> 0;
}

export class KernelLayer {
  readonly #kernel: Kernel;
  readonly #source: LayerSource;
  readonly #map: Address;
  readonly #tensor: Address;
  readonly #walkers: Address;
  /** The end of the memory that the empty map takes. {@link clear} frees all memory from here on. */
  readonly #empty: Address;

  constructor(
    source: LayerSource,
    grid: GridSpec,
    {
      closed,
      ends,
      seats,
      values,
    }: Readonly<{ closed: CellSet; ends: CellSet | undefined; seats: number; values: LayerMap | undefined }>,
  ) {
    const { kernel, plan } = source;
    this.#kernel = kernel;
    this.#source = source;
    const { rows, cols } = grid.kind === "unbounded" ? { rows: 0, cols: 0 } : grid;
    const skew = Number(coordinatesOf(grid) === "odd-r");
    const map = this.#call((exports) =>
      exports.createMap(GRID_KINDS[grid.kind], rows, cols, Number(plan.firstVisit), skew, 0, CHUNK_SIDE),
    );
    this.#map = kernel.taken(map, "the map");
    this.#tensor = uploadTensor(kernel, plan.tensor, "the tensor");
    const walkers = this.#call((exports) => exports.createWalkers(seats));
    this.#walkers = kernel.taken(walkers, `${seats} walkers`);
    this.#mark(CellSetKind.CLOSED, closed);
    if (ends !== undefined) this.#mark(CellSetKind.ENDS, ends);
    if (endsEarly(plan) && !this.#call((exports) => exports.createEndSteps(this.#map, seats))) this.outOfMemory();
    if (plan.slope !== undefined && values !== undefined) {
      const { name } = source;
      const sources = { map: this.#map, values: uploadValues(kernel, values, `the slope of layer ${name}`), name };
      useSlope(kernel, plan.slope, sources);
    }
    this.#empty = this.#call((exports) => exports.mark());
  }

  /** The kernel's memory, free and in use, and the memory that the map needs. All sizes are in bytes. */
  get room() {
    const { maxBytes } = this.#kernel;
    const used = this.#call((exports) => exports.mark()) >>> 0;
    return {
      /** Can be allocated until the memory is as large as it may be. The engine may provide less. */
      free: maxBytes - (maxBytes % PAGE_BYTES) - used,
      used,
      /** Walkers that enter n tiles of an empty map take at most n times this memory. */
      perTile: this.#call((exports) => exports.bytesPerTile(this.#map)) >>> 0,
      /** Memory for each walker that ends early; 0 if no walker can end early. */
      perEnd: this.#call((exports) => exports.bytesPerEnd(this.#map)) >>> 0,
      /** Whether the map makes a tile of 64 × 64 cells when a walker enters it. If not, the map has one tile. */
      isTiled: this.#call((exports) => exports.isTiled(this.#map)) !== 0,
    };
  }

  /** Removes all visits. Before a walker moves again, call {@link writeWalker} for this walker. */
  clear(): void {
    this.#call((exports) => exports.release(this.#empty));
    if (!this.#call((exports) => exports.clearMap(this.#map))) this.outOfMemory();
  }

  /** Puts a walker on its start cell, and counts the visit. Returns false if there is not enough memory. */
  place(seat: number, [row, col]: Cell, heading: number): boolean {
    const [map, walkers] = [this.#map, this.#walkers];
    return this.#call((exports) => exports.placeWalker(map, walkers, seat, row, col, heading)) === Status.OK;
  }

  /** Adds the visits of a chunk. Returns false if a visited cell is closed or outside the grid. */
  writeChunk(chunk: MapChunk): boolean {
    putChunk(this.#kernel, chunk);
    return this.#isDone(this.#call((exports) => exports.writeChunk(this.#map)));
  }

  /** Puts a walker on a cell without counting a visit. Returns false if no walker can be there. */
  writeWalker(seat: number, place: WalkerPlace): boolean {
    this.#kernel.write(this.#kernel.window, WalkerPlace, place);
    return this.#isDone(this.#call((exports) => exports.writeWalker(this.#map, this.#walkers, seat)));
  }

  /**
   * Moves the walkers of `count` seats, which have taken `from` steps. Seat i reads plane `plane + i` of random words.
   * If memory runs out in a step, the step changes nothing.
   */
  advance(first: number, count: number, plane: number, from: number, steps: number): Halt | undefined {
    const { block, offset } = placeOf(from);
    const [low, high] = halvesOf(plane);
    const [map, tensor, walkers] = [this.#map, this.#tensor, this.#walkers];
    const status = this.#kernel.run(this.#source.stream, (exports) =>
      exports.advance(map, tensor, walkers, first, count, low, high, block, offset, steps),
    );
    if (status === Status.OK) return undefined;
    return {
      seat: this.#call((exports) => exports.failedOffset()) >>> 0,
      steps: this.#call((exports) => exports.failedStep()) >>> 0,
    };
  }

  /**
   * Writes the place of the walker in seat 0, and its places after the next steps, to the {@link window}. Returns the
   * number of steps, at most `count`. The walker does not move. When it takes these steps, they cannot run out of memory.
   */
  placesAhead(plane: number, from: number, count: number): number {
    const { block, offset } = placeOf(from);
    const [low, high] = halvesOf(plane);
    const [map, tensor, walkers] = [this.#map, this.#tensor, this.#walkers];
    return this.#kernel.run(this.#source.stream, (exports) =>
      exports.placesAhead(map, tensor, walkers, 0, low, high, block, offset, count),
    );
  }

  /**
   * Lets the walker in seat 0, which has taken `from` steps, take the first `steps` ≥ 1 of those that {@link placesAhead}
   * found in the last call. In a map with first visits, it walks them again, because a visit needs the number of its step.
   */
  takePlaces(plane: number, from: number, steps: number): void {
    if (this.#source.plan.firstVisit) this.advance(0, 1, plane, from, steps);
    else this.#call((exports) => exports.takePlaces(this.#map, this.#walkers, 0, steps));
  }

  /** The kernel's window as u32, until the next call. */
  get window(): Uint32Array<ArrayBuffer> {
    return this.#kernel.windowView;
  }

  /** Returns the number of walkers that ended early since {@link clear}, and the sum of their steps. */
  endings(): { readonly walkers: number; readonly steps: number } {
    this.#call((exports) => exports.readEndings(this.#map));
    const { walkers, stepsLow, stepsHigh } = this.#kernel.read(this.#kernel.window, Endings);
    return { walkers, steps: stepsHigh * 2 ** 32 + stepsLow };
  }

  placeOf(seat: number): WalkerPlace {
    this.#call((exports) => exports.readWalker(this.#map, this.#walkers, seat));
    return this.#kernel.read(this.#kernel.window, WalkerPlace);
  }

  visitsAt(row: number, col: number): number {
    checkCell(row, col);
    return this.#call((exports) => exports.visitsAt(this.#map, row, col)) >>> 0;
  }

  /** Returns undefined for an unvisited cell, or if the layer keeps no first visits. */
  firstVisitAt(row: number, col: number): number | undefined {
    checkCell(row, col);
    const step = this.#call((exports) => exports.firstVisitAt(this.#map, row, col)) >>> 0;
    return step === NEVER ? undefined : step;
  }

  *chunksBySector(): Generator<MapChunk, void> {
    const { window } = this.#kernel;
    for (const { chunkRow, chunkCol } of this.#bySector()) {
      const cells = this.#kernel.u32(within(window, ChunkHead.bytes), 2 * CHUNK_CELLS);
      const chunk = { chunkRow, chunkCol, visits: cells.slice(0, CHUNK_CELLS) };
      yield this.#source.plan.firstVisit ? { ...chunk, firstVisit: cells.slice(CHUNK_CELLS) } : chunk;
    }
  }

  /** Yields the visited chunks. Their bytes are in kernel memory: copy them before you take the next chunk. */
  *storedChunks(): Generator<StoredChunk, void> {
    const counts = within(this.#kernel.window, ChunkHead.bytes);
    const { firstVisit } = this.#source.plan;
    for (const place of this.#bySector()) yield storedChunk(this.#kernel, place, counts, firstVisit);
  }

  /** For each chunk with visits, in the order of {@link bySector}: copies it to the window and yields its place. */
  *#bySector(): Generator<ChunkPlace, void> {
    const { window } = this.#kernel;
    const places: (ChunkPlace & { readonly tile: Address; readonly chunk: number })[] = [];
    const perTile = this.#call((exports) => exports.chunksInTile(this.#map)) >>> 0;
    const tileAfter = (tile: Address) => this.#call((exports) => exports.nextTile(this.#map, tile));
    for (let tile = tileAfter(NO_ADDRESS); tile !== 0; tile = tileAfter(tile)) {
      for (let chunk = 0; chunk < perTile; chunk++) {
        this.#call((exports) => exports.locateChunk(this.#map, tile, chunk));
        const { row: chunkRow, col: chunkCol } = this.#kernel.read(window, ChunkHead);
        places.push({ chunkRow, chunkCol, tile, chunk });
      }
    }
    for (const place of places.sort(bySector)) {
      const { tile, chunk } = place;
      if (this.#call((exports) => exports.readChunk(this.#map, tile, chunk)) !== 0) yield place;
    }
  }

  #mark(kind: CellSetKind, set: CellSet): void {
    if (set.elsewhere) this.#call((exports) => exports.fillSet(this.#map, kind));
    markChunks(this.#kernel, { map: this.#map, kind, set, purpose: `layer ${this.#source.name}` });
  }

  #call<T>(job: (exports: KernelExports) => T): T {
    return this.#kernel.call(job);
  }

  #isDone(status: Status): boolean {
    return status === Status.OUT_OF_MEMORY ? this.outOfMemory() : status === Status.OK;
  }

  outOfMemory(): never {
    return this.#kernel.outOfMemory(`layer ${this.#source.name}`);
  }
}

export function uploadTensor(kernel: Kernel, { combined }: TensorPlan, purpose: string): Address {
  kernel.u32(kernel.window, combined.length).set(combined);
  const tensor = kernel.call((exports) => exports.createTensor());
  return kernel.taken(tensor, purpose);
}

/** Marks the cells of a set in a map, but only in chunks that have a bitmap in the set. */
export function markChunks(
  kernel: Kernel,
  { map, kind, set, purpose }: Readonly<{ map: Address; kind: CellSetKind; set: CellSet; purpose: string }>,
): void {
  for (const { chunkRow, chunkCol, bits } of set.chunks()) {
    kernel.u8(kernel.window, bits.length).set(bits);
    const status = kernel.call((exports) => exports.markChunk(map, kind, chunkRow, chunkCol));
    if (status !== Status.OK) kernel.outOfMemory(purpose);
  }
}

export function putChunk(kernel: Kernel, { chunkRow, chunkCol, visits, firstVisit }: NarrowChunk): void {
  kernel.write(kernel.window, ChunkHead, { row: chunkRow, col: chunkCol });
  const cells = kernel.u32(within(kernel.window, ChunkHead.bytes), 2 * CHUNK_CELLS);
  cells.set(visits);
  if (firstVisit !== undefined) cells.set(firstVisit, CHUNK_CELLS);
}

/** Narrows a chunk into the window. At the address `counts` are its visits, then its first visits, as u32. */
function storedChunk(
  kernel: Kernel,
  { chunkRow, chunkCol }: ChunkPlace,
  counts: Address,
  firstVisits: boolean,
): StoredChunk {
  // narrowing overwrites the counts in the window, but not the first visits behind the counts
  const width = kernel.call((exports) => exports.narrowCounts(counts));
  const chunk = { chunkRow, chunkCol, visitBytes: kernel.u8(kernel.window, width * CHUNK_CELLS) };
  if (!firstVisits) return chunk;
  return { ...chunk, firstVisitBytes: kernel.u8(within(counts, 4 * CHUNK_CELLS), 4 * CHUNK_CELLS) };
}

const SUM_BYTES = 4 * CHUNK_CELLS;

/** Merges stored chunks as `mergeLayerMaps` does. Memory: 16 KiB for each merged chunk (32 with first visits). */
export class ChunkSums {
  readonly #kernel: Kernel;
  readonly #firstVisits: boolean;
  readonly #empty: Address;
  /** The merged chunks, by {@link placeKey}. At `address` are the visits, then the first visits, as u32. */
  readonly #sums = new Map<number, ChunkPlace & { readonly address: Address }>();

  constructor({ kernel, firstVisits }: { readonly kernel: Kernel; readonly firstVisits: boolean }) {
    this.#kernel = kernel;
    this.#firstVisits = firstVisits;
    this.#empty = kernel.call((exports) => exports.mark());
  }

  add({ chunkRow, chunkCol, visitBytes, firstVisitBytes }: StoredChunk): void {
    const kernel = this.#kernel;
    const address = this.#sumAt(chunkRow, chunkCol);
    kernel.u8(kernel.window, visitBytes.length).set(visitBytes);
    kernel.call((exports) => exports.addCounts(address, visitBytes.length / CHUNK_CELLS));
    if (firstVisitBytes === undefined || !this.#firstVisits) return;
    kernel.u8(kernel.window, SUM_BYTES).set(firstVisitBytes);
    kernel.call((exports) => exports.leastSteps(within(address, SUM_BYTES)));
  }

  /** Yields chunks in the order of {@link bySector}. Copy each before the next: the bytes are in kernel memory. */
  *storedChunks(): Generator<StoredChunk, void> {
    for (const sum of [...this.#sums.values()].sort(bySector)) {
      yield storedChunk(this.#kernel, sum, sum.address, this.#firstVisits);
    }
  }

  clear(): void {
    this.#sums.clear();
    this.#kernel.call((exports) => exports.release(this.#empty));
  }

  #sumAt(chunkRow: number, chunkCol: number): Address {
    const key = placeKey(chunkRow, chunkCol);
    const known = this.#sums.get(key);
    if (known !== undefined) return known.address;
    const kernel = this.#kernel;
    const bytes = this.#firstVisits ? 2 * SUM_BYTES : SUM_BYTES;
    const made = kernel.call((exports) => exports.allocate(bytes));
    const address = kernel.taken(made, "the sum of chunks");
    kernel.u32(address, CHUNK_CELLS).fill(0);
    if (this.#firstVisits) kernel.u32(within(address, SUM_BYTES), CHUNK_CELLS).fill(NEVER);
    this.#sums.set(key, { chunkRow, chunkCol, address });
    return address;
  }
}

import type { StreamKey } from "../address.js";
import { halvesOf, placeOf } from "../calls/index.js";
import { type Address, type Kernel, type KernelExports, NO_ADDRESS, Status, within } from "../kernel/index.js";
import { CellSetKind, CHUNK_CELLS, CHUNK_SIDE, ChunkHead, Endings, GridKind, WalkerPlace } from "../kernel/layout.js";
import { coordinatesOf } from "./coordinates.js";
import { markChunks, uploadTensor } from "./kernel/uploads.js";
import type { CellSet } from "./map/cellSet.js";
import { bySector, type ChunkPlace, checkCell, type MapChunk, NEVER } from "./map/chunk.js";
import type { StoredChunk } from "./map/chunkCodec.js";
import type { Cell, GridSpec, LayerPlan } from "./types.js";

const GRID_KINDS = { unbounded: GridKind.UNBOUNDED, bounded: GridKind.BOUNDED, torus: GridKind.TORUS } as const;

/** The layer that a {@link KernelLayer} opens, and the kernel in which it opens the layer. */
export interface LayerSource {
  readonly kernel: Kernel;
  readonly name: string;
  /** Selects the random words of the layer's steps. */
  readonly stream: StreamKey;
  readonly plan: LayerPlan;
}

interface KernelLayerSetup {
  readonly grid: GridSpec;
  readonly closed: CellSet;
  /** The cells on which walkers end early; undefined if all walkers take all their steps. */
  readonly ends: CellSet | undefined;
  /** Number of seats. A seat is an entry of the kernel's array of walkers. */
  readonly seats: number;
}

/** One kernel call: moves the walkers in the seats first … first + count − 1. */
interface Advance {
  readonly first: number;
  readonly count: number;
  /**
   * The walker in seat 0 has this number in the layer. The walker in seat i reads plane `plane + i` of the random
   * words.
   */
  readonly plane: number;
  /** Number of steps that these walkers have already taken. */
  readonly from: number;
  /** Number of steps that each walker takes in this call. */
  readonly steps: number;
}

/** Where {@link KernelLayer.advance} stopped early, because the next step needs more memory. */
export interface Halt {
  /** The seat of the walker whose step failed. All walkers before it took all their steps. No walker after it moved. */
  readonly seat: number;
  /** Number of steps that this walker took in the call. */
  readonly steps: number;
}

/** The memory that the visits of a layer take, in bytes. */
interface MapRoom {
  /** Number of bytes that the map can still take. */
  readonly free: number;
  /** Number of bytes that are allocated. */
  readonly used: number;
  /**
   * Maximum memory for a tile: if the walkers enter k tiles of an empty map, these tiles take at most k · `perTile`.
   */
  readonly perTile: number;
  /** Maximum memory for each walker that ends early; 0 if walkers end on no cell. */
  readonly perEnd: number;
  /** Whether the map has tiles of 64 × 64 cells, which are made when a walker enters them. If not, it has one tile. */
  readonly isTiled: boolean;
}

/** One layer in a separate kernel: its map, its tensor and the walkers of one batch. */
export class KernelLayer {
  readonly #kernel: Kernel;
  readonly #name: string;
  readonly #stream: StreamKey;
  readonly #firstVisits: boolean;
  readonly #map: Address;
  readonly #tensor: Address;
  readonly #walkers: Address;
  /** The memory of the empty map ends at this address. {@link clear} releases the memory after it. */
  readonly #empty: Address;

  /** @throws RollmillError `kernel.memory`. */
  constructor({ kernel, name, stream, plan }: LayerSource, { grid, closed, ends, seats }: KernelLayerSetup) {
    this.#kernel = kernel;
    this.#name = name;
    this.#stream = stream;
    this.#firstVisits = plan.firstVisit;
    const { rows, cols } = grid.kind === "unbounded" ? { rows: 0, cols: 0 } : grid;
    const skew = Number(coordinatesOf(grid) === "odd-r");
    this.#map = this.#build("the map", (exports) =>
      exports.createMap(GRID_KINDS[grid.kind], rows, cols, Number(plan.firstVisit), skew, 0, CHUNK_SIDE),
    );
    this.#tensor = uploadTensor(kernel, plan.tensor, "the tensor");
    this.#walkers = this.#build(`${seats} walkers`, (exports) => exports.createWalkers(seats));
    this.#mark(CellSetKind.CLOSED, closed);
    if (ends !== undefined) {
      this.#mark(CellSetKind.ENDS, ends);
      if (!this.#call((exports) => exports.createEndSteps(this.#map, seats))) this.outOfMemory();
    }
    this.#empty = this.#call((exports) => exports.mark());
  }

  /** Size of the memory in use, in bytes. */
  get bytes(): number {
    return this.#kernel.bytes;
  }

  /** The memory that the visits take. */
  get room(): MapRoom {
    return {
      free: this.#kernel.bytesFree,
      used: this.#call((exports) => exports.mark()) >>> 0,
      perTile: this.#call((exports) => exports.bytesPerTile(this.#map)) >>> 0,
      perEnd: this.#call((exports) => exports.bytesPerEnd(this.#map)) >>> 0,
      isTiled: this.#call((exports) => exports.isTiled(this.#map)) !== 0,
    };
  }

  /**
   * Removes all visits from the map. The kernel's memory keeps its size. Walkers that have ended keep their seats.
   * Every other walker needs {@link writeWalker} before it moves again. {@link endings} counts from 0 again.
   *
   * @throws RollmillError `kernel.memory`.
   */
  clear(): void {
    this.#call((exports) => exports.release(this.#empty));
    if (!this.#call((exports) => exports.clearMap(this.#map))) this.outOfMemory();
  }

  /** Draws a number 0 … bound − 1 from the random word at (stream, plane, index). `bound` is 1 … 2^32. */
  drawBelow(stream: StreamKey, { plane, index, bound }: { plane: number; index: number; bound: number }): number {
    const { block, offset } = placeOf(index);
    // below(2^32) is the word itself
    if (bound === 2 ** 32) return this.#kernel.run(stream, (exports) => exports.wordOf(plane, 0, block, offset)) >>> 0;
    return this.#kernel.run(stream, (exports) => exports.belowOf(plane, 0, block, offset, bound)) >>> 0;
  }

  /** Puts a walker on an open cell and counts the visit. If there is not enough memory, returns false. */
  place(seat: number, [row, col]: Cell, heading: number): boolean {
    return (
      this.#call((exports) => exports.placeWalker(this.#map, this.#walkers, seat, row, col, heading)) === Status.OK
    );
  }

  /**
   * Sets the visits of all cells of a chunk. Returns false if a visited cell is closed or outside the grid.
   *
   * @throws RollmillError `kernel.memory`.
   */
  writeChunk({ chunkRow, chunkCol, visits, firstVisit }: MapChunk): boolean {
    const { window } = this.#kernel;
    this.#kernel.write(window, ChunkHead, { row: chunkRow, col: chunkCol });
    const cells = this.#kernel.u32(within(window, ChunkHead.bytes), 2 * CHUNK_CELLS);
    cells.set(visits);
    if (firstVisit !== undefined) cells.set(firstVisit, CHUNK_CELLS);
    return this.#isDone(this.#call((exports) => exports.writeChunk(this.#map)));
  }

  /**
   * Puts a walker back on a place that {@link KernelLayer.placeOf} returned. Counts no visit. Returns false if a walker
   * cannot be at this place.
   *
   * @throws RollmillError `kernel.memory`.
   */
  writeWalker(seat: number, place: WalkerPlace): boolean {
    this.#kernel.write(this.#kernel.window, WalkerPlace, place);
    return this.#isDone(this.#call((exports) => exports.writeWalker(this.#map, this.#walkers, seat)));
  }

  /**
   * Moves walkers. Returns undefined if they took all their steps. If a step needs more memory than there is, its
   * walker stays where it was before this step.
   */
  advance({ first, count, plane, from, steps }: Advance): Halt | undefined {
    const { block, offset } = placeOf(from);
    const [low, high] = halvesOf(plane);
    const [map, tensor, walkers] = [this.#map, this.#tensor, this.#walkers];
    const status = this.#kernel.run(this.#stream, (exports) =>
      exports.advance(map, tensor, walkers, first, count, low, high, block, offset, steps),
    );
    if (status === Status.OK) return undefined;
    return {
      seat: this.#call((exports) => exports.failedOffset()) >>> 0,
      steps: this.#call((exports) => exports.failedStep()) >>> 0,
    };
  }

  /**
   * Returns the number of walkers that ended early since the layer was opened or {@link clear} was called, and the sum
   * of their steps.
   */
  endings(): { readonly walkers: number; readonly steps: number } {
    this.#call((exports) => exports.readEndings(this.#map));
    const { walkers, stepsLow, stepsHigh } = this.#kernel.read(this.#kernel.window, Endings);
    return { walkers, steps: stepsHigh * 2 ** 32 + stepsLow };
  }

  /** The cell and heading of the walker in a seat, and the step at which it ended. */
  placeOf(seat: number): WalkerPlace {
    this.#call((exports) => exports.readWalker(this.#map, this.#walkers, seat));
    return this.#kernel.read(this.#kernel.window, WalkerPlace);
  }

  /** Number of visits of a cell. */
  visitsAt(row: number, col: number): number {
    checkCell(row, col);
    return this.#call((exports) => exports.visitsAt(this.#map, row, col)) >>> 0;
  }

  /** The step of the cell's first visit. Undefined for an unvisited cell, or if the layer keeps no first visits. */
  firstVisitAt(row: number, col: number): number | undefined {
    checkCell(row, col);
    const step = this.#call((exports) => exports.firstVisitAt(this.#map, row, col)) >>> 0;
    return step === NEVER ? undefined : step;
  }

  /**
   * Yields a copy of each chunk that has visits. The kernel stores chunks in tiles of one or more chunks. The oldest
   * tile comes first.
   */
  *chunks(): Generator<MapChunk, void> {
    for (const [tile, chunk] of this.#places()) {
      if (this.#call((exports) => exports.readChunk(this.#map, tile, chunk)) !== 0) yield this.#chunk();
    }
  }

  *#places(): Generator<readonly [tile: Address, chunk: number], void> {
    const perTile = this.#call((exports) => exports.chunksInTile(this.#map)) >>> 0;
    const tileAfter = (tile: Address) => this.#call((exports) => exports.nextTile(this.#map, tile));
    for (let tile = tileAfter(NO_ADDRESS); tile !== 0; tile = tileAfter(tile)) {
      for (let chunk = 0; chunk < perTile; chunk++) yield [tile, chunk];
    }
  }

  /** Yields the same chunks as {@link chunks}, sorted by {@link bySector}. */
  *chunksBySector(): Generator<MapChunk, void> {
    for (const _ of this.#bySector()) yield this.#chunk();
  }

  /**
   * Yields the chunks of {@link chunksBySector} as they are stored. Their bytes are in the kernel: copy them before the
   * next chunk.
   */
  *storedChunks(): Generator<StoredChunk, void> {
    const kernel = this.#kernel;
    const counts = within(kernel.window, ChunkHead.bytes);
    for (const { chunkRow, chunkCol } of this.#bySector()) {
      // overwrites the head and the counts, but not the first visits behind them
      const width = this.#call((exports) => exports.narrowCounts(counts));
      const visitBytes = kernel.u8(kernel.window, width * CHUNK_CELLS);
      if (!this.#firstVisits) yield { chunkRow, chunkCol, visitBytes };
      else {
        const firstVisitBytes = kernel.u8(within(counts, 4 * CHUNK_CELLS), 4 * CHUNK_CELLS);
        yield { chunkRow, chunkCol, visitBytes, firstVisitBytes };
      }
    }
  }

  /**
   * Puts each chunk that has visits into the window, sorted by {@link bySector}, and yields its place. Before the first
   * chunk, lists and sorts the places of all chunks. This list takes less than 1% of the memory of the map.
   */
  *#bySector(): Generator<ChunkPlace, void> {
    const { window } = this.#kernel;
    const places = Array.from(this.#places(), ([tile, chunk]) => {
      this.#call((exports) => exports.locateChunk(this.#map, tile, chunk));
      const { row: chunkRow, col: chunkCol } = this.#kernel.read(window, ChunkHead);
      return { chunkRow, chunkCol, tile, chunk };
    });
    for (const place of places.sort(bySector)) {
      const { tile, chunk } = place;
      if (this.#call((exports) => exports.readChunk(this.#map, tile, chunk)) !== 0) yield place;
    }
  }

  /** Frees the memory. Every later call throws. */
  dispose(): void {
    this.#kernel.dispose();
  }

  /** Copies the chunk that `readChunk` has put into the kernel's window, the buffer for data exchange. */
  #chunk(): MapChunk {
    const { window } = this.#kernel;
    const { row: chunkRow, col: chunkCol } = this.#kernel.read(window, ChunkHead);
    const cells = this.#kernel.u32(within(window, ChunkHead.bytes), 2 * CHUNK_CELLS);
    const visits = cells.slice(0, CHUNK_CELLS);
    if (!this.#firstVisits) return { chunkRow, chunkCol, visits };
    return { chunkRow, chunkCol, visits, firstVisit: cells.slice(CHUNK_CELLS) };
  }

  #mark(kind: CellSetKind, set: CellSet): void {
    if (set.elsewhere) this.#call((exports) => exports.fillSet(this.#map, kind));
    markChunks(this.#kernel, { map: this.#map, kind, set, purpose: this.#purpose });
  }

  /** Names the layer, for messages. */
  get #purpose(): string {
    return `layer ${this.#name}`;
  }

  #build(purpose: string, job: (exports: KernelExports) => Address): Address {
    return this.#kernel.taken(this.#call(job), purpose);
  }

  #call<T>(job: (exports: KernelExports) => T): T {
    return this.#kernel.call(job);
  }

  #isDone(status: Status): boolean {
    return status === Status.OUT_OF_MEMORY ? this.outOfMemory() : status === Status.OK;
  }

  /** @throws RollmillError `kernel.memory`, always. */
  outOfMemory(): never {
    return this.#kernel.outOfMemory(this.#purpose);
  }
}

import { purposeOf } from "../address.js";
import type { LongCall } from "../calls/index.js";
import { checkInteger, MAX_INDEX } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { type Address, BLOCK_WORDS, type Kernel, type KernelExports, Status } from "../kernel/index.js";
import { closedChunks } from "./closedCells.js";
import { DIRECTIONS, type Heading } from "./directions.js";
import { LayerMap } from "./layerMap.js";
import { CHUNK_CELLS, type MapChunk, NEVER } from "./mapChunk.js";
import { forEachSlice, type Slice } from "./slices.js";
import { earlierMap, startCells } from "./starts.js";
import type { Cell, GridSpec, LayerPlan } from "./types.js";

const GRID_KINDS = { unbounded: 0, bounded: 1, torus: 2 } as const;
/** A grid of up to this many cells is one tile in the kernel; a larger one is tiled, like an unbounded one. */
const MAX_TILE_CELLS = 2 ** 26;
/** With first visits, a step must fit 32 bits beside the mark for "never". */
const MAX_DATED_STEPS = 2 ** 32 - 2;

/** What a layer run is made of. */
export interface LayerSetup {
  readonly grid: GridSpec;
  readonly plan: LayerPlan;
  /** The maps of the walk's earlier layers, by index: those that the plan closes or starts from are there. */
  readonly earlier: readonly (LayerMap | undefined)[];
  /** The walkers from … to − 1 of the layer. */
  readonly walkers: { readonly from: number; readonly to: number };
}

/** Where a walker stands. */
export interface WalkerPosition {
  readonly row: number;
  readonly col: number;
  /** Its last step's direction, or "resting". */
  readonly heading: Heading;
}

/**
 * A layer being walked, on the fly: advance its walkers by steps, look at them and at any cell in between, advance again.
 * However the steps are divided, the map is the same. It has a kernel instance of its own, which goes with it.
 *
 * Cost: 1.7 ns a step on a map that fits the cache, 2.3 on an unbounded one; 16 bytes a walker, 17 KiB a chunk of 64 × 64
 * cells (33 with first visits) or 4 bytes a cell (8) where a grid of at most 2^26 cells is one tile.
 */
export class LayerRun {
  readonly #kernel: Kernel;
  readonly #setup: LayerSetup;
  readonly #purpose: number;
  readonly #map: Address;
  readonly #tensor: Address;
  readonly #walkers: Address;
  readonly #starts: (walker: number) => Cell;
  #seated = { from: 0, to: 0 };
  #steps = 0;
  #failed = false;

  /**
   * @internal
   * @param seats - walkers that are walked together. {@link seat} or {@link walkAll} comes next.
   */
  constructor(kernel: Kernel, setup: LayerSetup, seats: number) {
    this.#kernel = kernel;
    this.#setup = setup;
    const { plan, grid } = setup;
    this.#purpose = purposeOf(plan.purposeName);
    this.#map = this.#build("the map", (exports) => createMap(exports, grid, plan.firstVisit));
    this.#tensor = this.#build("the tensor", (exports) => exports.createTensor());
    this.#walkers = this.#build(`${seats} walkers`, (exports) => exports.createWalkers(seats));
    this.#kernel.call((exports) => {
      kernel.u32(exports.tensorWeights(this.#tensor), plan.tensor.combined.length).set(plan.tensor.combined);
      exports.buildTensor(this.#tensor);
    });
    this.#closeCells();
    this.#starts = startCells(kernel, plan, setup.earlier);
  }

  /** Steps that every walker has taken. */
  get steps(): number {
    return this.#steps;
  }

  /** Bytes of memory in use, the map's tiles included. */
  get bytes(): number {
    return this.#kernel.bytes;
  }

  /**
   * Puts walkers from … to − 1 on their start cells, before their first step.
   *
   * @internal
   */
  seat(from: number, to: number): this {
    this.#seated = { from, to };
    this.#steps = 0;
    const { heading, purposeName } = this.#setup.plan;
    for (let walker = from; walker < to; walker++) {
      const [row, col] = this.#starts(walker);
      const status = this.#kernel.call((exports) =>
        exports.placeWalker(this.#map, this.#walkers, walker - from, row, col, heading),
      );
      if (status === Status.OUT_OF_MEMORY) this.#kernel.outOfMemory(`layer ${purposeName}`);
      if (status === Status.NO_START) {
        const problem = `walker ${walker} of ${purposeName} would start on a cell that is closed or not of the grid`;
        const remedy = "Move its start, or open the cell";
        fail(error("walk.closed-start", { problem, got: `(${row}, ${col})`, expected: "an open cell", remedy }));
      }
    }
    return this;
  }

  /**
   * Moves every walker on by `steps` steps.
   *
   * @throws RollmillError `argument.range`; `kernel.memory` or `walk.coordinates`, after which the run is over.
   */
  advance(steps: number, options: LongCall = {}): this {
    this.#checkAlive();
    const most = this.#setup.plan.firstVisit ? MAX_DATED_STEPS : MAX_INDEX - 1;
    checkInteger("steps", steps, 0, most - this.#steps);
    const walkers = this.#seated.to - this.#seated.from;
    const total = walkers * steps;
    this.#failed = true; // until all walkers have come as far
    let done = 0;
    forEachSlice(walkers, steps, (slice) => {
      this.#walk(slice);
      done += slice.count * slice.steps;
      options.onProgress?.({ done, total });
      if (done < total) options.signal?.throwIfAborted();
    });
    this.#failed = false;
    this.#steps += steps;
    return this;
  }

  /**
   * Walks every walker of the run to the layer's last step, a seatful at a time, and answers the map.
   *
   * @internal
   */
  walkAll(seats: number, options: LongCall = {}): LayerMap {
    const { plan, walkers } = this.#setup;
    const total = (walkers.to - walkers.from) * plan.steps;
    let before = 0;
    const onProgress =
      options.onProgress && (({ done }: { done: number }) => options.onProgress?.({ done: before + done, total }));
    for (let from = walkers.from; from < walkers.to; from += seats) {
      const to = Math.min(walkers.to, from + seats);
      this.seat(from, to);
      this.advance(plan.steps, { signal: options.signal, onProgress });
      before += (to - from) * plan.steps;
      if (to < walkers.to) options.signal?.throwIfAborted();
    }
    return this.map();
  }

  /**
   * Where walker `walker` (its number in the layer) stands.
   *
   * @throws RollmillError `argument.range` for a walker that is not of this run.
   */
  position(walker: number): WalkerPosition {
    this.#checkAlive();
    const { from, to } = this.#seated;
    checkInteger("walker", walker, from, to - 1);
    this.#kernel.call((exports) => exports.readWalker(this.#map, this.#walkers, walker - from));
    const [row, col, heading] = this.#kernel.u32(this.#kernel.window, 3);
    return { row: row | 0, col: col | 0, heading: DIRECTIONS[heading] ?? "resting" };
  }

  /** Where each walker stands, in order. */
  *positions(): Generator<WalkerPosition, void> {
    for (let walker = this.#seated.from; walker < this.#seated.to; walker++) yield this.position(walker);
  }

  /** Visits of a cell so far; 0 where no walker was. */
  visitsAt(row: number, col: number): number {
    this.#checkAlive();
    return this.#kernel.call((exports) => exports.visitsAt(this.#map, row, col)) >>> 0;
  }

  /** The least step at which a walker stood on the cell; undefined where none did, or where no first visits are kept. */
  firstVisitAt(row: number, col: number): number | undefined {
    this.#checkAlive();
    const step = this.#kernel.call((exports) => exports.firstVisitAt(this.#map, row, col)) >>> 0;
    return step === NEVER ? undefined : step;
  }

  /** The map so far, copied out. */
  map(): LayerMap {
    this.#checkAlive();
    return new LayerMap(this.#chunks());
  }

  /** Frees the run's memory; its maps stay. */
  dispose(): void {
    this.#kernel.dispose();
  }

  /** {@link dispose}, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #walk({ first, count, offset, steps }: Slice): void {
    const from = this.#steps + offset;
    const { OK, OUT_OF_MEMORY } = Status;
    const status = this.#kernel.call((exports) =>
      exports.advance(
        this.#map,
        this.#tensor,
        this.#walkers,
        first,
        count,
        this.#purpose,
        this.#seated.from,
        Math.floor(from / BLOCK_WORDS),
        from % BLOCK_WORDS,
        steps,
      ),
    );
    if (status === OK) return;
    if (status === OUT_OF_MEMORY) this.#kernel.outOfMemory(`layer ${this.#setup.plan.purposeName}`);
    const walker = this.#seated.from + (this.#kernel.call((exports) => exports.failedOffset()) >>> 0);
    fail(
      error("walk.coordinates", {
        problem: `walker ${walker} of ${this.#setup.plan.purposeName} walked out of the coordinates' range`,
        expected: "rows and columns from −2^31 to 2^31 − 1",
        remedy: "Start it nearer to (0, 0), or use a torus",
      }),
    );
  }

  #closeCells(): void {
    const { plan, earlier } = this.#setup;
    const maps = plan.closedLayers.map((index) => earlierMap(earlier, index));
    for (const { chunkRow, chunkCol, bits } of closedChunks(plan.closedCells, maps)) {
      this.#kernel.u8(this.#kernel.window, bits.length).set(bits);
      const status = this.#kernel.call((exports) => exports.closeChunk(this.#map, chunkRow, chunkCol));
      if (status !== Status.OK) this.#kernel.outOfMemory("closed cells");
    }
  }

  *#chunks(): Generator<MapChunk, void> {
    const call = <T>(job: (exports: KernelExports) => T) => this.#kernel.call(job);
    const perTile = call((exports) => exports.chunksInTile(this.#map)) >>> 0;
    let tile = call((exports) => exports.nextTile(this.#map, 0 as Address));
    for (; tile !== 0; tile = call((exports) => exports.nextTile(this.#map, tile))) {
      for (let chunk = 0; chunk < perTile; chunk++) {
        if (call((exports) => exports.readChunk(this.#map, tile, chunk)) === 0) continue;
        const view = this.#kernel.u32(this.#kernel.window, 4 + 2 * CHUNK_CELLS);
        const [chunkRow, chunkCol] = [view[0] | 0, view[1] | 0];
        const visits = view.slice(4, 4 + CHUNK_CELLS);
        if (!this.#setup.plan.firstVisit) yield { chunkRow, chunkCol, visits };
        else yield { chunkRow, chunkCol, visits, firstVisit: view.slice(4 + CHUNK_CELLS) };
      }
    }
  }

  #build(purpose: string, job: (exports: KernelExports) => Address): Address {
    return this.#kernel.taken(this.#kernel.call(job), purpose);
  }

  #checkAlive(): void {
    if (!this.#failed && this.#kernel.generation === 0) return;
    const remedy = "Start the layer again";
    fail(error("argument.disposed", { problem: "this run has failed or was aborted, and is over", remedy }));
  }
}

function createMap(exports: KernelExports, grid: GridSpec, firstVisit: boolean): Address {
  const { rows, cols } = grid.kind === "unbounded" ? { rows: 0, cols: 0 } : grid;
  const tiled = grid.kind === "unbounded" || rows * cols > MAX_TILE_CELLS;
  return exports.createMap(GRID_KINDS[grid.kind], rows, cols, Number(tiled), Number(firstVisit));
}

import type { StreamKey } from "../address.js";
import type { LongCall } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { checkInteger, readOptions } from "../spec/index.js";
import { DIRECTIONS } from "./directions.js";
import { KernelLayer, type LayerSource } from "./kernel.js";
import { ClosedCells } from "./map/closedCells.js";
import { LayerMap } from "./map/layerMap.js";
import { earlierMap, startCells } from "./starts.js";
import { type Cell, type GridSpec, type LayerPlan, MAX_DATED_STEPS, MAX_STEPS, type WalkerPosition } from "./types.js";

/** Approximate number of steps of one kernel call. It bounds the time between two checks of the abort signal. */
const STEPS_PER_CALL = 2 ** 24;

/** The walkers `from` … `to` − 1 of a layer. */
export interface WalkerRange {
  readonly from: number;
  readonly to: number;
}

/** Settings of a layer run, in addition to its plan. */
interface LayerSetup {
  readonly grid: GridSpec;
  /**
   * The maps of earlier layers, by layer index. A map is required for each layer whose visited cells the plan closes or
   * starts on.
   */
  readonly earlier: readonly (LayerMap | undefined)[];
  readonly walkers: WalkerRange;
  /**
   * Maximum number of walkers in one batch. Each walker takes a seat, which is an entry of the kernel's walker array.
   */
  readonly seats: number;
  /** Number of the stream of random words for drawing start cells. */
  readonly startStream: StreamKey;
}

/**
 * A run of one layer. The caller advances it in any number of parts, and can read the walkers and the cells between two
 * parts. The map does not depend on how the steps are divided into parts. Each run has its own kernel, so dispose of
 * the run when you have the map.
 *
 * Cost: one random word, one load and one store a step. Memory: 12 bytes a walker, and 17 KiB a chunk of 64 × 64 cells
 * (33 KiB with first visits). A bounded grid or torus of at most 2^26 cells takes 4 bytes a cell instead (8 with first
 * visits).
 */
export class LayerRun {
  readonly #name: string;
  readonly #plan: LayerPlan;
  readonly #loops: KernelLayer;
  readonly #walkers: WalkerRange;
  readonly #seats: number;
  readonly #startOf: (walker: number) => Cell;
  /** The walkers that are in the kernel's seats. */
  #seated: WalkerRange = { from: 0, to: 0 };
  #steps = 0;
  #failed = false;

  /**
   * @internal
   * Call {@link seat} or {@link walkAll} next.
   */
  constructor(setup: LayerSource, { grid, earlier, walkers, seats, startStream }: LayerSetup) {
    const { plan } = setup;
    this.#name = setup.name;
    this.#plan = plan;
    this.#walkers = walkers;
    this.#seats = Math.min(seats, walkers.to - walkers.from);
    const maps = plan.closedLayers.map((index) => earlierMap(earlier, { index, grid }));
    const closed = new ClosedCells(plan.closedCells, maps);
    this.#loops = new KernelLayer(setup, { grid, closed: closed.chunks(), seats: this.#seats });
    this.#startOf = startCells(plan, {
      grid,
      earlier,
      closed,
      draw: (place) => this.#loops.drawBelow(startStream, place),
    });
  }

  /** Number of steps that every walker has taken. */
  get steps(): number {
    return this.#steps;
  }

  /** Size of the memory in use, including the map, in bytes. */
  get bytes(): number {
    return this.#loops.bytes;
  }

  /**
   * Puts the walkers `from` … `to` − 1 on their start cells, each in one seat of the kernel.
   *
   * @internal
   */
  seat({ from, to }: WalkerRange = this.#walkers): this {
    this.#seated = { from, to };
    this.#steps = 0;
    for (let walker = from; walker < to; walker++) {
      this.#loops.place(walker - from, this.#startOf(walker), this.#plan.heading);
    }
    return this;
  }

  /**
   * Moves every walker by `steps` steps.
   *
   * @param steps - Number of steps, 0 or more. The total of a run is at most 2⁴² − 1, or 2³² − 2 with first visits.
   * @throws RollmillError `argument.range`, `argument.option`, `argument.type`, `kernel.memory`, `walk.coordinates`.
   * After `kernel.memory`, `walk.coordinates` or an abort, the run cannot be used.
   */
  advance(steps: number, given: LongCall = {}): this {
    const options = readOptions("run.advance", given, ["signal", "onProgress"]);
    this.#checkAlive();
    const most = this.#plan.firstVisit ? MAX_DATED_STEPS : MAX_STEPS;
    checkInteger("steps", steps, 0, most - this.#steps);
    // set until the call succeeds: if it throws, some walkers have taken fewer steps than others
    this.#failed = true;
    this.#walk(steps, options);
    this.#failed = false;
    this.#steps += steps;
    return this;
  }

  /**
   * Runs every walker to the layer's last step, in batches, and returns the map.
   *
   * @internal
   */
  walkAll({ signal, onProgress }: LongCall): LayerMap {
    const { from, to } = this.#walkers;
    const { steps } = this.#plan;
    const total = (to - from) * steps;
    for (let first = from; first < to; first += this.#seats) {
      const before = (first - from) * steps;
      if (first > from) signal?.throwIfAborted();
      this.seat({ from: first, to: Math.min(to, first + this.#seats) });
      this.#walk(steps, {
        signal,
        onProgress: onProgress && (({ done }) => onProgress({ done: before + done, total })),
      });
    }
    return this.map();
  }

  /**
   * The cell and heading of a walker.
   *
   * @param walker - The walker's number in the layer.
   * @throws RollmillError `argument.range` if the walker is not part of this run.
   */
  position(walker: number): WalkerPosition {
    this.#checkAlive();
    const { from, to } = this.#seated;
    checkInteger("walker", walker, from, to - 1);
    const { row, col, heading } = this.#loops.placeOf(walker - from);
    return { row, col, heading: DIRECTIONS[heading] ?? "resting" };
  }

  /** The cell and heading of each walker of this run, in order of walker numbers. */
  *positions(): Generator<WalkerPosition, void> {
    for (let walker = this.#seated.from; walker < this.#seated.to; walker++) yield this.position(walker);
  }

  /** Number of visits of a cell so far; 0 if no walker visited it. */
  visitsAt(row: number, col: number): number {
    this.#checkAlive();
    return this.#loops.visitsAt(row, col);
  }

  /**
   * The smallest step at which a walker visited the cell. Returns undefined if no walker visited the cell, or if the
   * layer keeps no first visits.
   */
  firstVisitAt(row: number, col: number): number | undefined {
    this.#checkAlive();
    return this.#loops.firstVisitAt(row, col);
  }

  /** Returns a copy of the map so far. Cost: O(cells of the chunks). */
  map(): LayerMap {
    this.#checkAlive();
    return new LayerMap(this.#loops.chunks());
  }

  /** Frees the run's memory. The run cannot be used afterwards; its maps can. */
  dispose(): void {
    this.#loops.dispose();
  }

  /** Calls {@link dispose} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /**
   * Moves all walkers in seats by `steps` steps. Each kernel call takes about STEPS_PER_CALL steps: it moves several
   * walkers by all steps, or one walker by a part of the steps.
   */
  #walk(steps: number, { signal, onProgress }: LongCall): void {
    const walkers = this.#seated.to - this.#seated.from;
    const total = walkers * steps;
    const together = Math.max(1, Math.floor(STEPS_PER_CALL / Math.max(1, steps)));
    let done = 0;
    for (let first = 0; first < walkers && steps > 0; first += together) {
      const count = Math.min(together, walkers - first);
      for (let offset = 0; offset < steps; offset += STEPS_PER_CALL) {
        const part = Math.min(STEPS_PER_CALL, steps - offset);
        this.#call({ first, count, offset, steps: part });
        done += count * part;
        onProgress?.({ done, total });
        if (done < total) signal?.throwIfAborted();
      }
    }
  }

  #call({ offset, ...part }: { first: number; count: number; offset: number; steps: number }): void {
    const lost = this.#loops.advance({ ...part, plane: this.#seated.from, from: this.#steps + offset });
    if (lost === undefined) return;
    fail(
      error("walk.coordinates", {
        problem: `walker ${this.#seated.from + lost} of ${this.#name} left the range of coordinates`,
        expected: "rows and columns from −2^31 to 2^31 − 1",
        remedy: "Start the walker nearer to (0, 0), or use a torus",
      }),
    );
  }

  #checkAlive(): void {
    if (!this.#failed && this.#loops.isWhole) return;
    const remedy = "Start the layer again";
    fail(error("argument.disposed", { problem: "this run failed or was aborted, and cannot be used", remedy }));
  }
}

import { checkInteger, checkOptions, type LongCall, type Setup } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { DIRECTIONS } from "./directions.js";
import { KernelLayer } from "./kernel.js";
import { closedChunks } from "./map/closedCells.js";
import { LayerMap } from "./map/layerMap.js";
import { earlierMap, startCells } from "./starts.js";
import { type Cell, type GridSpec, type LayerPlan, MAX_DATED_STEPS, MAX_STEPS, type WalkerPosition } from "./types.js";

/** A kernel call takes about this many steps: a few hundredths of a second. */
const STEPS_PER_CALL = 2 ** 24;

/** Walkers from … to − 1 of a layer. */
export interface WalkerRange {
  readonly from: number;
  readonly to: number;
}

/** What a layer run needs beside its plan. */
interface LayerSetup {
  readonly grid: GridSpec;
  /** The maps of earlier layers, by index; at least those that the plan closes or starts from. */
  readonly earlier: readonly (LayerMap | undefined)[];
  readonly walkers: WalkerRange;
  /** The most walkers that are walked together. */
  readonly seats: number;
  /** The stream of drawn starts. */
  readonly startStream: number;
}

/**
 * A layer that is walked step by step: advance its walkers, look at them and at any cell, and advance again. The map does
 * not depend on how the steps are divided. A run has memory of its own: dispose of it when you have the map.
 *
 * Cost: one word, one load and one store a step; 12 bytes a walker; 17 KiB a chunk of 64 × 64 cells (33 with first visits),
 * or 4 bytes a cell (8) if the grid has at most 2^26 cells.
 */
export class LayerRun {
  readonly #name: string;
  readonly #plan: LayerPlan;
  readonly #loops: KernelLayer;
  readonly #walkers: WalkerRange;
  readonly #seats: number;
  readonly #startOf: (walker: number) => Cell;
  #seated: WalkerRange = { from: 0, to: 0 };
  #steps = 0;
  #failed = false;

  /**
   * @internal
   * {@link seat} or {@link walkAll} comes next.
   */
  constructor(setup: Setup<LayerPlan>, { grid, earlier, walkers, seats, startStream }: LayerSetup) {
    const { plan } = setup;
    this.#name = setup.name;
    this.#plan = plan;
    this.#walkers = walkers;
    this.#seats = Math.min(seats, walkers.to - walkers.from);
    const maps = plan.closedLayers.map((index) => earlierMap(earlier, index));
    const closed = closedChunks(plan.closedCells, maps);
    this.#loops = new KernelLayer(setup, { grid, closed, seats: this.#seats });
    this.#startOf = startCells(plan.start, {
      earlier,
      draw: (place) => this.#loops.drawBelow(startStream, place),
    });
  }

  /** Steps that every walker has taken. */
  get steps(): number {
    return this.#steps;
  }

  /** Bytes of memory in use, the map included. */
  get bytes(): number {
    return this.#loops.bytes;
  }

  /**
   * Puts walkers from … to − 1 on their start cells.
   *
   * @internal
   */
  seat({ from, to }: WalkerRange = this.#walkers): this {
    this.#seated = { from, to };
    this.#steps = 0;
    for (let walker = from; walker < to; walker++) {
      const cell = this.#startOf(walker);
      if (this.#loops.place(walker - from, cell, this.#plan.heading)) continue;
      const problem = `the start of walker ${walker} of ${this.#name} is closed or outside the grid`;
      const finding = { problem, got: `(${cell.join(", ")})`, expected: "an open cell" };
      fail(error("walk.closed-start", { ...finding, remedy: "Move its start, or open the cell" }));
    }
    return this;
  }

  /**
   * Moves every walker by `steps` steps.
   *
   * @param steps - 0 … 2⁴² − 1 in total; with first visits 0 … 2³² − 2.
   * @throws RollmillError `argument.range`, `argument.option`, `argument.type`; `kernel.memory` or `walk.coordinates`, after
   * which the run is over. An aborted run is over, too.
   */
  advance(steps: number, options: LongCall = {}): this {
    checkOptions("advance", options, ["signal", "onProgress"]);
    this.#checkAlive();
    const most = this.#plan.firstVisit ? MAX_DATED_STEPS : MAX_STEPS;
    checkInteger("steps", steps, 0, most - this.#steps);
    // a failure leaves some walkers behind the others
    this.#failed = true;
    this.#walk(steps, options);
    this.#failed = false;
    this.#steps += steps;
    return this;
  }

  /**
   * Walks every walker of the run to the layer's last step, in batches, and returns the map.
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
   * Where a walker is.
   *
   * @param walker - its number in the layer.
   * @throws RollmillError `argument.range` if the walker is not part of this run.
   */
  position(walker: number): WalkerPosition {
    this.#checkAlive();
    const { from, to } = this.#seated;
    checkInteger("walker", walker, from, to - 1);
    const { row, col, heading } = this.#loops.placeOf(walker - from);
    return { row, col, heading: DIRECTIONS[heading] ?? "resting" };
  }

  /** Where each walker is, in order. */
  *positions(): Generator<WalkerPosition, void> {
    for (let walker = this.#seated.from; walker < this.#seated.to; walker++) yield this.position(walker);
  }

  /** Visits of a cell so far; 0 if no walker was there. */
  visitsAt(row: number, col: number): number {
    this.#checkAlive();
    return this.#loops.visitsAt(row, col);
  }

  /** The least step at which a walker stood on the cell; undefined if none did, or if the layer keeps no first visits. */
  firstVisitAt(row: number, col: number): number | undefined {
    this.#checkAlive();
    return this.#loops.firstVisitAt(row, col);
  }

  /** A copy of the map so far. Cost: O(cells of the chunks). */
  map(): LayerMap {
    this.#checkAlive();
    return new LayerMap(this.#loops.chunks());
  }

  /** Frees the run's memory. The run cannot be used afterwards; its maps can. */
  dispose(): void {
    this.#loops.dispose();
  }

  /** {@link dispose}, for `using`. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /** Takes steps in kernel calls of about STEPS_PER_CALL: several walkers whole, or one walker in parts. */
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
        remedy: "Start it nearer to (0, 0), or use a torus",
      }),
    );
  }

  #checkAlive(): void {
    if (!this.#failed && this.#loops.isWhole) return;
    const remedy = "Start the layer again";
    fail(error("argument.disposed", { problem: "this run failed or was aborted, and is over", remedy }));
  }
}

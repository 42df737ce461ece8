import type { StreamKey } from "../address.js";
import { type LongCall, Pace, refuseDisposed, Turns, Watch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { checkInteger, readOptions } from "../spec/index.js";
import { type Coordinates, coordinatesOf } from "./coordinates.js";
import { DIRECTIONS } from "./directions.js";
import { KernelLayer, type LayerSource } from "./kernel.js";
import { closedCells, endCells } from "./map/cellSet.js";
import type { MapChunk } from "./map/chunk.js";
import { LayerMap, type WalkerTotals } from "./map/layerMap.js";
import type { CellRectangle } from "./map/openCells.js";
import { damaged, encodeRun, type SavedHead, type SavedRun } from "./saved/savedRun.js";
import { earlierMap, type StartSources, startCells } from "./starts.js";
import { type Cell, type GridSpec, type LayerPlan, MAX_DATED_STEPS, MAX_STEPS, type WalkerPosition } from "./types.js";

/** Maximum number of steps of one kernel call, and the number of the first one, if the call is watched. */
const WATCHED_STEPS = 2 ** 20;
const FIRST_STEPS = 2 ** 14;
/** Approximate number of steps of one kernel call that nobody watches. */
const STEPS_PER_CALL = 2 ** 24;
/** Number of walkers that are seated, and of chunks that are copied, between two looks at the signal. */
const WALKERS_PER_LOOK = 1024;
const CHUNKS_PER_LOOK = 64;
/**
 * A run copies its memory before a call if it has made this many steps since the last copy, and this many for each
 * byte. A step costs more than the copy of a byte, so copies take a small part of the time.
 */
const LEAST_STEPS_PER_COPY = 2 ** 24;
const STEPS_PER_BYTE = 4;

/** The walkers `from` … `to` − 1 of a layer. */
export interface WalkerRange {
  readonly from: number;
  readonly to: number;
}

/** Settings of a layer run, in addition to its plan. */
interface LayerSetup {
  readonly grid: GridSpec;
  /**
   * The maps of earlier layers, by layer index. A map is required for each layer that the plan closes, opens, starts on
   * or ends at.
   */
  readonly earlier: readonly (LayerMap | undefined)[];
  readonly walkers: WalkerRange;
  /** The region of the walkers; undefined if the layer is not scattered. */
  readonly region: CellRectangle | undefined;
  /**
   * Maximum number of walkers in one batch. Each walker takes a seat, which is an entry of the kernel's walker array.
   */
  readonly seats: number;
  /** Number of the stream of random words for drawing start cells. */
  readonly startStream: StreamKey;
  /** Returns the fields that identify the layer in a saved run. */
  readonly identity: () => Pick<SavedHead, "walk" | "layer" | "fingerprint" | "earlier" | "region">;
  /** The saved run to continue; undefined if the walkers begin on their start cells. */
  readonly saved?: SavedRun | undefined;
}

/**
 * A run of one layer. The caller advances it in any number of parts, and can read the walkers and the cells between two
 * parts. The map does not depend on how the steps are divided into parts. Each run has its own kernel, so dispose of
 * the run when you have the map.
 *
 * A call that fails or is aborted leaves the run where it was before the call: the next call repeats the steps that it
 * needs from a copy of the memory.
 *
 * Cost: one random word, one load and one store a step. Memory: 12 bytes a walker (20 if walkers can end early), and 17
 * KiB a chunk of 64 × 64 cells (33 KiB with first visits). A bounded grid or torus of at most 2^26 cells takes 4 bytes
 * a cell instead (8 with first visits). A run that is advanced in several long calls keeps one copy of this memory
 * outside the kernel.
 */
export class LayerRun {
  readonly #name: string;
  readonly #plan: LayerPlan;
  readonly #source: LayerSource;
  readonly #openLoops: () => KernelLayer;
  #loops: KernelLayer;
  readonly #walkers: WalkerRange;
  readonly #seats: number;
  readonly #coordinates: Coordinates;
  readonly #startOf: ((walker: number) => Cell) | undefined;
  readonly #saved: SavedRun | undefined;
  readonly #identity: LayerSetup["identity"];
  readonly #turns = new Turns("the run");
  /** The walkers that are in the kernel's seats. */
  #seated: WalkerRange = { from: 0, to: 0 };
  #steps = 0;
  /** The memory of the kernel after some steps; undefined before the first step. */
  #copy: { readonly steps: number; readonly memory: Uint8Array } | undefined;
  /** Generation of the kernel whose memory is that after {@link steps}; undefined if a call has failed since. */
  #generation: number | undefined;

  /**
   * @internal
   * Call {@link seat} or {@link walkAll} next.
   */
  constructor(setup: LayerSource, { grid, earlier, walkers, region, seats, startStream, identity, saved }: LayerSetup) {
    const { plan } = setup;
    this.#saved = saved;
    this.#identity = identity;
    this.#name = setup.name;
    this.#plan = plan;
    this.#source = setup;
    this.#coordinates = coordinatesOf(grid);
    this.#seats = Math.min(seats, walkers.to - walkers.from);
    const mapOf = (index: number) => earlierMap(earlier, { index, grid });
    const { until } = plan;
    const closed = closedCells(plan.closedCells, plan.closedLayers.map(mapOf), plan.openLayers.map(mapOf));
    const ends = until && endCells(mapOf(until.layer), until.kind);
    this.#openLoops = () => new KernelLayer(setup, { grid, closed, ends, seats: this.#seats });
    this.#loops = this.#openLoops();
    this.#generation = setup.kernel.generation;
    const draw: StartSources["draw"] = (place) => this.#loops.drawBelow(startStream, place);
    this.#startOf = saved === undefined ? startCells(plan, { grid, earlier, closed, draw, region }) : undefined;
    const exist = saved !== undefined || this.#startOf !== undefined;
    this.#walkers = exist ? walkers : { from: walkers.from, to: walkers.from };
  }

  /** Number of steps by which the run was advanced. Every walker that has not ended has taken this many steps. */
  get steps(): number {
    return this.#steps;
  }

  /** The walkers of this run: their number, the sum of their steps, and the number of walkers that have ended. */
  get walkerTotals(): WalkerTotals {
    this.#read();
    return this.#totals(this.#seated.to - this.#seated.from);
  }

  /** Size of the memory in use, including the map, in bytes. */
  get bytes(): number {
    return this.#loops.bytes;
  }

  /**
   * Puts each of the walkers `from` … `to` − 1 in a seat of the kernel. A walker of a saved run is on its saved cell,
   * any other walker on its start cell.
   *
   * @internal
   * @throws RollmillError `snapshot.invalid` for a saved run that the layer could not have made.
   */
  seat({ from, to }: WalkerRange = this.#walkers, watch?: Watch): this {
    const { headings } = this.#plan;
    this.#seated = { from, to };
    this.#steps = this.#saved?.steps ?? 0;
    for (const chunk of this.#saved?.map ?? []) {
      watch?.look();
      if (!this.#loops.writeChunk(chunk)) damaged();
    }
    for (let walker = from; walker < to; walker++) {
      if ((walker - from) % WALKERS_PER_LOOK === 0) watch?.look();
      if (this.#startOf !== undefined) {
        this.#loops.place(walker - from, this.#startOf(walker), headings[walker % headings.length]);
      } else if (
        this.#saved !== undefined &&
        !this.#loops.writeWalker(walker - from, this.#saved.placeOf(walker - from))
      ) {
        damaged();
      }
    }
    return this;
  }

  /**
   * Returns the run as bytes: its map and the positions of its walkers. `walk.resume` continues the run from these
   * bytes, on this machine or another one. `mergeSavedRuns` merges the saved runs of parts of a layer. Format:
   * docs/formats.md.
   *
   * Cost: O(bytes), all of which are hashed. A chunk has 16 KiB (32 KiB with first visits), a walker 24 bytes.
   *
   * @throws The errors of {@link position}.
   */
  save(): Uint8Array<ArrayBuffer> {
    this.#read();
    const { from, to } = this.#seated;
    const loops = this.#loops;
    function* places() {
      for (let seat = 0; seat < to - from; seat++) yield loops.placeOf(seat);
    }
    const { firstVisit: firstVisits, until } = this.#plan;
    const head = { from, to, steps: this.#steps, coordinates: this.#coordinates, firstVisits };
    return encodeRun({ ...this.#identity(), ...head, endsEarly: until !== undefined }, [...loops.chunks()], places());
  }

  /**
   * Moves every walker by `steps` steps, except walkers that have ended. A call that fails or is aborted leaves the run
   * where it was.
   *
   * @param steps - Number of steps, 0 or more. The total of a run is at most 2⁴² − 1, or 2³² − 2 with first visits.
   * @throws RollmillError `argument.range`, `argument.option`, `argument.type`, `argument.busy`, `argument.callback`,
   * `argument.disposed`, `kernel.memory`, `walk.coordinates`.
   */
  advance(steps: number, given: LongCall = {}): this {
    this.#checkTurn();
    return this.#turns.run(this.#name, [this.#source.stream], () => {
      const options = readOptions("run.advance", given, ["signal", "onProgress"]);
      const most = this.#plan.firstVisit ? MAX_DATED_STEPS : MAX_STEPS;
      checkInteger("steps", steps, 0, most - this.#steps);
      const { from, to } = this.#seated;
      const watch = new Watch(this.#name, (to - from) * steps, options);
      this.#restore(watch);
      this.#copyMemory();
      // set until the call succeeds: if it throws, some walkers have taken fewer steps than others
      const generation = this.#generation;
      this.#generation = undefined;
      this.#walk({ from: this.#steps, steps, before: 0 }, watch);
      this.#generation = generation;
      this.#steps += steps;
      return this;
    });
  }

  /**
   * Runs every walker to the layer's last step, in batches, and returns the map.
   *
   * @internal
   */
  walkAll(call: LongCall): LayerMap {
    const { from, to } = this.#walkers;
    const { steps } = this.#plan;
    const watch = new Watch(this.#name, (to - from) * steps, call);
    for (let first = from; first < to; first += this.#seats) {
      this.seat({ from: first, to: Math.min(to, first + this.#seats) }, watch);
      this.#walk({ from: 0, steps, before: (first - from) * steps }, watch);
    }
    this.#steps = steps;
    // a list, because an abort inside an iterable of the caller would count as a flaw of the iterable
    const chunks = [...watched(this.#loops.chunks(), watch)];
    return this.#mapOf(chunks, { signal: call.signal, walkers: to - from });
  }

  /**
   * The cell and heading of a walker.
   *
   * @param walker - The walker's number in the layer.
   * @throws RollmillError `argument.range` if the walker is not part of this run.
   */
  position(walker: number): WalkerPosition {
    this.#read();
    const { from, to } = this.#seated;
    checkInteger("walker", walker, from, to - 1);
    const { row, col, heading, ended, stepsLow, stepsHigh } = this.#loops.placeOf(walker - from);
    const position = { row, col, heading: DIRECTIONS[heading] ?? "resting" } as const;
    return ended === 0 ? position : { ...position, ended: stepsHigh * 2 ** 32 + stepsLow };
  }

  /** The cell and heading of each walker of this run, in order of walker numbers. */
  *positions(): Generator<WalkerPosition, void> {
    for (let walker = this.#seated.from; walker < this.#seated.to; walker++) yield this.position(walker);
  }

  /**
   * Number of visits of a cell so far; 0 if no walker visited it.
   *
   * @throws RollmillError `argument.range` for coordinates outside −2^31 … 2^31 − 1.
   */
  visitsAt(row: number, col: number): number {
    this.#read();
    return this.#loops.visitsAt(row, col);
  }

  /**
   * The smallest step at which a walker visited the cell. Returns undefined if no walker visited the cell, or if the
   * layer keeps no first visits.
   */
  firstVisitAt(row: number, col: number): number | undefined {
    this.#read();
    return this.#loops.firstVisitAt(row, col);
  }

  /** Returns a copy of the map so far. Cost: O(cells of the chunks). */
  map(): LayerMap {
    this.#read();
    return this.#mapOf(this.#loops.chunks(), { walkers: this.#seated.to - this.#seated.from });
  }

  /** Frees the run's memory. The run cannot be used afterwards; its maps can. */
  dispose(): void {
    this.#turns.dispose();
    this.#copy = undefined;
    this.#loops.dispose();
  }

  /** Calls {@link dispose} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  /**
   * Moves all walkers in seats from step `from` on, by `steps` steps. Each kernel call moves several walkers by all
   * steps, or one walker by a part of the steps. Earlier batches have taken `before` steps.
   */
  #walk(
    { from, steps, before }: { readonly from: number; readonly steps: number; readonly before: number },
    watch: Watch,
  ): void {
    const walkers = this.#seated.to - this.#seated.from;
    const { isWatched } = watch;
    const pace = new Pace(isWatched ? FIRST_STEPS : STEPS_PER_CALL, isWatched ? WATCHED_STEPS : STEPS_PER_CALL);
    let done = before;
    let offset = 0;
    for (let first = 0; first < walkers && steps > 0; ) {
      const together = offset > 0 ? 1 : Math.max(1, Math.floor(pace.size / steps));
      const count = Math.min(together, walkers - first);
      const part = count > 1 ? steps : Math.min(pace.size, steps - offset);
      const move = () => this.#call({ first, count, from: from + offset, steps: part });
      if (isWatched) pace.measure(count * part, move);
      else move();
      const hasEnded = this.#plan.until !== undefined && count === 1 && this.#loops.placeOf(first).ended !== 0;
      done += hasEnded ? steps - offset : count * part;
      offset = hasEnded ? 0 : (offset + part) % steps;
      if (offset === 0) first += count;
      watch.passed(done);
    }
  }

  #call(part: { first: number; count: number; from: number; steps: number }): void {
    const lost = this.#loops.advance({ ...part, plane: this.#seated.from });
    if (lost === undefined) return;
    fail(
      error("walk.coordinates", {
        problem: `walker ${this.#seated.from + lost} of ${this.#name} left the range of coordinates`,
        expected: "rows and columns from −2^31 to 2^31 − 1",
        remedy: "Start the walker nearer to (0, 0), or use a torus",
      }),
    );
  }

  #mapOf(
    chunks: Iterable<MapChunk>,
    { walkers, signal }: Pick<LongCall, "signal"> & { readonly walkers: number },
  ): LayerMap {
    return new LayerMap(chunks, { signal, walkerTotals: this.#totals(walkers), coordinates: this.#coordinates });
  }

  /** Returns the totals of this number of walkers after the steps of the run. They include the walkers in the seats. */
  #totals(walkers: number): WalkerTotals {
    const { walkers: ended, steps } = this.#loops.endings();
    return { walkers, steps: (walkers - ended) * this.#steps + steps, ended };
  }

  /** Copies the memory if repeating the steps since the last copy would take long. */
  #copyMemory(): void {
    const made = (this.#seated.to - this.#seated.from) * (this.#steps - (this.#copy?.steps ?? this.#saved?.steps ?? 0));
    if (made < Math.max(LEAST_STEPS_PER_COPY, STEPS_PER_BYTE * this.#loops.bytes)) return;
    try {
      this.#copy = { steps: this.#steps, memory: this.#source.kernel.save() };
    } catch (cause) {
      // without memory for another copy, a failed call repeats more steps
      if (!(cause instanceof RangeError)) throw cause;
    }
  }

  /** Repeats the steps since the last copy, if a failed call or a trap has changed the memory. */
  #restore(watch: Watch): void {
    const { kernel } = this.#source;
    if (this.#generation === kernel.generation) return;
    this.#generation = undefined;
    const steps = this.#steps;
    const { steps: from, memory } = this.#copy ?? { steps: this.#saved?.steps ?? 0, memory: undefined };
    kernel.reset(memory);
    try {
      if (memory === undefined) {
        this.#loops = this.#openLoops();
        this.seat(this.#seated, watch);
      }
      this.#walk({ from, steps: steps - from, before: 0 }, watch.silent());
    } finally {
      this.#steps = steps;
    }
    this.#generation = kernel.generation;
  }

  /** Checks that the run can be read, and restores it if a call has failed. */
  #read(): void {
    this.#checkTurn();
    this.#restore(new Watch(this.#name, 0, {}));
  }

  #checkTurn(): void {
    this.#turns.check(this.#name, [this.#source.stream]);
    if (this.#source.kernel.isDisposed) refuseDisposed(this.#name);
  }
}

/** Yields the same chunks, and looks at the signal of a call from time to time. */
function* watched(chunks: Iterable<MapChunk>, watch: Watch): Generator<MapChunk, void> {
  let copied = 0;
  for (const chunk of chunks) {
    if (copied % CHUNKS_PER_LOOK === 0) watch.look();
    copied++;
    yield chunk;
  }
}

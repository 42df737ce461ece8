import { Guard, type LongCall, refuseDisposed, Watch } from "../calls/index.js";
import { checkInteger, readOptions } from "../spec/index.js";
import { type Coordinates, coordinatesOf } from "./coordinates.js";
import { DIRECTIONS } from "./directions.js";
import { KernelLayer, type LayerSource } from "./kernel.js";
import { type LayerSetup, markedCells, startsIn } from "./layerSetup.js";
import type { MapChunk } from "./map/chunk.js";
import { LayerMap, type WalkerTotals } from "./map/layerMap.js";
import { type Moves, moveWalkers, WALKERS_PER_LOOK, type WalkerRange } from "./moves.js";
import { damaged, encodeRun, type SavedHead, type SavedRun } from "./saved/savedRun.js";
import { type Cell, type LayerPlan, MAX_DATED_STEPS, MAX_STEPS, type WalkerPosition } from "./types.js";

/** The abort signal is checked each time this many chunks are copied. */
const CHUNKS_PER_LOOK = 64;
/**
 * A run keeps a copy of its memory. After a failed call, the run loads the copy and repeats the steps since then. A new
 * copy is made after `LEAST_STEPS_PER_COPY` steps or, if the memory is large, after `STEPS_PER_BYTE` steps for each
 * byte of memory. A step takes longer than copying a byte, so copies take only a small part of the time.
 */
const LEAST_STEPS_PER_COPY = 2 ** 24;
const STEPS_PER_BYTE = 4;

interface RunSetup extends LayerSetup {
  /**
   * Maximum number of walkers in one batch. Each walker of a batch occupies one seat (entry) of the kernel's walker
   * array.
   */
  readonly seats: number;
  /** Returns the fields that identify the layer in a saved run. */
  readonly identity: () => Pick<SavedHead, "walk" | "layer" | "fingerprint" | "earlier" | "region">;
  /** The saved run to continue. If undefined, the walkers begin on their start cells. */
  readonly saved?: SavedRun | undefined;
}

/**
 * A run of one layer. The caller advances it in any number of parts. Between two parts, the caller can read the walkers
 * and the cells. The map does not depend on how the steps are divided into parts. Each run has its own kernel, so
 * dispose of the run when you have the map.
 *
 * If a call fails or is aborted, the run stays where it was before the call. The next call first restores this state:
 * it loads the last copy of the memory, and repeats all later steps.
 *
 * Cost: one random word, one load and one store for each step. Memory: 12 bytes for each walker (20 if walkers can end
 * early), and 17 KiB for each chunk of 64 × 64 cells (33 KiB with first visits). A bounded grid or torus of at most
 * 2^26 cells takes 4 bytes for each cell instead (8 with first visits). A run that is advanced in several long calls
 * also keeps one copy of this memory, outside the kernel.
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
  readonly #identity: RunSetup["identity"];
  readonly #guard = new Guard("the run");
  /** The walkers that are currently in the kernel. */
  #seated: WalkerRange = { from: 0, to: 0 };
  #steps = 0;
  /** A copy of the kernel's memory, made after `steps` steps; undefined if no copy was made. */
  #copy: { readonly steps: number; readonly memory: Uint8Array } | undefined;
  /**
   * As long as this is the kernel's generation, its memory holds the state after `#steps` steps. Undefined after a
   * failed call, until the memory is restored.
   */
  #generation: number | undefined;

  /**
   * @internal
   * Call {@link seat} or {@link walkAll} next.
   */
  constructor(setup: LayerSource, { seats, identity, saved, ...layer }: RunSetup) {
    const { plan } = setup;
    const { grid, walkers } = layer;
    this.#saved = saved;
    this.#identity = identity;
    this.#name = setup.name;
    this.#plan = plan;
    this.#source = setup;
    this.#coordinates = coordinatesOf(grid);
    this.#seats = Math.min(seats, walkers.to - walkers.from);
    const cells = markedCells(plan, layer);
    this.#openLoops = () => new KernelLayer(setup, { grid, ...cells, seats: this.#seats });
    this.#loops = this.#openLoops();
    this.#generation = setup.kernel.generation;
    this.#startOf = saved === undefined ? startsIn(plan, { ...layer, ...cells, loops: () => this.#loops }) : undefined;
    const exist = saved !== undefined || this.#startOf !== undefined;
    this.#walkers = exist ? walkers : { from: walkers.from, to: walkers.from };
  }

  /** Number of steps by which the run was advanced. Each walker has taken this many steps, unless it has ended. */
  get steps(): number {
    return this.#steps;
  }

  /** Totals of this run's walkers: the number of walkers, the sum of their steps, and the number of ended walkers. */
  get walkerTotals(): WalkerTotals {
    this.#read();
    return this.#totals(this.#seated.to - this.#seated.from);
  }

  /** Size of the memory in use, including the map, in bytes. */
  get bytes(): number {
    return this.#loops.bytes;
  }

  /**
   * Puts the walkers `from` … `to` − 1 into the kernel. If there is a saved run, the walkers begin on their saved
   * cells. If not, they begin on their start cells.
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
        const heading = headings[walker % headings.length];
        if (!this.#loops.place(walker - from, this.#startOf(walker), heading)) this.#loops.outOfMemory();
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
   * bytes, on any machine. If several runs share the walkers of a layer among them, `mergeSavedRuns` merges the bytes
   * of these runs. Format: docs/formats.md.
   *
   * Cost: O(bytes); all bytes are hashed. A chunk takes 16 KiB (32 KiB with first visits), and a walker 24 bytes.
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
   * Moves every walker that has not ended by `steps` steps. If the call fails or is aborted, the run stays where it
   * was.
   *
   * @param steps - Number of steps, 0 or more. The total of a run is at most 2⁴² − 1, or 2³² − 2 with first visits.
   * @throws RollmillError `argument.range`, `argument.option`, `argument.type`, `argument.busy`, `argument.callback`,
   * `argument.disposed`, `kernel.memory`.
   */
  advance(steps: number, given: LongCall = {}): this {
    this.#checkTurn();
    return this.#guard.run(this.#name, [this.#source.stream], () => {
      const options = readOptions("run.advance", given, ["signal", "onProgress"]);
      const most = this.#plan.firstVisit ? MAX_DATED_STEPS : MAX_STEPS;
      checkInteger("steps", steps, 0, most - this.#steps);
      const { from, to } = this.#seated;
      const watch = new Watch(this.#name, (to - from) * steps, options);
      this.#restore(watch);
      this.#copyMemory();
      // stays undefined if the call throws, because then not all walkers have taken the same number of steps
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
    // Collects the chunks outside the constructor of the map. The constructor would report an abort as an error of its
    // argument `chunks`.
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
   * Number of visits of a cell up to now; 0 for an unvisited cell.
   *
   * @throws RollmillError `argument.range` for coordinates outside −2^31 … 2^31 − 1.
   */
  visitsAt(row: number, col: number): number {
    this.#read();
    return this.#loops.visitsAt(row, col);
  }

  /**
   * The smallest step at which a walker visited the cell. Undefined for an unvisited cell, or if the layer keeps no
   * first visits.
   */
  firstVisitAt(row: number, col: number): number | undefined {
    this.#read();
    return this.#loops.firstVisitAt(row, col);
  }

  /** Returns a copy of the current map. Cost: O(cells of the chunks). */
  map(): LayerMap {
    this.#read();
    return this.#mapOf(this.#loops.chunks(), { walkers: this.#seated.to - this.#seated.from });
  }

  /** Frees the run's memory. You can no longer use the run, but you can still use its maps. */
  dispose(): void {
    this.#guard.dispose();
    this.#copy = undefined;
    this.#loops.dispose();
  }

  /** Calls {@link dispose} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #walk(part: Pick<Moves, "from" | "steps" | "before">, watch: Watch): void {
    const moves = { ...part, walkers: this.#seated, endsEarly: this.#plan.until !== undefined };
    for (const _ of moveWalkers(this.#loops, moves, watch)) this.#loops.outOfMemory();
  }

  #mapOf(
    chunks: Iterable<MapChunk>,
    { walkers, signal }: Pick<LongCall, "signal"> & { readonly walkers: number },
  ): LayerMap {
    return new LayerMap(chunks, { signal, walkerTotals: this.#totals(walkers), coordinates: this.#coordinates });
  }

  /**
   * Returns the walker totals. `walkers` is the number of walkers up to now, including those that are currently in the
   * kernel.
   */
  #totals(walkers: number): WalkerTotals {
    const { walkers: ended, steps } = this.#loops.endings();
    return { walkers, steps: (walkers - ended) * this.#steps + steps, ended };
  }

  /** Copies the memory if many steps were made since the last copy. */
  #copyMemory(): void {
    const made = (this.#seated.to - this.#seated.from) * (this.#steps - (this.#copy?.steps ?? this.#saved?.steps ?? 0));
    if (made < Math.max(LEAST_STEPS_PER_COPY, STEPS_PER_BYTE * this.#loops.bytes)) return;
    try {
      this.#copy = { steps: this.#steps, memory: this.#source.kernel.save() };
    } catch (cause) {
      // If there is not enough memory for a new copy, keeps the old one. After a failed call, more steps are then
      // repeated.
      if (!(cause instanceof RangeError)) throw cause;
    }
  }

  /** If a failed call or a trap has changed the memory, loads the last copy and repeats all later steps. */
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

  /** Checks that the run can be read. Restores the memory if a call has failed. */
  #read(): void {
    this.#checkTurn();
    this.#restore(new Watch(this.#name, 0, {}));
  }

  #checkTurn(): void {
    this.#guard.check(this.#name, [this.#source.stream]);
    if (this.#source.kernel.isDisposed) refuseDisposed(this.#name);
  }
}

/** Yields `chunks`, and checks the abort signal from time to time. */
function* watched(chunks: Iterable<MapChunk>, watch: Watch): Generator<MapChunk, void> {
  let copied = 0;
  for (const chunk of chunks) {
    if (copied % CHUNKS_PER_LOOK === 0) watch.look();
    copied++;
    yield chunk;
  }
}

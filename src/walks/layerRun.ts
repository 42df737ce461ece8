import { Guard, type LongCall, refuseDisposed, Watch } from "../calls/index.js";
import { copyMemory, restoreMemory, usedBytes } from "../kernel/index.js";
import { checkInteger, readOptions } from "../spec/index.js";
import { endsEarly } from "./compile.js";
import { HEADINGS } from "./directions.js";
import { StepsAhead } from "./kernel/stepsAhead.js";
import type { KernelLayer, LayerSource } from "./kernel.js";
import {
  type LayerSetup,
  moveWalkers,
  openLayer,
  placeWalkers,
  totalsOf,
  type WalkerRange,
  walkersOf,
} from "./layerParts.js";
import { LayerMap, type WalkerTotals } from "./map/layerMap.js";
import { type Coordinates, coordinatesOf } from "./rectangles.js";
import { damaged, encodeRun, type SavedHead, type SavedRun } from "./saved/savedRun.js";
import { type Cell, MAX_DATED_STEPS, MAX_STEPS, type WalkerPosition } from "./types.js";

/** Copies the memory after this many steps, or STEPS_PER_BYTE per byte if that is more, so that copies cost little. */
const MIN_STEPS_PER_COPY = 2 ** 24;
const STEPS_PER_BYTE = 4;

interface RunSetup extends LayerSetup {
  readonly identity: () => Pick<SavedHead, "walk" | "layer" | "fingerprint" | "earlier" | "region">;
  readonly saved?: SavedRun | undefined;
}

/**
 * A run of one layer. Advance it in any number of parts, and read its walkers and cells between two parts: the map does
 * not depend on the parts. Each run has its own kernel, so dispose of the run when you have the map.
 *
 * If a call fails or is aborted, the run stays where it was before the call. The next call first loads the last copy of
 * the memory, and repeats all later steps.
 *
 * Cost: one random word, one load and one store for each step. Memory: 12 bytes for each walker (20 if walkers can end
 * early), and 17 KiB for each chunk of 64 × 64 cells (33 KiB with first visits). A bounded grid or torus of at most
 * 2^26 cells takes 4 bytes for each cell instead (8 with first visits). A run that is advanced in several long calls
 * also keeps one copy of this memory, outside the kernel.
 */
export class LayerRun {
  readonly #source: LayerSource;
  readonly #kernel: LayerSource["kernel"];
  readonly #openLoops: () => KernelLayer;
  #loops: KernelLayer;
  readonly #walkers: WalkerRange;
  readonly #coordinates: Coordinates;
  readonly #startOf: ((walker: number) => Cell) | undefined;
  readonly #saved: SavedRun | undefined;
  readonly #identity: RunSetup["identity"];
  readonly #guard = new Guard("the run");
  /** Number of steps that the walkers in the kernel have taken. */
  #steps: number;
  /** The last copy of the memory, made after `steps` steps; undefined if no copy was made. */
  #copy: { readonly steps: number; readonly memory: Uint8Array } | undefined;
  readonly #ahead: StepsAhead;
  /** The kernel's generation in which the memory has the state after `#steps` steps; undefined after a failed call. */
  #generation: number | undefined;

  /** @internal */
  constructor(source: LayerSource, { identity, saved, ...setup }: RunSetup) {
    this.#saved = saved;
    this.#identity = identity;
    this.#source = source;
    this.#kernel = source.kernel;
    this.#coordinates = coordinatesOf(setup.grid);
    const layer = openLayer(source, setup);
    this.#startOf = saved === undefined ? layer.startOf() : undefined;
    const walkers = saved === undefined ? walkersOf(this.#startOf, setup.walkers) : setup.walkers;
    this.#walkers = walkers;
    this.#ahead = new StepsAhead(walkers.from);
    source.kernel.onDispose = () => this.#forgetAhead();
    this.#openLoops = () => layer.openLoops(walkers.to - walkers.from);
    this.#loops = this.#openLoops();
    this.#generation = source.kernel.generation;
    this.#steps = saved?.steps ?? 0;
    this.#seat();
  }

  /** Number of steps by which the run was advanced. Each walker has taken this many steps, unless it has ended. */
  get steps(): number {
    return this.#steps + this.#ahead.taken;
  }

  /** Totals of this run's walkers: the number of walkers, the sum of their steps, and the number of ended walkers. */
  get walkerTotals(): WalkerTotals {
    this.#read();
    return totalsOf(this.#walkers, this.#steps, this.#loops.endings());
  }

  /** Size of the memory in use, including the map, in bytes. */
  get bytes(): number {
    return usedBytes(this.#kernel);
  }

  /**
   * Returns the run as bytes, from which `walk.resume` continues on any machine. `mergeSavedRuns` merges the saved runs
   * of different walkers of a layer. Format: docs/formats/walks.md. Cost: O(bytes). A walker takes 24 bytes. A chunk
   * takes 4, 8 or 16 KiB (16 KiB more with first visits).
   *
   * @throws The errors of {@link position}.
   */
  save(): Uint8Array<ArrayBuffer> {
    this.#read();
    const { from, to } = this.#walkers;
    const loops = this.#loops;
    function* places() {
      for (let seat = 0; seat < to - from; seat++) yield loops.placeOf(seat);
    }
    const { firstVisit: firstVisits } = this.#source.plan;
    const head = { from, to, steps: this.#steps, coordinates: this.#coordinates, firstVisits };
    return encodeRun(
      { ...this.#identity(), ...head, endsEarly: endsEarly(this.#source.plan) },
      loops.storedChunks(),
      places(),
    );
  }

  /**
   * Takes `steps` more steps with every walker that has not ended. If a run with one walker takes one step a call, and
   * only {@link position} is called in between, most calls take as long as a few array accesses.
   *
   * @param steps - Number of steps, 0 or more. The total of a run is at most 2⁴² − 1, or 2³² − 2 with first visits.
   * @throws RollmillError `argument.range`, `argument.option`, `argument.type`, `argument.busy`, `argument.callback`,
   * `argument.disposed`, `kernel.memory`.
   */
  advance(steps: number, given?: LongCall): this {
    const isStep = steps === 1 && given === undefined;
    if (isStep && (this.#ahead.take() || this.#takeNext())) return this;
    return this.#advance(steps, given);
  }

  #advance(steps: number, given: LongCall | undefined): this {
    this.#checkTurn();
    const { name, stream } = this.#source;
    return this.#guard.run(name, [stream], () => {
      const options = given === undefined ? {} : readOptions("run.advance", given, ["signal", "onProgress"]);
      checkInteger("steps", steps, 0, this.#stepsLeft());
      const { from, to } = this.#walkers;
      const watch = new Watch(name, (to - from) * steps, options);
      this.#restore(watch);
      this.#copyMemory();
      // stays undefined if `#walk` throws, because some walkers may have taken more steps than others
      const generation = this.#generation;
      this.#generation = undefined;
      this.#walk(this.#steps, steps, watch);
      this.#generation = generation;
      this.#steps += steps;
      if (steps === 1 && given === undefined && to - from === 1) this.#findAhead();
      return this;
    });
  }

  /**
   * Returns the cell and heading of a walker.
   *
   * @param walker - The walker's number in the layer.
   * @throws RollmillError `argument.range` if the walker is not part of this run.
   */
  position(walker: number): WalkerPosition {
    return this.#ahead.position(walker) ?? this.#positionInKernel(walker);
  }

  #positionInKernel(walker: number): WalkerPosition {
    if (!this.#isFree()) this.#read();
    const { from, to } = this.#walkers;
    checkInteger("walker", walker, from, to - 1);
    const { row, col, heading, ended, stepsLow, stepsHigh } = this.#loops.placeOf(walker - from);
    const position = { row, col, heading: HEADINGS[heading] };
    return ended === 0 ? position : { ...position, ended: stepsHigh * 2 ** 32 + stepsLow };
  }

  /** Yields the cell and heading of each walker of this run, in order of walker numbers. */
  *positions(): Generator<WalkerPosition, void> {
    for (let walker = this.#walkers.from; walker < this.#walkers.to; walker++) yield this.position(walker);
  }

  /**
   * Returns the number of visits of a cell up to now; 0 for an unvisited cell.
   *
   * @throws RollmillError `argument.range` for coordinates outside −2^31 … 2^31 − 1.
   */
  visitsAt(row: number, col: number): number {
    this.#read();
    return this.#loops.visitsAt(row, col);
  }

  /** Returns the smallest step at which a walker visited the cell; undefined if unvisited, or without first visits. */
  firstVisitAt(row: number, col: number): number | undefined {
    this.#read();
    return this.#loops.firstVisitAt(row, col);
  }

  /** Returns a copy of the current map. Cost: O(cells of the chunks). */
  map(): LayerMap {
    const { walkerTotals } = this;
    return new LayerMap(this.#loops.chunksBySector(), { walkerTotals, coordinates: this.#coordinates });
  }

  /** Frees the run's memory. You can no longer use the run, but you can still use its maps. */
  dispose(): void {
    this.#guard.dispose();
    this.#copy = undefined;
    this.#kernel.dispose();
  }

  /** Calls {@link dispose} at the end of a `using` block. */
  [Symbol.dispose](): void {
    this.dispose();
  }

  #seat(watch?: Watch): void {
    const { headings } = this.#source.plan;
    const [loops, saved, startOf] = [this.#loops, this.#saved, this.#startOf];
    if (startOf !== undefined) {
      for (const _ of placeWalkers(loops, this.#walkers, { headings, startOf, watch })) loops.outOfMemory();
    }
    if (saved === undefined) return;
    for (const chunk of saved.map) if (!loops.writeChunk(chunk)) damaged();
    for (let seat = 0; seat < saved.to - saved.from; seat++) {
      if (!loops.writeWalker(seat, saved.placeOf(seat))) damaged();
    }
  }

  /** Takes `steps` steps with the walkers, which have already taken `from` steps. */
  #walk(from: number, steps: number, watch: Watch): void {
    const moves = { endsEarly: endsEarly(this.#source.plan), from, steps };
    for (const _ of moveWalkers(this.#loops, this.#walkers, moves, watch)) this.#loops.outOfMemory();
  }

  #copyMemory(): void {
    const { from, to } = this.#walkers;
    const made = (to - from) * (this.#steps - (this.#copy?.steps ?? this.#saved?.steps ?? 0));
    if (made < Math.max(MIN_STEPS_PER_COPY, STEPS_PER_BYTE * this.bytes)) return;
    try {
      this.#copy = { steps: this.#steps, memory: copyMemory(this.#kernel) };
    } catch (cause) {
      // without memory for a new copy, keeps the old copy
      if (!(cause instanceof RangeError)) throw cause;
    }
  }

  /** Whether the memory has the state that it should have. If not, the run is moving, has failed or is disposed of. */
  #isFree(): boolean {
    return this.#generation === this.#kernel.generation;
  }

  #stepsLeft(): number {
    return (this.#source.plan.firstVisit ? MAX_DATED_STEPS : MAX_STEPS) - this.steps;
  }

  /** If all steps that were found in advance are taken, finds more, and takes the first. Returns false if it took none. */
  #takeNext(): boolean {
    if (!this.#ahead.areUsedUp) return false;
    this.#catchUp();
    this.#findAhead();
    return this.#ahead.take();
  }

  #findAhead(): void {
    this.#ahead.find(this.#loops, this.#walkers.from, this.#steps, this.#stepsLeft());
  }

  /** Lets the walker in the kernel take the steps that were found in advance and taken since. */
  #catchUp(): void {
    const { taken } = this.#ahead;
    if (taken > 0) this.#loops.takePlaces(this.#walkers.from, this.#steps, taken);
    this.#forgetAhead();
  }

  /** Forgets the steps that were found in advance. Those that were taken still count. */
  #forgetAhead(): void {
    this.#steps += this.#ahead.taken;
    this.#ahead.forget();
  }

  /** If a failed call or a trap has changed the memory, loads the last copy and repeats all later steps. */
  #restore(watch: Watch): void {
    if (this.#isFree()) {
      this.#catchUp();
      return;
    }
    this.#forgetAhead();
    this.#generation = undefined;
    const { steps: from, memory } = this.#copy ?? { steps: this.#saved?.steps ?? 0, memory: undefined };
    if (memory !== undefined) restoreMemory(this.#kernel, memory);
    else {
      this.#kernel.reset();
      this.#loops = this.#openLoops();
      this.#seat(watch);
    }
    this.#walk(from, this.#steps - from, watch.silent());
    this.#generation = this.#kernel.generation;
  }

  #read(): void {
    this.#checkTurn();
    this.#restore(new Watch(this.#source.name, 0, {}));
  }

  #checkTurn(): void {
    const { name, stream } = this.#source;
    this.#guard.check(name, [stream]);
    if (this.#kernel.isDisposed) refuseDisposed(name);
  }
}

import type { StreamKey } from "../address.js";
import { type LongCall, Pace, Watch } from "../calls/index.js";
import { error, fail } from "../errors/index.js";
import { endsEarly } from "./compile.js";
import { cellsHolding } from "./kernel/share.js";
import { drawBelow, type Halt, KernelLayer, type LayerSource } from "./kernel.js";
import { closedCells, endCells } from "./map/cellSet.js";
import { LayerMap, type WalkerTotals } from "./map/layerMap.js";
import { type CellRectangle, coordinatesOf } from "./rectangles.js";
import { earlierMap, type Starts, startCells } from "./starts.js";
import type { GridSpec, LayerOptions, LayerPlan } from "./types.js";

export interface PartsOptions extends LayerOptions {
  /** Bytes of memory for the map and the walkers: 1 MiB … 4 GiB. Default: the mill's `maxMemory`. */
  readonly maxMemory?: number | undefined;
}

const MAX_SEATS = 2 ** 16;
/** A batch gets one seat per this many bytes of the memory limit. A seat, a walker's memory, takes 12 or 20 bytes. */
const BYTES_PER_SEAT = 1024;
const ROUNDING = 65536;
/** The `steps` of a {@link Halt} whose walker could not be placed on its start cell. */
const NOT_PLACED = -1;
const NO_ENDINGS = { walkers: 0, steps: 0 };
const NOT_CLEARED = { walker: -1, steps: 0 };

/**
 * A part of a layer's map: the visits since the previous part. Read a part before you ask for the next part. Copy the
 * bytes of a stored chunk before you ask for the next chunk.
 */
export interface LayerPart {
  /** Totals of the walkers in all parts. Undefined except in the last part. */
  readonly walkerTotals: WalkerTotals | undefined;
  readonly chunks: KernelLayer["chunksBySector"];
  readonly storedChunks: KernelLayer["storedChunks"];
}

/** Runs the walkers of one layer to their last step. Throws `kernel.memory` if the map does not fit. */
export function wholeLayer(source: LayerSource, setup: LayerSetup, call: LongCall): LayerMap {
  const coordinates = coordinatesOf(setup.grid);
  try {
    for (const { walkerTotals, chunks } of openParts(source, setup).run(call)) {
      if (walkerTotals !== undefined) return new LayerMap(chunks(), { signal: call.signal, walkerTotals, coordinates });
      source.kernel.outOfMemory(`layer ${source.name}`);
    }
  } finally {
    source.kernel.dispose();
  }
  throw new Error("run must yield at least one part");
}

export type LayerParts = ReturnType<typeof openParts>;

/**
 * Opens a layer whose walkers run in a limited memory. If memory runs out in a step, `run` yields the map as a part and
 * clears the map. The step has changed nothing, so the walker repeats the step on the empty map.
 *
 * Proof that every part makes progress: the walkers of the batch that have steps left return to the empty map, and
 * enter at most one tile each. A batch is so small that these tiles take at most half of the room. So there is room for
 * one more tile, and for one ended walker, and the step that failed succeeds now. The same holds for a walker that
 * could not be placed on its start cell.
 */
export function openParts(source: LayerSource, { seats = MAX_SEATS, ...setup }: LayerSetup & { seats?: number }) {
  const { kernel, name, plan } = source;
  const { steps, headings } = plan;
  const layer = openLayer(source, setup);
  const startOf = layer.startOf();
  const widest = walkersOf(startOf, setup.walkers);
  const most = Math.min(seats, widest.to - widest.from, Math.floor(kernel.maxBytes / BYTES_PER_SEAT));
  const loops = layer.openLoops(most);
  const batch = Math.min(most, walkersThatFit(loops, source));
  /** Walkers that ended before the map was last cleared, and the sum of their steps. */
  let ended: Endings = NO_ENDINGS;
  /** The walker that needed memory when the map was last cleared, and the steps that the walker had taken. */
  let cleared = NOT_CLEARED;
  const endings = () => {
    const since = loops.endings();
    return { walkers: ended.walkers + since.walkers, steps: ended.steps + since.steps };
  };
  const part = (walkerTotals?: WalkerTotals): LayerPart => {
    return { walkerTotals, chunks: () => loops.chunksBySector(), storedChunks: () => loops.storedChunks() };
  };

  /** Yields the map as a part and clears it. Then restores the walkers from `halt.seat` on that have not ended. */
  function* clear(walkers: WalkerRange, halt: Halt): Generator<LayerPart, void> {
    const walker = halt.steps === NOT_PLACED ? walkers.to : walkers.from + halt.seat;
    // only possible if the JavaScript engine has refused memory: see the proof of openParts
    if (cleared.walker === walker && cleared.steps === halt.steps) loops.outOfMemory();
    cleared = { walker, steps: halt.steps };
    yield part();
    const moving = Array.from({ length: walkers.to - walkers.from - halt.seat }, (_, i) => halt.seat + i);
    const remaining = moving
      .map((seat) => ({ seat, place: loops.placeOf(seat) }))
      .filter(({ place }) => place.ended === 0);
    ended = endings();
    loops.clear();
    for (const { seat, place } of remaining) loops.writeWalker(seat, place);
  }

  function* parts({ from, to }: WalkerRange, watch: Watch): Generator<LayerPart, void> {
    for (let first = from; startOf !== undefined && first < to; first += batch) {
      const walkers = { from: first, to: Math.min(to, first + batch) };
      for (const { seat } of placeWalkers(loops, walkers, { headings, startOf, watch })) {
        yield* clear({ from: first, to: first + seat }, { seat: 0, steps: NOT_PLACED });
      }
      const moves = { endsEarly: endsEarly(plan), from: 0, steps, before: (first - from) * steps };
      for (const halt of moveWalkers(loops, walkers, moves, watch)) yield* clear(walkers, halt);
    }
    yield part(totalsOf({ from, to }, steps, endings()));
  }

  return {
    /**
     * Runs the walkers of a range: by default, of `setup.walkers`. A range must not be longer than that. Each run
     * begins with an empty map, in the memory of the run before it. If a run fails, disposes of the kernel.
     */
    *run({ walkers = setup.walkers, ...call }: LongCall & { readonly walkers?: WalkerRange }) {
      const { from, to } = walkersOf(startOf, walkers);
      try {
        [ended, cleared] = [NO_ENDINGS, NOT_CLEARED];
        loops.clear();
        yield* parts({ from, to }, new Watch(name, (to - from) * steps, call));
      } catch (cause) {
        kernel.dispose();
        throw cause;
      }
    },
    get isDisposed(): boolean {
      return kernel.isDisposed;
    },
    dispose: () => kernel.dispose(),
  };
}

/** Returns the maximum number of walkers in one batch for which the proof of {@link openParts} holds. */
function walkersThatFit(loops: KernelLayer, { kernel: { maxBytes, maxMemory }, name }: LayerSource): number {
  loops.clear();
  const { free, used, perTile, perEnd, isTiled } = loops.room;
  // a map that is not tiled has only one tile, which all walkers share
  const least = (isTiled ? 2 : 1) * perTile + perEnd;
  if (free >= least) return isTiled ? Math.floor((free - perEnd) / (2 * perTile)) : Number.POSITIVE_INFINITY;
  const problem = `"maxMemory" is too small for layer ${name}, even for an empty map`;
  const needed = Math.ceil(((used + least) * (maxMemory / maxBytes)) / ROUNDING) * ROUNDING;
  const remedy = `Raise "maxMemory" to at least ${needed} bytes`;
  return fail(error("kernel.memory", { problem, got: maxMemory, expected: `at least ${needed} bytes`, remedy }));
}

/** Approximate number of steps in a kernel call, if the caller passed a signal or a progress callback. */
const WATCHED_STEPS = 2 ** 20;
const FIRST_STEPS = 2 ** 14;
/** Approximate number of steps in a kernel call without a signal and without a progress callback. */
const STEPS_PER_CALL = 2 ** 24;
/** The abort signal is checked after this many walkers have been placed. */
const WALKERS_PER_LOOK = 1024;

export type WalkerRange = Readonly<Record<"from" | "to", number>>;
type Endings = ReturnType<KernelLayer["endings"]>;

/** Returns the totals of walkers. Each walker has taken `steps` steps, except the walkers that `ended` counts. */
export function totalsOf({ from, to }: WalkerRange, steps: number, ended: Endings): WalkerTotals {
  return { walkers: to - from, steps: (to - from - ended.walkers) * steps + ended.steps, ended: ended.walkers };
}

export interface LayerSetup {
  readonly grid: GridSpec;
  /** The maps of the sources; undefined for a map that was not given. */
  readonly earlier: readonly (LayerMap | undefined)[];
  readonly walkers: WalkerRange;
  readonly region: CellRectangle | undefined;
  readonly startStream: StreamKey;
}

export function openLayer(source: LayerSource, { grid, earlier, region, startStream }: LayerSetup) {
  const { kernel, plan } = source;
  const { closedLayers, openLayers, until, slope } = plan;
  const mapOf = (index: number) => earlierMap(earlier, index, grid);
  const { density } = plan.scatter ?? {};
  const closed = closedCells(plan.closedCells, closedLayers.map(mapOf), openLayers.map(mapOf));
  const ends = until && endCells(mapOf(until.layer), until.kind);
  const values = slope && mapOf(slope.source);
  return {
    openLoops: (seats: number) => new KernelLayer(source, grid, { closed, ends, seats, values }),
    startOf: () =>
      startCells(plan, {
        grid,
        earlier,
        region,
        closed,
        draw: (...place) => drawBelow(kernel, startStream, ...place),
        cellsHolding: density && cellsHolding(kernel, startStream, density),
      }),
  };
}

/** Returns the walkers of a range that exist. */
export function walkersOf(startOf: Starts | undefined, { from, to }: WalkerRange): WalkerRange {
  const count = startOf === undefined ? 0 : (startOf.count ?? to);
  return { from, to: Math.max(from, Math.min(to, count)) };
}

/** Places walkers on their start cells; walker `from` has seat 0. If memory runs out, yields, then tries again. */
export function* placeWalkers(
  loops: KernelLayer,
  { from, to }: WalkerRange,
  { headings, startOf, watch }: Pick<LayerPlan, "headings"> & { startOf: Starts; watch: Watch | undefined },
): Generator<Halt, void> {
  for (let walker = from; walker < to; walker++) {
    const seat = walker - from;
    if (seat % WALKERS_PER_LOOK === 0) watch?.look();
    const [start, heading] = [startOf(walker), headings[walker % headings.length]];
    while (!loops.place(seat, start, heading)) yield { seat, steps: 0 };
  }
}

/**
 * Moves walkers that have taken `from` steps. A kernel call moves either several walkers by all steps, or one walker by
 * a part of the steps. If memory runs out in a step, yields a {@link Halt}: the caller throws, or makes room and
 * continues. Walkers before the seat of the halt have taken all their steps, and this call does not touch them again.
 * `before` is the number of steps of walkers in earlier batches: progress includes these steps.
 */
export function* moveWalkers(
  loops: KernelLayer,
  walkers: WalkerRange,
  { endsEarly, from, steps, before = 0 }: { endsEarly: boolean; from: number; steps: number; before?: number },
  watch: Watch,
): Generator<Halt, void> {
  const seats = walkers.to - walkers.from;
  const { isWatched } = watch;
  const pace = new Pace(isWatched ? FIRST_STEPS : STEPS_PER_CALL, isWatched ? WATCHED_STEPS : STEPS_PER_CALL);
  let done = before;
  let offset = 0;
  for (let first = 0; first < seats && steps > 0; ) {
    const together = offset > 0 ? 1 : Math.max(1, Math.floor(pace.size / steps));
    const count = Math.min(together, seats - first);
    const part = count > 1 ? steps : Math.min(pace.size, steps - offset);
    const move = () => loops.advance(first, count, walkers.from, from + offset, part);
    const halt = isWatched ? pace.measure(count * part, move) : move();
    if (halt !== undefined) {
      done += (halt.seat - first) * steps + halt.steps;
      offset = halt.seat === first ? offset + halt.steps : halt.steps;
      first = halt.seat;
      yield { seat: first, steps: offset };
      continue;
    }
    const hasEnded = endsEarly && count === 1 && loops.placeOf(first).ended !== 0;
    done += hasEnded ? steps - offset : count * part;
    offset = hasEnded ? 0 : (offset + part) % steps;
    if (offset === 0) first += count;
    watch.passed(done);
  }
}

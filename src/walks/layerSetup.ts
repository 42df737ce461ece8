import type { StreamKey } from "../address.js";
import { Pace, type Watch } from "../calls/index.js";
import { drawBelow, type Halt, KernelLayer, type LayerSource } from "./kernel.js";
import { closedCells, endCells } from "./map/cellSet.js";
import type { LayerMap } from "./map/layerMap.js";
import type { CellRectangle } from "./rectangles.js";
import { earlierMap, startCells } from "./starts.js";
import type { GridSpec } from "./types.js";

/** A call that has a signal or a progress callback is divided: the first kernel call makes FIRST_STEPS steps. */
const WATCHED_STEPS = 2 ** 20;
const FIRST_STEPS = 2 ** 14;
/** Approximate number of steps in a kernel call, if the call is not watched. */
const STEPS_PER_CALL = 2 ** 24;
/** The abort signal is checked each time this many walkers are placed. */
export const WALKERS_PER_LOOK = 1024;

export interface WalkerRange {
  readonly from: number;
  readonly to: number;
}

export interface LayerSetup {
  readonly grid: GridSpec;
  /** By layer index; undefined for a map that was not given. */
  readonly earlier: readonly (LayerMap | undefined)[];
  readonly walkers: WalkerRange;
  readonly region: CellRectangle | undefined;
  /** Selects the random words that draw start cells. */
  readonly startStream: StreamKey;
}

export function openLayer(source: LayerSource, { grid, earlier, region, startStream }: LayerSetup) {
  const { kernel, plan } = source;
  const { closedLayers, openLayers, until } = plan;
  const mapOf = (index: number) => earlierMap(earlier, { index, grid });
  const closed = closedCells(plan.closedCells, closedLayers.map(mapOf), openLayers.map(mapOf));
  const ends = until && endCells(mapOf(until.layer), until.kind);
  return {
    openLoops: (seats: number) => new KernelLayer(source, grid, { closed, ends, seats }),
    startOf: () =>
      startCells(plan, { grid, earlier, region, closed, draw: (place) => drawBelow(kernel, startStream, place) }),
  };
}

interface Moves {
  /** Walker `from` has seat 0. */
  readonly walkers: WalkerRange;
  readonly endsEarly: boolean;
  readonly from: number;
  readonly steps: number;
  /** Of earlier batches, for the progress. Default 0. */
  readonly before?: number;
}

/**
 * A kernel call moves either several walkers by all steps, or one walker by a part of the steps. If a step needs memory
 * and there is none, yields its walker: the caller throws, or makes room and continues. The walkers before this one
 * have taken all their steps, and will not be read again.
 */
export function* moveWalkers(
  loops: KernelLayer,
  { walkers, endsEarly, from, steps, before = 0 }: Moves,
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
    const move = () => loops.advance({ first, count, plane: walkers.from, from: from + offset, steps: part });
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

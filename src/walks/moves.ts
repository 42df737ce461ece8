import { Pace, type Watch } from "../calls/index.js";
import type { Halt, KernelLayer } from "./kernel.js";

/**
 * A call is watched if it has a signal or a progress callback. A watched call is divided into several kernel calls. The
 * first kernel call makes FIRST_STEPS steps, and each later kernel call makes at most WATCHED_STEPS.
 */
const WATCHED_STEPS = 2 ** 20;
const FIRST_STEPS = 2 ** 14;
/** Approximate number of steps in a kernel call, if the call is not watched. */
const STEPS_PER_CALL = 2 ** 24;
/** The abort signal is checked each time this many walkers are placed. */
export const WALKERS_PER_LOOK = 1024;

/** The walkers `from` … `to` − 1 of a layer. */
export interface WalkerRange {
  readonly from: number;
  readonly to: number;
}

/** Steps of the walkers in the kernel. */
export interface Moves {
  /** The walkers in the kernel. Walker `from` has seat 0. */
  readonly walkers: WalkerRange;
  /** Whether walkers can end before their last step. */
  readonly endsEarly: boolean;
  /** Number of steps that each walker has already taken. */
  readonly from: number;
  /** Number of steps that each walker takes. */
  readonly steps: number;
  /** Number of steps that earlier batches made. For the progress. */
  readonly before: number;
}

/**
 * Moves all walkers in the kernel. Each kernel call either moves several walkers by all steps, or moves one walker by a
 * part of the steps.
 *
 * If a step needs more memory and there is none, yields the walker of this step. The caller either throws, or makes
 * room and continues. The walkers before this walker have taken all their steps, and will not be read again.
 *
 * @throws RollmillError `argument.callback`; the reason of an aborted signal.
 */
export function* moveWalkers(
  loops: KernelLayer,
  { walkers, endsEarly, from, steps, before }: Moves,
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
    const call = { first, count, plane: walkers.from, from: from + offset, steps: part };
    let halt: Halt | undefined;
    const move = () => {
      halt = loops.advance(call);
    };
    if (isWatched) pace.measure(count * part, move);
    else move();
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

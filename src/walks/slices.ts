/** A kernel call takes about this many steps: a few hundredths of a second. */
const STEPS_PER_CALL = 2 ** 24;

/** A piece of walkers × steps. */
export interface Slice {
  /** Walkers first … first + count − 1 of those seated. */
  readonly first: number;
  readonly count: number;
  /** Steps offset … offset + steps − 1 of the call. */
  readonly offset: number;
  readonly steps: number;
}

/** Cuts walkers × steps into pieces of about STEPS_PER_CALL: several walkers whole, or one walker in parts. */
export function forEachSlice(walkers: number, steps: number, job: (slice: Slice) => void): void {
  if (steps === 0) return;
  const together = Math.max(1, Math.floor(STEPS_PER_CALL / steps));
  for (let first = 0; first < walkers; first += together) {
    const count = Math.min(together, walkers - first);
    for (let offset = 0; offset < steps; offset += STEPS_PER_CALL) {
      job({ first, count, offset, steps: Math.min(STEPS_PER_CALL, steps - offset) });
    }
  }
}

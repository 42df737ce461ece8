/** How much the first guess of a speed counts: as much as a task that took this many nanoseconds. */
export const GUESS_NS = 1e6;
/** How much the guess for both parts of the work counts, compared with the shortest task. */
const GUESS_SHARE = 0.1;
/** The work of a task, as the nanoseconds that the constants in phases.ts predict for its two parts. */
export interface Work {
  /** Steps of scattered layers. */
  readonly walking: number;
  readonly making: number;
}

/**
 * Fits `time = a · walking + b · making` to the finished tasks, by least squares of the errors relative to the root of
 * the time, because the error of a long task is larger. A guess for a and b counts as two more tasks, so that the
 * equations always have a solution.
 */
export class Speed {
  #xx = 0;
  #xy = 0;
  #yy = 0;
  #x = 0;
  #y = 0;
  #count = 0;
  #shortest = GUESS_NS;
  #walking = 0;
  #making = 0;

  add({ walking, making }: Work, ns: number): void {
    const weight = 1 / Math.max(1, ns);
    this.#xx += walking * walking * weight;
    this.#xy += walking * making * weight;
    this.#yy += making * making * weight;
    this.#x += walking;
    this.#y += making;
    // a long first task must not make the guess count much; a short one must not make it count nothing
    this.#shortest = Math.max(GUESS_NS, this.#count++ === 0 ? ns : Math.min(this.#shortest, ns));
  }

  /** Adds the work of `count` tasks to the work that is left. */
  open({ walking, making }: Work, count: number): void {
    this.#walking += count * walking;
    this.#making += count * making;
  }

  /** Returns the nanoseconds of the work that is left. `guess` is the guess for a and b. */
  left(guess: number): number {
    const weight = (this.#shortest * GUESS_SHARE) / guess ** 2;
    const [xx, yy] = [this.#xx + weight, this.#yy + weight];
    const [x, y] = [this.#x + weight * guess, this.#y + weight * guess];
    const determinant = xx * yy - this.#xy ** 2;
    const a = (x * yy - y * this.#xy) / determinant;
    const b = (y * xx - x * this.#xy) / determinant;
    if (a < 0) return (this.#making * y) / yy;
    if (b < 0) return (this.#walking * x) / xx;
    return Math.max(0, a * this.#walking + b * this.#making);
  }
}

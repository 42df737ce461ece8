/** How much the first guess of a speed counts: as much as a task that took this many nanoseconds. */
export const GUESS_NS = 2e7;
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
  #walking = 0;
  #making = 0;

  add({ walking, making }: Work, ns: number): void {
    const weight = 1 / Math.max(1, ns);
    this.#xx += walking * walking * weight;
    this.#xy += walking * making * weight;
    this.#yy += making * making * weight;
    this.#x += walking;
    this.#y += making;
  }

  /** Adds the work of `count` tasks to the work that is left. */
  open({ walking, making }: Work, count: number): void {
    this.#walking += count * walking;
    this.#making += count * making;
  }

  /** Returns the nanoseconds of the work that is left. `guess` is the guess for a and b. */
  left(guess: number): number {
    const [xx, yy] = [this.#xx + GUESS_NS, this.#yy + GUESS_NS];
    const [x, y] = [this.#x + GUESS_NS * guess, this.#y + GUESS_NS * guess];
    const determinant = xx * yy - this.#xy ** 2;
    const a = (x * yy - y * this.#xy) / determinant;
    const b = (y * xx - x * this.#xy) / determinant;
    if (a < 0) return (this.#making * y) / yy;
    if (b < 0) return (this.#walking * x) / xx;
    return Math.max(0, a * this.#walking + b * this.#making);
  }
}

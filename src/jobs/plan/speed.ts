/** The work of a task, as the nanoseconds that the constants in phases.ts predict for its two parts. */
export interface Work {
  /** Steps of scattered layers. */
  readonly walking: number;
  readonly making: number;
}

/** How much the guess counts, compared with the shortest task: it only decides what the tasks do not tell apart. */
const GUESS_SHARE = 0.1;

/**
 * Fits `time = a · walking + b · making` to the finished tasks, by least squares of the errors relative to the root of
 * the time, because a long task has a larger error. The guess for a and b is their common mean.
 */
export class Speed {
  #xx = 0;
  #xy = 0;
  #yy = 0;
  #x = 0;
  #y = 0;
  #ns = 0;
  #shortest = Number.POSITIVE_INFINITY;
  #walking = 0;
  #making = 0;

  add({ walking, making }: Work, time: number): void {
    const ns = Math.max(1, time);
    this.#xx += walking ** 2 / ns;
    this.#xy += (walking * making) / ns;
    this.#yy += making ** 2 / ns;
    this.#x += walking;
    this.#y += making;
    this.#ns += ns;
    this.#shortest = Math.min(this.#shortest, ns);
  }

  /** Adds the work of `count` tasks to the work that is left. */
  open({ walking, making }: Work, count: number): void {
    this.#walking += count * walking;
    this.#making += count * making;
  }

  /** Returns the nanoseconds of the work that is left. */
  get left(): number {
    const known = this.#x + this.#y;
    if (known === 0) return this.#walking + this.#making;
    const mean = this.#ns / known;
    const weight = (GUESS_SHARE * this.#shortest) / mean ** 2;
    const [xx, yy] = [this.#xx + weight, this.#yy + weight];
    const [x, y] = [this.#x + weight * mean, this.#y + weight * mean];
    const determinant = xx * yy - this.#xy ** 2;
    const a = (x * yy - y * this.#xy) / determinant;
    const b = (y * xx - x * this.#xy) / determinant;
    if (a < 0) return (this.#making * y) / yy;
    if (b < 0) return (this.#walking * x) / xx;
    return Math.max(0, a * this.#walking + b * this.#making);
  }
}

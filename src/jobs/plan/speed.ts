/** The work of a task, as the nanoseconds that the constants in phases.ts predict for its two parts. */
export interface Work {
  /** Steps of scattered layers. */
  readonly walking: number;
  readonly making: number;
}

/** How much the guess counts, in tasks: it only decides what the tasks do not tell apart. */
const GUESS = 0.1;

/**
 * Fits `time = a · walking + b · making` to the finished tasks, by least squares of the errors relative to the root of
 * the work. So the fitted times of the tasks add up to their times, even if single tasks take much longer than fitted.
 * The guess for a and b is their common mean.
 */
export class Speed {
  #xx = 0;
  #xy = 0;
  #yy = 0;
  #xt = 0;
  #yt = 0;
  #tasks = 0;
  #walking = 0;
  #making = 0;

  add({ walking, making }: Work, ns: number): void {
    const work = Math.max(1, walking + making);
    this.#xx += walking ** 2 / work;
    this.#xy += (walking * making) / work;
    this.#yy += making ** 2 / work;
    this.#xt += (walking * ns) / work;
    this.#yt += (making * ns) / work;
    this.#tasks++;
  }

  /** Adds the work of `count` tasks to the work that is left. */
  open({ walking, making }: Work, count: number): void {
    this.#walking += count * walking;
    this.#making += count * making;
  }

  /** Returns the nanoseconds of the work that is left: `slowness` times the predicted ones if no task is finished. */
  left(slowness = 1): number {
    const work = this.#xx + 2 * this.#xy + this.#yy;
    if (work === 0) return slowness * (this.#walking + this.#making);
    const mean = (this.#xt + this.#yt) / work;
    const guess = (GUESS * work) / this.#tasks;
    const [xx, yy] = [this.#xx + guess, this.#yy + guess];
    const [xt, yt] = [this.#xt + guess * mean, this.#yt + guess * mean];
    const determinant = xx * yy - this.#xy ** 2;
    const a = (xt * yy - yt * this.#xy) / determinant;
    const b = (yt * xx - xt * this.#xy) / determinant;
    if (a < 0) return (this.#making * yt) / yy;
    if (b < 0) return (this.#walking * xt) / xx;
    return Math.max(0, a * this.#walking + b * this.#making);
  }
}

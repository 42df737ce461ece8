import type { CellRectangle, Coordinates } from "../walks/rectangles.js";

/**
 * A number for each cell of an area: the least one that reaches the cell from any cell, if a number grows by `growth`
 * with each step.
 *
 * Let s be the cell whose number reaches a cell c, and n the next cell on a shortest path from c to s. Then the number of
 * s also reaches n: if a smaller one reached n, it would reach c, too. So a number spreads from neighbour to neighbour. A
 * shortest path has steps in two adjacent directions, in any order, so one stays in the area. The first pass looks to the
 * neighbours above and to the left, the second one to those below and to the right, so two passes take all steps.
 */
export class Spread {
  readonly #area: CellRectangle;
  readonly #coordinates: Coordinates;
  readonly #growth: number;
  /** The numbers have a border, so that each cell has six neighbours. */
  readonly #stride: number;
  readonly #numbers: Uint8Array | Int32Array;

  /** `newNumbers` returns numbers that are at least as great as any that spreads. */
  constructor(
    area: CellRectangle,
    coordinates: Coordinates,
    { newNumbers, growth }: { newNumbers(length: number): Uint8Array | Int32Array; readonly growth: number },
  ) {
    this.#area = area;
    this.#coordinates = coordinates;
    this.#growth = growth;
    this.#stride = area.cols + 2;
    this.#numbers = newNumbers((area.rows + 2) * this.#stride);
  }

  /** Sets the number of a cell, from which it spreads in {@link run}. */
  put(row: number, col: number, number: number): void {
    this.#numbers[this.#indexOf(row, col)] = number;
  }

  run(): void {
    const { row0, rows } = this.#area;
    for (let row = row0; row < row0 + rows; row++) this.#pass(row, -1);
    for (let row = row0 + rows - 1; row >= row0; row--) this.#pass(row, 1);
  }

  /** Returns the numbers of a row of a rectangle. */
  numbersIn(row: number, { col0, cols }: CellRectangle): Uint8Array | Int32Array {
    const from = this.#indexOf(row, col0);
    return this.#numbers.subarray(from, from + cols);
  }

  #indexOf(row: number, col: number): number {
    return (row - this.#area.row0 + 1) * this.#stride + col - this.#area.col0 + 1;
  }

  /** Takes numbers from the row `by` rows further, and from the cell before each cell, in this direction. */
  #pass(row: number, by: -1 | 1): void {
    const [numbers, growth] = [this.#numbers, this.#growth];
    const { col0, cols } = this.#area;
    const isRight = this.#coordinates === "odd-r" ? (row & 1) === 1 : by < 0;
    // of the two neighbours in the other row, the left one
    const beside = by * this.#stride - (isRight ? 0 : 1);
    let at = this.#indexOf(row, by < 0 ? col0 : col0 + cols - 1);
    for (let c = 0; c < cols; c++) {
      const number = Math.min(numbers[at + by], numbers[at + beside], numbers[at + beside + 1]) + growth;
      if (number < numbers[at]) numbers[at] = number;
      at -= by;
    }
  }
}

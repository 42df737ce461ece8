import type { CellRectangle, Coordinates } from "../../walks/rectangles.js";
import { Spread } from "../../worlds/spread.js";

/** A rectangle with the visits of each cell, row by row. */
interface Visited extends CellRectangle {
  readonly coordinates: Coordinates;
  readonly visits: Uint32Array;
}

/**
 * Returns, for `cells` inside a rectangle, the number of steps to the nearest visited cell of the rectangle, at most
 * `most`, which is at most 255.
 */
export function distances(
  { coordinates, visits, ...rectangle }: Visited,
  cells: CellRectangle,
  most: number,
): Uint8Array {
  const steps = new Spread(rectangle, coordinates, {
    newNumbers: (length) => new Uint8Array(length).fill(most),
    growth: 1,
  });
  const { row0, col0, rows, cols } = rectangle;
  for (let r = 0, i = 0; r < rows; r++) {
    for (let c = 0; c < cols; c++) if (visits[i++] > 0) steps.put(row0 + r, col0 + c, 0);
  }
  steps.run();
  const part = new Uint8Array(cells.rows * cells.cols);
  for (let r = 0; r < cells.rows; r++) part.set(steps.numbersIn(cells.row0 + r, cells), r * cells.cols);
  return part;
}

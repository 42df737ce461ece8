import type { CellRectangle, Coordinates } from "../../walks/rectangles.js";

/** A rectangle with the visits of each cell, row by row. */
interface Visited extends CellRectangle {
  readonly coordinates: Coordinates;
  readonly visits: Uint32Array;
}

/**
 * Returns, for `cells` inside a rectangle, the number of steps to the nearest visited cell of the rectangle, at most
 * `most`, which is at most 255.
 *
 * Goes over the rectangle twice. The first time, ways take steps to the east, south-east and south-west, the second time
 * in the other three directions. A shortest way has steps in at most two neighbouring directions, in any order, so it can
 * take all steps of the first kind before those of the second. It then stays in the rectangle of its ends.
 */
export function distances(
  { rows, cols, row0, col0, coordinates, visits }: Visited,
  cells: CellRectangle,
  most: number,
): Uint8Array {
  // with a rim of cells that nobody visited, so that each cell has six neighbours
  const stride = cols + 2;
  const steps = new Uint8Array((rows + 2) * stride).fill(most);
  const indexOf = (r: number, c: number) => (r + 1) * stride + c + 1;
  for (let r = 0, i = 0; r < rows; r++) {
    for (let at = indexOf(r, 0); at < indexOf(r, cols); at++) if (visits[i++] > 0) steps[at] = 0;
  }
  // the western neighbour in the row above or below, minus the column of the cell: OFFSETS in the map's coordinates
  const upright = (r: number) => ((row0 + r) & 1) - 1;
  for (let r = 0; r < rows; r++) {
    const west = coordinates === "axial" ? 0 : upright(r);
    shorten(steps, indexOf(r, 0), { cols, ahead: -1, west: west - stride });
  }
  for (let r = rows - 1; r >= 0; r--) {
    const west = coordinates === "axial" ? -1 : upright(r);
    shorten(steps, indexOf(r, cols - 1), { cols, ahead: 1, west: west + stride });
  }
  const part = new Uint8Array(cells.rows * cells.cols);
  for (let r = 0; r < cells.rows; r++) {
    const from = indexOf(cells.row0 - row0 + r, cells.col0 - col0);
    part.set(steps.subarray(from, from + cells.cols), r * cells.cols);
  }
  return part;
}

/**
 * Goes through a row from the cell at `from`. Each cell takes one step from the cell `ahead`, or from the neighbours in
 * the row before it, the western of which is `west` cells further.
 */
function shorten(
  steps: Uint8Array,
  from: number,
  { cols, ahead, west }: { readonly cols: number; readonly ahead: 1 | -1; readonly west: number },
): void {
  let last = steps[from + ahead];
  for (let n = 0, at = from; n < cols; n++, at -= ahead) {
    const nearest = Math.min(last, steps[at + west], steps[at + west + 1]);
    last = Math.min(steps[at], nearest + 1);
    steps[at] = last;
  }
}

import type { CellRectangle, Coordinates } from "../../walks/rectangles.js";

/** A rectangle with the visits of each cell, row by row. */
interface Visited extends CellRectangle {
  readonly coordinates: Coordinates;
  readonly visits: Uint32Array;
}

/**
 * Returns the number of steps from each cell to the nearest visited cell of the rectangle, at most `most`, which is at
 * most 255.
 *
 * Goes over the cells twice. The first time, ways take steps to the east, south-east and south-west, the second time in
 * the other three directions. A shortest way has steps in at most two neighbouring directions, in any order, so it can
 * take all steps of the first kind before those of the second. It then stays in the rectangle of its ends.
 */
export function distances({ rows, cols, row0, coordinates, visits }: Visited, most: number): Uint8Array {
  const steps = Uint8Array.from(visits, (count) => (count > 0 ? 0 : most));

  /** Takes one step from the neighbours in the row r + ahead, and from the one before the cell. `west` is a column. */
  function shorten(r: number, c: number, ahead: 1 | -1, west: number): void {
    const at = r * cols + c;
    const other = (r + ahead) * cols;
    const take = (col: number, index: number) => {
      if (col >= 0 && col < cols && steps[index] < steps[at]) steps[at] = Math.min(steps[at], steps[index] + 1);
    };
    take(c + ahead, at + ahead);
    if (r + ahead < 0 || r + ahead >= rows) return;
    take(west, other + west);
    take(west + 1, other + west + 1);
  }

  // the western neighbour in the row above or below, minus the column of the cell: OFFSETS in the map's coordinates
  const upright = (r: number) => ((row0 + r) & 1) - 1;
  for (let r = 0; r < rows; r++) {
    const west = coordinates === "axial" ? 0 : upright(r);
    for (let c = 0; c < cols; c++) shorten(r, c, -1, c + west);
  }
  for (let r = rows - 1; r >= 0; r--) {
    const west = coordinates === "axial" ? -1 : upright(r);
    for (let c = cols - 1; c >= 0; c--) shorten(r, c, 1, c + west);
  }
  return steps;
}

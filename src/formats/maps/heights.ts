import { readFields } from "../../errors/index.js";
import { checkInteger } from "../../spec/index.js";
import { checkCells } from "../checks.js";
import { type CellLayout, type CellRectangle, hasOddR } from "./mapSource.js";

/** A rectangle of square pixels on the plane of the hexagons: see {@link squareHeights}. */
export interface PixelRectangle {
  /** The line and the column of the first pixel. They may be negative. */
  readonly y0: number;
  readonly x0: number;
  /** Number of lines and of columns. */
  readonly height: number;
  readonly width: number;
}

/** A rectangle of cells with a number for each. */
export interface CellHeights extends CellRectangle, CellLayout {
  /** The numbers, row by row. */
  readonly values: Uint16Array;
}

/**
 * Rows of hexagons are √3/2 times as far apart as columns. So 15 rows of cells have 13 lines of pixels: the pixels are
 * 0.07 % higher than wide.
 */
const [LINES, ROWS] = [13, 15];
const LIMIT = 2 ** 31;
const MAX_PIXELS = 2 ** 28;

/**
 * Returns the smallest rectangle of pixels that shows a rectangle of cells. Pixels have the same places for every
 * rectangle, so the pixels of a part of a map are a part of its pixels.
 *
 * @throws RollmillError `argument.type`, `argument.range`.
 */
export function pixelsOfCells(cells: CellRectangle & CellLayout): PixelRectangle {
  const { row0, col0, rows, cols, shift } = checkedCells(cells);
  const [lastRow, lastCol] = [row0 + rows - 1, col0 + cols - 1];
  // the nearest line
  const lineOf = (row: number) => Math.floor((LINES * row + (ROWS - 1) / 2) / ROWS);
  const [y0, x0] = [lineOf(row0), Math.floor(col0 + shift(row0) / 2)];
  return { y0, x0, height: lineOf(lastRow) - y0 + 1, width: Math.floor(lastCol + shift(lastRow) / 2) - x0 + 1 };
}

/**
 * Returns the smallest rectangle of cells whose numbers decide about the pixels of a rectangle.
 *
 * @throws RollmillError `argument.type`, `argument.range`.
 */
export function cellsOfPixels(pixels: PixelRectangle, layout: CellLayout = {}): CellRectangle {
  const { y0, x0, height, width } = checkedPixels(pixels);
  const [row0, last] = [Math.floor((ROWS * y0) / LINES), Math.ceil((ROWS * (y0 + height - 1)) / LINES)];
  const [least, most] = hasOddR(layout) ? [0, 1] : [row0, last];
  const col0 = Math.floor((2 * x0 - most) / 2);
  return { row0, col0, rows: last - row0 + 1, cols: Math.ceil((2 * (x0 + width - 1) - least) / 2) - col0 + 1 };
}

/**
 * Resamples hexagonal cells to square pixels, such as the heights of a land. All numbers are integers:
 *
 * - The middle of the cell (row, col) is at column col + h/2, where h is row modulo 2 in odd-r coordinates, and row in
 *   axial coordinates. A pixel in column x is in the middle of a cell or between two cells of a row. The number of
 *   the row at x is s/2, where s is twice the number of the cell, or the sum of the numbers of the two cells.
 * - Line y is at row 15·y/13, so it is between the rows r = ⌊15·y/13⌋ and r + 1. Let f be 15·y modulo 13. The number of
 *   the pixel is ⌊((13 − f)·s + f·t + 13) / 26⌋, where s belongs to row r, and t to row r + 1.
 * - Cells that are not given do not count: the other cell, or the other row, takes their place. A pixel without
 *   cells is 0.
 *
 * Cost: O(pixels).
 *
 * @returns the pixels, line by line.
 * @throws RollmillError `argument.type`, `argument.range` for malformed arguments, or more than 2²⁸ pixels.
 */
export function squareHeights(cells: CellHeights, pixels: PixelRectangle): Uint16Array<ArrayBuffer> {
  const checked = checkedCells(cells);
  const { values } = readFields("the cells", cells, ["values"]);
  checkCells("values", values, "Uint16Array", checked.rows * checked.cols);
  const { y0, x0, height, width } = checkedPixels(pixels);
  const out = new Uint16Array(height * width);
  let [upper, lower] = [new Int32Array(width), new Int32Array(width)];
  let lowerRow = Number.NaN;
  const readRow = rowReader(checked, values, x0);
  for (let y = 0; y < height; y++) {
    const row = Math.floor((ROWS * (y0 + y)) / LINES);
    const part = ROWS * (y0 + y) - LINES * row;
    // most lines begin in the row in which the line before ended
    if (row === lowerRow) [upper, lower] = [lower, upper];
    else readRow(row, upper);
    lowerRow = row + 1;
    readRow(lowerRow, lower);
    for (let x = 0; x < width; x++) {
      const above = upper[x] === BLANK && part > 0 ? lower[x] : upper[x];
      const below = lower[x] === BLANK ? above : lower[x];
      if (above !== BLANK) out[y * width + x] = ((LINES - part) * above + part * below + LINES) / (2 * LINES);
    }
  }
  return out;
}

const BLANK = -1;

/** Returns a function that writes twice the number of a row at each pixel of a line, or BLANK outside the cells. */
function rowReader(
  { row0, col0, rows, cols, shift }: ReturnType<typeof checkedCells>,
  values: Uint16Array,
  x0: number,
): (row: number, line: Int32Array) => void {
  return (row, line) => {
    line.fill(BLANK);
    if (row < row0 || row >= row0 + rows) return;
    const from = (row - row0) * cols;
    // twice the column of the first pixel, counted from the middle of the row's first cell
    const first = 2 * (x0 - col0) - shift(row);
    for (let x = 0; x < line.length; x++) {
      const [left, right] = [Math.floor((first + 2 * x) / 2), Math.ceil((first + 2 * x) / 2)];
      if (right < 0 || left >= cols) continue;
      line[x] = values[from + Math.max(0, left)] + values[from + Math.min(cols - 1, right)];
    }
  };
}

/** Also returns `shift`: the number of half columns by which the middle of each cell of a row is to the right. */
function checkedCells(given: CellRectangle & CellLayout) {
  const cells = readFields("the cells", given, ["row0", "col0", "rows", "cols"]);
  checkInteger("row0", cells.row0, -LIMIT, LIMIT - 1);
  checkInteger("col0", cells.col0, -LIMIT, LIMIT - 1);
  checkInteger("rows", cells.rows, 1, LIMIT);
  checkInteger("cols", cells.cols, 1, LIMIT);
  return { ...cells, shift: hasOddR(given) ? (row: number) => row & 1 : (row: number) => row };
}

function checkedPixels(given: PixelRectangle): PixelRectangle {
  const pixels = readFields("the pixels", given, ["y0", "x0", "height", "width"]);
  checkInteger("y0", pixels.y0, -2 * LIMIT, 2 * LIMIT);
  checkInteger("x0", pixels.x0, -2 * LIMIT, 2 * LIMIT);
  checkInteger("height", pixels.height, 1, MAX_PIXELS);
  checkInteger("width", pixels.width, 1, Math.floor(MAX_PIXELS / pixels.height));
  return pixels;
}

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CellHeights,
  cellsOfPixels,
  type PixelRectangle,
  pixelsOfCells,
  squareHeights,
} from "../../src/formats/index.js";
import { codeOf } from "../refusal.js";

const coordinates = fc.constantFrom("axial" as const, "odd-r" as const);
const rectangle = fc.record({
  row0: fc.integer({ min: -50, max: 50 }),
  col0: fc.integer({ min: -50, max: 50 }),
  rows: fc.integer({ min: 1, max: 40 }),
  cols: fc.integer({ min: 1, max: 30 }),
  coordinates,
});
type Cells = Omit<CellHeights, "values">;

function heightsBy(cells: Cells, valueAt: (row: number, col: number) => number): CellHeights {
  const { row0, col0, rows, cols } = cells;
  const values = Uint16Array.from({ length: rows * cols }, (_, i) =>
    valueAt(row0 + Math.floor(i / cols), col0 + (i % cols)),
  );
  return { ...cells, values };
}

/** How many half columns the cells of a row are shifted to the right. */
const halves = ({ coordinates }: Cells, row: number) => (coordinates === "odd-r" ? Math.abs(row % 2) : row);

/** The rule of docs/formats/outputs.md, for one pixel. */
function twin(map: CellHeights, y: number, x: number): number {
  const { row0, col0, rows, cols, values } = map;
  const valueAt = (row: number, col: number) =>
    row < row0 || row >= row0 + rows || col < col0 || col >= col0 + cols
      ? []
      : [values[(row - row0) * cols + col - col0]];
  const twice = (row: number) => {
    const place = 2 * x - halves(map, row);
    const found = [...valueAt(row, Math.floor(place / 2)), ...valueAt(row, Math.ceil(place / 2))];
    return found.length === 0 ? [] : [found[0] + found[found.length - 1]];
  };
  const part = (((15 * y) % 13) + 13) % 13;
  const row = (15 * y - part) / 13;
  const lines = [...twice(row), ...(part > 0 ? twice(row + 1) : [])];
  if (lines.length === 0) return 0;
  const [above, below] = [lines[0], lines[lines.length - 1]];
  return Math.floor(((13 - part) * above + part * below + 13) / 26);
}

const noise = (row: number, col: number) => Math.imul(row * 8191 + col, 0x9e3779b1) >>> 16;

describe("squareHeights", () => {
  test("equals the rule, pixel by pixel, also around the cells", () => {
    fc.assert(
      fc.property(rectangle, fc.integer({ min: -4, max: 9 }), fc.integer({ min: -4, max: 9 }), (cells, dy, dx) => {
        const map = heightsBy(cells, noise);
        const whole = pixelsOfCells(cells);
        const pixels = { y0: whole.y0 + dy, x0: whole.x0 + dx, height: whole.height + 2, width: whole.width + 2 };
        const wanted = Array.from({ length: pixels.height * pixels.width }, (_, i) =>
          twin(map, pixels.y0 + Math.floor(i / pixels.width), pixels.x0 + (i % pixels.width)),
        );
        expect([...squareHeights(map, pixels)]).toEqual(wanted);
      }),
    );
  });

  test("each line and column of the pixels shows a cell, and the cells next to it none", () => {
    fc.assert(
      fc.property(rectangle, (cells) => {
        const map = heightsBy(cells, () => 7);
        const { y0, x0, height, width } = pixelsOfCells(cells);
        const isBlank = (pixels: PixelRectangle) => squareHeights(map, pixels).every((value) => value === 0);
        for (let y = 0; y < height; y++) expect(isBlank({ y0: y0 + y, x0, height: 1, width })).toBe(false);
        for (let x = 0; x < width; x++) expect(isBlank({ y0, x0: x0 + x, height, width: 1 })).toBe(false);
      }),
    );
  });

  test("a slope stays a slope: a cell is where a hexagon is, and pixels are square", () => {
    fc.assert(
      fc.property(
        rectangle,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: -100, max: 100 }),
        (cells, perRow, perCol) => {
          const at = (row: number, col: number) => 20_000 + perRow * row + perCol * (col + halves(cells, row) / 2);
          const map = heightsBy(cells, (row, col) => Math.round(at(row, col)));
          const pixels = pixelsOfCells(cells);
          const inner = cellsOfPixels(pixels, cells);
          const found = squareHeights(map, pixels);
          for (const [i, height] of found.entries()) {
            const [y, x] = [pixels.y0 + Math.floor(i / pixels.width), pixels.x0 + (i % pixels.width)];
            const row = (15 * y) / 13;
            const near = cellsOfPixels({ y0: y, x0: x, height: 1, width: 1 }, cells);
            const isInside =
              near.row0 >= cells.row0 &&
              near.row0 + near.rows <= cells.row0 + cells.rows &&
              near.col0 >= cells.col0 &&
              near.col0 + near.cols <= cells.col0 + cells.cols;
            if (isInside) expect(Math.abs(height - (20_000 + perRow * row + perCol * x))).toBeLessThanOrEqual(1.01);
          }
          expect(inner.rows).toBeGreaterThanOrEqual(1);
        },
      ),
    );
  });

  test("the cells of pixels are all that these pixels need", () => {
    fc.assert(
      fc.property(rectangle, fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 20 }), (cells, y, x) => {
        const whole = pixelsOfCells(cells);
        const pixels = { y0: whole.y0 + y, x0: whole.x0 + x, height: 5, width: 4 };
        const needed = cellsOfPixels(pixels, cells);
        const wide = { row0: needed.row0 - 2, col0: needed.col0 - 2, rows: needed.rows + 4, cols: needed.cols + 4 };
        const own = { coordinates: cells.coordinates };
        const expected = squareHeights(heightsBy({ ...wide, ...own }, noise), pixels);
        expect(squareHeights(heightsBy({ ...needed, ...own }, noise), pixels)).toEqual(expected);
      }),
    );
  });

  const good = heightsBy({ row0: 0, col0: 0, rows: 2, cols: 3 }, () => 1);
  const pixels = { y0: 0, x0: 0, height: 2, width: 3 };
  test.each<[string, () => unknown]>([
    ["argument.range", () => squareHeights({ ...good, rows: 3 }, pixels)],
    ["argument.type", () => squareHeights({ ...good, values: new Uint8Array(6) as never }, pixels)],
    ["argument.range", () => squareHeights(good, { ...pixels, height: 0 })],
    ["argument.range", () => squareHeights(good, { ...pixels, height: 2 ** 28 })],
    ["argument.range", () => squareHeights({ ...good, coordinates: "even-r" as never }, pixels)],
    ["argument.type", () => squareHeights(null as never, pixels)],
    ["argument.range", () => pixelsOfCells({ ...good, rows: 0 })],
    ["argument.range", () => cellsOfPixels({ ...pixels, x0: 0.5 })],
  ])("%s for malformed arguments", (code, call) => {
    expect(codeOf(call)).toBe(code);
  });
});

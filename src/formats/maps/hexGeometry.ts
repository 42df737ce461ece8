/** Cells have axial coordinates. The slant of a cell is 2·col + row: the x of its centre, in half cell widths. */
export interface HexScale {
  /** In pixels. Up to 3, cells are squares. Larger widths are even, and cells are pointy-top hexagons. */
  readonly cellPixels: number;
  readonly rowPixels: number;
  /** Above 1 only if `cellPixels` is 1. */
  readonly cellsPerPixel: number;
  /** The pixels of each line of a cell, counted from the cell's left edge. `end` is the pixel after the last one. */
  readonly lines: readonly (readonly [start: number, end: number])[];
}

/** The lowest and the highest row and slant of a picture's cells, inclusive. */
export interface Extent {
  readonly row0: number;
  readonly row1: number;
  readonly slant0: number;
  readonly slant1: number;
}

/** From this cell width on, one pixel of background separates neighbouring cells. */
const GAP_FROM_PIXELS = 8;

/** Odd widths above 3 are reduced by one, because rows are shifted by half a cell. */
export function hexScale(cellPixels: number): HexScale {
  if (cellPixels < 4) return squareScale(cellPixels);
  const width = cellPixels - (cellPixels % 2);
  // in a regular hexagon grid, the rows are √3/2 cell widths apart, about 433/500
  const rowPixels = Math.round((width * 433) / 500);
  return {
    cellPixels: width,
    rowPixels,
    cellsPerPixel: 1,
    lines: hexagonLines(width, rowPixels, width >= GAP_FROM_PIXELS ? 1 : 0),
  };
}

export function squareScale(cellPixels: number): HexScale {
  const lines = Array.from({ length: cellPixels }, () => [0, cellPixels] as const);
  return { cellPixels, rowPixels: cellPixels, cellsPerPixel: 1, lines };
}

export function pooledScale(cellsPerPixel: number): HexScale {
  return { cellPixels: 1, rowPixels: 1, cellsPerPixel, lines: [[0, 1]] };
}

export function pictureSize(scale: HexScale, { row0, row1, slant0, slant1 }: Extent): [width: number, height: number] {
  const [x, y] = pixelOf(scale, slant1 - slant0, row1 - row0);
  return [x + scale.cellPixels, y + scale.lines.length];
}

/** Returns the top left corner of a cell. `slant` and `row` count from the lowest ones of the picture. */
export function pixelOf(scale: HexScale, slant: number, row: number): [x: number, y: number] {
  const { cellPixels, rowPixels, cellsPerPixel } = scale;
  return [Math.floor((slant * cellPixels) / (2 * cellsPerPixel)), Math.floor((row * rowPixels) / cellsPerPixel)];
}

/** Returns how far a row is shifted to the right, in half cells. */
export type Skew = (row: number) => number;

export function skewOf(hasOddR: boolean, shape: "hexagons" | "pixels" | undefined): Skew {
  if (shape === "pixels") return () => 0;
  return hasOddR ? (row) => row & 1 : (row) => row;
}

export function extentOf(
  [row0, col0, row1, col1]: readonly [row0: number, col0: number, row1: number, col1: number],
  skew: Skew,
): Extent {
  // the first, the second or the last row has the smallest shift, and one of them the largest
  const shifts = [row0, Math.min(row0 + 1, row1), row1].map(skew);
  return { row0, row1, slant0: 2 * col0 + Math.min(...shifts), slant1: 2 * col1 + Math.max(...shifts) };
}

/*
 *      /\        The lower cap of a row and the upper cap of the next row are on the same lines of pixels. The cells
 *     /  \  cap  must fill these lines without gaps. So if line j of an upper cap has w pixels, line j of a lower cap
 *    |    |      has width − w pixels.
 *    |    |
 *     \  /  cap  In a regular hexagon, the height of a cap is a third of the distance between rows.
 *      \/
 */
export function hexagonLines(width: number, rowPixels: number, gap: number): [number, number][] {
  const half = width / 2;
  const cap = Math.round(rowPixels / 3);
  const halves = Array.from({ length: cap }, (_, j) => Math.round(((2 * j + 1) * half) / (2 * cap)));
  const body = new Array<number>(rowPixels - cap).fill(half);
  const all = [...halves, ...body, ...halves.map((a) => half - a)];
  return all.map((a) => [half - a, Math.max(half - a, half + a - gap)]);
}

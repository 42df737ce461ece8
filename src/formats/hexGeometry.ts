/**
 * The map from cells to pixels. Cells are axial: the centre of a cell is at x = col + row / 2, in cell widths. In half
 * cell widths that is the integer 2·col + row, here called the slant of the cell.
 */
export interface HexScale {
  /** Pixels across a cell: 1, 2, 3 (squares, each row shifted by half a cell) or even and ≥ 4 (pointy-top hexagons). */
  readonly cellPixels: number;
  /** Pixels from one row to the next. */
  readonly rowPixels: number;
  /** Cells along each side of a pixel; more than 1 only if cellPixels is 1. */
  readonly cellsPerPixel: number;
  /** The pixels of a cell, counted from its left edge: for each line, the first pixel and the one behind the last. */
  readonly lines: readonly (readonly [start: number, end: number])[];
}

/** The rows and slants of a picture's cells, inclusive. */
export interface Extent {
  readonly row0: number;
  readonly row1: number;
  readonly slant0: number;
  readonly slant1: number;
}

/** From this width on, one pixel of background separates neighbours. */
const GAP_FROM_PIXELS = 8;

/**
 * The scale with `cellPixels` pixels across a cell. Odd numbers above 3 are rounded down, because rows are shifted by
 * half a cell.
 */
export function hexScale(cellPixels: number): HexScale {
  if (cellPixels < 4) {
    const lines = Array.from({ length: cellPixels }, () => [0, cellPixels] as const);
    return { cellPixels, rowPixels: cellPixels, cellsPerPixel: 1, lines };
  }
  const width = cellPixels - (cellPixels % 2);
  const rowPixels = Math.round((width * 433) / 500);
  return { cellPixels: width, rowPixels, cellsPerPixel: 1, lines: hexagonLines(width, rowPixels) };
}

/** The scale with `cellsPerPixel` × `cellsPerPixel` cells in a pixel. */
export function pooledScale(cellsPerPixel: number): HexScale {
  return { cellPixels: 1, rowPixels: 1, cellsPerPixel, lines: [[0, 1]] };
}

/** Width and height in pixels of a picture of the extent. */
export function pictureSize(scale: HexScale, { row0, row1, slant0, slant1 }: Extent): [width: number, height: number] {
  const [x, y] = pixelOf(scale, slant1 - slant0, row1 - row0);
  return [x + scale.cellPixels, y + scale.lines.length];
}

/** The left end of a cell's first line, counted from the picture's top left corner. */
export function pixelOf(scale: HexScale, slant: number, row: number): [x: number, y: number] {
  const { cellPixels, rowPixels, cellsPerPixel } = scale;
  return [Math.floor((slant * cellPixels) / (2 * cellsPerPixel)), Math.floor((row * rowPixels) / cellsPerPixel)];
}

/*
 *      /\        A row's lower cap and the next row's upper cap have the same lines, so line j of both must add up to
 *     /  \  cap  one width: upper cap line j is a pixels wide, lower cap line j is width − a.
 *    |    |
 *    |    |      A regular hexagon has rows √3/2 of a width apart and caps of a third of that.
 *     \  /  cap
 *      \/
 */
function hexagonLines(width: number, rowPixels: number): [number, number][] {
  const half = width / 2;
  const cap = Math.round(rowPixels / 3);
  const gap = width >= GAP_FROM_PIXELS ? 1 : 0;
  const halves = Array.from({ length: cap }, (_, j) => Math.round(((2 * j + 1) * half) / (2 * cap)));
  const body = new Array<number>(rowPixels - cap).fill(half);
  const all = [...halves, ...body, ...halves.map((a) => half - a)];
  return all.map((a) => [half - a, Math.max(half - a, half + a - gap)]);
}

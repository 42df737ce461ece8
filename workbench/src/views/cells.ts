// Draws cells as pixels: two pixels wide, so that a row can be shifted by half a cell.

import { MOST_SHADE } from "../work/protocol.js";

type Rgb = readonly [number, number, number];
/** Without an alpha, a colour is opaque. */
export type Color = readonly [...Rgb, alpha?: number];

export interface Cells {
  readonly row0: number;
  readonly rows: number;
  readonly cols: number;
  /** For each cell an index of the colours. A cell without a colour is transparent. */
  readonly cells: Uint8Array;
  /** Whether every second row is shifted. Otherwise, each row is half a cell to the right of the row above. */
  readonly isOddR: boolean;
  readonly colors: readonly (Color | undefined)[];
}

/** Draws the cells, and sets the size of the canvas to fit them. */
export function drawCells(
  canvas: HTMLCanvasElement | OffscreenCanvas,
  { row0, rows, cols, cells, isOddR, colors }: Cells,
): void {
  const shifts = Array.from({ length: rows }, (_, row) => (isOddR ? (row0 + row) & 1 : row));
  const least = Math.min(...shifts);
  const width = 2 * cols + Math.max(...shifts) - least;
  canvas.width = width;
  canvas.height = 2 * rows;
  const image = new ImageData(width, 2 * rows);
  const pixels = new Uint32Array(image.data.buffer);
  const packed = Uint32Array.from({ length: 256 }, (_, i) => {
    const color = colors[i];
    return color === undefined ? 0 : ((color[3] ?? 255) << 24) | (color[2] << 16) | (color[1] << 8) | color[0];
  });
  for (let row = 0; row < rows; row++) {
    const at = 2 * row * width + shifts[row] - least;
    for (let col = 0; col < cols; col++) {
      const color = packed[cells[row * cols + col]];
      pixels[at + 2 * col] = color;
      pixels[at + 2 * col + 1] = color;
    }
    pixels.copyWithin(2 * row * width + width, 2 * row * width, (2 * row + 1) * width);
  }
  (canvas.getContext("2d") as CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D).putImageData(image, 0, 0);
}

/** Colours away from that of the page, for the logarithm of visits. */
export function rampOf(): Rgb[] {
  const dark: Rgb[] = [
    [52, 20, 28],
    [156, 62, 38],
    [214, 140, 69],
    [250, 236, 205],
  ];
  const light: Rgb[] = [[233, 215, 174], dark[2], dark[1], dark[0]];
  const stops = matchMedia("(prefers-color-scheme: dark)").matches ? dark : light;
  return Array.from({ length: MOST_SHADE + 1 }, (_, i) => {
    const at = (i / MOST_SHADE) * (stops.length - 1);
    const [a, b] = [stops[Math.floor(at)], stops[Math.ceil(at)]];
    const part = at - Math.floor(at);
    return [0, 1, 2].map((k) => Math.round(a[k] + part * (b[k] - a[k]))) as unknown as Rgb;
  });
}

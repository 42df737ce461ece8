import { describe, expect, test } from "vitest";
import { hexPicture } from "../../src/formats/maps/mapPng.js";
import { type HexScale, hexScale, pixelOf, pooledScale } from "../../src/formats/maps/pictureFrame.js";
import { LayerMap, type MapChunk } from "../../src/walks/index.js";
import { CHUNK_CELLS } from "../../src/walks/map/chunk.js";

/** A map of listed cells, [row, col, visits]. */
function mapOf(cells: readonly (readonly [number, number, number])[]): LayerMap {
  const chunks = new Map<string, MapChunk>();
  for (const [row, col, visits] of cells) {
    const [chunkRow, chunkCol] = [row >> 6, col >> 6];
    const key = `${chunkRow},${chunkCol}`;
    const chunk = chunks.get(key) ?? { chunkRow, chunkCol, visits: new Uint32Array(CHUNK_CELLS) };
    chunk.visits[(row & 63) * 64 + (col & 63)] = visits;
    chunks.set(key, chunk);
  }
  return new LayerMap(chunks.values());
}

/** The picture's rows as text: "." for the background, else the level's digit in base 36 from the layer's first. */
function textOf({ width, height, pixels }: { width: number; height: number; pixels: Uint8Array }): string[] {
  const signs = Array.from(pixels, (level) => (level === 0 ? "." : "#"));
  return Array.from({ length: height }, (_, y) => signs.slice(y * width, (y + 1) * width).join(""));
}

/** How many cells of a 12 × 12 patch cover each pixel of its middle. */
function coverage(scale: HexScale): number[] {
  const size = 12 * scale.cellPixels;
  const counts = new Array(size * size).fill(0);
  for (let row = 0; row < 12; row++) {
    for (let col = -6; col < 18; col++) {
      const [x, y] = pixelOf(scale, 2 * col + row, row);
      for (const [line, [start, end]] of scale.lines.entries()) {
        for (let i = Math.max(0, x + start); i < Math.min(size, x + end); i++) counts[(y + line) * size + i]++;
      }
    }
  }
  const middle = Math.floor(4 * scale.rowPixels);
  return counts.slice(middle * size, 2 * middle * size);
}

describe("cells become pixels", () => {
  test.each([1, 2, 3, 4, 5, 6, 7])("%i pixels a cell cover the plane, each pixel once", (pixels) => {
    expect(new Set(coverage(hexScale(pixels)))).toEqual(new Set([1]));
  });

  test.each([8, 10, 12, 16, 24, 32, 64, 256])(
    "%i pixels a cell leave a thin line between neighbours and never overlap",
    (pixels) => {
      const counts = coverage(hexScale(pixels));
      expect(new Set(counts)).toEqual(new Set([0, 1]));
      const covered = counts.filter((count) => count === 1).length / counts.length;
      expect(covered).toBeCloseTo(1 - 1 / pixels, 1);
    },
  );

  test("from 4 pixels on a cell is a pointy-top hexagon: caps that narrow evenly, a body of full width", () => {
    expect(hexScale(6).lines).toEqual([
      [2, 4],
      [1, 5],
      [0, 6],
      [0, 6],
      [0, 6],
      [1, 5],
      [2, 4],
    ]);
    const { lines, rowPixels } = hexScale(64);
    const widths = lines.map(([start, end]) => end - start);
    expect(Math.abs(rowPixels / 64 - Math.sqrt(3) / 2)).toBeLessThan(1 / 64);
    expect(lines.length / 64).toBeCloseTo(2 / Math.sqrt(3), 1);
    expect(widths.filter((width) => width === 63).length / lines.length).toBeCloseTo(0.5, 1);
    expect(widths.slice(0, 18)).toEqual(widths.slice(0, 18).toSorted((a, b) => a - b));
  });

  test("odd numbers above 3 are rounded down", () => {
    expect([5, 7, 9].map((pixels) => hexScale(pixels).cellPixels)).toEqual([4, 6, 8]);
  });

  test("several cells to a pixel", () => {
    expect(pixelOf(pooledScale(3), 11, 8)).toEqual([1, 2]);
    expect(pixelOf(pooledScale(3), 12, 9)).toEqual([2, 3]);
  });
});

describe("pictures", () => {
  test("below 4 pixels, row r is shifted by r/2 cells", () => {
    const map = mapOf([
      [0, 0, 1],
      [1, 0, 1],
      [2, 0, 1],
      [2, -2, 1],
    ]);
    expect(textOf(hexPicture([map], { pixelsPerCell: 2 }))).toEqual([
      "..##..",
      "..##..",
      "...##.",
      "...##.",
      "##..##",
      "##..##",
    ]);
    expect(textOf(hexPicture([map], { pixelsPerCell: 1 }))).toEqual([".#.", ".#.", "#.#"]);
  });

  test("six neighbours stand around their cell", () => {
    const ring = mapOf([
      [-1, 0, 1],
      [-1, 1, 1],
      [0, 1, 1],
      [1, 0, 1],
      [1, -1, 1],
      [0, -1, 1],
    ]);
    expect(textOf(hexPicture([ring], { pixelsPerCell: 4 }))).toEqual([
      "...##..##...",
      "..########..",
      "..########..",
      ".####..####.",
      "####....####",
      "####....####",
      ".####..####.",
      "..########..",
      "..########..",
      "...##..##...",
    ]);
  });

  test("visits are levels on a log scale, from 1 to the most", () => {
    const map = mapOf([
      [0, 0, 1],
      [0, 1, 16],
      [0, 2, 256],
      [0, 3, 65536],
    ]);
    expect([...hexPicture([map], { pixelsPerCell: 1 }).pixels]).toEqual([1, 1 + 63.5 + 0.5, 1 + 127, 255]);
    const largest = mapOf([
      [0, 0, 0xffff_ffff],
      [0, 1, 1],
    ]);
    expect([...hexPicture([largest], { pixelsPerCell: 1 }).pixels]).toEqual([255, 1]);
  });

  test("every count's level is the nearest to its logarithm", () => {
    const counts = Array.from({ length: 1000 }, (_, i) => i + 1);
    const { pixels } = hexPicture([mapOf(counts.map((count, col) => [0, col, count]))], { pixelsPerCell: 1 });
    expect([...pixels]).toEqual(counts.map((count) => 1 + Math.round((254 * Math.log(count)) / Math.log(1000))));
  });

  test("cells visited once each all have the highest level", () => {
    expect([
      ...hexPicture(
        [
          mapOf([
            [0, 0, 1],
            [0, 1, 1],
          ]),
        ],
        { pixelsPerCell: 1 },
      ).pixels,
    ]).toEqual([255, 255]);
  });

  test("layers lie above one another, each with levels and a scale of its own", () => {
    const land = mapOf([
      [0, 0, 9],
      [0, 1, 1],
    ]);
    const rivers = mapOf([
      [0, 1, 500],
      [0, 2, 1],
    ]);
    const { pixels, levels } = hexPicture([land, rivers], { pixelsPerCell: 1 });
    expect(levels).toBe(127);
    expect([...pixels]).toEqual([127, 254, 128]);
  });

  test("without a wish, a map is drawn as large as fits 2048 pixels, a cell in at most 32", () => {
    expect(hexPicture([mapOf([[5, 5, 1]])])).toMatchObject({ width: 32, cellPixels: 32, cellsPerPixel: 1 });
    expect(
      hexPicture([
        mapOf([
          [0, 0, 1],
          [0, 99, 1],
        ]),
      ]),
    ).toMatchObject({ width: 2000, cellPixels: 20 });
    expect(
      hexPicture([
        mapOf([
          [0, 0, 1],
          [0, 2047, 1],
        ]),
      ]),
    ).toMatchObject({ width: 2048, cellPixels: 1 });
    expect(
      hexPicture([
        mapOf([
          [0, 0, 1],
          [0, 2048, 1],
        ]),
      ]),
    ).toMatchObject({ width: 1025, cellPixels: 1, cellsPerPixel: 2 });
    const long = hexPicture([
      mapOf([
        [0, 0, 1],
        [0, 4096, 1],
      ]),
    ]);
    expect([long.width, long.cellsPerPixel]).toEqual([1366, 3]);
    const corners = mapOf([
      [-(2 ** 31), -(2 ** 31), 1],
      [2 ** 31 - 1, 2 ** 31 - 1, 1],
    ]);
    const whole = hexPicture([corners], { maxSide: 100 });
    expect([whole.width, whole.height]).toEqual([100, 67]);
    expect(whole.pixels.filter((level) => level > 0)).toHaveLength(2);
  });

  test("a pixel of several cells shows the most visits of one of them, or their sum", () => {
    const map = mapOf([
      [0, 0, 4],
      [0, 1, 4],
      [0, 2, 7],
      [0, 99, 1],
    ]);
    const [max] = hexPicture([map], { maxSide: 50 }).pixels;
    const [sum, second] = hexPicture([map], { maxSide: 50, pool: "sum" }).pixels;
    expect(max).toBe(1 + Math.round((254 * Math.log(4)) / Math.log(7)));
    expect([sum, second]).toEqual([255, 1 + Math.round((254 * Math.log(7)) / Math.log(8))]);
  });

  test("pixelsPerCell beside maxSide is the most, alone it is exact", () => {
    const map = mapOf([
      [0, 0, 1],
      [0, 99, 1],
    ]);
    expect(hexPicture([map], { pixelsPerCell: 6, maxSide: 2000 }).cellPixels).toBe(6);
    expect(hexPicture([map], { pixelsPerCell: 6, maxSide: 450 }).cellPixels).toBe(4);
    expect(hexPicture([map], { pixelsPerCell: 64 }).width).toBe(6400);
  });

  test("nothing to draw, too many pixels and bad options are refused", () => {
    const far = mapOf([
      [0, 0, 1],
      [0, 2 ** 30, 1],
    ]);
    expect(() => hexPicture([far], { pixelsPerCell: 1 })).toThrow(/argument\.range/);
    expect(() => hexPicture([new LayerMap([])])).toThrow(/argument\.range/);
    expect(() => hexPicture([])).toThrow(/argument\.range/);
    for (const pixelsPerCell of [0, -1, 1.5, 257, Number.NaN]) {
      expect(() => hexPicture([far], { pixelsPerCell })).toThrow(/argument\.range/);
    }
    for (const maxSide of [0, 0.5, Number.POSITIVE_INFINITY]) {
      expect(() => hexPicture([far], { maxSide })).toThrow(/argument\.range/);
    }
    expect(() => hexPicture([far], { pool: "mean" as "max" })).toThrow(/argument\.range/);
  });
});

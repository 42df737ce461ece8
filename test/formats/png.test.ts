import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { COLOR_MAP_NAMES, hexPicture, palette, toPng } from "../../src/formats/index.js";
import { LayerMap } from "../../src/walks/index.js";
import { CHUNK_CELLS } from "../../src/walks/map/chunk.js";

const chunk = (visits: readonly number[]) => ({
  chunkRow: 0,
  chunkCol: 0,
  visits: Uint32Array.from({ length: CHUNK_CELLS }, (_, i) => visits[i] ?? 0),
});
const land = new LayerMap([chunk([1, 5, 0, 100])]);
const rivers = new LayerMap([chunk([0, 0, 9])]);

/** Red, green, blue of the picture's top row of pixels. */
function topRow(png: Uint8Array): number[][] {
  const { data, palette: colors = [], width } = decode(png, { checkCrc: true });
  return Array.from(data.subarray(0, width), (index) => colors[index]);
}

describe("colours", () => {
  test("inferno runs from dark to light, and every map's two ends differ", () => {
    const light = ([red, green, blue]: readonly number[]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    for (const name of COLOR_MAP_NAMES) {
      const colors = palette(name, 255).map(light);
      expect(colors).toHaveLength(255);
      // perceptual maps gain lightness all the way; the polynomials of cividis may dip by a rounding
      for (let i = 1; i < 255; i++) expect(colors[i]).toBeGreaterThan(colors[i - 1] - 1);
      expect(colors[254] - colors[0]).toBeGreaterThan(100);
    }
  });

  test("parts are whole bytes; a single colour is the brightest; unknown names are refused", () => {
    expect(
      palette("viridis", 3)
        .flat()
        .every((part) => Number.isInteger(part) && part >= 0 && part <= 255),
    ).toBe(true);
    expect(palette("inferno", 1)).toEqual([[252, 255, 164]]);
    expect(() => palette("constructor" as "inferno", 3)).toThrow(/argument\.range/);
  });
});

describe("a map as PNG", () => {
  test("is indexed, and reads back as the picture", () => {
    const png = toPng(land, { pixelsPerCell: 6 });
    const picture = hexPicture([land], { pixelsPerCell: 6 });
    const back = decode(png, { checkCrc: true });
    expect(back).toMatchObject({ width: picture.width, height: picture.height, depth: 8, channels: 1 });
    expect(Buffer.compare(back.data as Uint8Array, picture.pixels)).toBe(0);
    expect(back.palette).toHaveLength(256);
    // colour type 3 (indexed) in IHDR
    expect(png[25]).toBe(3);
  });

  test("a pixel has its level's colour, unvisited cells the background's", () => {
    const colors = palette("viridis", 255);
    const row = topRow(toPng(land, { pixelsPerCell: 1, colorMap: "viridis", background: [1, 2, 3] }));
    expect([row[0], row[2], row[3]]).toEqual([colors[0], [1, 2, 3], colors[254]]);
  });

  test("layers have their own colours, the later above", () => {
    const png = toPng([{ map: land, colorMap: "greys" }, { map: rivers }], { pixelsPerCell: 1 });
    expect(topRow(png)[2]).toEqual(palette("blues", 127)[126]);
    expect(topRow(png)[3]).toEqual(palette("greys", 127)[126]);
  });

  test("a transparent background is the palette's first entry", () => {
    const row = topRow(toPng(land, { pixelsPerCell: 1, background: "transparent" }));
    expect(row[2]).toEqual([0, 0, 0, 0]);
    expect(row[3][3]).toBe(255);
  });

  test("backgrounds that are no colour are refused", () => {
    for (const background of [[1, 2], [1, 2, 256], [1, 2, 0.5], "red", null]) {
      expect(() => toPng(land, { background: background as "transparent" })).toThrow(/argument\.range/);
    }
  });

  test("the same map gives the same bytes", () => {
    expect(Buffer.compare(toPng(land), toPng(new LayerMap(land.chunks())))).toBe(0);
  });
});

import { decode } from "fast-png";
import { describe, expect, test } from "vitest";
import { hexPicture, type PictureOptions, palette, toPng } from "../../src/formats/index.js";
import { createMill, LayerMap } from "../../src/index.js";
import { refusalOf } from "../refusal.js";
import { mapOf } from "../walks/mapOf.js";

const cells = Array.from({ length: 60 }, (_, i) => [((i * 7) % 13) - 4, ((i * 11) % 17) - 6, 1 + (i % 5)] as const);
const map = mapOf(cells);
const upright = createMill({ seed: "moria" })
  .walk("land", { grid: { kind: "torus", rows: 40, cols: 60, coordinates: "odd-r" }, steps: 60_000 })
  .run().total;

/** The rectangle of the pixels that are not background. */
function inked({ width, height, pixels }: { width: number; height: number; pixels: Uint8Array }) {
  let [x0, x1, y0, y1] = [width, -1, height, -1];
  for (let i = 0; i < pixels.length; i++) {
    if (pixels[i] === 0) continue;
    const [x, y] = [i % width, Math.floor(i / width)];
    [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
  }
  return { x0, x1, y0, y1 };
}

describe("the size of a picture", () => {
  test.each<[PictureOptions, number, number]>([
    [{ width: 640, height: 480 }, 640, 480],
    [{ width: 480, height: 640 }, 480, 640],
    [{ width: 3000, height: 200 }, 3000, 200],
    [{ width: 5, height: 7 }, 5, 7],
    [{ width: 1, height: 1 }, 1, 1],
    [{ width: 333, height: 222, pixelsPerCell: 4 }, 333, 222],
    [{ width: 333, height: 222, cells: "pixels" }, 333, 222],
  ])("%j is exact, and the map is centred", (options, width, height) => {
    for (const source of [map, upright]) {
      const picture = hexPicture([source], options);
      expect([picture.width, picture.height, picture.pixels.length]).toEqual([width, height, width * height]);
      const { x0, x1, y0, y1 } = inked(picture);
      expect(Math.abs(x0 - (width - 1 - x1))).toBeLessThanOrEqual(1 + picture.cellPixels / 2);
      expect(Math.abs(y0 - (height - 1 - y1))).toBeLessThanOrEqual(1 + picture.cellPixels);
    }
  });

  test("the map is as large as it fits: the next larger cells do not fit", () => {
    const { cellPixels } = hexPicture([upright], { width: 900, height: 900 });
    expect(cellPixels).toBe(14);
    expect(hexPicture([upright], { pixelsPerCell: 14 }).width).toBeLessThanOrEqual(900);
    expect(hexPicture([upright], { pixelsPerCell: 16 }).width).toBeGreaterThan(900);
  });

  test("one side follows from the map, and maxSide limits both", () => {
    const picture = hexPicture([upright], { width: 905 });
    expect([picture.width, picture.height]).toEqual([905, hexPicture([upright], { pixelsPerCell: 14 }).height]);
    expect(hexPicture([upright], { height: 100 }).height).toBe(100);
    expect(hexPicture([upright], { maxSide: 300 }).width).toBeLessThanOrEqual(300);
  });
});

describe("a size that is no integer is refused, and null does not stand for the default", () => {
  test.each(["pixelsPerCell", "maxSide", "width", "height"])("%s", (name) => {
    for (const value of [null, 0, 1.5, "9", 2 ** 28 + 1, 5n]) {
      expect(refusalOf(() => hexPicture([map], { [name]: value })).code).toBe("argument.range");
    }
  });
});

describe("upright pictures", () => {
  test("a rectangle in odd-r coordinates fills a rectangle, but for half a cell", () => {
    const { width, height, pixels, cellPixels } = hexPicture([upright], { pixelsPerCell: 2 });
    expect([width, height, cellPixels]).toEqual([121, 80, 2]);
    for (let y = 0; y < height; y++) {
      const shift = Math.floor(y / 2) % 2;
      const row = [...pixels.subarray(y * width, (y + 1) * width)];
      expect(row.map((level) => level > 0)).toEqual(row.map((_, x) => x >= shift && x < 120 + shift));
    }
  });

  test("a window of odd-r cells has the window's size, whatever rows it has", () => {
    const sizeOf = (row0: number, rows: number) => {
      const window = { row0, col0: 0, rows, cols: 10 };
      return (({ width, height }) => [width, height])(hexPicture([upright], { window, pixelsPerCell: 2 }));
    };
    expect(sizeOf(0, 1)).toEqual([20, 2]);
    expect(sizeOf(1, 1)).toEqual([20, 2]);
    expect(sizeOf(1, 2)).toEqual([21, 4]);
    expect(sizeOf(2, 4)).toEqual([21, 8]);
  });

  test('cells: "pixels" draws the array of the map, axial or odd-r', () => {
    for (const source of [map, upright]) {
      const [row0, col0, row1, col1] = source.bounds ?? [0, 0, 0, 0];
      const [rows, cols] = [row1 - row0 + 1, col1 - col0 + 1];
      const picture = hexPicture([source], { cells: "pixels", pixelsPerCell: 1 });
      expect([picture.width, picture.height]).toEqual([cols, rows]);
      expect([...picture.pixels].map((level) => level > 0)).toEqual(
        [...source.window({ row0, col0, rows, cols })].map((visits) => visits > 0),
      );
      const large = hexPicture([source], { cells: "pixels", pixelsPerCell: 5 });
      expect([large.width, large.height]).toEqual([5 * cols, 5 * rows]);
    }
  });
});

describe("a legend", () => {
  const layers = [
    { map, name: "land" },
    { map: upright, name: "a name that is too long", colorMap: "greys" as const },
  ];

  test("is below the map, has the colours of each layer in order and letters of another colour", () => {
    const png = decode(toPng(layers, { width: 500, height: 400, legend: true }));
    expect([png.width, png.height, png.palette?.length]).toEqual([500, 400, 256]);
    const ink = 255;
    const levels = 127;
    const rowAt = (y: number) => [...png.data.subarray(y * 500, (y + 1) * 500)];
    const ramps = Array.from({ length: 60 }, (_, i) => rowAt(340 + i)).filter((row) => row.includes(ink));
    const full = (first: number) =>
      ramps.find((row) => Array.from({ length: levels }, (_, i) => first + i).every((level) => row.includes(level)));
    expect(full(1)).toBeDefined();
    expect(full(1 + levels)).toBeDefined();
    const shades = (full(1) ?? []).filter((level) => level > 0 && level <= levels);
    expect(shades).toEqual([...shades].sort((a, b) => a - b));
    // the map has no letters
    for (let y = 0; y < 340; y++) expect(rowAt(y).includes(ink)).toBe(false);
  });

  test("letters are light on dark, and dark on light; the layers keep their colours", () => {
    const inkOn = (background: readonly [number, number, number] | "transparent") =>
      decode(toPng(map, { legend: true, background })).palette?.at(-1);
    const light = inkOn([0, 0, 0]) ?? [];
    const dark = inkOn([255, 255, 255]) ?? [];
    expect(light[1]).toBeGreaterThan(dark[1] + 150);
    expect(inkOn("transparent")?.slice(0, 3)).toEqual([128, 128, 128]);
    const colors = decode(toPng(map, { legend: true })).palette ?? [];
    expect(colors.slice(1, 255)).toEqual(palette("inferno", 254));
  });

  test("may have more layers than a call takes arguments", () => {
    const cell = { bounds: [0, 0, 0, 0], chunks: () => [{ chunkRow: 0, chunkCol: 0, visits: Uint32Array.of(1) }] };
    const many = new Array(200_000).fill({ map: cell });
    expect(refusalOf(() => toPng(many, { legend: true })).message).toContain("no room for its legend");
  });

  test("reads only the characters of a name that it shows", () => {
    const cell = { bounds: [0, 0, 0, 0], chunks: () => [{ chunkRow: 0, chunkCol: 0, visits: Uint32Array.of(1) }] };
    const layersOf = (name: string) => new Array(20_000).fill({ map: cell, name });
    expect(refusalOf(() => toPng(layersOf("é".repeat(1e6)), { legend: true })).message).toContain("no room");
    const png = (name: string) => toPng([{ map, name }], { legend: true });
    expect(png(`${"😀".repeat(16)}rest`)).toEqual(png("?".repeat(16)));
  });

  test("fits within maxSide, widens a small picture, and is refused where it has no room", () => {
    const sizeOf = (options: object) => (({ width, height }) => [width, height])(decode(toPng(layers, options)));
    expect(Math.max(...sizeOf({ maxSide: 400, legend: true }))).toBeLessThanOrEqual(400);
    expect(sizeOf({ pixelsPerCell: 1, legend: true })[0]).toBeGreaterThan(sizeOf({ pixelsPerCell: 1 })[0]);
    for (const size of [{ width: 100 }, { height: 20 }, { maxSide: 100 }]) {
      expect(refusalOf(() => toPng(layers, { ...size, legend: true })).code).toBe("argument.range");
    }
    const flag = "yes" as unknown as boolean;
    expect(refusalOf(() => toPng(map, { legend: flag })).code).toBe("argument.type");
  });
});

test("progress counts the chunks that were drawn", () => {
  const far = mapOf(Array.from({ length: 200 }, (_, i) => [i * 70, i * 70, 1] as const));
  const seen: { done: number; total: number }[] = [];
  hexPicture([far, new LayerMap([])], { onProgress: (progress) => seen.push(progress) });
  expect(seen.at(-1)).toEqual({ done: 200, total: 200 });
});

test.each<[string, object]>([
  ["a width of 0", { width: 0 }],
  ["a height that is no integer", { height: 1.5 }],
  ["too many pixels", { width: 2 ** 15, height: 2 ** 14 }],
  ["unknown cells", { cells: "squares" }],
])("%s is refused", (_, options) => {
  expect(refusalOf(() => hexPicture([map], options)).code).toBe("argument.range");
});

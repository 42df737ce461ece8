import { execFileSync } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { decode } from "fast-png";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CellRectangle, pixelsOfCells, squareHeights } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import { exportJob } from "../../src/jobs/index.js";
import { hexDistance } from "../../src/walks/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { rejectionOf } from "../refusal.js";
import { type FinishedJob, finishedJob } from "./exportedJob.js";

const NAME = "shelf";
const WORLD: WorldInput = {
  name: NAME,
  grid: { coordinates: "odd-r" },
  layers: [
    { name: "land", preset: "five-ways", walkers: 12, steps: 400, firstVisit: true },
    { name: "woods", preset: "uniform", steps: 60, scatter: { walkers: 3 } },
  ],
  fields: [
    { kind: "noise", name: "hills", scale: 16, octaves: 2 },
    { kind: "distance", name: "inland", layer: "woods", most: 9 },
    { kind: "visits", name: "busy", layer: "woods", most: 5 },
    { kind: "firstVisit", name: "early", layer: "land", most: 400 },
  ],
};
const extent = { row0: -37, col0: -60, rows: 140, cols: 123 };
const window = { row0: -21, col0: 3, rows: 90, cols: 51 };

let made: FinishedJob;
beforeAll(async () => {
  made = await finishedJob({ name: NAME, world: WORLD, seed: "moria", extent });
});
afterAll(() => made.remove());

const at = (...names: string[]) => join(made.folder, ...names);
const world = createMill({ seed: "moria" }).world(NAME, WORLD);
const exported = async (options: Parameters<typeof exportJob>[2]) => {
  await exportJob(made.job, "heights", { to: at("heights"), ...options });
  return JSON.parse(await readFile(at("heights", "heights.json"), "utf8"));
};

async function r16(name = "heights"): Promise<Uint16Array> {
  const bytes = await readFile(at("heights", `${name}.r16`));
  return Uint16Array.from({ length: bytes.length / 2 }, (_, i) => bytes.readUInt16LE(2 * i));
}

function squares(cells: CellRectangle, values: Uint16Array): Uint16Array {
  return squareHeights({ ...cells, coordinates: "odd-r", values }, pixelsOfCells({ ...cells, coordinates: "odd-r" }));
}

const fieldOf = (name: string, cells: CellRectangle) => world.window(cells, { fields: [name] }).field(name);

describe.each([
  ["the whole job", undefined, extent],
  ["a window", window, window],
])("%s", (_, given, cells) => {
  test("a field is the world's, resampled; the picture has the same pixels; the scale is beside it", async () => {
    const scale = await exported({ window: given, field: "inland" });
    const pixels = pixelsOfCells({ ...cells, coordinates: "odd-r" });
    expect(scale).toMatchObject({
      field: "inland",
      most: 65_535,
      window: cells,
      pixels,
      rowsPerLine: [15, 13],
      tiles: null,
    });
    expect(await r16()).toEqual(squares(cells, fieldOf("inland", cells)));
    const { data, width, height, depth, channels } = decode(await readFile(at("heights", "heights.png")));
    expect({ width, height, depth, channels }).toEqual({
      width: pixels.width,
      height: pixels.height,
      depth: 16,
      channels: 1,
    });
    expect(data).toEqual(await r16());
  });

  test("numbers of a layer have the scale of fields", async () => {
    await exported({ window: given, layer: "woods", most: 5 });
    expect(await r16()).toEqual(squares(cells, fieldOf("busy", cells)));
    await exported({ window: given, layer: "land", show: "firstVisits", most: 400 });
    expect(await r16()).toEqual(squares(cells, fieldOf("early", cells)));
  });
});

test("distances equal those of the world where all cells near them are in the job, and a twin everywhere", async () => {
  await exported({ window, layer: "woods", show: "distance", most: 9 });
  expect(await r16()).toEqual(squares(window, fieldOf("inland", window)));
  await exported({ layer: "woods", show: "distance", most: 20 });
  const visits = world.window(extent, { visits: ["woods"] }).visits("woods");
  const placeOf = (i: number) => [extent.row0 + Math.floor(i / extent.cols), extent.col0 + (i % extent.cols)] as const;
  const visited = [...visits.keys()].filter((i) => visits[i] > 0).map(placeOf);
  const steps = Uint16Array.from(visits, (_, i) => {
    const place = placeOf(i);
    const least = visited.reduce((least, other) => {
      if (Math.abs(other[0] - place[0]) >= least) return least;
      return Math.min(least, hexDistance(place, other, { coordinates: "odd-r" }));
    }, 20);
    return Math.floor((least * 65_535) / 20);
  });
  expect(await r16()).toEqual(squares(extent, steps));
});

test("tiles have 2ⁿ + 1 pixels, share lines and columns, and show the whole map", async () => {
  await exported({ field: "hills" });
  const { pixels } = await exported({ field: "hills" });
  const whole = await r16();
  const { tiles } = await exported({ field: "hills", tileSide: 33 });
  expect(tiles).toEqual({ side: 33, rows: 4, cols: 4, name: "heights_x{x}_y{y}" });
  for (let y = 0; y < tiles.rows; y++) {
    for (let x = 0; x < tiles.cols; x++) {
      const wanted = Array.from({ length: 33 * 33 }, (_, i) => {
        const [line, col] = [32 * y + Math.floor(i / 33), 32 * x + (i % 33)];
        return line < pixels.height && col < pixels.width ? whole[line * pixels.width + col] : 0;
      });
      expect([...(await r16(`heights_x${x}_y${y}`))]).toEqual(wanted);
    }
  }
  expect(await readdir(at("heights"))).toContain("heights_x3_y3.png");
});

test.skipIf(!hasGdal())(
  "GDAL reads both files: each cell of an even row on a line is a pixel (needs gdal-bin)",
  async () => {
    const { pixels } = await exported({ field: "hills" });
    const { y0, x0, height, width } = pixels;
    const band = `<VRTRasterBand dataType="UInt16" band="1" subClass="VRTRawRasterBand">
    <SourceFilename relativeToVRT="1">heights.r16</SourceFilename><ByteOrder>LSB</ByteOrder></VRTRasterBand>`;
    const raw = `<VRTDataset rasterXSize="${width}" rasterYSize="${height}">${band}</VRTDataset>`;
    await writeFile(at("heights", "r16.vrt"), raw);
    const field = fieldOf("hills", extent);
    for (const name of ["heights.png", "r16.vrt"]) {
      execFileSync("gdal_translate", ["-q", "-of", "ENVI", at("heights", name), at("raw")]);
      const read = await readFile(at("raw"));
      expect(read).toHaveLength(2 * width * height);
      let compared = 0;
      for (let y = y0; y < y0 + height; y++) {
        const row = (15 * y) / 13;
        if (row % 2 !== 0) continue;
        for (let x = x0; x < x0 + width; x++, compared++) {
          const cell = field[(row - extent.row0) * extent.cols + x - extent.col0];
          expect(read.readUInt16LE(2 * ((y - y0) * width + x - x0))).toBe(cell);
        }
      }
      expect(compared).toBe(5 * width);
    }
  },
);

function hasGdal(): boolean {
  try {
    execFileSync("gdal_translate", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return process.env.CI !== undefined;
  }
}

test("after `clean`, a field of a finite layer is refused, and others are exported", async () => {
  const fields = WORLD.fields?.filter(({ name }) => name === "hills" || name === "early");
  const { job, folder, remove } = await finishedJob({ world: { ...WORLD, fields }, seed: "moria", extent });
  job.clean();
  await exportJob(job, "heights", { to: join(folder, "heights"), field: "hills" });
  const { code } = await rejectionOf(exportJob(job, "heights", { to: join(folder, "heights"), field: "early" }));
  expect(code).toBe("job.damaged");
  await remove();
});

describe("wrong calls are refused", () => {
  test.each([
    ["another field", { field: "seas" }],
    ["a field and a layer", { field: "hills", layer: "woods" }],
    ["numbers of a field", { field: "hills", show: "visits" }],
    ["first visits that are not kept", { layer: "woods", show: "firstVisits" }],
    ["another number", { layer: "woods", show: "steps" }],
    ["a distance above 255", { layer: "woods", show: "distance", most: 256 }],
    ["a side of 2ⁿ", { field: "hills", tileSide: 64 }],
    ["a side above 4,097", { field: "hills", tileSide: 8193 }],
  ])("%s", async (_, options) => {
    const { code } = await rejectionOf(exportJob(made.job, "heights", { to: at("refused"), ...(options as object) }));
    expect(code).toBe("argument.range");
  });
});

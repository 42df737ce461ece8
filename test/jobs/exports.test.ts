import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join, sep } from "node:path";
import { decode } from "fast-png";
import { asyncBufferFromFile, parquetReadObjects } from "hyparquet";
import { PMTiles } from "pmtiles";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import * as zarrita from "zarrita";
import { exportSource } from "../../src/jobs/exports/source.js";
import { openPart, putPart } from "../../src/jobs/folder/part.js";
import { createJob, type ExportName, exportJob, openJob, startJob } from "../../src/jobs/index.js";
import { EXPORT_NAMES } from "../../src/jobs/types.js";
import { rejectionOf } from "../refusal.js";
import { EXTENT, type FinishedJob, finishedJob, JOB, leavesOf, valuesIn, WINDOW, windowOf } from "./exportedJob.js";

let made: FinishedJob;
beforeAll(async () => {
  made = await finishedJob();
});
afterAll(() => made.remove());

const at = (name: string) => join(made.folder, name);
const own = windowOf(EXTENT);
/** Cuts a window from row-major cells of the whole job. */
function cut<T extends Uint8Array | Uint32Array>(cells: T, { row0, col0, rows, cols } = WINDOW): number[] {
  return Array.from({ length: rows }, (_, r) => {
    const from = (row0 + r - EXTENT.row0) * EXTENT.cols + col0 - EXTENT.col0;
    return [...cells.subarray(from, from + cols)];
  }).flat();
}

/** A source of `pmtiles`, which caches directories by the key. */
function bytesOf(file: Buffer, key: string) {
  const slice = (from: number, length: number) => Uint8Array.from(file.subarray(from, from + length)).buffer;
  return {
    getKey: () => key,
    getBytes: async (from: number, length: number) => ({ data: slice(from, length) }),
  };
}

describe.each([
  ["the whole job", undefined, EXTENT],
  ["a window", WINDOW, WINDOW],
])("%s", (_, window, cells) => {
  test("npy: the terrain, and the visits of a layer, as the library makes them", async () => {
    await exportJob(made.job, "npy", { to: at("t.npy"), window });
    await exportJob(made.job, "npy", { to: at("v.npy"), window, layer: "woods" });
    const [terrain, visits] = [await npy("t.npy"), await npy("v.npy")];
    expect(terrain.header).toContain(`'|u1', 'fortran_order': False, 'shape': (${cells.rows}, ${cells.cols})`);
    expect([...terrain.data]).toEqual(cut(own.terrain, cells));
    expect(visits.header).toContain("'<u4'");
    expect([...new Uint32Array(Uint8Array.from(visits.data).buffer)]).toEqual(cut(own.visits("woods"), cells));
  });

  test("zarr: zarrita reads every array, with its origin, the terrains, the seed and the digest", async () => {
    await exportJob(made.job, "zarr", { to: at(`map${cells.rows}.zarr`), window });
    const group = await zarrita.open(filesIn(at(`map${cells.rows}.zarr`)), { kind: "group" });
    expect(group.attrs).toMatchObject({
      origin: [cells.row0, cells.col0],
      seed: "moria",
      digest: made.result.digest,
      terrains: [{ name: "crystal", color: [181, 139, 224] }, { name: "land" }, { name: "wood" }, { name: "sea" }],
    });
    for (const [path, wanted] of [
      ["terrain", own.terrain],
      ["visits/land", own.visits("land")],
      ["visits/woods", own.visits("woods")],
    ] as const) {
      const array = await zarrita.open(group.resolve(path), { kind: "array" });
      expect(array.attrs).toEqual({ origin: [cells.row0, cells.col0] });
      const { data, shape } = await zarrita.get(array);
      expect(shape).toEqual([cells.rows, cells.cols]);
      expect([...(data as Uint32Array)]).toEqual(cut(wanted, cells));
    }
  });

  test("parquet and csv: the placements with their contents, in the order of sectors", async () => {
    await exportJob(made.job, "parquet", { to: at("p.parquet"), window });
    await exportJob(made.job, "csv", { to: at("p.csv"), window });
    const rows = await parquetReadObjects({ file: await asyncBufferFromFile(at("p.parquet")) });
    const inside = ({ row, col }: { row: number; col: number }) =>
      row >= cells.row0 && row < cells.row0 + cells.rows && col >= cells.col0 && col < cells.col0 + cells.cols;
    const wanted = [...own.placements].filter(inside);
    const keyOf = ({ row, col, kind }: Record<string, unknown>) => `${row} ${col} ${kind}`;
    expect(rows.map(keyOf).toSorted()).toEqual(wanted.map((one) => keyOf({ ...one })).toSorted());
    const contents = new Map(rows.map((row) => [keyOf(row), row.content]));
    for (const one of wanted) {
      const content = contents.get(keyOf({ ...one }));
      // only a job draws relics
      if (one.kind === "relic") expect(["key", "ring"]).toContain(JSON.parse(content));
      else if (one.kind === "camp") {
        const { relic, ...others } = JSON.parse(content);
        expect(["key", "ring"]).toContain(relic);
        expect(others).toEqual(one.content);
      } else expect(content).toBe(one.content === undefined ? "" : JSON.stringify(one.content));
    }
    const lines = (await readFile(at("p.csv"), "utf8")).trimEnd().split("\n");
    expect(lines).toHaveLength(rows.length + 1);
    expect(lines[0]).toBe("row,col,kind,content");
  });

  test("tiles: the deepest zoom has a pixel for each cell, and the page names only tiles", async () => {
    const folder = at(`tiles${cells.rows}`);
    await exportJob(made.job, "tiles", { to: folder, window });
    const deepest = Math.max(...(await readdir(folder)).filter((name) => /^\d+$/.test(name)).map(Number));
    const colors = own.terrains.map(({ color }) => color.join());
    const shown = cut(own.terrain, cells).map((terrain) => colors[terrain]);
    const seen = new Array<string>(shown.length);
    for (const x of await readdir(join(folder, `${deepest}`))) {
      for (const name of await readdir(join(folder, `${deepest}`, x))) {
        const tile = decode(await readFile(join(folder, `${deepest}`, x, name)));
        expect([tile.width, tile.height]).toEqual([256, 256]);
        for (let i = 0; i < 256 * 256; i++) {
          const [row, col] = [256 * Number.parseInt(name, 10) + (i >> 8), 256 * Number(x) + (i & 255)];
          if (row < cells.rows && col < cells.cols) {
            seen[row * cells.cols + col] = tile.palette?.[tile.data[i]].slice(0, 3).join() ?? "";
          }
        }
      }
    }
    expect(seen).toEqual(shown);
    expect(await readFile(join(folder, "0", "0", "0.png"))).toBeDefined();
    expect(await readFile(join(folder, "index.html"), "utf8")).not.toMatch(/https?:/);
  });

  test("pmtiles: pmtiles reads the tiles of the folder, and no others", async () => {
    const folder = at(`tilesAgain${cells.rows}`);
    await exportJob(made.job, "tiles", { to: folder, window });
    await exportJob(made.job, "pmtiles", { to: at("map.pmtiles"), window });
    const reader = new PMTiles(bytesOf(await readFile(at("map.pmtiles")), folder));
    const { numAddressedTiles } = await reader.getHeader();
    const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".png"));
    expect(names).toHaveLength(numAddressedTiles);
    for (const name of names) {
      const [z, x, y] = name.split(sep).map((part) => Number.parseInt(part, 10));
      const tile = await reader.getZxy(z, x, y);
      const png = await readFile(join(folder, name));
      // only the files have the chunk with their sum, of 44 bytes
      const picture = Buffer.concat([png.subarray(0, 33), png.subarray(33 + 44)]);
      expect(Buffer.from(tile?.data ?? new ArrayBuffer(0))).toEqual(picture);
    }
    const legend = made.job.opened.spec.terrains.map(({ name, color }) => ({ name, color }));
    expect(await reader.getMetadata()).toMatchObject({ ...cells, digest: made.result.digest, legend });
    expect(await readFile(at("map-viewer.html"), "utf8")).toContain('"archive":"map.pmtiles"');
    expect((await readdir(made.folder)).filter((name) => name.startsWith("."))).toEqual([]);
  });
});

test("tiles can be upright, and show placements in the colours of their kinds", async () => {
  await exportJob(made.job, "pmtiles", { to: at("upright.pmtiles"), window: WINDOW, upright: true, marks: true });
  const reader = new PMTiles(bytesOf(await readFile(at("upright.pmtiles")), "upright"));
  const { terrains, placements } = made.job.opened.spec;
  const legend = [...terrains, ...placements].map(({ name, color }) => ({ name, color }));
  const col0 = WINDOW.col0 + Math.floor(WINDOW.row0 / 2);
  const cols = WINDOW.cols + 48;
  expect(await reader.getMetadata()).toMatchObject({ ...WINDOW, col0, cols, coordinates: "odd-r", legend });
  const wanted = new Map<string, string>();
  const show = (row: number, col: number, color: readonly number[]) =>
    wanted.set(`${row - WINDOW.row0} ${col + Math.floor(row / 2) - col0}`, [...color, 255].join());
  for (const [i, terrain] of cut(own.terrain).entries()) {
    show(WINDOW.row0 + Math.floor(i / WINDOW.cols), WINDOW.col0 + (i % WINDOW.cols), terrains[terrain].color);
  }
  const isInside = (row: number, col: number) =>
    row >= WINDOW.row0 && row < WINDOW.row0 + WINDOW.rows && col >= WINDOW.col0 && col < WINDOW.col0 + WINDOW.cols;
  for (const { row, col, kind } of own.placements) {
    if (isInside(row, col)) show(row, col, placements.find(({ name }) => name === kind)?.color ?? []);
  }
  const { data, palette } = decode(new Uint8Array((await reader.getZxy(0, 0, 0))?.data ?? new ArrayBuffer(0)));
  for (let i = 0; i < 256 ** 2; i++) {
    const color = wanted.get(`${i >> 8} ${i & 255}`) ?? "0,0,0,0";
    if (palette?.[data[i]].join() !== color) throw new Error(`pixel ${i & 255}, ${i >> 8} is not ${color}`);
  }
  expect(await readFile(at("upright-viewer.html"), "utf8")).toContain(`"col0":${col0},`);
});

test("pmtiles: equal tiles are stored once", async () => {
  const layers = [{ name: "walk", preset: "five-ways", steps: 1 }] as const;
  const world = { name: "sea", layers, terrain: [{ terrain: "sea" }] };
  const sea = await finishedJob({ world, seed: "moria", extent: { row0: 0, col0: 0, rows: 1024, cols: 512 } });
  await exportJob(sea.job, "pmtiles", { to: join(sea.folder, "sea.pmtiles") });
  const file = await readFile(join(sea.folder, "sea.pmtiles"));
  const header = await new PMTiles(bytesOf(file, "sea")).getHeader();
  // the upper zooms show the sea in their western half only
  expect(header).toMatchObject({ maxZoom: 2, numAddressedTiles: 8 + 2 + 1, numTileContents: 2 });
  await sea.remove();
});

test("png: as world.picture draws it, and reduced to the longest side", async () => {
  await exportJob(made.job, "png", { to: at("a.png"), maxSide: 300 });
  const picture = decode(await readFile(at("a.png")));
  expect(Math.max(picture.width, picture.height)).toBeLessThanOrEqual(300);
  await exportJob(made.job, "png", { to: at("b.png"), window: WINDOW, darken: ["land"] });
  await exportJob(made.job, "png", { to: at("c.png"), window: WINDOW });
  await exportJob(made.job, "png", { to: at("themed.png"), window: WINDOW, theme: "night" });
  expect(await readFile(at("themed.png"))).not.toEqual(await readFile(at("c.png")));
  expect(await readFile(at("b.png"))).not.toEqual(await readFile(at("c.png")));
});

test("tiled: the file is JSON, with a layer for each kind of cells and of placements", async () => {
  await exportJob(made.job, "tiled", { to: at("map.tmj") });
  const map = JSON.parse(await readFile(at("map.tmj"), "utf8"));
  const layers = map.layers.map(({ name }: { name: string }) => name);
  expect(layers.join()).toBe("terrain,land,woods,stores,beast,relic,blade,cairn,camp");
  const counts = map.layers.slice(3).map(({ objects }: { objects: unknown[] }) => objects.length);
  expect(counts).toEqual(Object.values(made.result.totals.placements));
  const image = decode(await readFile(at(map.tilesets[0].image)));
  expect([image.width, image.height]).toEqual([map.tilesets[0].imagewidth, map.tilesets[0].imageheight]);
});

test("a content that the world cannot make is damage of the part (report, tiled)", async () => {
  const folder = at("odd");
  await cp(made.job.folder, folder, { recursive: true });
  const { opened } = await openJob(folder);
  const [name] = opened.store.list("parts/cells");
  const part = openPart(opened, name) ?? expect.unreachable();
  const lines = `${Buffer.from(part.section("contents") ?? [])}`.replaceAll(/.+/g, "{");
  const sections = part.sections.map((of) => {
    return { name: of, bytes: of === "contents" ? Buffer.from(lines) : (part.section(of) ?? expect.unreachable()) };
  });
  putPart(opened, name, sections, () => part.meta as object);
  for (const kind of ["report", "tiled"] as const) {
    const { issues } = await rejectionOf(exportJob(await openJob(folder), kind, { to: at(`odd-${kind}`) }));
    expect(issues).toMatchObject([{ code: "job.damaged" }]);
  }
});

test("tiled: a point has its cell, its size, its facing and its content as properties", async () => {
  await exportJob(made.job, "tiled", { to: at("points.tmj") });
  const placements = new Map([...own.placements].map((one) => [`${one.row} ${one.col} ${one.kind}`, one]));
  const { layers } = JSON.parse(await readFile(at("points.tmj"), "utf8"));
  for (const { name, objects } of layers.slice(3)) {
    for (const { properties } of objects) {
      const { row, col, ...given } = valuesIn(properties);
      const { content } = placements.get(`${row} ${col} ${name}`) ?? {};
      const { "content.relic": relic, ...others } = given;
      // only a job draws relics
      if (name === "relic" || name === "camp") expect(["key", "ring"]).toContain(relic ?? given.content);
      if (name !== "relic") expect(others).toEqual(leavesOf("content", content));
      placements.delete(`${row} ${col} ${name}`);
    }
  }
  expect(placements.size).toBe(0);
});

test("tiled: an infinite map, and a world of several maps, have the cells of the finite one", async () => {
  await exportJob(made.job, "tiled", { to: at("infinite.tmj"), infinite: true, encoding: "csv" });
  await exportJob(made.job, "tiled", { to: at("isle.world"), encoding: "csv" });
  const infinite = JSON.parse(await readFile(at("infinite.tmj"), "utf8"));
  expect(tilesOf(infinite, infinite.layers[0].chunks)).toEqual(own.terrain);
  const { maps } = JSON.parse(await readFile(at("isle.world"), "utf8"));
  const names = maps.map(({ fileName }: { fileName: string }) => fileName);
  expect(names).toEqual(["-1_-1", "-1_0", "0_-1", "0_0"].map((sector) => `isle-${sector}.tmj`));
  const parts = await Promise.all(names.map(async (name: string) => JSON.parse(await readFile(at(name), "utf8"))));
  const all = new Uint8Array(own.terrain.length);
  for (const part of parts) {
    const { width, height, layers } = part;
    const tiles = tilesOf(part, [{ x: 0, y: 0, width, height, data: layers[0].data }]);
    for (const [i, tile] of tiles.entries()) if (tile !== 255) all[i] = tile;
  }
  expect(all).toEqual(own.terrain);
  const counts = infinite.layers.slice(3).map(({ objects }: { objects: unknown[] }) => objects.length);
  const sums = counts.map((_: number, i: number) =>
    parts.reduce((sum, { layers }) => sum + layers[3 + i].objects.length, 0),
  );
  expect(sums).toEqual(counts);
});

interface WrittenChunk {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly data: readonly number[];
}

/** The terrain of each cell of the job, or 255. */
function tilesOf({ properties }: { properties?: unknown }, chunks: readonly WrittenChunk[]): Uint8Array {
  const { x0 = 0, y0 = 0 } = valuesIn(properties) as Record<string, number>;
  const terrain = new Uint8Array(EXTENT.rows * EXTENT.cols).fill(255);
  for (const { x, y, width, data } of chunks) {
    for (const [i, tile] of data.entries()) {
      const row = y + y0 + Math.floor(i / width);
      const col = x + x0 + (i % width) - Math.floor(row / 2);
      if (tile !== 0) terrain[(row - EXTENT.row0) * EXTENT.cols + col - EXTENT.col0] = tile - 1;
    }
  }
  return terrain;
}

test.skipIf(!hasTiled())(
  "tiled: Tiled itself draws the map",
  async () => {
    await exportJob(made.job, "tiled", { to: at("drawn.tmj"), window: WINDOW });
    const env = { ...process.env, QT_QPA_PLATFORM: "offscreen" };
    execFileSync("tmxrasterizer", [at("drawn.tmj"), at("drawn.png")], { env, stdio: "ignore" });
    const { width, height } = decode(await readFile(at("drawn.png")));
    expect(width).toBeGreaterThanOrEqual(28 * WINDOW.cols);
    expect(height).toBeGreaterThanOrEqual(24 * WINDOW.rows);
  },
  60_000,
);

function hasTiled(): boolean {
  try {
    execFileSync("which", ["tmxrasterizer"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe("exports of a spec", () => {
  test("are made in the folder of the job at its end, and are not part of its digest", async () => {
    const { job, result, remove } = await finishedJob({ ...JOB, exports: EXPORT_NAMES });
    expect(result.digest).toBe(made.result.digest);
    expect(job.status().exports).toEqual(EXPORT_NAMES.map((kind) => expect.objectContaining({ kind, done: true })));
    expect((await readdir(join(job.folder, "exports"))).sort().join()).toBe(
      "heights,map-tiles.png,map-viewer.html,map.pmtiles,map.tmj,map.zarr,placements.csv,placements.parquet,preview.png,report.html,terrain.npy,tiles",
    );
    expect(job.verify()).toEqual([]);
    await remove();
  });

  test("an export that fails does not spoil the result; the next run makes it", async () => {
    const folder = at("failing");
    await mkdir(join(folder, "exports", "preview.png"), { recursive: true });
    const result = await startJob(folder, { ...JOB, exports: ["png", "csv"] }, { threads: 1 });
    expect(result?.digest).toBe(made.result.digest);
    const job = await openJob(folder);
    expect(job.status().exports).toEqual([
      { kind: "png", done: false, main: join(folder, "exports", "preview.png") },
      { kind: "csv", done: true, main: join(folder, "exports", "placements.csv") },
    ]);
    expect(await readFile(join(folder, "events.ndjson"), "utf8")).toContain('"event":"export failed"');
    await rm(join(folder, "exports", "preview.png"), { recursive: true });
    await job.run({ threads: 1 });
    expect(job.status().exports[0].done).toBe(true);
  });
});

describe("wrong calls are refused", () => {
  const outside = { ...EXTENT, rows: EXTENT.rows + 1 };
  test.each([
    ["another kind", "gif", {}, "argument.range"],
    ["an option of another export", "csv", { layer: "land" }, "argument.option"],
    ["marks that are no flag", "tiles", { marks: 1 as never }, "argument.type"],
    ["upright rows of a picture", "png", { upright: true }, "argument.option"],
    ["a window of a report", "report", { window: WINDOW }, "argument.option"],
    ["a window outside the job", "npy", { window: outside }, "argument.range"],
    ["a layer that is not there", "npy", { layer: "lava" }, "argument.range"],
    ["a layer that is not there", "png", { darken: ["land", "lava"] }, "argument.range"],
    ["an encoding of a picture", "png", { encoding: "csv" as const }, "argument.option"],
    ["an unknown encoding", "tiled", { encoding: "gzip" as never }, "argument.range"],
    ["a map that is perhaps infinite", "tiled", { infinite: 1 as never }, "argument.type"],
    ["an infinite map of a world", "tiled", { infinite: true, to: "isle.world" }, "argument.type"],
    ["an unknown theme", "png", { theme: "noir" as never }, "argument.range"],
    ["layers that are no list", "png", { lighten: new Uint32Array(1) as never }, "argument.type"],
    ["a path with a null byte", "csv", { to: "a\0.csv" }, "argument.type"],
    ["a folder that is not there", "csv", { to: "/no/such/folder/a.csv" }, "file.write"],
  ])("%s", async (_, kind, options, code) => {
    const error = await rejectionOf(exportJob(made.job, kind as ExportName, options));
    expect(error).toMatchObject({ code });
  });

  test.each<[string, unknown]>([
    ["nothing", undefined],
    ["the fields of a job", { folder: "isle", opened: {} }],
    ["a proxy of a job", () => new Proxy(made.job, {})],
  ])("%s in place of a job", async (_, given) => {
    const job = typeof given === "function" ? given() : given;
    expect(await rejectionOf(exportJob(job, "csv"))).toMatchObject({ code: "argument.type" });
  });

  test("a layer that the job does not keep", async () => {
    const { job, remove } = await finishedJob({ ...JOB, visits: ["land"] });
    const error = await rejectionOf(exportJob(job, "npy", { layer: "woods" }));
    expect(error).toMatchObject({ code: "argument.range" });
    await remove();
  });

  test("an aborted signal ends an export, which leaves no file", async () => {
    const stop = new AbortController();
    stop.abort(new Error("enough"));
    await expect(exportJob(made.job, "csv", { to: at("none.csv"), signal: stop.signal })).rejects.toThrow("enough");
    expect(await readdir(made.folder)).not.toContain("none.csv");
  });

  test("a job that is not finished", async () => {
    const job = await createJob(at("open"), JOB);
    expect(await rejectionOf(exportJob(job, "csv"))).toMatchObject({ code: "job.task" });
  });
});

test("an export reads the placements of a sector once, although each kind needs them", () => {
  const source = exportSource(made.job.opened, made.result);
  const read = vi.spyOn(source.job.store, "read");
  const first = [...source.placements()].map(({ rows }) => rows.length);
  const reads = read.mock.calls.length;
  expect(reads).toBeGreaterThan(0);
  expect([...source.placements()].map(({ rows }) => rows.length)).toEqual(first);
  expect(read.mock.calls.length).toBe(reads);
  read.mockRestore();
});

async function npy(name: string): Promise<{ header: string; data: Buffer }> {
  const file = await readFile(at(name));
  const length = 10 + file.readUInt16LE(8);
  expect(length % 64).toBe(0);
  return { header: file.toString("latin1", 10, length), data: file.subarray(length) };
}

/** A folder as a store of zarrita. */
function filesIn(folder: string) {
  const read = async (key: string) => {
    const bytes = await readFile(join(folder, key)).catch(() => undefined);
    return bytes === undefined ? undefined : new Uint8Array(bytes);
  };
  return {
    get: read,
    getRange: async (key: string, range: { suffixLength: number } | { offset: number; length: number }) => {
      const file = await read(key);
      if ("suffixLength" in range) return file?.slice(-range.suffixLength);
      return file?.slice(range.offset, range.offset + range.length);
    },
  };
}

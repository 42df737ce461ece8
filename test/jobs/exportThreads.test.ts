import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { WriteOptions } from "../../src/jobs/exports/source.js";
import type { ExportName, Job } from "../../src/jobs/index.js";
import { EXTENT, WINDOW, WORLD } from "./exportedJob.js";
import { built, RollmillError, ThreadRunner } from "./jobFolder.js";

const { exportJob, openJob, startJob } = await built<typeof import("../../src/jobs/index.js")>("jobs/index.js");
const { EXPORTERS } = await built<typeof import("../../src/jobs/exports/exporters.js")>("jobs/exports/exporters.js");
const { madeHere, madeIn } = await built<typeof import("../../src/jobs/exports/pieces.js")>("jobs/exports/pieces.js");
const { exportSource } = await built<typeof import("../../src/jobs/exports/source.js")>("jobs/exports/source.js");
const { pngPieces } = await built<typeof import("../../src/jobs/exports/png.js")>("jobs/exports/png.js");

let folder: string;
let job: Job;
const runners = new Map<number, InstanceType<typeof ThreadRunner>>();
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "rollmill-exports-"));
  const fields = [{ name: "height", kind: "noise", scale: 32 }] as const;
  const spec = { name: "shelf", world: { ...WORLD, fields }, seed: "moria", extent: EXTENT };
  await startJob(at("job"), spec, { threads: 1 });
  job = await openJob(at("job"));
});
afterAll(async () => {
  for (const runner of runners.values()) await runner.close();
  await rm(folder, { recursive: true, force: true });
});

function sourceOf(window: typeof EXTENT, { opened, result } = job) {
  if (result === undefined) throw new Error("the job is not finished");
  return exportSource(opened, result, { window });
}

/** A function that lets so many threads make the pieces of an export; the calling thread for 0. */
function makerOf(
  threads: number,
  { kind, window, options }: { kind: ExportName; window: typeof EXTENT; options: WriteOptions },
  signal?: AbortSignal,
) {
  if (threads === 0) return madeHere;
  const limits = { threads, maxMemory: threads * 2 ** 28, nice: false };
  const runner = runners.get(threads) ?? new ThreadRunner(job.opened, limits);
  runners.set(threads, runner);
  const part = { kind: "export", name: `export ${kind}`, export: kind, to: "", window, options } as const;
  return madeIn(runner, part, signal);
}

/** The files in a folder by path. */
function filesIn(place: string): ReadonlyMap<string, string> {
  const entries = readdirSync(place, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = entries.map(({ parentPath, name }) => join(parentPath, name)).sort();
  return new Map(paths.map((path) => [path.slice(place.length), readFileSync(path, "base64")]));
}

test.each<[ExportName, string, WriteOptions]>([
  ["tiles", "tiles", {}],
  ["tiles", "upright", { upright: true, marks: true }],
  ["pmtiles", "map.pmtiles", { marks: true }],
  ["tiled", "map.tmj", { infinite: true }],
  ["heights", "field", { field: "height" }],
  ["heights", "layer", { layer: "woods", show: "distance", most: 9, tileSide: 257 }],
  ["zarr", "map.zarr", {}],
])("%s: the same files in 0 … 3 threads (%s)", async (kind, name, options) => {
  const written = [];
  for (const threads of [0, 1, 2, 3]) {
    const to = await mkdtemp(at(`${threads}-`));
    const make = makerOf(threads, { kind, window: EXTENT, options });
    await EXPORTERS[kind].write(sourceOf(EXTENT), join(to, name), options, make);
    written.push(filesIn(to));
  }
  expect(written[0].size).toBeGreaterThan(0);
  for (const files of written) expect(files).toEqual(written[0]);
});

describe("png: each pixel is the most common terrain of its square, the first one after a tie", () => {
  test.each([
    [8, EXTENT],
    [4, WINDOW],
    [3, WINDOW],
    [50, EXTENT],
  ])("of side %i", async (side, window) => {
    const { rows, cols } = window;
    const cells = sourceOf(window).terrain(window);
    const [height, width] = [Math.ceil(rows / side), Math.ceil(cols / side)];
    const wanted = Array.from({ length: height * width }, (_, pixel) => {
      const [y, x] = [Math.floor(pixel / width) * side, (pixel % width) * side];
      const counts = new Array<number>(WORLD.terrain?.length ?? 0).fill(0);
      for (let r = y; r < Math.min(rows, y + side); r++) {
        for (let c = x; c < Math.min(cols, x + side); c++) counts[cells[r * cols + c]]++;
      }
      return counts.indexOf(Math.max(...counts));
    });
    // the side of a square follows from the longest side
    const options = { maxSide: Math.ceil(Math.max(rows, cols) / side) };
    for (const threads of [0, 2]) {
      const bands = [];
      const make = makerOf(threads, { kind: "png", window, options });
      for await (const band of make(pngPieces(sourceOf(window), options))) bands.push(...band);
      expect(bands).toEqual(wanted);
    }
  });
});

test("an aborted signal ends the threads' work; nothing is half-written", async () => {
  const stop = new AbortController();
  const make = makerOf(2, { kind: "zarr", window: EXTENT, options: {} }, stop.signal);
  const onProgress = () => stop.abort("enough");
  const write = EXPORTERS.zarr.write(sourceOf(EXTENT), at("half.zarr"), { signal: stop.signal, onProgress }, make);
  await expect(write).rejects.toBe("enough");
  const names = [...filesIn(at("half.zarr")).keys()];
  expect(names).toHaveLength(1);
  expect(names[0]).toMatch(/^\/terrain\/c\//);
});

test("a damaged part is reported as such by a thread", async () => {
  const part = join(job.folder, "parts", "cells", "-1_0.part");
  const bytes = readFileSync(part);
  const flipped = Buffer.from(bytes);
  flipped[40] ^= 1;
  writeFileSync(part, flipped);
  try {
    const make = makerOf(2, { kind: "zarr", window: WINDOW, options: {} });
    const thrown = await EXPORTERS.zarr.write(sourceOf(WINDOW), at("no.zarr"), {}, make).catch((cause) => cause);
    expect(thrown).toBeInstanceOf(RollmillError);
    expect(thrown).toMatchObject({ code: "job.damaged", issues: [{ where: { file: part } }] });
  } finally {
    writeFileSync(part, bytes);
  }
});

test("exports of more than 2²⁴ cells start threads, also at the end of a job", async () => {
  const started: Worker[] = [];
  const onWorker = (worker: Worker) => started.push(worker);
  const layers = [{ name: "boat", preset: "uniform", steps: 9 }] as const;
  const terrain = [{ terrain: "wake", when: { boat: { visits: [1, null] } } }, { terrain: "sea" }] as const;
  const extent = { row0: -3, col0: 0, rows: 4097, cols: 4097 };
  const spec = { name: "sea", world: { layers, terrain }, seed: "moria", extent, exports: ["png"] } as const;
  process.on("worker", onWorker);
  try {
    await startJob(at("sea"), spec, { threads: 2 });
    // two for the tasks of the job, two for its export
    expect(started.splice(0)).toHaveLength(4);
    const sea = await openJob(at("sea"));
    const made = [readFileSync(join(sea.folder, "exports", "preview.png"))];
    for (const threads of [1, 2]) made.push(readFileSync((await exportJob(sea, "png", { threads })).to));
    expect(started).toHaveLength(2);
    for (const png of made) expect(png.equals(made[0])).toBe(true);
    await expect(exportJob(sea, "png", { threads: 0 })).rejects.toThrow(/"threads"/);
  } finally {
    process.off("worker", onWorker);
  }
});

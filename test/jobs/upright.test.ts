import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { exportJob, type JobInput, openJob, parseJob, startJob } from "../../src/jobs/index.js";
import { axialToOddR } from "../../src/walks/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { cellsOf } from "../walks/cases.js";
import { finished, MIXED, newFolder, newJob, REACHED, SCATTERED, SEED, SMALL, worldDigest } from "./samples.js";

/** Jobs of unbounded odd-r worlds: digests, extents and exports. */
const grid = { kind: "unbounded", coordinates: "odd-r" } as const;

function upright({ world, ...job }: JobInput): JobInput {
  const { layers, ...rest } = world as WorldInput;
  const starting = layers.map((layer) =>
    layer.name === "reefs" ? { ...layer, start: [[-850, -20] as const] } : layer,
  );
  return { ...job, world: { ...rest, grid, layers: starting } };
}

test.each([
  ["finite layers, reached cells", REACHED],
  ["scattered layers", SCATTERED],
  ["both kinds of layers", MIXED],
])("%s: the digest is that of the world", async (_, input) => {
  const job = upright(input);
  const one = await finished(startJob(newFolder(), job, { ...SMALL, seed: SEED }));
  expect(one.world).toBe(worldDigest(job, one));
  expect(one.totals.cells).toBe(one.extent.rows * one.extent.cols);
});

test("the reached cells are those of the converted walk, without an empty row or column at an edge", async () => {
  const { extent } = await finished((await newJob(upright(REACHED))).run(SMALL));
  const { layers } = REACHED.world as WorldInput;
  const [{ map }] = createMill({ seed: SEED }).walk("world", { layers }).run().layers;
  const cells = cellsOf(map).map(({ row, col }) => axialToOddR([row, col]));
  const [rows, cols] = [cells.map(([row]) => row), cells.map(([, col]) => col)];
  const [row0, col0] = [Math.min(...rows), Math.min(...cols)];
  expect(extent).toEqual({ row0, col0, rows: Math.max(...rows) - row0 + 1, cols: Math.max(...cols) - col0 + 1 });
});

test("the steps are those of the regions with cells of the extent", async () => {
  const { totals, extent } = await finished((await newJob(upright(SCATTERED))).run(SMALL));
  const regions = new Set<string>();
  for (let row = extent.row0; row < extent.row0 + extent.rows; row++) {
    for (let col = extent.col0; col < extent.col0 + extent.cols; col++) {
      regions.add(`${row >> 8},${(col - (row >> 1)) >> 8}`);
    }
  }
  expect(totals.steps).toBe(regions.size * 5 * 200);
});

test("exports have odd-r coordinates", async () => {
  const folder = newFolder();
  await finished(startJob(folder, upright(SCATTERED), { ...SMALL, seed: SEED }));
  const zarr = await exportJob(await openJob(folder), "zarr");
  const head = JSON.parse(readFileSync(join(zarr.to, "zarr.json"), "utf8"));
  expect(head.attributes).toMatchObject({ coordinates: "odd-r", origin: [-1040, -37] });
});

test("an extent beyond the last columns is refused", () => {
  const extent = { row0: 0, col0: 2 ** 30 - 4, rows: 9, cols: 9 };
  expect(parseJob({ ...upright(SCATTERED), extent }).issues).toEqual([]);
  return expect(newJob({ ...upright(SCATTERED), extent })).rejects.toMatchObject({ code: "job.spec" });
});

// Files of a map of 4096 × 4096 cells, written to memory: Zarr arrays, pictures and maps of Tiled. Then exports of a job.

import { inflateSync } from "node:zlib";
import { decode } from "fast-png";
import { get, open } from "zarrita";
import { median } from "../harness.mjs";
import { countsOf, exportedMap, SECTOR, SIDE, sectorsOf, TERRAINS } from "../inputs/exports.mjs";
import { exporters } from "../ours.mjs";
import { jobExports } from "./jobExports.mjs";

/** Least number of files in a turn. A file takes a few tenths of a second. */
const LEAST_FILES = 3;

export const exports = {
  name: "exports",
  unit: "cell",
  cases: [
    { name: `zarr visits ${SIDE}`, open: () => openZarr("visits") },
    { name: `zarr terrain ${SIDE}`, open: () => openZarr("terrain") },
    { name: `png ${SIDE}`, open: openPng },
    { name: `tiled ${SIDE}`, open: openTiled },
    ...jobExports,
  ],
};

/** The law of a case is the share of the cells of each terrain, or with each number of visits. */
function opened(cells, contenders) {
  const counts = countsOf(cells);
  return { law: counts.map((count) => count / cells.length), draws: cells.length, contenders };
}

async function openZarr(layer) {
  const { [layer]: cells } = exportedMap();
  const { zarr } = await exporters();
  const { zarritaFiles } = await import("../rivals/npm/exports.mjs");
  // a job makes a map shard by shard
  const shards = [...sectorsOf(cells)];
  const read = async (files) => countsOf((await get(await open.v3(storeOf(files), { kind: "array" }))).data);
  return opened(cells, [
    writer("rollmill", () => zarr(shards, SIDE), { size: sizeOf, read }),
    { ...writer("zarrita", () => zarritaFiles(cells, SIDE), { size: sizeOf, read }), npm: true },
  ]);
}

async function openPng() {
  const { terrain } = exportedMap();
  const { png } = await exporters();
  const { fastPng } = await import("../rivals/npm/exports.mjs");
  return opened(terrain, [
    writer("rollmill", () => png(terrain, SIDE), PICTURE),
    { ...writer("fast-png", () => fastPng(terrain, SIDE), PICTURE), npm: true },
  ]);
}

async function openTiled() {
  const { terrain } = exportedMap();
  const { png, tiled } = await exporters();
  const sectors = Array.from(sectorsOf(terrain), ({ row, col, cells }) => ({
    row0: row,
    col0: col,
    rows: SECTOR,
    cols: SECTOR,
    cells,
  }));
  return opened(terrain, [
    writer("rollmill", () => tiled(sectors, TERRAINS), { size: (text) => text.length, read: tileCounts }),
    { ...writer("rollmill, png", () => png(terrain, SIDE), PICTURE), reference: true },
  ]);
}

/** A contender that writes a file, or several. */
function writer(name, write, { size, read }) {
  return {
    name,
    async time(seconds) {
      const times = [];
      const begin = performance.now();
      while (times.length < LEAST_FILES || performance.now() - begin < seconds * 1000) {
        const start = performance.now();
        const file = await write();
        times.push(performance.now() - start);
        if (!(size(file) > 0)) throw new Error(`${name} wrote nothing.`);
      }
      return (median(times) * 1e6) / SIDE ** 2;
    },
    sample: async () => read(await write()),
  };
}

const PICTURE = { size: ({ length }) => length, read: (png) => countsOf(decode(png).data) };

function sizeOf(files) {
  return [...files.values()].reduce((sum, { length }) => sum + length, 0);
}

/** Files in memory, as zarrita reads them. */
function storeOf(files) {
  return {
    get: async (path) => files.get(path),
    getRange: async (path, { suffixLength, offset, length }) =>
      suffixLength === undefined
        ? files.get(path)?.slice(offset, offset + length)
        : files.get(path)?.slice(-suffixLength),
  };
}

/** Counts the tiles of a map of Tiled. Tile k + 1 is terrain k. */
function tileCounts(text) {
  const [{ chunks }] = JSON.parse(text).layers;
  const counts = new Array(16).fill(0);
  for (const { data } of chunks) {
    const bytes = inflateSync(Buffer.from(data, "base64"));
    const tiles = new Uint32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    for (const tile of tiles) counts[tile - 1]++;
  }
  return counts;
}

// Exports of a job, with what they cannot be faster than: the disk, which stores the same bytes, and the compressor alone,
// which compresses the same bytes at level 1.

import { closeSync, fsyncSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { extname, join } from "node:path";
import { deflateSync, inflateSync } from "node:zlib";
import { EXPORTED, EXPORTED_SIDE } from "../inputs/exports.mjs";
import { exportsOf, jobs, zstdFrames } from "../ours.mjs";

const PNG_HEAD = Buffer.from("\x89PNG\r\n", "latin1");
/** The exports, with their options and their compressors. */
const EXPORTS = {
  png: { zlib: picturesIn },
  tiles: { zlib: picturesIn },
  pmtiles: { to: "map.pmtiles", zlib: picturesIn },
  tiled: { to: "map.tmj", zlib: tilesIn },
  heights: { options: { layer: "hills", show: "distance" }, zlib: picturesIn },
  zarr: { zstd: zstdFrames },
  npy: {},
  parquet: {},
  csv: {},
  report: {},
};

export const jobExports = Object.entries(EXPORTS).map(([kind, how]) => {
  return { name: `${kind} of a job`, open: () => openExport(kind, how) };
});

async function openExport(kind, { to = kind, options = {}, zlib, zstd }) {
  const run = await jobs(EXPORTED);
  const folder = mkdtempSync(join(tmpdir(), "rollmill-bench-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  await run.make(join(folder, "job"), { threads: 2 });
  const write = await exportsOf(join(folder, "job"));
  const timed = (name, work) => ({ name, reference: true, time: () => nsOf(folder, work) });
  await mkdir(join(folder, "files"));
  await write(kind, { to: join(folder, "files", to), ...options });
  const files = filesIn(join(folder, "files")).map((path) => ({ path, bytes: readFileSync(path) }));
  const [pieces, frames] = await Promise.all([zlib, zstd].map((contents) => contents?.(files)));
  const contenders = [
    { ...timed("rollmill", (place) => write(kind, { to: join(place, to), ...options })), reference: false },
    timed("disk", (place) => storeAll(place, files)),
    pieces && timed("zlib", () => pieces.map((piece) => deflateSync(piece, { level: 1 }))),
    frames && timed("zstd", () => frames.encode()),
  ];
  return { law: [], draws: 0, contenders: contenders.filter(Boolean) };
}

/** The time for a cell of the job, in a new folder. */
async function nsOf(folder, work) {
  const place = await mkdtemp(join(folder, "timed-"));
  const start = performance.now();
  await work(place);
  const time = performance.now() - start;
  await rm(place, { recursive: true });
  return (time * 1e6) / EXPORTED_SIDE ** 2;
}

function storeAll(place, files) {
  for (const [k, { bytes }] of files.entries()) {
    const file = openSync(join(place, `${k}`), "w");
    writeSync(file, bytes);
    fsyncSync(file);
    closeSync(file);
  }
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
}

/** What the pictures in the files contain before they are compressed. */
function picturesIn(files) {
  return files.flatMap(({ bytes }) => {
    const pictures = [];
    for (let at = bytes.indexOf(PNG_HEAD); at >= 0; at = bytes.indexOf(PNG_HEAD, at + 8)) {
      pictures.push(inflateSync(Buffer.concat([...dataOf(bytes, at + 8)])));
    }
    return pictures;
  });
}

/** The data of the chunks of a picture. */
function* dataOf(bytes, first) {
  for (let at = first, type = ""; type !== "IEND"; ) {
    const length = bytes.readUInt32BE(at);
    type = bytes.toString("latin1", at + 4, at + 8);
    if (type === "IDAT") yield bytes.subarray(at + 8, at + 8 + length);
    at += length + 12;
  }
}

/** The tiles of the layers of a map of Tiled, before they are compressed. */
function tilesIn(files) {
  const { layers } = JSON.parse(files.find(({ path }) => extname(path) === ".tmj").bytes.toString());
  const data = layers.flatMap(({ data = [], chunks = [{ data }] }) => chunks.map((chunk) => chunk.data));
  return data.filter((text) => text.length > 0).map((text) => inflateSync(Buffer.from(text, "base64")));
}

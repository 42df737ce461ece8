import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { exportJob, type JobInput, openJob, startJob } from "../../src/jobs/index.js";

const root = mkdtempSync(join(tmpdir(), "rollmill-tiles-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const at = (...names: string[]) => join(root, ...names);

/** 2 × 2 tiles, and the tile above them, which is too coarse to show the shrine in the first tile. */
const job = ({ color = "#2f6c9e", col = 3 } = {}): JobInput => ({
  name: "isle",
  world: {
    name: "isle",
    layers: [{ name: "woods", preset: "uniform", steps: 40, scatter: { side: 128, walkers: 6 } }],
    terrain: [
      { terrain: "wood", when: { woods: { visits: [1, null] } } },
      { terrain: "sea", color },
    ],
    placements: [{ name: "shrine", at: [[3, col]] }],
  },
  extent: { row0: 0, col0: 0, rows: 512, cols: 512 },
});

async function tilesOf(name: string, spec: JobInput, from?: string): Promise<string> {
  if (readdirSync(root).includes(name)) rmSync(at(name), { recursive: true });
  await startJob(at(name), spec, { seed: "moria", threads: 1, ...(from !== undefined && { from: at(from) }) });
  const { to } = await exportJob(await openJob(at(name)), "tiles", { marks: true });
  return to;
}

const TILES = ["0/0/0.png", "1/0/0.png", "1/0/1.png", "1/1/0.png", "1/1/1.png"];
const bytesIn = (folder: string) => TILES.map((tile) => readFileSync(join(folder, tile), "base64"));
const filesIn = (folder: string) => TILES.map((tile) => statSync(join(folder, tile), { bigint: true }).ino);

test("an export keeps the tiles that are still true, and makes damaged and missing ones anew", async () => {
  const to = await tilesOf("kept", job());
  const [bytes, files] = [bytesIn(to), filesIn(to)];
  const [byte, short, missing, other, untouched] = TILES.map((tile) => join(to, tile));
  const again = async () => exportJob(await openJob(at("kept")), "tiles", { marks: true });
  await again();
  expect(filesIn(to)).toEqual(files);

  const png = readFileSync(byte);
  for (let k = 0; k < png.length; k += 7) {
    writeFileSync(byte, Buffer.from(png).fill(png[k] ^ 4, k, k + 1));
    await again();
    expect(bytesIn(to)[0] === bytes[0], `byte ${k}`).toBe(true);
  }
  writeFileSync(short, readFileSync(short).subarray(0, -12));
  rmSync(missing);
  writeFileSync(other, readFileSync(untouched));
  await again();
  expect(bytesIn(to)).toEqual(bytes);
  expect(filesIn(to)[4]).toBe(files[4]);
});

test("a job takes the tiles of an earlier job that are still true", async () => {
  const old = await tilesOf("old", job());
  const fresh = await tilesOf("fresh", job({ col: 5 }));
  expect(await tilesOf("new", job({ col: 5 }), "old").then(bytesIn)).toEqual(bytesIn(fresh));
  expect(bytesIn(old).map((tile, k) => tile === bytesIn(fresh)[k])).toEqual([true, false, true, true, true]);

  // a text behind the sum shows which tiles were taken
  const TEXT = Buffer.from("00000005744558746100626f74f0be2107", "hex");
  for (const tile of TILES) {
    const png = readFileSync(join(old, tile));
    writeFileSync(join(old, tile), Buffer.concat([png.subarray(0, -12), TEXT, png.subarray(-12)]));
  }
  const taken = async (spec: JobInput) => {
    const to = await tilesOf("new", spec, "old");
    return TILES.map((tile) => readFileSync(join(to, tile)).includes(TEXT));
  };
  expect(await taken(job({ col: 5 }))).toEqual([true, false, true, true, true]);
  expect(await taken(job({ color: "#2f6c9d" }))).toEqual([false, false, false, false, false]);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decode } from "fast-png";
import { beforeAll, describe, expect, test } from "vitest";
import { folderWith, type Outcome, rollmill } from "./rollmill.js";

const WORLD = {
  name: "isle",
  layers: [{ name: "land", preset: "five-ways", walkers: 10, steps: 3000 }],
  terrain: [{ terrain: "land", when: { land: { visits: [1, null] } } }, { terrain: "sea" }],
  placements: [{ name: "tree", density: "1/50" }],
};
const extent = { row0: 0, col0: 0, rows: 40, cols: 60 };
const cwd = folderWith({ "job.json": JSON.stringify({ world: WORLD, seed: "moria", extent }) });
const job = (line: string): Promise<Outcome> => rollmill(["job", ...line.split(" ")], { cwd });

beforeAll(async () => {
  expect((await job("start job.json out --threads 1")).code).toBe(0);
});

test("makes several exports in the folder of the job, and prints each file to stderr", async () => {
  const { code, stdout, stderr } = await job("export out --png --csv --report --max-side 50");
  expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
  expect(stderr.match(/preview\.png|placements\.csv|report\.html/g)).toHaveLength(3);
  expect(readdirSync(join(cwd, "out", "exports")).sort()).toEqual(["placements.csv", "preview.png", "report.html"]);
  const { width, height } = decode(readFileSync(join(cwd, "out", "exports", "preview.png")));
  expect(Math.max(width, height)).toBeLessThanOrEqual(50);
});

test("makes one export elsewhere: a window of a layer", async () => {
  expect((await job("export out --npy --layer land --window 5,6,14,25 -o land.npy")).code).toBe(0);
  expect(readFileSync(join(cwd, "land.npy"), "latin1")).toContain("'shape': (10, 20)");
});

test("makes a map for Tiled: infinite, and with numbers in place of base64", async () => {
  expect((await job("export out --tiled --infinite --encoding csv -o isle.tmj")).code).toBe(0);
  const { infinite, layers } = JSON.parse(readFileSync(join(cwd, "isle.tmj"), "utf8"));
  expect({ infinite, encoding: layers[0].encoding }).toEqual({ infinite: true, encoding: "csv" });
});

test("makes heights of a layer in tiles", async () => {
  expect((await job("export out --heights --layer land --show distance --most 9 --tile-side 33")).code).toBe(0);
  const scale = JSON.parse(readFileSync(join(cwd, "out", "exports", "heights", "heights.json"), "utf8"));
  expect(scale).toMatchObject({ layer: "land", show: "distance", most: 9, tiles: { side: 33, rows: 2, cols: 3 } });
});

describe("wrong calls are refused", () => {
  test.each([
    ["no export", "export out", "nothing to export"],
    ["one file for two exports", "export out --png --csv -o a.png", "-o names one file"],
    ["a layer of a picture", "export out --png --layer land", "--layer applies only to --heights or --npy"],
    ["marks of an array", "export out --npy --marks", "--marks applies only to --tiles or --pmtiles"],
    ["a field of an array", "export out --npy --field hills", "--field applies only to --heights"],
    ["heights without a field", "export out --heights --field hills", "no such field"],
    ["an encoding of a picture", "export out --png --encoding csv", "--encoding applies only to --tiled"],
    ["an infinite picture", "export out --png --infinite", "--infinite applies only to --tiled"],
    ["a size of an array", "export out --npy --max-side 9", "--max-side applies only to --png"],
    ["a window of a report", "export out --report --window 0,0,1,1", "--window does not apply to a report"],
    ["a window outside the job", "export out --npy --window 0,0,1,60", "window.cols"],
    ["a folder without a job", "export none --png", "[job.missing]"],
  ])("%s", async (_, line, message) => {
    const { code, stderr } = await job(line);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});

import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { toCsv, toNpy, toParquet, toPng } from "../../src/formats/index.js";
import { createMill, type WalkInput, type WalkMap } from "../../src/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const LAND: WalkInput = { walkers: 5, steps: 2000, preset: "five-ways" };
const WORLD: WalkInput = {
  name: "world",
  layers: [
    { name: "land", walkers: 3, steps: 3000, firstVisit: true },
    { name: "rivers", walkers: 2, steps: 400, preset: "sf66-rf33", heading: "E", start: { layer: "land" } },
  ],
};
const cwd = folderWith({
  "land.json": JSON.stringify(LAND),
  "world.json": JSON.stringify(WORLD),
  "still.json": "{}",
  "wide.json": '{"start": [[0, 0], [100000, 100000]], "walkers": 2}',
});
const run = (...args: string[]) => rollmill(["walk", "run", ...args], { cwd });
const mapOf = (name: string, input: WalkInput): WalkMap => createMill({ seed: "moria" }).walk(name, input).run();

describe("walk run", () => {
  test("--json: totals, inclusive bounds and digest, and each layer's under layers", async () => {
    const { code, stdout, stderr } = await run("world.json", "--seed", "moria", "--json");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    const summary = dataOf(stdout) as ReturnType<WalkMap["summary"]>;
    expect(summary).toEqual(mapOf("world", WORLD).summary());
    expect(Object.keys(summary)).toEqual(["cells", "steps", "visits", "maxVisits", "bounds", "digest", "layers"]);
    expect(summary).toMatchObject({ steps: 9800, visits: 3 * 3001 + 2 * 401, digest: /^[0-9a-f]{64}$/ });
    expect(summary.layers.map((layer) => Object.keys(layer))).toEqual([
      ["name", "cells", "steps", "visits", "maxVisits", "bounds", "digest", "firstVisits"],
      ["name", "cells", "steps", "visits", "maxVisits", "bounds", "digest"],
    ]);
    expect(summary.layers.map(({ name }) => name)).toEqual(["land", "rivers"]);
  });

  test("text: one line per value, the time on stderr; the name is the file's stem", async () => {
    const { stdout, stderr } = await run("land.json", "--seed", "moria");
    const { cells, steps, visits, maxVisits, bounds, digest } = mapOf("land", LAND).summary();
    expect(
      Object.fromEntries(
        stdout
          .trimEnd()
          .split("\n")
          .map((line) => line.split(/ +(.*)/)),
      ),
    ).toEqual({
      cells: String(cells),
      steps: String(steps),
      visits: String(visits),
      maxVisits: String(maxVisits),
      bounds: bounds?.join(" "),
      digest,
    });
    expect(stderr).toMatch(/^\d+\.\d\d s, \S+ steps a second\n$/);
  });

  test("a spec from stdin has the name 'walk'; the printed seed repeats the run", async () => {
    const input = JSON.stringify(LAND);
    const { stdout, stderr } = await rollmill(["walk", "run", "-", "--json"], { input });
    const seed = /^seed: (\S+)\n$/.exec(stderr)?.[1] ?? "";
    const map = createMill({ seed }).walk("walk", LAND).run();
    expect(dataOf(stdout)).toEqual(JSON.parse(JSON.stringify(map.summary())));
  });

  test("a walk of no steps visits its start", async () => {
    const { stdout } = await run("still.json", "--seed", "a", "--json");
    expect(dataOf(stdout)).toMatchObject({ cells: 1, steps: 0, visits: 1, maxVisits: 1, bounds: [0, 0, 0, 0] });
  });
});

describe("walk run -o", () => {
  test(".png is a picture of all layers, one over another", async () => {
    const { code, stdout } = await run("world.json", "--seed", "moria", "-o", "world.png", "--json");
    const map = mapOf("world", WORLD);
    expect({ code, summary: dataOf(stdout) }).toEqual({ code: 0, summary: map.summary() });
    const picture = toPng(map.layers.map((layer) => ({ map: layer.map })));
    expect(readFileSync(join(cwd, "world.png")).equals(picture)).toBe(true);
    await run("land.json", "--seed", "moria", "-o", "land.PNG");
    expect(readFileSync(join(cwd, "land.PNG")).equals(toPng(mapOf("land", LAND).total))).toBe(true);
  });

  test("256 layers are drawn", async () => {
    const layers = Array.from({ length: 256 }, (_, i) => ({ name: `l${i}`, start: [[0, i]] }));
    writeFileSync(join(cwd, "many.json"), JSON.stringify({ layers }));
    expect(await run("many.json", "--seed", "a", "-o", "many.png")).toMatchObject({ code: 0 });
    expect(readFileSync(join(cwd, "many.png")).subarray(1, 4).toString()).toBe("PNG");
  });

  test(".npy is the dense sum", async () => {
    await run("world.json", "--seed", "moria", "--output", "world.npy");
    expect(readFileSync(join(cwd, "world.npy")).equals(toNpy(mapOf("world", WORLD).total))).toBe(true);
  });

  test(".json is the summary and every visited cell by row, then column", async () => {
    await run("world.json", "--seed", "moria", "-o", "world.out.json");
    const { visited, ...summary } = dataOf(readFileSync(join(cwd, "world.out.json"), "utf8")) as {
      visited: [row: number, col: number, visits: number][];
    };
    const map = mapOf("world", WORLD);
    expect(summary).toEqual(map.summary());
    expect(visited).toHaveLength(map.total.cells);
    expect(visited).toEqual(visited.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]));
    expect(visited.every(([row, col, visits]) => map.total.visitsAt(row, col) === visits)).toBe(true);
  });

  test("single layers reach every output: --layer, in the summary and in every file, after the layers before it", async () => {
    const { layers } = mapOf("world", WORLD);
    for (const { name, map } of layers) {
      const summary = async (file: string, ...args: string[]) =>
        dataOf((await run("world.json", "--seed", "moria", "--layer", name, "-o", file, "--json", ...args)).stdout);
      const { layers: all, ...figures } = await summary("layer.npy");
      expect(all).toEqual([{ name, ...figures }]);
      expect(figures).toMatchObject({ digest: map.digest(), cells: map.cells });
      expect(readFileSync(join(cwd, "layer.npy")).equals(toNpy(map))).toBe(true);
      await summary("layer.png");
      expect(readFileSync(join(cwd, "layer.png")).equals(toPng(map))).toBe(true);
      await summary("layer.csv", "--window", "-2,-2,2,2");
      expect(readFileSync(join(cwd, "layer.csv"), "utf8")).toBe(
        toCsv(map.columns({ window: { row0: -2, col0: -2, rows: 5, cols: 5 } })),
      );
      await summary("layer.parquet");
      expect(readFileSync(join(cwd, "layer.parquet")).equals(toParquet(map.columns()))).toBe(true);
      await summary("layer.json");
      const { visited, ...written } = dataOf(readFileSync(join(cwd, "layer.json"), "utf8"));
      expect([written, visited.length]).toEqual([{ ...figures, layers: all }, map.cells]);
    }
    expect((await run("world.json", "--layer", "sea")).stderr).toMatch(/\[cli\.usage\]\n$/);
  });

  test("first visits reach every output, windows by flags: in place of visits in pictures and arrays, beside them in lists", async () => {
    const { map } = mapOf("world", WORLD).layers[0];
    const write = (file: string, ...args: string[]) =>
      run("world.json", "--seed", "moria", "--layer", "land", "--first-visits", "-o", file, ...args);
    const window = { row0: -4, col0: -4, rows: 9, cols: 9 };
    const flags = ["--window", "-4,-4,4,4"];
    await write("dated.png", ...flags);
    expect(readFileSync(join(cwd, "dated.png")).equals(toPng(map, { show: "firstVisits", window }))).toBe(true);
    await write("dated.npy", ...flags);
    expect(readFileSync(join(cwd, "dated.npy")).equals(toNpy(map, { show: "firstVisits", window }))).toBe(true);
    await write("dated.csv", ...flags);
    expect(readFileSync(join(cwd, "dated.csv"), "utf8")).toBe(toCsv(map.columns({ firstVisits: true, window })));
    await write("dated.parquet", ...flags);
    const parquet = toParquet(map.columns({ firstVisits: true, window }));
    expect(readFileSync(join(cwd, "dated.parquet")).equals(parquet)).toBe(true);
    const { stdout } = await write("dated.json", ...flags);
    expect(stdout).toContain(map.firstVisitSummary()?.digest);
    const { visited, firstVisits } = dataOf(readFileSync(join(cwd, "dated.json"), "utf8"));
    expect(firstVisits).toEqual(map.firstVisitSummary());
    expect(visited.length).toBeGreaterThan(0);
    for (const [row, col, visits, step] of visited) {
      expect([visits, step]).toEqual([map.visitsAt(row, col), map.firstVisitAt(row, col)]);
    }
  });

  test.each([
    [["--first-visits"], /--first-visits applies only to a file.*\[cli\.usage\]/],
    [["--window", "0,0,1,1"], /--window applies only to a file.*\[cli\.usage\]/],
    [["--window", "0,0,1", "-o", "a.npy"], /row0,col0,row1,col1.*\[cli\.usage\]/],
    [["--window", "1,0,0,0", "-o", "a.npy"], /row0,col0,row1,col1.*\[cli\.usage\]/],
    [["--window", "0,0,0,2147483648", "-o", "a.npy"], /row0,col0,row1,col1.*\[cli\.usage\]/],
    [["--first-visits", "-o", "a.npy"], /"rivers" keeps no first visits.*\[cli\.usage\]/],
  ])("%j is refused before the walk", async (args, message) => {
    const { code, stdout, stderr } = await run("world.json", "--seed", "moria", ...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(message);
    expect(existsSync(join(cwd, "a.npy"))).toBe(false);
  });

  test("an existing file is replaced, and no other file is left", async () => {
    const folder = join(cwd, "replaced");
    mkdirSync(folder);
    writeFileSync(join(folder, "map.npy"), "old");
    await run("still.json", "--seed", "a", "-o", "replaced/map.npy");
    expect(readdirSync(folder)).toEqual(["map.npy"]);
    expect(readFileSync(join(folder, "map.npy")).subarray(1, 6).toString()).toBe("NUMPY");
  });

  test("a missing folder fails before the walk", async () => {
    for (const output of ["absent/map.png", "land.json/map.png"]) {
      const { code, stdout, stderr } = await run("land.json", "-o", output);
      expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
      // and before a seed is chosen
      expect(stderr).toMatch(/^\S+: .*\(ENO.*\[file\.write\]\n$/);
    }
  });

  test("a file that cannot be renamed leaves no part", async () => {
    mkdirSync(join(cwd, "taken", "map.npy"), { recursive: true });
    const { code, stdout, stderr } = await run("still.json", "--seed", "a", "-o", "taken/map.npy");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toMatch(/^taken\/map\.npy: .*\(EISDIR.*\[file\.write\]\n$/);
    expect(readdirSync(join(cwd, "taken"))).toEqual(["map.npy"]);
  });

  test("a map that the format cannot hold leaves no file", async () => {
    const { code, stderr } = await run("wide.json", "--seed", "a", "-o", "wide.npy");
    expect(code).toBe(2);
    expect(stderr).toMatch(/\[0, 0, 100000, 100000\].*2\^28 cells.*\[argument\.range\]\n/);
    expect(existsSync(join(cwd, "wide.npy"))).toBe(false);
  });

  test("an unknown file extension is refused", async () => {
    const { code, stderr } = await run("land.json", "-o", "map.bmp");
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /got "map\.bmp", expected \.png, \.npy, \.json, \.csv, \.parquet, \.walk\..*\[cli\.usage\]\n$/,
    );
  });
});

describe("walk run -o map.png: the flags of pictures", () => {
  const png = (...flags: string[]) => run("land.json", "--seed", "moria", "-o", "flags.png", ...flags);
  const written = () => readFileSync(join(cwd, "flags.png"));
  const land = mapOf("land", LAND).total;

  test("each flag is an option of toPng", async () => {
    const cases: [string[], Parameters<typeof toPng>[1]][] = [
      [["--size", "300"], { maxSide: 300 }],
      [["--size", "320x200"], { width: 320, height: 200 }],
      [["--width", "320", "--height", "200"], { width: 320, height: 200 }],
      [["--scale", "3"], { pixelsPerCell: 3 }],
      [["--cells", "pixels", "--scale", "2"], { cells: "pixels", pixelsPerCell: 2 }],
      [["--palette", "viridis"], { colorMap: "viridis" }],
      [["--background", "#0a141e"], { background: [10, 20, 30] }],
      [["--background", "transparent"], { background: "transparent" }],
    ];
    for (const [flags, options] of cases) {
      expect((await png(...flags)).code).toBe(0);
      expect(Buffer.compare(written(), toPng(land, options))).toBe(0);
    }
  });

  test("--palette and --legend name the layers", async () => {
    const flags = ["--palette", "greens,blues", "--legend", "--width", "400"];
    expect((await run("world.json", "--seed", "moria", "-o", "flags.png", ...flags)).code).toBe(0);
    const [first, second] = mapOf("world", WORLD).layers;
    const layers = [
      { map: first.map, name: "land", colorMap: "greens" as const },
      { map: second.map, name: "rivers", colorMap: "blues" as const },
    ];
    expect(Buffer.compare(written(), toPng(layers, { legend: true, width: 400 }))).toBe(0);
  });

  test.each<[string[], RegExp]>([
    [["--width", "0"], /integer from 1/],
    [["--size", "320x"], /integer from 1/],
    [["--palette", "pinks"], /Expected names from inferno/],
    [["--palette", "blues,greens"], /--palette.*got 2.*\[cli\.usage\]/],
    [["--background", "red"], /#rrggbb/],
    [["--cells", "circles"], /hexagons, pixels/],
    [["--legend", "--width", "50"], /no room.*\[argument\.range\]/],
    [["-o", "flags.csv", "--legend"], /--legend.*picture.*\[cli\.usage\]/],
  ])("%j is refused", async (flags, message) => {
    const { code, stderr } = await png(...flags);
    expect([code, stderr]).toEqual([2, expect.stringMatching(message)]);
  });

  test("without -o they are refused", async () => {
    expect((await run("land.json", "--seed", "moria", "--legend")).stderr).toMatch(/--legend.*\[cli\.usage\]/);
  });
});

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { gridToNpy } from "../../src/formats/index.js";
import { createMill } from "../../src/index.js";
import type { WorldInput } from "../../src/worlds/index.js";
import { dataOf, folderWith, rollmill } from "./rollmill.js";

const LAND: WorldInput = {
  name: "land",
  layers: [
    { name: "hills", scatter: { side: 64, walkers: 4 }, steps: 50 },
    { name: "isle", walkers: 2, steps: 30 },
  ],
  terrain: [
    { terrain: "hill", when: { hills: { visits: [1, null] } } },
    { terrain: "plain", tags: ["low"], when: { not: { isle: { visits: [1, null] } } } },
    { terrain: "sand" },
  ],
  placements: [
    { name: "chest", on: ["hill"], density: "1/30", distance: 2, content: { table: "loot" } },
    { name: "tree", on: ["low"], density: "1/100" },
  ],
  realms: [{ name: "grove", of: "tree", within: 6 }],
};
const HOLES = {
  ...LAND,
  placements: [
    ...(LAND.placements ?? []),
    { name: "hole", density: 1, enters: "pit", levels: [1, 3], stamps: { rim: 2, dot: 1 } },
  ],
  stamps: { rim: { map: ["aa"], legend: { a: { terrain: "rim" } }, fits: ["low"] }, dot: { map: [["sand"]] } },
  worlds: {
    pit: {
      grid: { kind: "bounded", rows: 9, cols: 7 },
      layers: [{ name: "way", steps: 9 }],
      terrain: [{ terrain: "mud", when: { chance: "1/2" } }, { terrain: "clay" }],
      placements: [{ name: "hole", density: 1, enters: "pit" }],
      worlds: { pit: { layers: [{ name: "idle", steps: 9 }] } },
    },
  },
} satisfies WorldInput;
const LOOT = "result,weight,quantity\ngold,3,2d6\n=gem,1,\n";
const cwd = folderWith({
  "land.json": JSON.stringify({ ...LAND, tables: { loot: { file: "loot.csv" } } }),
  "loot.csv": LOOT,
  "box.json": JSON.stringify({ grid: { kind: "bounded", rows: 6, cols: 9 }, layers: [{ name: "a", steps: 5 }] }),
  "idle.json": JSON.stringify({ ...LAND, tables: { loot: { file: "loot.csv" }, more: { file: "loot.csv" } } }),
  "holes.json": JSON.stringify({ ...HOLES, tables: { loot: { file: "loot.csv" } } }),
  "bad.json": JSON.stringify({ ...LAND, layer: 1, tables: { loot: { file: "../loot.csv" } } }),
  "late.json": JSON.stringify({
    layers: [{ name: "a" }],
    placements: [{ name: "x", density: 1, content: { recipe: "weapon", request: { type: "spoon" }, power: -1 } }],
    recipes: { weapon: "weapon" },
  }),
});
const run = (...args: string[]) => rollmill(["world", ...args], { cwd });
const world = () => createMill({ seed: "moria" }).world("land", { ...LAND, tables: { loot: LOOT } });
const bytes = (file: string) => new Uint8Array(readFileSync(join(cwd, file)));
const lines = (file: string) => readFileSync(join(cwd, file), "utf8").trimEnd().split("\n");
const SEED = ["--seed", "moria"] as const;

describe("world show", () => {
  test("--json: layers with their cost, terrains and placements with their odds", async () => {
    const { code, stdout } = await run("show", "land.json", "--json");
    expect(code).toBe(0);
    const { layers, terrains, placements } = dataOf(stdout);
    expect(layers).toEqual(JSON.parse(JSON.stringify(world().layers)));
    expect(terrains.map((one: { name: string }) => one.name)).toEqual(["hill", "plain", "sand"]);
    expect(placements).toMatchObject([
      { name: "chest", terrains: ["hill"], distance: 2, contents: [{ kind: "table", groups: [{ source: "loot" }] }] },
      { name: "tree", standing: { exact: "1/100", value: 0.01 } },
    ]);
  });

  test("text: one line for each layer, terrain and kind", async () => {
    const { stdout } = await run("show", "land.json");
    const shown = stdout.split("\n");
    expect(shown.filter((line) => line.startsWith("  ")).map((line) => line.trim().split(":")[0])).toEqual([
      "hills",
      "isle",
      "hill",
      "plain",
      "sand",
      "chest",
      "tree",
      "grove",
    ]);
    expect(stdout).toContain("reach 50");
  });
});

describe("world check", () => {
  test("a world without issues; warnings; every error, with exit code 2", async () => {
    expect(await run("check", "land.json")).toMatchObject({ code: 0, stdout: "", stderr: "errors: 0, warnings: 0\n" });
    const idle = await run("check", "idle.json", "--json");
    expect(idle.code).toBe(0);
    expect(dataOf(idle.stdout)).toMatchObject([
      { severity: "warning", where: { file: "idle.json", path: "tables.more" } },
    ]);
    const bad = await run("check", "bad.json", "--json");
    expect(bad.code).toBe(2);
    const places = dataOf(bad.stdout).map(({ where }: { where: { path: string } }) => where.path);
    expect(places).toEqual(["tables.loot.file", "layer"]);
  });

  test("looks into child worlds", async () => {
    const { code, stdout } = await run("check", "holes.json");
    expect(code).toBe(0);
    expect(stdout).toContain("worlds.pit.worlds.pit.layers[0]");
    const shown = await run("show", "holes.json");
    expect(shown.stdout).toContain("enters pit, levels 1 to 3");
    expect(shown.stdout).toContain("; stamps rim 2, dot 1\n");
    expect(shown.stdout).toContain("stamps:\n  rim: 2 cells; fits plain\n  dot: 1 cell; fits everywhere\n");
    const { placements, stamps } = dataOf((await run("show", "holes.json", "--json")).stdout);
    expect(placements[2].stamps).toEqual({
      turns: false,
      picks: [
        { stamp: "rim", weight: 2 },
        { stamp: "dot", weight: 1 },
      ],
    });
    expect(stamps).toEqual([
      { name: "rim", cells: 2, fits: ["plain"] },
      { name: "dot", cells: 1 },
    ]);
    expect(shown.stdout).toContain("worlds:\n  pit: 9 × 7 cells");
  });

  test("finds what only opening the world finds", async () => {
    const { code, stdout } = await run("check", "late.json");
    expect({ code, found: stdout !== "" }).toEqual({ code: 2, found: true });
  });
});

describe("world at", () => {
  test("says why a cell is what it is, in the words of explain --cell, also in negative rows", async () => {
    for (const cell of ["12,-7", "-3,7"]) {
      const at = await run("at", "land.json", cell, ...SEED);
      const explained = await rollmill(["explain", "land.json", `--cell=${cell}`, ...SEED], { cwd });
      expect([at.code, at.stdout]).toEqual([0, explained.stdout]);
    }
    const { stdout } = await run("at", ...SEED, "land.json", "-3,7", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ command: "world at", seed: "moria", data: { at: { row: -3, col: 7 } } });
  });

  test.each([[["-3.5,7"]], [["3"]], [["--sed"]], [["1,2", "--sed", "x"]], [[]]])("refuses %j", async (args) => {
    expect((await run("at", "land.json", ...args, ...SEED)).code).toBe(2);
  });
});

describe("world window", () => {
  test("--json: the counts of a window, and its digest", async () => {
    const { code, stdout } = await run("window", "land.json", ...SEED, "--window", "-5,3,40,60", "--digest", "--json");
    expect(code).toBe(0);
    const window = world().window({ row0: -5, col0: 3, rows: 46, cols: 58 });
    const cells = (terrain: number) => window.terrain.filter((one) => one === terrain).length;
    const count = (kind: number) => window.placements.kinds.filter((one) => one === kind).length;
    expect(dataOf(stdout)).toEqual({
      window: [-5, 3, 40, 60],
      cells: 46 * 58,
      terrains: ["hill", "plain", "sand"].map((terrain, i) => ({ terrain, cells: cells(i) })),
      placements: ["chest", "tree"].map((kind, i) => ({ kind, count: count(i) })),
      digest: world().digest({ row0: -5, col0: 3, rows: 46, cols: 58 }),
    });
  });

  test("without --window: 256 × 256 cells, or the whole grid", async () => {
    expect(dataOf((await run("window", "land.json", ...SEED, "--json")).stdout).window).toEqual([0, 0, 255, 255]);
    expect(dataOf((await run("window", "box.json", ...SEED, "--json")).stdout).window).toEqual([0, 0, 5, 8]);
  });

  test("--enter makes a child world, also one in another", async () => {
    const outer = createMill({ seed: "moria" }).world("land", { ...HOLES, tables: { loot: LOOT } });
    const inner = outer.enter(-3, 8, { kind: "hole" });
    const { stdout } = await run("window", "holes.json", ...SEED, "--enter=-3,8", "--digest", "--json");
    const { window, digest, terrains } = dataOf(stdout);
    expect(window).toEqual([0, 0, 8, 6]);
    expect(digest).toBe(inner.digest({ row0: 0, col0: 0, rows: 9, cols: 7 }));
    expect(terrains.map((one: { terrain: string }) => one.terrain)).toEqual(["mud", "clay"]);
    const twice = await run(
      "window",
      "holes.json",
      ...SEED,
      "--enter=-3,8/2,1",
      "--window",
      "0,0,3,3",
      "--digest",
      "--json",
    );
    expect(dataOf(twice.stdout).digest).toBe(inner.enter(2, 1).digest({ row0: 0, col0: 0, rows: 4, cols: 4 }));
    for (const wrong of ["3", "3,4,0x1", "3,4/", "9".repeat(11)])
      expect((await run("window", "holes.json", ...SEED, `--enter=${wrong}`)).code).toBe(2);
    expect((await run("window", "holes.json", ...SEED, "--enter=3,4,9")).code).toBe(2);
    expect((await run("window", "land.json", ...SEED, "--enter=3,4")).stderr).toContain("leads to a child world");
  });

  test("--name and --fork select another world", async () => {
    const digest = async (...flags: string[]) =>
      dataOf((await run("window", "land.json", ...SEED, "--window", "0,0,9,9", "--digest", "--json", ...flags)).stdout)
        .digest;
    const all = [await digest(), await digest("--name", "isle"), await digest("--fork", "7")];
    expect(all).toEqual([
      world().digest({ row0: 0, col0: 0, rows: 10, cols: 10 }),
      createMill({ seed: "moria" })
        .world("isle", { ...LAND, tables: { loot: LOOT } })
        .digest({ row0: 0, col0: 0, rows: 10, cols: 10 }),
      world().fork(7).digest({ row0: 0, col0: 0, rows: 10, cols: 10 }),
    ]);
  });

  test("-o: the terrain as an array and as lists", async () => {
    const window = world().window({ row0: 0, col0: 0, rows: 20, cols: 30 });
    const names = Array.from(window.terrain, (terrain) => window.terrains[terrain].name);
    for (const file of ["t.npy", "t.csv", "t.ndjson", "t.json", "t.parquet"]) {
      const { code, stderr } = await run("window", "land.json", ...SEED, "--window", "0,0,19,29", "-o", file);
      expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^\S+: 600 cells in /) });
    }
    expect(bytes("t.npy")).toEqual(gridToNpy(window.terrain, 30));
    expect(lines("t.csv")).toEqual([
      "row,col,terrain",
      ...names.map((name, i) => `${Math.floor(i / 30)},${i % 30},${name}`),
    ]);
    expect(lines("t.ndjson").map((line) => JSON.parse(line).terrain)).toEqual(names);
    expect(dataOf(readFileSync(join(cwd, "t.json"), "utf8"))[31]).toEqual({ row: 1, col: 1, terrain: names[31] });
    expect(new TextDecoder("latin1").decode(bytes("t.parquet").subarray(0, 4))).toBe("PAR1");
  });

  test("-o with --layer: the visits", async () => {
    const visits = world()
      .window({ row0: 0, col0: 0, rows: 20, cols: 30 }, { visits: ["hills"] })
      .visits("hills");
    for (const file of ["v.npy", "v.csv"])
      await run("window", "land.json", ...SEED, "--window", "0,0,19,29", "--layer", "hills", "-o", file);
    expect(bytes("v.npy")).toEqual(gridToNpy(visits, 30));
    const visited = [...visits.entries()].filter(([, count]) => count > 0);
    expect(lines("v.csv").slice(1)).toEqual(visited.map(([i, count]) => `${Math.floor(i / 30)},${i % 30},${count}`));
  });

  test("-o with --realm: the seats", async () => {
    const { seats, cells } = world()
      .window({ row0: 0, col0: 0, rows: 20, cols: 30 }, { realms: ["grove"] })
      .realms("grove");
    for (const file of ["r.npy", "r.csv", "r.ndjson"])
      await run("window", "land.json", ...SEED, "--window", "0,0,19,29", "--realm", "grove", "-o", file);
    expect(bytes("r.npy")).toEqual(gridToNpy(cells, 30));
    const wanted = [...cells.entries()].flatMap(([i, seat]) => {
      const { row, col } = seat < seats.length ? seats.at(seat) : { row: undefined, col: undefined };
      return row === undefined ? [] : [{ row: Math.floor(i / 30), col: i % 30, seatRow: row, seatCol: col }];
    });
    expect(wanted.length).toBeGreaterThan(100);
    expect(wanted.length).toBeLessThan(600);
    expect(lines("r.ndjson").map((line) => JSON.parse(line))).toEqual(wanted);
    expect(lines("r.csv")).toEqual(["row,col,seatRow,seatCol", ...wanted.map((one) => Object.values(one).join())]);
  });

  test("-o with --placements: what stands where, with contents as JSON", async () => {
    const placements = [...world().placements({ row0: 0, col0: 0, rows: 100, cols: 100 })];
    for (const file of ["p.csv", "p.ndjson"])
      await run("window", "land.json", ...SEED, "--window", "0,0,99,99", "--placements", "-o", file);
    expect(lines("p.ndjson").map((line) => JSON.parse(line))).toEqual(JSON.parse(JSON.stringify(placements)));
    expect(lines("p.csv").slice(0, 1)).toEqual(["row,col,kind,content"]);
    expect(lines("p.csv").length).toBe(placements.length + 1);
  });

  test.each([
    ["--layer and --placements", ["--layer", "hills", "--placements", "-o", "x.csv"]],
    ["--layer without a file", ["--layer", "hills"]],
    ["placements in an array", ["--placements", "-o", "x.npy"]],
    ["an unknown type of file", ["-o", "x.png"]],
    ["an unknown layer", ["--layer", "sea", "-o", "x.csv"]],
    ["a malformed window", ["--window", "3,3,2,2"]],
  ])("%s: exit code 2, and no file", async (_, flags) => {
    const before = readdirSync(cwd);
    expect((await run("window", "land.json", ...SEED, ...flags)).code).toBe(2);
    expect(readdirSync(cwd)).toEqual(before);
  });
});

describe("world picture", () => {
  test("draws the window with the options of the flags", async () => {
    const flags = ["--window", "-9,0,50,70", "--legend", "--lighten", "hills", "--darken", "isle", "--kinds", "tree"];
    const more = ["--upright", "--first", "--scale", "3", "--background", "#102030"];
    const { code, stderr } = await run("picture", "land.json", ...SEED, ...flags, ...more, "-o", "a.png");
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringMatching(/^a\.png: 4260 cells, \d+ bytes\n$/) });
    const options = { legend: true, lighten: ["hills"], darken: ["isle"], kinds: ["tree"], upright: true } as const;
    const drawn = world().picture(
      { row0: -9, col0: 0, rows: 60, cols: 71 },
      {
        ...options,
        pool: "first",
        pixelsPerCell: 3,
        background: [16, 32, 48],
      },
    );
    expect(bytes("a.png")).toEqual(drawn);
  });

  test("themes have flags for light, depth, realms, names, the frame and the scale", async () => {
    const spec = {
      fields: [{ name: "height", kind: "noise", scale: 64 }],
      layers: [{ name: "still" }],
      terrain: [{ terrain: "water", when: { height: [0, 30_000] } }, { terrain: "grass" }],
      placements: [{ name: "inn", density: "1/90", icon: "house", sizes: { small: 1, large: 1 } }],
      realms: [{ name: "round", of: "inn", within: 9 }],
    } as const;
    writeFileSync(join(cwd, "themed.json"), JSON.stringify(spec));
    const flags = ["--theme", "parchment", "--light", "height", "--relief", "200", "--depth", "height,0,30000"];
    const more = [
      "--labels",
      "inn:name:small=1/large=3",
      "--realms",
      "round",
      "--border",
      "--scale-bar",
      "--title",
      "Isle",
      "--compass",
      "--window",
      "0,0,19,29",
    ];
    expect((await run("picture", "themed.json", ...SEED, ...flags, ...more, "-o", "t.png")).code).toBe(0);
    const drawn = createMill({ seed: SEED[1] })
      .world("themed", spec)
      .picture(
        { row0: 0, col0: 0, rows: 20, cols: 30 },
        {
          ...{
            theme: "parchment",
            light: "height",
            relief: 200,
            realms: "round",
            border: true,
            scaleBar: true,
            title: "Isle",
            compass: true,
          },
          depth: { field: "height", deepest: 0, shallowest: 30_000 },
          labels: [{ kind: "inn", text: "name", size: { small: 1, large: 3 } }],
        },
      );
    expect(bytes("t.png")).toEqual(drawn);
  });

  test.each([
    ["--depth", "height,1"],
    ["--depth", "height,1,x"],
    ["--labels", "inn:name:5"],
    ["--labels", "inn:name:large=5"],
    ["--labels", "inn:name:large=1/2"],
    ["--labels", "chest::large=1"],
    ["--theme", "baroque"],
    ["--light", "height"],
  ])("%s %s is refused", async (...flags) => {
    expect((await run("picture", "land.json", ...SEED, ...flags, "-o", "u.png")).code).toBe(2);
  });

  test("--json prints the window and the size; another type of file is refused", async () => {
    const { stdout } = await run("picture", "box.json", ...SEED, "-o", "b.png", "--json");
    expect(dataOf(stdout)).toEqual({ window: [0, 0, 5, 8], file: "b.png", bytes: bytes("b.png").length });
    expect((await run("picture", "box.json", ...SEED, "-o", "b.svg")).code).toBe(2);
    expect(existsSync(join(cwd, "b.svg"))).toBe(false);
  });

  test("a progress bar on a terminal does not change the picture", async () => {
    await rollmill(["world", "picture", "land.json", ...SEED, "-o", "c.png"], { cwd, terminal: true });
    expect(bytes("c.png")).toEqual(world().picture({ row0: 0, col0: 0, rows: 256, cols: 256 }));
  });
});

import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { specOf } from "../../src/spec/index.js";
import { checkWorld, loadWorld, parseWorld, type World, type WorldInput } from "../../src/worlds/index.js";
import { addressOf } from "../oracle/terrainTwin.js";
import { forkTwin, nameTwin, streamKey, streamWords } from "../oracle/words.js";
import { refusalOf } from "../refusal.js";
import { readWindow, windowOf } from "./compare.js";

/** Child worlds: which words they read, which files they come from, and what is refused. */

const LAND = { name: "land", steps: 9, scatter: { side: 64, walkers: 3 } } as const;
const ROCK = [{ terrain: "cave", when: { chance: "1/3" } }, { terrain: "rock" }] as const;
const PLACES = [{ name: "chest", on: ["cave"], density: "1/9", content: { table: "loot" } }] as const;
const LOOT = {
  loot: {
    rows: {
      A: [
        { result: "gold", weight: 1 },
        { result: "bones", weight: 2 },
      ],
    },
  },
} as const;
const VAULT = {
  grid: { kind: "bounded", rows: 20, cols: 30 },
  layers: [{ name: "tunnels", steps: 60, walkers: 3, start: { rect: [0, 0, 19, 29] } }],
  terrain: ROCK,
  placements: PLACES,
  tables: LOOT,
} as const satisfies WorldInput;
const OUTER = {
  layers: [LAND],
  terrain: [{ terrain: "grass" }],
  placements: [
    { name: "tree", density: "1/2" },
    { name: "cave", density: "1/40", enters: "vault", levels: [1, 3] },
    { name: "well", density: "1/60", enters: "vault" },
  ],
  worlds: { vault: VAULT },
} as const satisfies WorldInput;
const WINDOW = { row0: -70, col0: 30, rows: 60, cols: 60 };
const open = (spec: WorldInput = OUTER, seed = "moria") => createMill({ seed }).world("isle", spec);
const doorsOf = (world: World, kind: string) => [...world.placements(WINDOW)].filter((one) => one.kind === kind);

describe("a child world", () => {
  test("is the world of its name in a mill whose key is that of the entrance and the level", () => {
    using world = open();
    const [{ row, col }] = doorsOf(world, "cave").filter((one) => world.enter(one.row, one.col).entered?.levels === 3);
    for (const level of [1, 2, 3]) {
      using child = world.enter(row, col, { level });
      expect(child.entered).toEqual({ row, col, kind: "cave", level, levels: 3 });
      // the terrain by chance, from words that are read here
      const doors = forkTwin(forkTwin(streamKey("moria", "isle"), "worlds"), "cave");
      const mill = forkTwin(forkTwin(doors, [row, col]), BigInt(level));
      const key = forkTwin(forkTwin(forkTwin(nameTwin(mill, "vault"), "terrain"), "cave"), 0n);
      const words = streamWords(key);
      const { terrain } = child.window({ row0: 0, col0: 0, rows: 20, cols: 30 });
      const expected = Array.from(terrain, (_, k) =>
        Number(words.word(...addressOf(Math.floor(k / 30), k % 30)) >= 2 ** 32 / 3),
      );
      expect([...terrain]).toEqual(expected);
    }
  });

  test("has a number of levels from the word of its cell", () => {
    using world = open();
    const words = streamWords(forkTwin(forkTwin(streamKey("moria", "isle"), "worlds"), "cave"));
    const doors = doorsOf(world, "cave");
    const levels = doors.map(({ row, col }) => world.enter(row, col, { kind: "cave" }).entered?.levels);
    const expected = doors.map(({ row, col }) => 1 + Math.floor((words.word(...addressOf(row, col)) * 3) / 2 ** 32));
    expect(levels).toEqual(expected);
    expect(new Set(levels).size).toBe(3);
  });

  test("is the same in every call, differs by cell, level, kind, seed and fork, and works without its parent", () => {
    const world = open();
    const all = { row0: 0, col0: 0, rows: 20, cols: 30 };
    const [first, second] = doorsOf(world, "well");
    const digest = (from: World, at = first) => from.enter(at.row, at.col, { kind: "well" }).digest(all);
    const digests = [digest(world), digest(world, second), digest(open(OUTER))];
    expect(digests[2]).toBe(digests[0]);
    expect(digests[1]).not.toBe(digests[0]);
    const child = world.enter(first.row, first.col, { kind: "well" });
    expect(child.fork(1).digest(all)).not.toBe(digests[0]);
    world.dispose();
    expect(child.digest(all)).toBe(digests[0]);
    expect([...child.placements(all)].some(({ content }) => content === "gold")).toBe(true);
    const fork = open().fork(7);
    const [door] = doorsOf(fork, "well");
    expect(fork.enter(door.row, door.col, { kind: "well" }).name).toBe("vault");
  });

  test("can have children of its own, and belongs to no digest of its parent", () => {
    const middle = { ...OUTER, placements: [{ name: "hole", density: 1, enters: "vault" }] } as const;
    const outer = { ...OUTER, worlds: { vault: middle }, placements: [{ name: "hole", density: 1, enters: "vault" }] };
    using world = open(outer);
    using inner = world.enter(5, 5).enter(-9, 2);
    expect(readWindow(windowOf(inner, { row: 0, col: 0, rows: 5, cols: 9 }), VAULT).terrain).toHaveLength(45);
    using bare = open({ ...outer, worlds: { vault: VAULT } });
    expect(bare.digest(WINDOW)).toBe(world.digest(WINDOW));
  });

  test("is entered only where something leads to it", () => {
    using world = open();
    const [{ row, col }] = doorsOf(world, "well");
    const [tree] = doorsOf(world, "tree");
    const codes = [
      () => world.enter(row, col, { kind: "tree" }),
      () => world.enter(row, col, { kind: "well", level: 2 }),
      () => world.enter(row, col, { level: 0 }),
      () => world.enter(row, col, { levels: 1 } as never),
      () => world.enter(row + 0.5, col),
      () => open({ ...OUTER, placements: [{ name: "tree", density: 1 }] }).enter(tree.row, tree.col),
    ].map((call) => refusalOf(call).code);
    expect(codes).toEqual([
      "argument.range",
      "argument.range",
      "argument.range",
      "argument.option",
      "argument.range",
      "argument.range",
    ]);
  });
});

describe("specs", () => {
  const paths = (input: unknown) => parseWorld(input).issues.map(({ where }) => where.path);
  const inside = (depth: number): object => (depth === 0 ? VAULT : { ...OUTER, worlds: { vault: inside(depth - 1) } });

  test("report errors with their place", () => {
    const wrong = { ...VAULT, terrain: [{ terrain: "a", wen: 1 }], placements: [{ name: "x", density: 2 }] };
    expect(paths({ ...OUTER, worlds: { vault: wrong } })).toEqual([
      "worlds.vault.terrain[0].wen",
      "worlds.vault.placements[0].density",
    ]);
    const door = (rest: object) => ({ ...OUTER, placements: [{ name: "x", density: 1, ...rest }] });
    expect(paths(door({ enters: "volt" }))).toEqual(["placements[0].enters"]);
    expect(paths(door({ levels: 2 }))).toEqual(["placements[0].levels"]);
    for (const levels of [0, 256, 1.5, "2", [2, 1], [1], [1, 2, 3], [0, 1], null])
      expect(paths(door({ enters: "vault", levels })).length, JSON.stringify(levels)).toBeGreaterThan(0);
    expect(paths({ ...OUTER, worlds: { vault: VAULT, "": VAULT } })).toEqual(["worlds"]);
    for (const worlds of [5, [], { vault: 5 }, { vault: null }]) expect(paths({ ...OUTER, worlds })).not.toEqual([]);
  });

  test("are nested at most 8 deep, with at most 256 child worlds", () => {
    expect(paths(inside(8))).toEqual([]);
    expect(paths(inside(9))).toHaveLength(1);
    const endless = { ...OUTER, worlds: {} as Record<string, unknown> };
    endless.worlds.vault = endless;
    expect(paths(endless)).toEqual([`${"worlds.vault.".repeat(8)}worlds.vault`]);
    const wide = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, k) => [`w${k}`, VAULT]));
    expect(paths({ ...OUTER, worlds: { vault: VAULT, ...wide(255) } })).toEqual([]);
    expect(paths({ ...OUTER, worlds: { vault: VAULT, ...wide(256) } })).toHaveLength(1);
    const parsed = specOf(parseWorld({ ...OUTER, worlds: { vault: VAULT, ...wide(200) } }));
    expect(paths({ ...OUTER, worlds: { vault: parsed } })).toEqual([]);
    expect(paths({ ...OUTER, worlds: { vault: parsed, b: parsed } })).toEqual(["worlds.b"]);
    expect(paths({ ...OUTER, worlds: { vault: specOf(parseWorld(inside(8))) } })).toEqual(["worlds.vault"]);
  });

  test("checkWorld looks into them", () => {
    const idle = { ...VAULT, layers: [{ name: "unused", scatter: { walkers: 1 }, steps: 1 }] };
    const { grid: _, ...unbounded } = idle;
    expect(checkWorld({ ...OUTER, worlds: { vault: unbounded, spare: VAULT } }).map(({ where }) => where.path)).toEqual(
      ["layers[0]", "worlds.spare", "worlds.vault.layers[0]", "worlds.spare.layers[0]"],
    );
  });
});

describe("files", () => {
  const load = (files: Readonly<Record<string, object | string>>) => {
    const texts = new Map(
      Object.entries(files).map(([k, one]) => [k, typeof one === "string" ? one : JSON.stringify(one)]),
    );
    return loadWorld("maps/w.json", (path) => texts.get(path));
  };
  const issuesOf = async (files: Readonly<Record<string, object | string>>) =>
    (await load(files)).issues.map(({ code, where }) => [code, where.file, where.path]);
  const { tables: _, ...bare } = VAULT;
  const FILED = { ...bare, tables: { loot: { file: "loot.csv" } } };

  test("of child worlds, and the files that they name from their own folder", async () => {
    const loot = "result,weight\ngold,1\nbones,2\n";
    const outer = { ...OUTER, worlds: { vault: { file: "deep/vault.json" } } };
    const files = { "maps/w.json": outer, "maps/deep/vault.json": FILED, "maps/deep/loot.csv": loot };
    const spec = specOf(await load(files));
    const inline = { ...OUTER, worlds: { vault: FILED } };
    const other = specOf(await load({ "maps/w.json": inline, "maps/loot.csv": loot }));
    const digests = [spec, other, OUTER].map((one) => {
      const world = createMill({ seed: "moria" }).world("isle", one as WorldInput);
      const [{ row, col }] = doorsOf(world, "well");
      return world.enter(row, col, { kind: "well" }).digest({ row0: 0, col0: 0, rows: 20, cols: 30 });
    });
    expect(new Set(digests).size).toBe(1);
  });

  test("that are missing, lead out of the folder, have errors or form a cycle are refused with their place", async () => {
    const outer = { ...OUTER, worlds: { vault: { file: "v.json" } } };
    const w = "maps/w.json";
    expect(await issuesOf({ [w]: outer })).toEqual([["world.spec", w, "worlds.vault.file"]]);
    const out = { ...OUTER, worlds: { vault: { file: "../v.json" } } };
    expect(await issuesOf({ [w]: out })).toEqual([["world.spec", w, "worlds.vault.file"]]);
    expect(await issuesOf({ [w]: outer, "maps/v.json": "{" })).toEqual([["file.json", "maps/v.json", undefined]]);
    expect(await issuesOf({ [w]: outer, "maps/v.json": { layers: [] } })).toEqual([
      ["world.spec", "maps/v.json", "layers"],
    ]);
    const missing = { ...OUTER, worlds: { vault: { ...OUTER, worlds: { vault: FILED } } } };
    expect(await issuesOf({ [w]: missing })).toEqual([["world.spec", w, "worlds.vault.worlds.vault.tables.loot.file"]]);
    const cycle = { [w]: outer, "maps/v.json": { ...OUTER, worlds: { vault: { file: "w.json" } } } };
    expect(await issuesOf(cycle)).toEqual([["world.spec", "maps/v.json", "worlds.vault.file"]]);
    const self = { [w]: { ...OUTER, worlds: { vault: { file: "w.json" } } } };
    expect(await issuesOf(self)).toEqual([["world.spec", w, "worlds.vault.file"]]);
    const chain = Array.from({ length: 12 }, (_, k) => [
      k === 0 ? w : `maps/${k}.json`,
      { ...OUTER, worlds: { vault: { file: `${k + 1}.json` } } },
    ]);
    expect(await issuesOf(Object.fromEntries(chain))).toEqual([["world.spec", "maps/8.json", "worlds.vault.file"]]);
  });
});

import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { createMill } from "../../src/index.js";
import { specOf } from "../../src/spec/index.js";
import { checkWorld, loadWorld, parseWorld, type WorldInput } from "../../src/worlds/index.js";
import { DUNGEON } from "../objects/dungeon.js";

const root = new URL("../../", import.meta.url);
const text = (path: string) => readFileSync(new URL(path, root), "utf8");
const LAND = { layers: [{ name: "land", scatter: { walkers: 1 }, steps: 5 }] } satisfies WorldInput;

/** Loads a world from files that are given as texts. */
const load = (world: object, files: Readonly<Record<string, string>> = {}) => {
  const all: Readonly<Record<string, string>> = { "maps/w.json": JSON.stringify(world), ...files };
  return loadWorld("maps/w.json", (path) => all[path]);
};
const issuesOf = async (world: object, files: Readonly<Record<string, string>> = {}) =>
  (await load(world, files)).issues.map(({ code, where }) => [code, where?.path ?? where?.file]);

describe("loadWorld", () => {
  test("reads tables with their links, recipes with words, pools and edit files", async () => {
    const files = {
      "maps/loot.csv": text("examples/loot.csv"),
      "maps/gems.csv": text("examples/gems.csv"),
      "maps/orcs/orc.json": text("examples/orc.json"),
      "maps/orcs/loot.csv": "result,weight\ntooth,1\n",
      "maps/charm.json": text("examples/armory/charm.json"),
      ...Object.fromEntries(
        ["gem", "shape", "virtue"].map((name) => [`maps/words/${name}.csv`, text(`examples/armory/charm/${name}.csv`)]),
      ),
      "maps/pools.json": text("examples/pools.json"),
      "maps/edit/object.txt": DUNGEON.object,
      "maps/edit/object_base.txt": DUNGEON.objectBase,
      "maps/edit/ego_item.txt": DUNGEON.egoItem,
      "maps/edit/ego_themes.txt": DUNGEON.egoThemes,
      "maps/edit/artifact.txt": DUNGEON.artifact,
    };
    const world = {
      ...LAND,
      placements: [
        { name: "chest", density: "1/90", content: { table: "loot" } },
        { name: "charm", density: "1/90", content: { recipe: "charm", tier: 1 } },
        { name: "lair", density: "1/90", content: { pools: "p", pool: "e" } },
        { name: "arms", density: "1/90", content: { objects: "o", level: 10 } },
        { name: "orc", density: "1/90", content: { drops: "orc" } },
      ],
      drops: { orc: { file: "orcs/orc.json" } },
      tables: { loot: { file: "loot.csv" } },
      recipes: { charm: { file: "charm.json", tables: "words" } },
      pools: { p: { file: "pools.json" } },
      objects: { o: { files: "edit" } },
    };
    const spec = specOf(await load(world, files));
    const placed = createMill({ seed: "moria" }).world("w", spec).placements({ row0: 0, col0: 0, rows: 64, cols: 64 });
    expect(new Set([...placed].filter(({ content }) => content !== undefined).map(({ kind }) => kind)).size).toBe(5);
    expect(checkWorld(spec).map(({ where }) => where?.path)).toEqual(["layers[0]"]);
  });

  test("tells every file that is missing or malformed, and where the world names it", async () => {
    const world = {
      ...LAND,
      placements: [{ name: "chest", density: 0.1, content: { table: "gone" } }],
      tables: { gone: { file: "gone.csv" }, out: { file: "../loot.csv" }, odd: { file: "a.csv", files: "b" } },
      recipes: { bare: { file: "charm.json" } },
      drops: { lost: { file: "lost.json" }, wild: { file: "wild.json" } },
      pools: { torn: { file: "torn.json" } },
      objects: { none: { files: "edit" } },
    };
    const files = { "maps/charm.json": text("examples/armory/charm.json"), "maps/torn.json": "{" };
    Object.assign(files, { "maps/lost.json": '{"table":"lost.csv"}', "maps/wild.json": '{"table":"../a.csv"}' });
    expect(await issuesOf(world, files)).toEqual([
      ["world.spec", "tables.gone.file"],
      ["world.spec", "tables.out.file"],
      ["world.spec", "tables.odd.files"],
      ["world.spec", "drops.lost.file"],
      ["world.spec", "drops.wild.file"],
      ["world.spec", "recipes.bare.tables"],
      ["world.spec", "objects.none.files"],
      ["file.json", "maps/torn.json"],
    ]);
  });

  test("errors of a source keep their own file; errors of the world are listed too", async () => {
    const world = { ...LAND, layer: 1, tables: { loot: { file: "loot.csv" } } };
    const { spec, issues } = await load(world, { "maps/loot.csv": "result,weight\ngold,x\n" });
    expect(spec).toBeUndefined();
    expect(issues.map(({ where }) => where?.file)).toEqual(["maps/loot.csv", "maps/w.json"]);
  });

  test("reads a table in 2DA or CSV, as a text in the file of the world", async () => {
    const tables = { loot: "2DA V2.0\n\n  Random0 Random0Weight\n0 rgold 1\n", gems: "result,weight\nruby,2\n" };
    const { issues, spec } = await load({ ...LAND, tables });
    expect(issues).toEqual([]);
    expect([...(spec?.sources.tables.keys() ?? [])]).toEqual(["loot", "gems"]);
    expect(await issuesOf({ ...LAND, tables: { odd: '{"rows": 5}' } })).toEqual([["argument.type", "tables.odd.rows"]]);
  });

  test("a first file that cannot be read is refused", async () => {
    const failing = () => {
      throw new Error("no");
    };
    await expect(loadWorld("w.json", () => undefined)).rejects.toMatchObject({ code: "file.read" });
    await expect(loadWorld("w.json", failing)).rejects.toMatchObject({ code: "argument.callback" });
    await expect(loadWorld("w.json", (() => 5) as never)).rejects.toMatchObject({ code: "argument.callback" });
    expect((await loadWorld("w.json", () => "[")).issues[0].code).toBe("file.json");
    expect((await loadWorld("w.json", () => "5")).issues[0].code).toBe("world.spec");
  });
});

describe("checkWorld", () => {
  const paths = (input: WorldInput) => checkWorld(input).map(({ severity, where }) => [severity, where?.path]);

  test("warns of rules, placements, layers and sources without effect", () => {
    const input: WorldInput = {
      layers: [...LAND.layers, { name: "sea", scatter: { walkers: 1 } }],
      terrain: [
        { terrain: "a", when: { all: [{ chance: 0 }, { land: { within: 1 } }] } },
        { terrain: "b", when: { land: { visits: [0, null] } } },
        { terrain: "c" },
      ],
      placements: [
        { name: "on a", on: ["a"], density: 0.5 },
        { name: "on b", on: ["b"], density: 0 },
        { name: "on c", on: ["c"], density: 0.5 },
      ],
      tables: { loot: { rows: [{ columns: [{ result: "gold", weight: 1 }] }] } },
      drops: { orc: { table: "result,weight\ngold,1\n" } },
    };
    expect(paths(input)).toEqual([
      ["warning", "terrain[0].when"],
      ["warning", "terrain[1].when"],
      ["warning", "placements[0].on"],
      ["warning", "placements[1].density"],
      ["warning", "placements[2].on"],
      ["warning", "layers[1]"],
      ["warning", "tables.loot"],
      ["warning", "drops.orc"],
    ]);
  });

  test("returns the errors of the parser alone if there are any", () => {
    const input = { ...LAND, placements: [{ name: "x", density: 2 }] };
    expect(paths(input)).toEqual([["error", "placements[0].density"]]);
  });

  test("takes a parsed spec, and warns of nothing in a world that uses everything", () => {
    const terrain = [{ terrain: "a", when: { land: { within: 1 } } }, { terrain: "b" }];
    expect(checkWorld(specOf(parseWorld({ ...LAND, terrain })))).toEqual([]);
  });

  test("does not warn of the only layer of a world without walks", () => {
    expect(paths({ layers: [{ name: "still" }] })).toEqual([]);
    expect(paths({ layers: [{ name: "still" }, { name: "more" }] }).length).toBe(2);
  });
});

describe("a world nested 90,000 deep ends in issues (audit 20)", () => {
  const lists = `${"[".repeat(90_000)}${"]".repeat(90_000)}`;
  const nested = (open: string, close: string) => `${open.repeat(90_000)}1${close.repeat(90_000)}`;
  const layers = '"layers":[{"name":"a"}]';
  const sources = `"tables":{"t":{"file":"deep.json"}},"pools":{"t":{"file":"deep.json"}}`;

  test.each([
    ["alone", lists],
    ["layers", `{"layers":${lists}}`],
    ["a grid", `{"grid":${nested('{"a":', "}")},${layers}}`],
    ["conditions", `{${layers},"terrain":[{"terrain":"x","when":${nested('{"not":', "}")}},{"terrain":"y"}]}`],
    ["a content", `{${layers},"placements":[{"name":"x","density":1,"content":${lists}}]}`],
    ["a result", `{${layers},"tables":{"t":{"rows":{"a":[{"result":${lists},"weight":1}]}}}}`],
    ["subpools", `{${layers},"pools":{"t":{"roots":{"a":{"subpools":${nested('{"b":{"subpools":', "}}")}}}}}}`],
    ["a word", `{${layers},"recipes":{"t":{"recipe":${lists},"tables":${nested('{"a":', "}")}}}}`],
    ["files", `{${layers},${sources}}`],
    ["an end that is missing", `{"layers":${"[".repeat(90_000)}`],
  ])("%s", async (_, text) => {
    const { spec, issues } = await loadWorld("world.json", (file) => (file === "deep.json" ? lists : text));
    expect(spec).toBeUndefined();
    expect(issues[0].code).toMatch(/\.(?:spec|json)$|^(?:argument|table)\./);
    expect(issues[0].where.file).toMatch(/^(?:world|deep)\.json$/);
  });
});

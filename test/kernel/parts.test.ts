// The kernel in parts: what is in each part, which systems need which part, and that mills of `rollmill/core`, with the
// parts that they load, get the results of the whole kernel.
import { readFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { partsOf } from "../../scripts/kernel-parts.mjs";
import type { KernelSource } from "../../src/kernel/index.js";
import { filesIn, read } from "../architecture/sources.js";
import { DUNGEON } from "../objects/dungeon.js";

const parts = partsOf(read("src/kernel/exports.ts"));
type Part = keyof typeof parts;
const names = Object.keys(parts) as Part[];
/** The systems that name each part; a system that names none needs `draws`. */
const SYSTEMS: Readonly<Record<Part, readonly string[]>> = {
  draws: ["streams", "weighted", "dice", "samples", "tables", "pools"],
  maps: ["walks", "worlds"],
  items: ["recipes", "objects"],
};
const wasm = (file: string) => readFileSync(new URL(`../../build/${file}.wasm`, import.meta.url));
const module = (file: string) => new WebAssembly.Module(wasm(file));
const exportsOf = (file: string) => WebAssembly.Module.exports(module(file)).map(({ name }) => name);

describe("the parts of the kernel", () => {
  test("have the exports of the kernel together", () => {
    const all = new Set(names.flatMap((part) => exportsOf(`kernel-${part}`)));
    expect([...all].sort()).toEqual(exportsOf("kernel").sort());
  });

  test.each(names)("%s exports the functions of its wings, and nothing else", (part) => {
    expect(exportsOf(`kernel-${part}`).sort()).toEqual(["memory", ...parts[part]].sort());
  });

  test.each(names)("the systems of %s call no function of another part", (part) => {
    const foreign = names.flatMap((other) => parts[other]).filter((name) => !parts[part].includes(name));
    const calls = new RegExp(`\\b(?:exports|kernel)\\.(${foreign.join("|")})\\(`, "g");
    const files = SYSTEMS[part].flatMap((system) => filesIn(`src/${system}`, [".ts"]));
    expect(files.flatMap(({ path, text }) => [...text.matchAll(calls)].map(([call]) => `${path}: ${call}`))).toEqual(
      [],
    );
  });
});

/** A fresh copy of the core, which has compiled no kernel, and of the systems. */
async function fresh() {
  vi.resetModules();
  const { createMill, createMillAsync } = await import("../../src/core/index.js");
  const { tables } = await import("../../src/tables/index.js");
  const { pools } = await import("../../src/pools/index.js");
  const { dice } = await import("../../src/dice/index.js");
  const { samples } = await import("../../src/samples/index.js");
  const { walks } = await import("../../src/walks/index.js");
  const { worldsWith } = await import("../../src/worlds/index.js");
  const { recipes } = await import("../../src/recipes/index.js");
  const { objects } = await import("../../src/objects/index.js");
  const worlds = worldsWith({ tables, recipes });
  return { createMill, createMillAsync, tables, pools, dice, samples, walks, worlds, recipes, objects };
}

type Fresh = Awaited<ReturnType<typeof fresh>>;
type Mill = Awaited<ReturnType<Fresh["createMillAsync"]>>;

const TABLE = {
  rows: [
    {
      columns: [
        { result: "a", weight: 1 },
        { result: "b", weight: 2 },
      ],
    },
  ],
};
const WALK = { preset: "five-ways", walkers: 24, steps: 4000 } as const;
const WORLD = {
  layers: [{ name: "sea", preset: "five-ways", steps: 40, scatter: { walkers: 30 } }],
  terrain: [{ terrain: "sea", when: { sea: { within: 1 } } }, { terrain: "land" }],
  tables: { loot: TABLE },
  recipes: { arms: "weapon" },
  placements: [
    { name: "chest", density: "1/50", content: { table: "loot" } },
    { name: "rack", density: "1/50", content: { recipe: "arms" } },
  ],
} as const;

/** Results of the systems of each part. */
const RESULTS: Readonly<Record<Part, (mill: Mill, systems: Fresh) => unknown>> = {
  draws: (mill, { tables, pools, dice, samples }) => [
    [...mill.stream("words").words(3)],
    [...mill.weighted("list", [1, 2, 3]).pickMany(9)],
    mill.open(dice, "dice", "2d6").roll(),
    mill.open(samples, "deck", 52).draw(),
    [...mill.open(tables, "table", TABLE).rollMany(9)],
    mill
      .open(pools, "pools", {
        roots: {
          box: {
            kind: "finite",
            records: [
              { id: "gem", quantity: 3 },
              { id: "coin", quantity: 5 },
            ],
          },
        },
      })
      .pool("box")
      .drawMany(4)
      .at(3),
  ],
  maps: (mill, { walks, worlds }) => {
    const world = mill.open(worlds, "land", WORLD);
    const placements = [...world.window({ row0: 0, col0: 0, rows: 64, cols: 64 }).placements];
    return [
      mill.open(walks, "isle", WALK).runLayer().digest(),
      world.digest({ row0: 0, col0: 0, rows: 64, cols: 64 }),
      placements,
    ];
  },
  items: (mill, { recipes, objects }) => [
    mill.open(recipes, "weapon", "weapon").make(),
    mill.open(objects, "drops", DUNGEON).make({ level: 20 }),
  ],
};

const resultsOf = (mill: Mill, systems: Fresh, of = names) =>
  of.map((part) => JSON.stringify(RESULTS[part](mill, systems)));

describe("a mill of the core", async () => {
  const seed = "moria";
  const whole = await fresh();
  const expected = resultsOf(whole.createMill({ seed, kernel: wasm("kernel") }), whole);
  const ofPart = (part: Part) => [expected[names.indexOf(part)]];

  test("with the parts that its systems need gets the results of the whole kernel", async () => {
    const systems = await fresh();
    const { createMillAsync, walks, worlds, recipes, objects } = systems;
    const mill = await createMillAsync({ seed, systems: [walks, worlds, recipes, objects] });
    expect(resultsOf(mill, systems)).toEqual(expected);
    mill.dispose();
    expect(() => mill.open(walks, "isle", WALK)).toThrow(/argument\.disposed/);
  });

  test("with a world has the parts of the systems of its contents too", async () => {
    const systems = await fresh();
    const mill = await systems.createMillAsync({ seed, systems: [systems.worlds] });
    expect(resultsOf(mill, systems)).toEqual(expected);
  });

  test("without systems opens lists, tables and pools, and says what others need", async () => {
    const systems = await fresh();
    const mill = await systems.createMillAsync({ seed });
    expect(resultsOf(mill, systems, ["draws"])).toEqual(ofPart("draws"));
    expect(() => mill.open(systems.walks, "isle", WALK)).toThrow(/"systems".*argument\.type/);
    expect(() => mill.open(systems.recipes, "weapon", "weapon")).toThrow(/"systems".*argument\.type/);
    // the parts that another mill loads serve this mill too
    await systems.createMillAsync({ seed: 2, systems: [systems.recipes] });
    expect(mill.open(systems.recipes, "weapon", "weapon").make().name).toBeTypeOf("string");
  });

  test.each(names)("with the file of %s can do what this part can", async (part) => {
    const systems = await fresh();
    const mill = systems.createMill({ seed, kernel: wasm(`kernel-${part}`) });
    for (const other of names.filter((name) => name !== part)) {
      expect(() => RESULTS[other](mill, systems)).toThrow(/argument\.type/);
    }
    if (part === "items" || part === "draws") expect(resultsOf(mill, systems, [part])).toEqual(ofPart(part));
    else expect(mill.open(systems.walks, "isle", WALK).runLayer().digest()).toBe(JSON.parse(ofPart("maps")[0])[0]);
  });

  test.each<[string, () => KernelSource[]]>([
    ["bytes", () => names.map((part) => wasm(`kernel-${part}`))],
    ["modules", () => names.map((part) => module(`kernel-${part}`))],
    ["addresses", () => names.map((part) => new URL(`../../build/kernel-${part}.wasm`, import.meta.url))],
  ])("takes a list of parts: %s", async (_, kernel) => {
    const systems = await fresh();
    expect(resultsOf(await systems.createMillAsync({ seed, kernel: kernel() }), systems)).toEqual(expected);
  });

  test("a module that has no function of the kernel is no kernel", async () => {
    const { createMill, createMillAsync } = await fresh();
    const empty = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    expect(() => createMill({ seed, kernel: empty })).toThrow(/kernel\.unsupported/);
    await expect(createMillAsync({ seed, kernel: empty })).rejects.toThrow(/kernel\.unsupported/);
  });
});
